"""Metrics of repeated samples against exact fractions, every subset, published boards and peers' faults."""

import csv
import gzip
from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from math import ceil, comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.errors import MethodError
from deadheat.stats.samples import metrics, subsets
from support import NEEDS_SHARED, SHARED, shared_json

small = st.integers(1, 60).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n)))


def tail(n, c, k, m):
    """P(at least m of k drawn are right), a fraction."""
    ways = sum(comb(c, j) * comb(n - c, k - j) for j in range(m, min(c, k) + 1))
    return Fraction(ways, comb(n, k))


def moments(estimate, n, p):
    """Mean of an estimate over c ~ Binomial(n, p), for each column of estimates."""
    weights = [comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]
    return np.dot(weights, estimate)


@given(small)
def test_values_are_correctly_rounded_fractions(nck):
    n, c, k = nck
    assert metrics.pass_at_k(n, c, k) == float(1 - Fraction(comb(n - c, k), comb(n, k)))
    assert metrics.pass_hat_k(n, c, k) == float(Fraction(comb(c, k), comb(n, k)))
    for tau in (0.01, 0.25, 0.5, 0.75, 1.0):
        assert metrics.g_pass_at_k(n, c, k, tau) == float(tail(n, c, k, max(1, ceil(tau * k))))


@pytest.mark.parametrize(("n", "c", "k"), [(5, 2, 3), (6, 3, 2), (6, 1, 6), (7, 4, 4)])
def test_every_subset(n, c, k):
    drawn = [sum(i < c for i in subset) for subset in combinations(range(n), k)]
    assert metrics.pass_at_k(n, c, k) == pytest.approx(np.mean(np.array(drawn) >= 1), abs=1e-15)
    assert metrics.pass_hat_k(n, c, k) == pytest.approx(np.mean(np.array(drawn) == k), abs=1e-15)
    assert metrics.g_pass_at_k(n, c, k, 0.5) == pytest.approx(np.mean(np.array(drawn) >= k / 2), abs=1e-15)


@pytest.mark.parametrize("n", [1001, 30_000, 10**6])
@pytest.mark.parametrize("k", [1, 2, 7, 100, 1000])
def test_large_n_against_high_precision(n, k):
    mp = pytest.importorskip("mpmath")
    with mp.workdps(60):
        for c in (1, 2, 30, n // 100, n // 3, n - k, n - 1):
            none, every = mp.binomial(n - c, k), mp.binomial(c, k)
            whole = mp.binomial(n, k)
            assert float(metrics.pass_at_k(n, c, k)) == pytest.approx(float(1 - none / whole), rel=2e-13)
            if every / whole > 1e-30:
                assert float(metrics.pass_hat_k(n, c, k)) == pytest.approx(float(every / whole), rel=2e-13)


@pytest.mark.parametrize("k", [1, 2, 3, 30, 400, 900])
def test_both_ways_of_making_a_table_agree(k, monkeypatch):
    whole = [subsets.at_least(900, k, m) for m in (1, (k + 1) // 2, k)]
    monkeypatch.setattr(subsets, "EXACT_UP_TO", 0)
    for exact, m in zip(whole, (1, (k + 1) // 2, k), strict=True):
        np.testing.assert_allclose(subsets.at_least(900, k, m), exact, rtol=2e-13)


@NEEDS_SHARED
def test_reference_figures():
    figures = {f["id"]: f for f in shared_json("reference/figures.json")}
    asked = {
        "edge.passk.c0": metrics.pass_at_k(10, 0, 5),
        "edge.passk.nck": metrics.pass_at_k(10, 6, 5),
        "edge.passk.k1": metrics.pass_at_k(10, 3, 1),
        "edge.passk.10_3_5": metrics.pass_at_k(10, 3, 5),
        "edge.passk.200_5_100": metrics.pass_at_k(200, 5, 100),
        "edge.passk.200_13_10": metrics.pass_at_k(200, 13, 10),
        "edge.passk.tiny": metrics.pass_at_k(10**6, 1, 1),
        "edge.passk.1e6_3_1000": metrics.pass_at_k(10**6, 3, 1000),
        "edge.passk.ident": moments(metrics.pass_at_k(10, np.arange(11), 10), 10, 0.3),
        "edge.pass_hat_k": metrics.pass_hat_k(10, 6, 5),
    }
    for name, value in asked.items():
        assert float(value) == pytest.approx(figures[name]["value"], rel=1e-9, abs=1e-15), name


def test_edges_are_exact():
    assert metrics.pass_at_k(10**6, 1, 1) == 1e-6
    assert metrics.pass_at_k(10, 6, 5) == 1.0
    assert metrics.pass_at_k(2000, 1996, 5) == 1.0
    assert metrics.pass_at_k(2000, 0, 5) == 0.0
    assert metrics.pass_hat_k(2000, 2000, 5) == 1.0
    assert np.isnan(metrics.pass_at_k(4, 2, 5))
    assert np.isnan(metrics.pass_hat_k(4, 4, 5))
    assert np.isnan(metrics.mean(0, 0))
    assert np.isnan(metrics.plug_in_pass_at_k(0, 0, 1))
    assert np.isnan(subsets.at_least(3, 5, 1)).all()


def test_each_item_keeps_its_own_number_of_samples():
    n, c = np.array([[10, 4, 5], [10, 200, 1]]), np.array([[3, 2, 0], [6, 13, 1]])
    found = metrics.pass_at_k(n, c, 5)
    np.testing.assert_array_equal(np.isnan(found), [[False, True, False], [False, False, True]])
    assert found[0, 0] == float(tail(10, 3, 5, 1))
    assert found[1, 1] == metrics.pass_at_k(200, 13, 5)


@given(small)
def test_one_draw_is_the_mean_and_more_draws_move_apart(nck):
    n, c, k = nck
    assert metrics.pass_at_k(n, c, 1) == metrics.pass_hat_k(n, c, 1) == metrics.mean(n, c)
    assert metrics.pass_hat_k(n, c, k) <= metrics.mean(n, c) <= metrics.pass_at_k(n, c, k)
    # what is right for one is wrong for the other
    assert metrics.pass_at_k(n, c, k) + metrics.pass_hat_k(n, n - c, k) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(("n", "k"), [(10, 10), (12, 5), (20, 1)])
@pytest.mark.parametrize("p", [0.02, 0.3, 0.9])
def test_estimators_are_unbiased_and_the_plug_in_is_not(n, k, p):
    c = np.arange(n + 1)
    assert moments(metrics.pass_at_k(n, c, k), n, p) == pytest.approx(1 - (1 - p) ** k, abs=1e-12)
    assert moments(metrics.pass_hat_k(n, c, k), n, p) == pytest.approx(p**k, abs=1e-12)
    if k > 1:
        assert moments(metrics.plug_in_pass_at_k(n, c, k), n, p) < 1 - (1 - p) ** k


def test_the_plug_in_is_as_low_as_published():
    c = np.arange(11)
    assert moments(metrics.plug_in_pass_at_k(10, c, 10), 10, 0.3) == pytest.approx(
        0.8956203514944167, rel=1e-12
    )


def test_the_two_readings_of_pass_hat_k_are_not_mixed():
    # C(c, k) / C(n, k) is the number here; (c/n)^k, which some reports print, is another
    assert metrics.pass_hat_k(4, 2, 2) == pytest.approx(1 / 6, rel=1e-15)
    assert (2 / 4) ** 2 == 0.25


@pytest.mark.parametrize(
    ("k", "tau", "right"), [(20, 0.55, 11), (10, 0.3, 3), (8, 0.5, 4), (5, 1.0, 5), (5, 0.01, 1)]
)
def test_share_of_k_is_safe_from_rounding(k, tau, right):
    assert metrics.needed(k, tau) == right


def test_curve_is_the_mean_over_items():
    c = np.random.default_rng(3).integers(0, 21, (4, 50))
    ks = np.array([1, 5, 20, 21])
    for name, function in (("pass@k", metrics.pass_at_k), ("pass^k", metrics.pass_hat_k)):
        curve = metrics.curve(20, c, ks, name)
        assert np.isnan(curve[:, 3]).all()
        for at, k in enumerate(ks[:3]):
            np.testing.assert_allclose(curve[:, at], function(20, c, int(k)).mean(axis=1), rtol=1e-13)


@pytest.mark.parametrize("n", [1, 200, 1000])
def test_a_curve_of_every_k_is_that_of_whole_numbers(n):
    c, ks = np.arange(n + 1)[:, None], np.unique(np.linspace(1, n, 60).astype(int))
    for name, function in (("pass@k", metrics.pass_at_k), ("pass^k", metrics.pass_hat_k)):
        expected = np.column_stack([function(n, c[:, 0], int(k)) for k in ks])
        np.testing.assert_allclose(metrics.curve(n, c, ks, name), expected, rtol=n * 2.0**-52, atol=1e-300)


@given(st.integers(2, 9), st.floats(0.02, 0.98))
def test_rerun_variance_of_the_mean_is_unbiased(n, p):
    c = np.arange(n + 1)
    assert moments(metrics.mean_within(n, c), n, p) == pytest.approx(p * (1 - p) / n, rel=1e-9)


def test_rerun_variance_of_fractional_scores_is_that_of_a_mean():
    x = np.array([0.2, 0.9, 0.4, 0.4])
    found = metrics.mean_within(4, x.sum(), (x**2).sum())
    assert found == pytest.approx(x.var(ddof=1) / 4, rel=1e-12)


@pytest.mark.parametrize(
    ("n", "c", "k", "m"), [(6, 2, 3, 1), (6, 4, 3, 3), (9, 5, 4, 2), (5, 5, 2, 1), (5, 0, 2, 1)]
)
def test_rerun_variance_is_the_jackknife(n, c, k, m):
    right = np.arange(n) < c
    left_out = np.array([float(tail(n - 1, int(right.sum() - r), k, m)) for r in right])
    jackknife = (n - 1) / n * ((left_out - left_out.mean()) ** 2).sum()
    assert metrics.counts_within(n, c, k, m) == pytest.approx(jackknife, abs=1e-15)


@pytest.mark.parametrize(("n", "k"), [(5, 2), (10, 5), (20, 3), (6, 5)])
@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
def test_rerun_variance_is_never_too_low_in_expectation(n, k, p):
    c = np.arange(n + 1)
    for m in (1, k):
        value = subsets.look_up(n, c, k, m)
        true = moments(value**2, n, p) - moments(value, n, p) ** 2
        assert moments(metrics.counts_within(n, c, k, m), n, p) >= true - 1e-12


def test_failed_attempts_are_zeros_that_no_rerun_redraws():
    # 3 scored and 2 failed: the mean is c/5, and only 3 of the 5 vary
    c = np.arange(4)
    found = metrics.mean_within(3, c, failed=2)
    np.testing.assert_allclose(found, metrics.mean_within(3, c) * (3 / 5) ** 2)
    np.testing.assert_allclose(metrics.counts_within(3, c, 1, 1, failed=2), found, atol=1e-16)
    assert metrics.mean_within(0, 0, failed=4) == 0.0
    assert metrics.counts_within(0, 0, 2, 1, failed=4) == 0.0


def test_too_few_samples_have_no_rerun_variance():
    assert np.isnan(metrics.mean_within(1, 1))
    assert np.isnan(metrics.counts_within(5, 2, 5, 1))  # k = n: no sample can be left out
    assert np.isnan(metrics.counts_within(1, 1, 1, 1))
    assert np.isnan(metrics.mean_within(1, 1, failed=3))


def test_item_values_serves_every_metric():
    n, c = np.array([5, 5, 1]), np.array([2, 5, 1])
    for name in metrics.METRICS:
        value, within = metrics.item_values(name, n, c, c, k=2, tau=0.5, binary=True)
        assert np.isnan(within[2])
        assert np.isnan(value[2]) == (name != "mean")
        assert value[1] == 1.0
        assert within[1] == 0.0
    value, within = metrics.item_values("mean", n, c, c, fixed=np.array([2, 0, 0]))
    assert value[0] == 0.4
    assert within[0] == pytest.approx(metrics.mean_within(3, 2, failed=2))


def test_metrics_refuse_what_they_cannot_carry():
    with pytest.raises(MethodError, match="0/1 scores"):
        metrics.item_values("pass@k", np.array([3]), np.array([1.5]), np.array([1.0]), k=2, binary=False)
    with pytest.raises(MethodError, match="answer"):
        metrics.item_values("maj@k", np.array([3]), np.array([1]), np.array([1]), k=2)


def counts(name):
    """Samples and right ones of each entry's items, in a shared data set."""
    seen = defaultdict(lambda: defaultdict(list))
    with gzip.open(SHARED / f"data/{name}/results.csv.gz", "rt") as lines:
        for row in csv.DictReader(lines):
            seen[row["entry"]][row["item"]].append(float(row["score"] or 0))
    return {
        entry: tuple(np.array([f(scores) for scores in items.values()]).astype(int) for f in (len, sum))
        for entry, items in seen.items()
    }


@NEEDS_SHARED
@pytest.mark.parametrize("name", ["tau_bench_airline", "terminal_bench_core"])
def test_published_multi_sample_boards(name):
    figures, seen = shared_json(f"data/{name}/FIGURES.json"), counts(name)
    compared = 0
    for entry in figures["entries"]:
        n, c = seen[entry["entry"]]
        for key, value in entry.items():
            if key[:5] in ("pass@", "pass^"):
                function = metrics.pass_at_k if key[4] == "@" else metrics.pass_hat_k
                assert function(n, c, int(key[5:])).mean() == pytest.approx(value, abs=1e-9)
                compared += 1
    assert compared >= 8
    for key, value in figures.get("published", {}).items():
        if key.startswith("pass^"):
            assert metrics.pass_hat_k(*seen["gpt-4o"], int(key[5:])).mean() == pytest.approx(value, abs=5e-4)
