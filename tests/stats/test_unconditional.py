"""Sums over every table against plain enumeration, and normal orthants against scipy and closed forms."""

from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.errors import MethodError
from deadheat.stats.numerics.orthant import orthant
from deadheat.stats.power.power_paired import paired_power_exact
from deadheat.stats.power.unconditional import discordant_probability, pooled_z_rejects


def tables(m):
    """Every table of m items: both, only the first, only the second."""
    for a in range(m + 1):
        for b in range(m + 1 - a):
            for c in range(m + 1 - a - b):
                yield a, b, c


def chance(m, a, b, c, p):
    d = m - a - b - c
    ways = factorial(m) / (factorial(a) * factorial(b) * factorial(c) * factorial(d))
    return ways * p[1, 1] ** a * p[1, 0] ** b * p[0, 1] ** c * p[0, 0] ** d


joint = st.lists(st.floats(0.02, 1), min_size=4, max_size=4).map(
    lambda x: (np.array(x) / sum(x)).reshape(2, 2)
)


@given(st.integers(2, 12), joint, st.sampled_from([1.0, 1.645, 1.96, 2.576]))
def test_every_table_is_counted(m, p, z):
    close, pooled = 0.0, 0.0
    for a, b, c in tables(m):
        w = chance(m, a, b, c, p)
        close += w * (abs(b - c) >= 2)
        rate = (2 * a + b + c) / (2 * m)
        error = np.sqrt(2 * m * rate * (1 - rate))
        # Just as far as the critical value is not beyond it; draws there have no meaning in floating point.
        if error > 0 and abs(abs(b - c) / error - z) < 1e-9:
            return
        pooled += w * (error > 0 and abs(b - c) / error > z)
    found = discordant_probability(lambda b, c: np.abs(b - c) >= 2, m, p[1, 0], p[0, 1])
    assert found == pytest.approx(close, abs=1e-12)
    assert pooled_z_rejects(m, p, z) == pytest.approx(pooled, abs=1e-12)


@pytest.mark.parametrize("items", [30, 400, 2294])
def test_power_of_mcnemar(items):
    """The other exact sum of this package goes over discordant items first; here b and c go together."""
    from deadheat.stats.paired.mcnemar import mcnemar_exact

    found = discordant_probability(lambda b, c: mcnemar_exact(b, c).p < 0.05, items, 0.18, 0.14)
    assert found == pytest.approx(float(paired_power_exact(0.04, 0.32, items)), abs=1e-11)


def test_no_discordance_at_all():
    assert discordant_probability(lambda b, c: b == c, 50, 0.0, 0.0) == pytest.approx(1)


def test_orthants_with_a_closed_form():
    assert orthant(np.array([0.3]), np.array([[4.0]])) == pytest.approx(stats.norm.cdf(0.15), abs=1e-15)
    for r in (-0.9, -0.3, 0.0, 0.5, 0.95):
        expected = 0.25 + np.arcsin(r) / (2 * np.pi)
        assert orthant(np.zeros(2), np.array([[1, r], [r, 1]])) == pytest.approx(expected, abs=2e-6)
    # Five exchangeable differences with correlation 1/2: the first of six is the largest.
    assert orthant(np.zeros(5), (np.eye(5) + 1) / 2) == pytest.approx(1 / 6, abs=1e-5)
    # All orders of five are equally likely.
    step = np.eye(5)[:-1] - np.eye(5)[1:]
    assert orthant(np.zeros(4), step @ step.T) == pytest.approx(1 / 120, abs=1e-6)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_orthants_as_scipy_has_them(size):
    rng = np.random.default_rng(size)
    root = rng.normal(size=(size, size))
    covariance, mean = root @ root.T + np.eye(size) / 5, rng.normal(size=size)
    expected = stats.multivariate_normal(np.zeros(size), covariance, abseps=1e-8, releps=1e-8).cdf(mean)
    assert orthant(mean, covariance) == pytest.approx(expected, abs=1e-5)


def test_orthants_far_out_stay_between_0_and_1():
    covariance = np.array([[1.0, 0.3], [0.3, 1.0]])
    assert orthant(np.array([-9.0, -9.0]), covariance) >= 0
    assert orthant(np.array([-9.0, -9.0]), covariance) < 1e-18
    assert orthant(np.array([9.0, 9.0]), covariance) == pytest.approx(1, abs=1e-12)


def test_a_singular_covariance_is_refused():
    with pytest.raises(MethodError, match="positive definite"):
        orthant(np.zeros(2), np.ones((2, 2)))
