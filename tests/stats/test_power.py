"""Power of means, margins, boards and layouts: other programs, closed cases, inverses."""

import itertools

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import NormalIndPower, TTestIndPower, TTestPower

from deadheat.stats.numerics.search import bisect, crossing, double, smallest_whole
from deadheat.stats.power.effects import least_items, margin_power, t_power, upper_z, z_items, z_power
from deadheat.stats.power.power_board import board_probabilities, board_probabilities_exact
from deadheat.stats.samples.sample_layout import best_samples, variance_factor


@pytest.mark.parametrize(("effect", "n"), [(0.2, 30), (0.5, 34), (0.05, 4000), (1.5, 4), (0.0, 50)])
@pytest.mark.parametrize("alpha", [0.05, 0.001])
def test_reference_statsmodels(effect, n, alpha):
    """TTestPower().power(effect, n, alpha), TTestIndPower and NormalIndPower with n each."""
    peer = TTestPower().power(effect, n, alpha)
    assert t_power(effect, 1.0, n, n - 1, alpha) == pytest.approx(peer, abs=1e-9)
    peer = TTestIndPower().power(effect, n, alpha)
    assert t_power(effect, 2.0, n, 2 * n - 2, alpha) == pytest.approx(peer, abs=1e-9)
    peer = NormalIndPower().power(effect, n, alpha)
    assert z_power(effect, 2.0, 2.0, n, alpha) == pytest.approx(peer, abs=1e-9)


def test_t_power_is_undefined_without_degrees_of_freedom():
    assert np.isnan(t_power(1.0, 1.0, 1, 0))
    assert t_power(0.0, 1.0, [5, 500], [4, 499]) == pytest.approx([0.05, 0.05], abs=1e-10)


@given(
    effect=st.floats(0.001, 2), null=st.floats(0.1, 3), spread=st.floats(0.1, 3), power=st.floats(0.5, 0.999)
)
def test_normal_items_put_back(effect, null, spread, power):
    n = z_items(effect, null, spread, power)
    far = stats.norm.cdf((-effect * np.sqrt(n) - stats.norm.isf(0.025) * np.sqrt(null)) / np.sqrt(spread))
    assert z_power(effect, null, spread, n) == pytest.approx(
        power + far, abs=1e-9
    )  # the formula leaves it out
    assert z_items(-effect, null, spread, power) == n
    assert z_power(effect, null, spread, 2 * n) > z_power(effect, null, spread, n)


def test_items_of_a_t_test():
    """TTestPower().solve_power(effect_size=0.5, alpha=0.05, power=0.8) = 33.367..."""
    ours = least_items(lambda n: float(t_power(0.5, 1.0, n, n - 1)), 0.8, 2.0)
    assert ours == pytest.approx(TTestPower().solve_power(effect_size=0.5, alpha=0.05, power=0.8), rel=1e-6)
    assert least_items(lambda n: 0.5, 0.8, 2.0) == np.inf
    assert least_items(lambda n: 0.9, 0.8, 2.0) == 2.0


def test_margins_with_known_variance():
    z = stats.norm.isf(0.05)
    power = margin_power(0.0, 0.04, 900, np.inf, 0.02)
    assert power == pytest.approx(stats.norm.cdf(0.02 / np.sqrt(0.04 / 900) - z), abs=1e-12)
    both = margin_power(0.0, 0.04, 900, np.inf, 0.02, equivalence=True)
    assert both == pytest.approx(2 * power - 1, abs=1e-12)
    assert margin_power(0.0, 0.04, 10, np.inf, 0.001, equivalence=True) == 0
    assert margin_power(-0.02, 0.04, 900, np.inf, 0.02) == pytest.approx(0.05, abs=1e-12)
    assert margin_power(-0.02, 0.04, 900, 899, 0.02) == pytest.approx(0.05, abs=1e-9)


def test_margin_against_simulation():
    rng = np.random.default_rng(1)
    x = rng.normal(0.1, 1.0, (40_000, 25))
    error = x.std(axis=1, ddof=1) / 5
    bar = stats.t.isf(0.05, 24)
    low, high = x.mean(axis=1) - bar * error, x.mean(axis=1) + bar * error
    assert margin_power(0.1, 1.0, 25, 24, 0.3) == pytest.approx((low > -0.3).mean(), abs=0.01)
    both = margin_power(0.1, 1.0, 25, 24, 0.8, equivalence=True)
    assert both == pytest.approx(((low > -0.8) & (high < 0.8)).mean(), abs=0.01)


def test_search():
    assert bisect(lambda x: x * x >= 2, 0.0, 2.0) == pytest.approx(np.sqrt(2), abs=1e-15)
    assert double(lambda x: x > 100, 3.0) == 192
    assert double(lambda x: False, 1.0) is None
    for guess in (1.0, 1.4, 2.0):  # far, near, at the end
        assert crossing(lambda x: x * x, 2.0, guess, 2.0) == pytest.approx(np.sqrt(2), rel=1e-12)
    assert crossing(lambda x: x * x, 2.0, 1.0, 1.4) is None
    assert crossing(lambda x: float(x >= 0.3), 1.0, 0.9, 1.0) == pytest.approx(
        0.3, rel=1e-11
    )  # no secant helps
    assert smallest_whole(lambda n: np.zeros(n.size), 0.5, 10) is None
    teeth = lambda n: n / 100 - 0.05 * (n % 7 == 0)  # noqa: E731 - 0.5 first at 50, but 49, 54, 55 and 56 matter
    assert smallest_whole(teeth, 0.5, 3) == 50
    assert smallest_whole(lambda n: np.where(n % 7, n / 100, 0.0), 0.5, 60) is None  # never stays there
    assert smallest_whole(lambda n: np.ones(n.size), 0.5, 400) == 1


@pytest.mark.parametrize(
    ("df", "shift"), [(1.0, 8.0), (1.75, 9.0), (2.0, 7.95), (203.485, 7.3507521), (2482.0, 38.998)]
)
def test_far_shifts_have_a_power(df, shift):
    """scipy's nctdtr gives NaN for some far tails; against an integral over the variance estimate."""
    bar = stats.t.ppf(0.975, df)

    def missed(s):  # the estimate's standard deviation, in units of the true one
        density = mpmath.log(2) + df / 2 * mpmath.log(df / 2) - mpmath.loggamma(df / 2)
        density += (df - 1) * mpmath.log(s) - df * s * s / 2
        return mpmath.exp(density) * (mpmath.ncdf(bar * s - shift) - mpmath.ncdf(-bar * s - shift))

    peer = 1 - mpmath.quad(missed, [0, 0.1, 0.5, 0.8, 0.9, 1, 1.1, 1.2, 1.5, 2, 4, 8, 15])
    assert t_power(shift, 1.0, 1.0, df) == pytest.approx(float(peer), abs=1e-9)


@given(
    shift=st.floats(0.05, 60),
    size=st.floats(1, 20),
    icc=st.floats(0, 0.9),
    alpha=st.sampled_from([0.05, 1e-3]),
)
def test_power_of_t_rises_with_items(shift, size, icc, alpha):
    items = size * np.linspace(1.2, 60, 200)
    power = t_power(shift, 1 + (size - 1) * icc, items, items / size - 1, alpha)
    assert np.all(np.diff(power) >= -1e-9)


def test_layout():
    assert variance_factor() == 1
    assert variance_factor(4, 0.6) == pytest.approx(0.55)
    assert variance_factor(1, 0.9, 11, 0.05) == pytest.approx(1.5)
    rng = np.random.default_rng(2)
    clusters, size, samples = 6000, 5, 3
    shared = rng.normal(0, np.sqrt(0.2), (clusters, 1, 1))
    own = rng.normal(0, np.sqrt(0.3), (clusters, size, 1))
    noise = rng.normal(0, np.sqrt(0.5), (clusters, size, samples))
    means = (shared + own + noise).mean(axis=(1, 2))
    expected = variance_factor(samples, 0.5, size, 0.2) / size
    assert means.var() == pytest.approx(expected, rel=0.06)


@given(item=st.floats(0, 100), sample=st.floats(0.01, 10), noise=st.floats(0, 1), rest=st.floats(0.001, 1))
def test_best_split_beats_every_other(item, sample, noise, rest):
    best = best_samples(item, sample, noise, rest)
    s = np.arange(1, max(2 * best, 50))
    cost = (rest + noise / s) * (item + s * sample)
    assert cost[best - 1] <= cost.min() * (1 + 1e-12)


def _orders(rates, items):
    """Both probabilities from every combination of counts."""
    chances = [stats.binom.pmf(np.arange(items + 1), items, p) for p in rates]
    order = best = 0.0
    for counts in itertools.product(range(items + 1), repeat=len(rates)):
        mass = np.prod([chance[k] for chance, k in zip(chances, counts, strict=True)])
        order += mass * all(a > b for a, b in itertools.pairwise(counts))
        best += mass * all(counts[0] > other for other in counts[1:])
    return order, best


@pytest.mark.parametrize("rates", [(0.8, 0.6, 0.5), (0.9, 0.2), (0.5, 0.5, 0.5, 0.5), (1.0, 0.4, 0.0)])
@pytest.mark.parametrize("items", [1, 4, 7])
def test_enumeration_of_a_board(rates, items):
    ours = board_probabilities_exact(np.array(rates), items)
    assert ours == pytest.approx(_orders(rates, items), abs=1e-12)


def test_board_of_normal_scores():
    ours = board_probabilities(np.array([0.7, 0.65]), np.array([0.02, 0.03]), 0.5)
    alone = stats.norm.cdf(0.05 / np.sqrt(0.02**2 + 0.03**2 - 0.02 * 0.03))
    assert ours == pytest.approx((alone, alone), abs=1e-12)
    for k in (2, 3, 6):
        order, best = board_probabilities(np.zeros(k), np.ones(k))
        assert order == pytest.approx(1 / np.prod(np.arange(1, k + 1)), rel=1e-10)
        assert best == pytest.approx(1 / k, rel=1e-10)
    rates, errors = np.array([0.7, 0.68, 0.65, 0.6]), np.array([0.02, 0.03, 0.01, 0.025])
    for correlation in (0.0, 0.6):
        cov = np.outer(errors, errors) * (correlation + (1 - correlation) * np.eye(4))
        step = np.eye(3, 4) - np.eye(3, 4, 1)
        peer = stats.multivariate_normal.cdf(step @ rates, cov=step @ cov @ step.T, abseps=1e-7, rng=0)
        assert board_probabilities(rates, errors, correlation)[0] == pytest.approx(peer, abs=1e-5)


def test_normal_and_exact_boards_agree_on_many_items():
    rates, items = np.array([0.7, 0.68, 0.65, 0.6]), 20_000
    exact = board_probabilities_exact(rates, items)
    ours = board_probabilities(rates, np.sqrt(rates * (1 - rates) / items))
    assert ours == pytest.approx(exact, abs=1e-3)
    assert board_probabilities_exact(rates, 10**6) == pytest.approx((1, 1), abs=1e-9)


def test_the_normal_quantile_at_the_ends():
    assert upper_z(0.0) == np.inf
    assert upper_z(1.0) == -np.inf
    assert np.isnan(upper_z(-0.1))
    assert upper_z(0.025) == pytest.approx(stats.norm.isf(0.025), rel=1e-12)
