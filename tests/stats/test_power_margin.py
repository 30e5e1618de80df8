"""Power of Tango's margin test: against every table, published cells, simulation, and its own inverses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from deadheat.stats.paired.equivalence import score_margin
from deadheat.stats.paired.paired_intervals import score_z
from deadheat.stats.power import power_margin as power

CLAIMS = ("non-inferiority", "equivalence", "inferiority")


@settings(deadline=None, max_examples=60)
@given(
    n=st.integers(1, 45),
    share=st.floats(0.01, 1),
    lean=st.floats(-1, 1),
    margin=st.sampled_from([0.005, 0.02, 0.05, 0.1, 0.3, 0.9]),
    alpha=st.sampled_from([0.01, 0.05, 0.2, 0.45]),
)
def test_it_is_the_sum_over_every_table(n, share, lean, margin, alpha):
    won, lost = (x.ravel() for x in np.meshgrid(np.arange(n + 1), np.arange(n + 1)))
    won, lost = won[won + lost <= n], lost[won + lost <= n]
    chances = [share * (1 + lean) / 2, share * (1 - lean) / 2]
    chance = stats.multinomial.pmf(
        np.stack([won, lost, n - won - lost], axis=1), n, [*chances, max(1 - share, 0)]
    )
    tests = score_margin(n, won, lost, margin)
    for claim, p in zip(CLAIMS, (tests.p_below, tests.p_equivalent, tests.p_inferior), strict=True):
        found = power.exact_margin_power(share * lean, share, n, margin, alpha, claim)
        assert float(found) == pytest.approx(chance[p < alpha].sum(), abs=1e-10), claim


@pytest.mark.parametrize("n", [1, 2, 7, 40, 150])
def test_the_statistic_rises_with_what_is_won_and_falls_with_what_is_lost(n):
    """Barnard's convexity, on which the row-wise sums rest."""
    won, lost = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    for difference in (-0.9, -0.2, -0.05, -0.001, 0.001, 0.05, 0.2, 0.9):
        z = np.where(won + lost <= n, score_z(n, won, lost, difference), np.nan)
        for axis, sign in ((0, 1), (1, -1)):
            with np.errstate(invalid="ignore"):
                step = sign * np.diff(z, axis=axis)
            assert np.nanmin(step, initial=0) >= -1e-9


ROWS = [  # n, b, c, margin, false alarms of a gate that fails whoever is not shown to be non-inferior
    (50, 0, 1, 0.05, 0.755),
    (50, 1, 1, 0.05, 0.733),
    (100, 1, 2, 0.05, 0.308),
    (60, 1, 2, 0.1, 0.127),
    (200, 2, 2, 0.02, 0.516),
    (500, 20, 20, 0.02, 0.539),
]


@pytest.mark.parametrize(("n", "b", "c", "margin", "alarm"), ROWS)
def test_independently_computed_false_alarms(n, b, c, margin, alarm):
    assert 1 - power.score_margin_power(0.0, (b + c) / n, n, margin) == pytest.approx(alarm, abs=5e-4)


@pytest.mark.parametrize(
    ("share", "margin", "items"), [(0.02, 0.05, 101), (0.04, 0.05, 140), (0.05, 0.1, 49)]
)
def test_items_are_the_least_that_keep_the_power(share, margin, items):
    assert power.score_margin_items(0.0, share, margin) == items
    sizes = np.arange(max(items - 60, 1), 3 * items)
    values = power.exact_margin_power(0.0, share, sizes, margin)
    assert values[sizes >= items].min() >= 0.8
    assert values[sizes < items][-1] < 0.8


def test_nams_formula_comes_close_where_items_are_many_and_stands_in_above():
    for claim, gap in zip(CLAIMS, (-0.002, 0.001, -0.018), strict=True):
        exact = float(power.exact_margin_power(gap, 0.1, 10_000, 0.01, 0.05, claim))
        formula = power.nam_power(gap, 0.1, 10_000, 0.01, 0.05, claim)
        assert 0.1 < exact < 0.99
        assert formula == pytest.approx(exact, abs=0.005)
    assert power.score_margin_power(0.0, 0.2, 10_001, 0.01) == power.nam_power(0.0, 0.2, 10_001, 0.01)
    assert power.score_margin_items(0.0, 0.3, 0.005) == np.ceil(power.nam_items(0.0, 0.3, 0.005))


def test_no_items_are_enough_outside_the_margin():
    assert power.score_margin_items(-0.06, 0.1, 0.05) == np.inf
    assert power.exact_margin_power(-0.05, 0.05, [10, 100, 1000], 0.05).max() < 0.1


@pytest.mark.parametrize(("share", "items", "margin"), [(0.02, 50, 0.05), (0.2, 300, 0.02), (1.0, 40, 0.3)])
def test_the_smallest_loss_is_shown_with_the_power(share, items, margin):
    loss = power.smallest_loss(share, items, margin)
    for scale, reached in ((1.0, True), (0.999, False)):
        true = loss * scale
        found = power.score_margin_power(-true, max(share, true), items, margin, claim="inferiority")
        assert (found >= 0.8) == reached
    assert np.isnan(power.smallest_loss(share, 2, 0.9))
