"""Intervals of a paired difference against published examples, constrained likelihood and McNemar's z."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize

from deadheat.errors import MethodError
from deadheat.stats.paired.mcnemar import mcnemar_chi2
from deadheat.stats.paired.paired_intervals import (
    PAIRED_INTERVALS,
    newcombe_paired,
    score_z,
    tango,
    wald_paired,
    wald_se,
)
from support import NEEDS_SHARED, shared_json

small = st.integers(0, 40)
cells = st.tuples(small, small, small, small).filter(lambda four: sum(four) > 0)


@pytest.mark.parametrize(
    ("interval", "low", "high"),
    [(wald_paired, -0.520, -0.052), (newcombe_paired, -0.507, -0.026), (tango, -0.517, -0.026)],
)
def test_airway_example(interval, low, high):
    """Fagerland, Lydersen and Laake (2014), Stat. Med. 33, 2850-2875: cells 1, 1, 7, 12."""
    assert interval(1, 1, 7, 12) == pytest.approx((low, high), abs=6e-4)


@NEEDS_SHARED
def test_reference_figures():
    figures = {f["id"]: f for f in shared_json("reference/figures.json")}
    for name in ("wald", "tango"):
        figure = figures[f"000.paired_ci.{name}"]
        assert PAIRED_INTERVALS[name](300, 29, 24, 147) == pytest.approx(
            figure["value"], abs=figure["tolerance"]
        )


@given(small, small, st.integers(0, 60), st.floats(-0.95, 0.95))
def test_score_statistic_is_the_constrained_maximum(b, c, rest, gap):
    """The variance under a stated difference comes from the likeliest cells: found here by searching."""
    n = b + c + rest
    if n == 0:
        return

    def minus_log_likelihood(q):
        p = np.array([q + gap, q, 1 - 2 * q - gap])
        counts = np.array([b, c, rest])
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.where(counts > 0, counts * np.log(np.maximum(p, 0)), 0.0)
        return np.inf if (p < -1e-12).any() else -terms.sum()

    low, high = max(0.0, -gap), (1 - gap) / 2
    grid = np.linspace(low, high, 2001)
    best = grid[np.argmin([minus_log_likelihood(q) for q in grid])]
    width = (high - low) / 2000
    found = optimize.minimize_scalar(
        minus_log_likelihood,
        bounds=(max(low, best - width), min(high, best + width)),
        method="bounded",
        options={"xatol": 1e-12},
    )
    q = found.x if found.fun < minus_log_likelihood(best) else best
    variance = 2 * q + gap * (1 - gap)
    if variance < 1e-3:
        return
    assert score_z(n, b, c, gap) == pytest.approx(
        (b - c - n * gap) / np.sqrt(n * variance), rel=2e-3, abs=2e-3
    )


@given(cells, st.floats(0.5, 0.999))
def test_tango_ends_are_roots(four, level):
    both, b, c, neither = four
    low, high = tango(both, b, c, neither, level=level)
    n = sum(four)
    from scipy.stats import norm

    z = norm.ppf((1 + level) / 2)
    assert -1 <= low <= (b - c) / n <= high <= 1
    if high < 1 - 1e-9:
        assert score_z(n, b, c, float(high)) == pytest.approx(-z, rel=1e-5)
    if low > -1 + 1e-9:
        assert score_z(n, b, c, float(low)) == pytest.approx(z, rel=1e-5)


@given(cells)
def test_tango_agrees_with_mcnemars_z(four):
    both, b, c, neither = four
    low, high = tango(both, b, c, neither)
    p = mcnemar_chi2(b, c).p
    if abs(p - 0.05) > 1e-9:
        assert (p < 0.05) == (low > 0 or high < 0)


@pytest.mark.parametrize("name", PAIRED_INTERVALS)
@given(four=cells, level=st.floats(0.5, 0.99))
def test_swap_mirrors_and_levels_nest(name, four, level):
    interval = PAIRED_INTERVALS[name]
    both, b, c, neither = four
    low, high = interval(both, b, c, neither, level=level)
    assert interval(both, c, b, neither, level=level) == (-high, -low)
    wide = interval(both, b, c, neither, level=0.995)
    assert wide.low <= low <= (b - c) / sum(four) + 1e-12
    assert (b - c) / sum(four) - 1e-12 <= high <= wide.high


@pytest.mark.parametrize("name", PAIRED_INTERVALS)
def test_no_items_and_shapes(name):
    found = PAIRED_INTERVALS[name]([3, 0], [1, 0], [[2, 0], [5, 0]], 4)
    assert found.low.shape == (2, 2)
    assert np.isnan(PAIRED_INTERVALS[name](0, 0, 0, 0).low)
    with pytest.raises(MethodError):
        PAIRED_INTERVALS[name](1, 1, 1, 1, level=95)


def test_no_discordant_item_leaves_width():
    low, high = tango(10, 0, 0, 10)
    assert (low, high) == pytest.approx((-0.161125158, 0.161125158), abs=1e-8)  # z^2 / (n + z^2)
    assert wald_se(20, 0, 0) == 0
    assert tango(0, 20, 0, 0).high == 1


def test_extreme_score_statistic():
    assert score_z(5, 5, 0, 1.0) == 0
    assert score_z(5, 3, 0, 1.0) == -np.inf
    assert np.isnan(score_z(0, 0, 0, 0.1))


@pytest.mark.parametrize(("name", "least"), [("tango", 0.935), ("newcombe", 0.93)])
def test_coverage_by_enumeration(name, least):
    """Every table of 25 items, over a grid of true cells."""
    n = 25
    tables = np.array(
        [(a, b, c, n - a - b - c) for a, b, c in product(range(n + 1), repeat=3) if a + b + c <= n]
    )
    low, high = PAIRED_INTERVALS[name](*tables.T)
    from scipy.stats import multinomial

    for share, gap in [(0.1, 0.0), (0.3, 0.0), (0.3, 0.2), (0.5, 0.1), (0.2, 0.15)]:
        rest = 1 - share
        p = [rest * 0.6, (share + gap) / 2, (share - gap) / 2, rest * 0.4]
        weight = multinomial.pmf(tables, n, p)
        assert weight[(low <= gap) & (gap <= high)].sum() > least
