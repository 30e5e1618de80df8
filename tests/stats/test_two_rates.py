"""Two independent rates: the score test and interval, and attainable errors of the difference."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import xlogy
from statsmodels.stats.proportion import test_proportions_2indep as reference

from deadheat.stats.paired.two_rates import Rate, attainable, score_difference, score_statistic


def rates(k_a, n_a, k_b, n_b):
    return Rate(k_a / n_a, n_a), Rate(k_b / n_b, n_b)


def ends(*counts, level=0.95):
    return [float(end[0]) for end in score_difference(*rates(*counts), level=level)[1]]


def test_newcombe_s_example():
    # Newcombe (1998), Statistics in Medicine 17, 873-890, table II, 56/70 - 48/80, Miettinen-Nurminen
    assert ends(56, 70, 48, 80) == pytest.approx([0.0528, 0.3382], abs=5e-5)


@pytest.mark.parametrize("counts", [(190, 200, 400, 500), (71, 100, 350, 500), (56, 70, 48, 80)])
def test_p_is_that_of_statsmodels(counts):
    found = score_difference(*rates(*counts))[0].p[0]
    assert found == pytest.approx(reference(*counts, method="score", compare="diff").pvalue, rel=1e-9)


@given(st.integers(1, 40), st.integers(1, 60), st.data(), st.floats(-0.95, 0.95))
def test_the_rates_are_the_most_likely_ones(n_a, n_b, data, difference):
    k_a, k_b = data.draw(st.integers(0, n_a)), data.draw(st.integers(0, n_b))
    assume(abs(k_a / n_a - k_b / n_b - difference) > 1e-3)

    def unlikely(b):
        a = b + difference
        parts = xlogy([k_a, n_a - k_a, k_b, n_b - k_b], [a, 1 - a, b, 1 - b])
        return -parts.sum()

    low, high = max(0.0, -difference) + 1e-12, min(1.0, 1 - difference) - 1e-12
    b = minimize_scalar(unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-11}).x
    a, total = b + difference, n_a + n_b
    spread = (a * (1 - a) / n_a + b * (1 - b) / n_b) * total / max(total - 1, 1)
    gap = k_a / n_a - k_b / n_b - difference
    found = score_statistic(*rates(k_a, n_a, k_b, n_b), difference)
    assert (gap / found) ** 2 == pytest.approx(spread, rel=1e-3, abs=1e-6)


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_p_and_interval_agree_and_swapping_mirrors(n_a, n_b, data):
    k_a, k_b = data.draw(st.integers(0, n_a)), data.draw(st.integers(0, n_b))
    (p, bounds), (swapped, other) = (
        score_difference(*pair) for pair in (rates(k_a, n_a, k_b, n_b), rates(k_b, n_b, k_a, n_a))
    )
    low, high = (float(end[0]) for end in bounds)
    assert -1 <= low <= k_a / n_a - k_b / n_b <= high <= 1
    assert float(swapped.p[0]) == pytest.approx(float(p.p[0]), rel=1e-9)
    assert [-float(other.high[0]), -float(other.low[0])] == pytest.approx([low, high], abs=1e-9)
    if abs(float(p.p[0]) - 0.05) > 1e-6:
        assert (low > 0 or high < 0) == (float(p.p[0]) < 0.05)


def test_attainable_errors_by_enumeration():
    """Two items of one and three of the other, the two among the three, by every joint law on a grid."""
    a, b = 0.7, 0.6
    found = attainable(a * (1 - a), 2, b * (1 - b), 3, rates=(a, b))
    every = []
    for both in np.linspace(max(0.0, a + b - 1), min(a, b), 11):
        law = {(1, 1): both, (1, 0): a - both, (0, 1): b - both, (0, 0): 1 - a - b + both}
        first = second = 0.0
        for x, y, z in itertools.product(law, law, (0, 1)):
            chance = law[x] * law[y] * (b if z else 1 - b)
            gap = (x[0] + y[0]) / 2 - (x[1] + y[1] + z) / 3
            first, second = first + chance * gap, second + chance * gap**2
        every.append(math.sqrt(second - first**2))
    assert (found.least, found.most) == pytest.approx((min(every), max(every)))


def test_other_scores_are_bound_by_cauchy_and_schwarz():
    assert attainable(4.0, 10, 1.0, 20, rates=None) == pytest.approx(
        (math.sqrt(0.45 - 0.2), math.sqrt(0.45 + 0.2))
    )
