"""The sign-flip test against scipy's permutation test, every flip by hand, and McNemar."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.stats.paired import signflip
from deadheat.stats.paired.mcnemar import mcnemar_exact
from deadheat.stats.paired.signflip import sign_flip
from support import NEEDS_SHARED, shared_json

steps = st.integers(-4, 4).map(lambda k: k / 8)


def rng():
    return np.random.default_rng(0)


@given(st.lists(steps, min_size=1, max_size=9))
def test_every_flip_by_hand(row):
    sums = np.array([row])
    flips = np.array(list(product([1, -1], repeat=len(row))))
    want = (np.abs(flips @ sums[0]) >= abs(sums.sum())).mean()  # eighths add up exactly
    found = sign_flip(sums, rng=rng())
    assert found.p == pytest.approx(want, abs=1e-15)
    assert found.exact.all()


def test_equals_scipy():
    rows = np.random.default_rng(1).normal(0.3, 1, (5, 14))
    want = [
        stats.permutation_test(
            (row,), np.mean, permutation_type="samples", n_resamples=2**14, vectorized=True
        ).pvalue
        for row in rows
    ]
    assert sign_flip(rows, rng=rng()).p == pytest.approx(want, rel=1e-12)


@NEEDS_SHARED
def test_open_cases():
    cases = [
        c for c in shared_json("cases/cases-open.json")["cases"] if c["input"]["op"] == "paired_permutation"
    ]
    assert cases
    for case in cases:
        given_, want = case["input"], case["expected"]
        d = given_.get("d") or np.subtract(given_["x"], given_["y"])
        found = sign_flip(np.array([d], dtype=float), rng=rng())
        assert found.p == pytest.approx(want.get("p", want.get("p_exact")), rel=1e-9), case["id"]


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=200))
def test_of_binary_scores_is_exact_mcnemar(row):
    found = sign_flip(np.array([row]), rng=rng())
    want = mcnemar_exact(row.count(1.0), row.count(-1.0))
    assert (found.p, found.log10_p) == want
    assert found.exact.all()


def test_random_flips_come_near_all_flips(monkeypatch):
    rows = np.random.default_rng(2).normal(0.25, 1, (6, 18))
    every = sign_flip(rows, rng=rng())
    monkeypatch.setattr(signflip, "MOST", 3)
    some = sign_flip(rows, 20_000, rng=rng())
    assert not some.exact.any()
    assert some.p == pytest.approx(every.p, abs=4 * np.sqrt(0.25 / 20_000))


def test_random_p_is_never_zero_and_a_swap_keeps_it():
    rows = np.random.default_rng(3).normal(3, 1, (2, 60))
    found = sign_flip(rows, 999, rng=rng())
    assert (found.p == 1 / 1000).all()
    rows = np.random.default_rng(4).normal(0.1, 1, (3, 60))
    assert (sign_flip(rows, 999, rng=rng()).p == sign_flip(-rows, 999, rng=rng()).p).all()


def test_blocks_do_not_matter(monkeypatch):
    rows = np.random.default_rng(5).normal(0.2, 1, (7, 11))
    whole = sign_flip(rows, rng=rng())
    monkeypatch.setattr(signflip, "CELLS", 2**12)
    assert (sign_flip(rows, rng=rng()).p == whole.p).all()


def test_no_difference_at_all():
    found = sign_flip(np.zeros((2, 5)), rng=rng())
    assert (found.p == 1).all()
    assert sign_flip(np.zeros((0, 5)), rng=rng()).p.shape == (0,)
