"""Intervals for a rate: other programs' values, every small sample, and what must always hold."""

import itertools
import json
import math
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from deadheat.errors import MethodError
from deadheat.stats.score import binomial
from deadheat.stats.score.binomial import BINOMIAL_INTERVALS

SHARED = Path(__file__).resolve().parents[3] / "shared"
METHODS = sorted(BINOMIAL_INTERVALS)
STATSMODELS = {
    "wilson": "wilson",
    "wald": "normal",
    "agresti-coull": "agresti_coull",
    "clopper-pearson": "beta",
}
counts = st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
levels = st.sampled_from([0.5, 0.8, 0.95, 0.99, 1 - 1e-6, 1 - 1e-10])


@pytest.mark.parametrize("method", STATSMODELS)
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
@pytest.mark.parametrize("n", [1, 2, 7, 20, 500])
def test_reference_statsmodels(method, level, n):
    k = np.arange(n + 1)
    low, high = proportion_confint(k, n, alpha=1 - level, method=STATSMODELS[method])
    ours = BINOMIAL_INTERVALS[method](k, n, level)
    np.testing.assert_allclose(ours.low, np.clip(low, 0, 1), rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(ours.high, np.clip(high, 0, 1), rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize(("method", "prior"), [("jeffreys", 0.5), ("bayes", 1.0)])
def test_reference_beta_quantiles(method, prior):
    k, n = np.arange(1, 60), 60
    ours = BINOMIAL_INTERVALS[method](k, n, 0.9)
    np.testing.assert_allclose(ours.low, stats.beta.ppf(0.05, k + prior, n - k + prior), rtol=1e-10)
    np.testing.assert_allclose(ours.high, stats.beta.ppf(0.95, k + prior, n - k + prior), rtol=1e-10)


def test_jeffreys_ends_are_closed_at_nothing_and_everything():
    ours = binomial.jeffreys([0, 20], 20)
    assert ours.low[0] == 0
    assert ours.high[1] == 1
    assert ours.high[0] == pytest.approx(stats.beta.ppf(0.975, 0.5, 20.5), rel=1e-12)


@pytest.mark.parametrize(
    ("k", "n", "alpha"), [(1, 2, 0.05), (2, 10, 0.05), (9, 60000, 1e-10), (500, 1000, 1e-10), (63, 64, 1e-4)]
)
def test_clopper_pearson_solves_both_tests_in_forty_digits(k, n, alpha):
    ours = binomial.clopper_pearson(k, n, 1 - alpha)
    with mpmath.workdps(40):
        half = (1 - mpmath.mpf(1 - alpha)) / 2  # the alpha that a double level really stands for
        low = mpmath.findroot(
            lambda p: mpmath.betainc(k, n - k + 1, 0, p, regularized=True) - half, float(ours.low)
        )
        high = mpmath.findroot(
            lambda p: mpmath.betainc(k + 1, n - k, p, 1, regularized=True) - half, float(ours.high)
        )
    assert float(ours.low) == pytest.approx(float(low), rel=1e-13)
    assert float(ours.high) == pytest.approx(float(high), rel=1e-13)


def test_enumeration_mid_p_in_exact_fractions():
    """P(X > k) + P(X = k)/2 in fractions at the very doubles returned, for every k of n <= 8."""
    for n in range(1, 9):
        k = np.arange(n + 1)
        ours = binomial.mid_p(k, n)
        for seen, low, high in zip(k, ours.low, ours.high, strict=True):
            assert (low == 0) == (seen == 0)
            assert (high == 1) == (seen == n)
            if seen > 0:
                assert _mid_tail(Fraction(low), seen, n) == pytest.approx(0.025, rel=1e-12)
            if seen < n:
                assert _mid_tail(1 - Fraction(high), n - seen, n) == pytest.approx(0.025, rel=1e-9)


def _mid_tail(p, k, n):
    mass = [math.comb(n, x) * p**x * (1 - p) ** (n - x) for x in range(n + 1)]
    return float(sum(mass[k + 1 :]) + mass[k] / 2)


def test_enumeration_wilson_is_the_score_test_inverted():
    """For every k of n <= 12 a rate is inside exactly when the score test does not reject it."""
    p = np.linspace(0.0005, 0.9995, 1000)
    z = stats.norm.ppf(0.95)
    for n in range(1, 13):
        for k in range(n + 1):
            ours = binomial.wilson(k, n, 0.9)
            kept = np.abs(k / n - p) <= z * np.sqrt(p * (1 - p) / n)
            np.testing.assert_array_equal((ours.low <= p) & (p <= ours.high), kept)


def test_the_ends_are_exact_where_the_plain_formula_is_not():
    """Written as centre - half width, Wilson's lower end at 0 of n is a stray 1e-18 for many n."""
    n = np.arange(1, 5000)
    for method in ("wilson", "clopper-pearson", "jeffreys", "mid-p"):
        assert np.all(BINOMIAL_INTERVALS[method](0, n, 0.95).low == 0)
        assert np.all(BINOMIAL_INTERVALS[method](n, n, 0.95).high == 1)
        assert np.all(BINOMIAL_INTERVALS[method](np.minimum(1, n), n, 0.95).low > 0)
        assert np.all(BINOMIAL_INTERVALS[method](n - 1, n, 0.95).high < 1)


def test_a_thousand_million_items_keep_their_digits():
    ours = binomial.clopper_pearson([1, 10**9 - 1], 10**9)
    assert float(ours.low[0]) == pytest.approx(2.531780798396938e-11, rel=1e-12)  # 1 - 0.975 ** 1e-9
    assert float(ours.high[0]) == pytest.approx(5.571643429123389e-09, rel=1e-12)
    assert 0 < 1 - ours.low[1] < 6e-9


def test_the_highest_level_there_is():
    """At 1 - 2^-53 the ends of one in two lie nearer to 0 and 1 than the root finder can see."""
    for method in METHODS:
        ours = BINOMIAL_INTERVALS[method]([1, 1, 500], [2, 3, 1000], 1 - 2.0**-53)
        assert np.all((ours.low >= 0) & (ours.low < ours.high) & (ours.high <= 1))
    inner, outer = (
        binomial.mid_p([1, 500], [2, 1000], 1 - 2.0**-53),
        binomial.clopper_pearson([1, 500], [2, 1000]),
    )
    assert np.all(inner.high > outer.high)


def test_undefined_is_nan_and_a_wrong_level_is_an_error():
    for method in METHODS:
        ours = BINOMIAL_INTERVALS[method]([0, -1, 5, np.nan, 1], [0, 4, 4, 4, np.inf], 0.95)
        assert np.all(np.isnan(ours.low))
        assert np.all(np.isnan(ours.high))
        assert BINOMIAL_INTERVALS[method]([], [], 0.95).low.shape == (0,)
        for level in (0.0, 1.0, -1, 95, float("nan")):
            with pytest.raises(MethodError, match="strictly between 0 and 1"):
                BINOMIAL_INTERVALS[method](1, 2, level)


def test_counts_and_items_broadcast():
    grid = binomial.wilson(np.arange(4)[:, None], np.array([3, 10, 400]))
    assert grid.low.shape == grid.high.shape == (4, 3)
    assert grid.low[2, 1] == binomial.wilson(2, 10).low


def test_standard_error_is_withheld_at_the_boundary():
    se = binomial.standard_error([0, 1, 35, 0, 7], [35, 35, 35, 0, 5])
    assert np.isnan(se[[0, 2, 3, 4]]).all()
    assert se[1] == pytest.approx(np.sqrt(1 / 35 * 34 / 35 / 35), rel=1e-15)


def test_wilson_takes_an_effective_number_of_items():
    ours = binomial.wilson(0.682 * 123.4, 123.4)
    z, p, n = stats.norm.ppf(0.975), 0.682, 123.4
    middle, half = p + z * z / (2 * n), z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    np.testing.assert_allclose(ours, np.array([middle - half, middle + half]) / (1 + z * z / n), rtol=1e-13)


@pytest.mark.parametrize("method", METHODS)
@given(count=counts, level=levels)
def test_failures_mirror_passes(method, count, level):
    k, n = count
    ours, mirrored = BINOMIAL_INTERVALS[method](k, n, level), BINOMIAL_INTERVALS[method](n - k, n, level)
    assert ours.low == pytest.approx(1 - mirrored.high, abs=1e-15)
    assert ours.high == pytest.approx(1 - mirrored.low, abs=1e-15)


@pytest.mark.parametrize("method", METHODS)
@given(count=counts)
def test_a_higher_level_contains_a_lower_one(method, count):
    ends = [BINOMIAL_INTERVALS[method](*count, level) for level in (0.5, 0.8, 0.95, 0.999, 1 - 1e-9)]
    for inner, outer in itertools.pairwise(ends):
        assert outer.low <= inner.low + 1e-15
        assert outer.high >= inner.high - 1e-15


@pytest.mark.parametrize("method", METHODS)
@given(n=st.integers(1, 1500), level=levels)
def test_more_passes_never_lower_an_end(method, n, level):
    ours = BINOMIAL_INTERVALS[method](np.arange(n + 1), n, level)
    assert np.all(np.diff(ours.low) >= -1e-15)
    assert np.all(np.diff(ours.high) >= -1e-15)
    assert np.all((ours.low >= 0) & (ours.low <= ours.high) & (ours.high <= 1))


@given(count=counts, level=levels)
def test_mid_p_and_jeffreys_lie_inside_clopper_pearson(count, level):
    outer = binomial.clopper_pearson(*count, level)
    for method in ("mid-p", "jeffreys"):
        inner = BINOMIAL_INTERVALS[method](*count, level)
        assert outer.low <= inner.low * (1 + 1e-12)
        assert outer.high >= inner.high - 1e-14


SHARED_REASON = "the shared reference figures are not here"


@pytest.mark.skipif(not SHARED.is_dir(), reason=SHARED_REASON)
def test_published_figures():
    entries = json.loads((SHARED / "reference" / "figures.json").read_text())
    figures = {entry["id"]: entry for entry in (entries["figures"] if isinstance(entries, dict) else entries)}
    for k in (341, 339):
        ours = binomial.wilson(k, 500)
        assert ours.low == pytest.approx(figures[f"001.wilson.{k}.lo"]["value"], abs=1e-10)
        assert ours.high == pytest.approx(figures[f"001.wilson.{k}.hi"]["value"], abs=1e-10)
    edges = {
        "edge.wilson.k0.n20": binomial.wilson(0, 20),
        "edge.wilson.kn.n20": binomial.wilson(20, 20),
        "edge.wilson.1.1": binomial.wilson(1, 1),
        "edge.cp.k0.n20": binomial.clopper_pearson(0, 20),
        "edge.cp.kn.n20": binomial.clopper_pearson(20, 20),
        "edge.cp.1.1": binomial.clopper_pearson(1, 1),
        "edge.cp.1.1e9": binomial.clopper_pearson(1, 10**9),
    }
    for name, ours in edges.items():
        np.testing.assert_allclose(ours, figures[name]["value"], rtol=1e-9, atol=1e-12, err_msg=name)


@pytest.mark.skipif(not SHARED.is_dir(), reason=SHARED_REASON)
def test_published_faults():
    cases = json.loads((SHARED / "cases" / "cases-open.json").read_text())["cases"]
    seen = 0
    for case in cases:
        given_, expected = case["input"], case["expected"]
        if given_["op"] not in ("interval", "interval_pair"):
            continue
        level = 1 - given_["alpha"] if "alpha" in given_ else given_["level"]
        method = given_.get("method", "wilson").replace("_", "-")
        wanted = {
            "wilson": ("wilson", given_),
            "clopper_pearson": ("clopper-pearson", given_),
            "first_wilson": ("wilson", given_.get("first")),
            "second_wilson": ("wilson", given_.get("second")),
            "first": (method, given_.get("first")),
            "second": (method, given_.get("second")),
        }
        for key in wanted.keys() & expected.keys():
            name, where = wanted[key]
            ours = BINOMIAL_INTERVALS[name](where["k"], where["n"], level)
            np.testing.assert_allclose(ours, expected[key], rtol=1e-7, atol=1e-12, err_msg=case["id"])
            seen += 1
        if "stderr" in expected:
            assert np.isnan(binomial.standard_error(given_["k"], given_["n"]))
    assert seen >= 12
