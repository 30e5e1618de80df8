"""Unpaired tests and intervals against statsmodels, scipy and the public cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep, proportions_ztest

from deadheat.stats.paired.unpaired import newcombe_unpaired, two_proportions, welch
from deadheat.stats.score.clustered import standard_error
from support import NEEDS_SHARED, shared_json

counts = st.tuples(st.integers(0, 200), st.integers(1, 200)).filter(lambda kn: kn[0] <= kn[1])


@given(counts, counts)
def test_equals_statsmodels(a, b):
    found = two_proportions(*a, *b).p
    if 0 < a[0] + b[0] < a[1] + b[1]:
        assert found == pytest.approx(proportions_ztest([a[0], b[0]], [a[1], b[1]])[1], rel=1e-9)
    else:
        assert found == 1
    want = confint_proportions_2indep(*a, *b, method="newcomb", compare="diff")
    assert newcombe_unpaired(*a, *b) == pytest.approx(want, abs=1e-9)


@given(counts, counts)
def test_swap(a, b):
    assert two_proportions(*a, *b) == two_proportions(*b, *a)
    low, high = newcombe_unpaired(*a, *b)
    assert newcombe_unpaired(*b, *a) == (-high, -low)


@NEEDS_SHARED
def test_public_cases():
    cases = {c["id"]: c for c in shared_json("cases/cases-open.json")["cases"]}
    case = cases["E05"]
    (k_a, k_b), (n_a, n_b) = case["input"]["k"], case["input"]["n"]
    assert two_proportions(k_a, n_a, k_b, n_b).p == case["expected"]["p"]
    assert newcombe_unpaired(k_a, n_a, k_b, n_b) == pytest.approx(
        case["expected"]["newcombe_diff_ci"], abs=1e-9
    )


def test_nothing_to_compare():
    assert np.isnan(two_proportions(0, 0, 3, 5).p)
    assert np.isnan(newcombe_unpaired(0, 0, 3, 5).low)


def test_welch_equals_scipy():
    rng = np.random.default_rng(0)
    a, b = rng.normal(0, 1, 12), rng.normal(0.5, 3, 25)
    errors = [standard_error(x[None], np.ones((1, x.size), bool)) for x in (a, b)]
    found = welch(*errors)
    want = stats.ttest_ind(a, b, equal_var=False)
    assert (a.mean() - b.mean()) / found.se[0] == pytest.approx(want.statistic)
    assert found.df[0] == pytest.approx(want.df)
