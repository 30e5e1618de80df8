"""Exact coverage: published figures, fractions, dense sums, and that nothing lies below the infimum."""

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.errors import MethodError
from deadheat.stats.numerics.bounds import Bounds
from deadheat.stats.numerics.expectation import binomial_expectation
from deadheat.stats.score.exact_coverage import (
    COVERAGE_METHODS,
    bootstrap_limit,
    coverage,
    expected_width,
    infimum,
    interval_ends,
    mean_coverage,
)

SHARED = Path(__file__).resolve().parents[3] / "shared"
METHODS = sorted(COVERAGE_METHODS)
GRID = np.arange(1, 50) / 50


def dense(ends, p):
    """The definition: every count's probability, where its interval holds p."""
    n = ends.low.size - 1
    k = np.arange(n + 1)
    held = (ends.low <= p[:, None]) & (p[:, None] <= ends.high)
    return (stats.binom.pmf(k, n, p[:, None]) * held).sum(axis=1)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [1, 2, 3, 20, 333])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_enumeration_of_every_count(method, n, level):
    ends = interval_ends(COVERAGE_METHODS[method], n, level)
    p = np.concatenate([[0.0, 1.0], ends.low, ends.high, np.linspace(0, 1, 301)])
    np.testing.assert_allclose(coverage(ends, p), dense(ends, p), atol=3e-13)


def test_enumeration_in_fractions():
    """Wilson on 7 items at p = 3/11, added up as fractions."""
    p, ends = Fraction(3, 11), interval_ends(COVERAGE_METHODS["wilson"], 7)
    exact = sum(
        math.comb(7, k) * p**k * (1 - p) ** (7 - k)
        for k in range(8)
        if Fraction(ends.low[k]) <= p <= Fraction(ends.high[k])
    )
    assert 0 < exact < 1
    assert coverage(ends, 3 / 11) == pytest.approx(float(exact), abs=1e-15)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared reference figures are not here")
def test_published_figures():
    entries = json.loads((SHARED / "reference" / "figures.json").read_text())
    figures = {entry["id"]: entry for entry in (entries["figures"] if isinstance(entries, dict) else entries)}
    names = {"wald": "wald", "wilson": "wilson", "cp": "clopper-pearson"}
    for short, method in names.items():
        figure = figures[f"001.coverage_min.{short}.n20"]
        ends = interval_ends(COVERAGE_METHODS[method], 20)
        assert coverage(ends, GRID).min() == pytest.approx(figure["value"], abs=1e-9)
        found = infimum(ends)
        assert found.coverage == pytest.approx(figure["true_infimum"], abs=1e-9)
        assert found.p == pytest.approx(figure["true_infimum_at"], abs=1e-9)
        assert not found.attained
    ranged = infimum(interval_ends(COVERAGE_METHODS["wilson"], 20), within=(0.02, 0.98))
    assert ranged.coverage == pytest.approx(figures["001.coverage_min.wilson.n20.range"]["value"], abs=1e-9)
    boot = coverage(interval_ends(bootstrap_limit, 20), GRID).min()
    assert boot == pytest.approx(figures["001.coverage_min.boot.n20"]["value"], abs=1e-9)
    width = expected_width(interval_ends(COVERAGE_METHODS["wilson"], 200), 0.6)
    assert width == pytest.approx(figures["001.animation.width"]["value"], abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [1, 2, 5, 20, 101])
def test_nothing_lies_below_the_infimum_and_something_comes_close(method, n):
    ends = interval_ends(COVERAGE_METHODS[method], n)
    found = infimum(ends)
    edges = np.concatenate(ends)
    beside = np.concatenate([edges - 1e-13, edges + 1e-13, np.linspace(0, 1, 2003)[1:-1], [1e-9, 1 - 1e-9]])
    beside = beside[(beside > 0) & (beside < 1)]
    seen = coverage(ends, beside)
    assert seen.min() >= found.coverage - 1e-10
    assert seen.min() <= found.coverage + 1e-7
    if found.attained:
        assert coverage(ends, found.p) == pytest.approx(found.coverage, abs=1e-12)
    else:
        near = coverage(ends, np.clip([found.p - 1e-11, found.p + 1e-11], 0, 1))
        assert near.min() == pytest.approx(found.coverage, abs=1e-7)


def test_an_infimum_can_be_attained():
    gap = interval_ends(COVERAGE_METHODS["wald"], 1)  # [0, 0] and [1, 1]: nothing covers what is between
    assert infimum(gap) == (0.5, 0.0, True)
    everything = Bounds(np.zeros(4), np.ones(4))
    assert infimum(everything) == (0.5, 1.0, True)
    ends = interval_ends(COVERAGE_METHODS["wilson"], 20)
    assert infimum(ends, within=(0.3, 0.30001)).attained  # a piece without a jump: an end of the range


def test_exact_intervals_keep_the_promise_and_bayes_keeps_it_on_average():
    for n in (1, 7, 64, 500):
        assert infimum(interval_ends(COVERAGE_METHODS["clopper-pearson"], n)).coverage >= 0.95
        assert mean_coverage(interval_ends(COVERAGE_METHODS["bayes"], n)) == pytest.approx(0.95, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_mean_coverage_is_the_average_over_rates(method):
    ends = interval_ends(COVERAGE_METHODS[method], 12)
    p = (np.arange(200_000) + 0.5) / 200_000
    assert mean_coverage(ends) == pytest.approx(coverage(ends, p).mean(), abs=2e-5)


@pytest.mark.parametrize("method", METHODS)
@given(n=st.integers(1, 400), p=st.floats(0, 1), level=st.sampled_from([0.5, 0.9, 0.99]))
def test_failures_mirror_passes_and_a_higher_level_covers_more(method, n, p, level):
    ends = interval_ends(COVERAGE_METHODS[method], n, level)
    near = (
        np.abs(np.concatenate(ends) - p).min() < 1e-12 or np.abs(np.concatenate(ends) - 1 + p).min() < 1e-12
    )
    if not near:  # at a jump the last digit of 1 - p decides
        assert coverage(ends, p) == pytest.approx(coverage(ends, 1 - p), abs=1e-11)
    wider = interval_ends(COVERAGE_METHODS[method], n, (1 + level) / 2)
    assert coverage(wider, p) >= coverage(ends, p) - 1e-12


def test_ten_thousand_items():
    ends = interval_ends(COVERAGE_METHODS["wilson"], 10_000)
    p = np.linspace(0.001, 0.999, 37)
    np.testing.assert_allclose(coverage(ends, p), dense(ends, p), atol=1e-10)
    assert infimum(ends).coverage == pytest.approx(0.83817506, abs=1e-8)


@pytest.mark.parametrize("n", [1, 3, 20, 500])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_bootstrap_limit_has_the_quantiles_of_a_binomial(n, level):
    k = np.arange(n + 1)
    ours = bootstrap_limit(k, n, level)
    np.testing.assert_array_equal(ours.low, stats.binom.ppf((1 - level) / 2, n, k / n) / n)
    np.testing.assert_array_equal(ours.high, stats.binom.ppf((1 + level) / 2, n, k / n) / n)


def test_bootstrap_limit_on_three_items_and_at_a_tie():
    assert bootstrap_limit(2, 3) == (0.0, 1.0)
    assert bootstrap_limit(1, 2, 0.5) == (0.0, 1.0)  # P(0) = P(2) = 1/4 exactly: outward on both sides
    undefined = bootstrap_limit([0, 5], [0, 4])
    assert np.isnan(undefined.low).all()
    with pytest.raises(MethodError, match="strictly between"):
        bootstrap_limit(1, 2, 1.0)


@given(n=st.integers(1, 3000), p=st.floats(0, 1))
def test_expectation_of_the_count_and_its_square(n, p):
    k = np.arange(n + 1.0)
    assert binomial_expectation(k, n, p) == pytest.approx(n * p, rel=1e-9, abs=1e-12)
    second = n * p * (1 - p) + (n * p) ** 2
    assert binomial_expectation(k * k, n, p) == pytest.approx(second, rel=1e-9, abs=1e-12)


def test_expectation_over_many_sizes_in_blocks():
    values = np.cos(np.arange(40_001.0))
    n = np.array([[0, 7, 40_000]])
    p = np.array([[0.0], [0.3], [1.0]])
    ours = binomial_expectation(values, n, p)
    full = [
        [(stats.binom.pmf(np.arange(m + 1), m, q) * values[: m + 1]).sum() for m in n[0]] for q in p[:, 0]
    ]
    np.testing.assert_allclose(ours, full, atol=1e-9)


def test_refusals():
    with pytest.raises(MethodError, match="at least 1 item"):
        interval_ends(COVERAGE_METHODS["wilson"], 0)
    with pytest.raises(MethodError, match="fall as the count grows"):
        interval_ends(lambda k, n, level: Bounds(1 - k / n, 1 - k / n), 5)
    ends = interval_ends(COVERAGE_METHODS["wilson"], 5)
    for within in ((0.5, 0.5), (-0.1, 1), (0.2, 1.5), (0.9, 0.1)):
        with pytest.raises(MethodError, match="has a width"):
            infimum(ends, within)
