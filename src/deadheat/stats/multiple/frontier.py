"""The frontier of score and cost: who is on it as observed, and who may be on it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Frontier(NamedTuple):
    """Frontier of E entries; an entry whose cost is unknown is on neither.

    Parameters
    ----------
    observed : (E,) bool
        No other entry has at least the score at no more than the cost, and is better in one of the two.
    possible : (E,) bool
        Not excluded: for no entry that costs no more is it shown that it scores higher.
    p : (E,) float64
        Adjusted p of being off the frontier; 1 where no entry costs as little, NaN where the cost is unknown.
    rival : (E,) int
        The entry that costs no more and is separated above most clearly; -1 where there is none.
    """

    observed: Mask
    possible: Mask
    p: Floats
    rival: NDArray[np.intp]


def frontier(score: Floats, cost: Floats, above: Floats, alpha: float) -> Frontier:
    """Find the frontier, and the entries that are off it with family-wise error alpha.

    An entry is off the frontier if some entry that costs no more has the higher true score. Its p-value is
    Bonferroni's over these entries; Holm's rule holds for all entries together.

    Parameters
    ----------
    score, cost : (E,) float64
        Higher scores are better; costs as they were paid, NaN where unknown.
    above : (E, E) float64
        One-sided p-values: ``above[i, j]`` of j scoring higher than i, NaN where they share no item.
    alpha : float

    References
    ----------
    Holm (1979), Scand. J. Statist. 6, 65-70. Dunn (1961), "Multiple comparisons among means", JASA 56, 52-64.
    """
    known = np.isfinite(cost) & np.isfinite(score)
    both = known[:, None] & known[None, :]
    as_cheap = both & (cost[None, :] <= cost[:, None])
    np.fill_diagonal(as_cheap, False)
    higher, cheaper = score[None, :] > score[:, None], cost[None, :] < cost[:, None]
    beaten = as_cheap & (score[None, :] >= score[:, None]) & (higher | cheaper)
    tested = as_cheap & np.isfinite(above)
    count = tested.sum(axis=1)
    p = np.where(tested, above, 1.0)
    rival = np.where(count > 0, np.argmin(p, axis=1), -1)
    own = np.minimum(p.min(axis=1) * np.maximum(count, 1), 1.0)
    order = np.argsort(own[known], kind="stable")
    held = np.maximum.accumulate(own[known][order] * np.arange(len(order), 0, -1))
    adjusted = np.full(len(score), np.nan)
    adjusted[np.flatnonzero(known)[order]] = np.minimum(held, 1.0)
    return Frontier(known & ~beaten.any(axis=1), known & ~(adjusted < alpha), adjusted, rival)


class Ratio(NamedTuple):
    """Ratio of two mean costs on shared items, its interval, and the p of a ratio of 1; NaN if unknown."""

    value: float
    low: float
    high: float
    p: float


def cost_ratio(a: Floats, b: Floats, level: float) -> Ratio:
    """Compare the mean costs of two entries on the items for which both are known.

    Parameters
    ----------
    a, b : (n,) float64
        Costs, item by item.
    level : float
        Level of the interval, by the delta method for the logarithm of the ratio and t.

    References
    ----------
    Cochran (1977), Sampling Techniques, 3rd ed., section 6.3.
    """
    from deadheat.stats.numerics.pvalues import critical_t, student

    n, nan = len(a), float("nan")
    if n == 0 or a.mean() <= 0 or b.mean() <= 0:
        return Ratio(nan, nan, nan, nan)
    value = float(a.mean() / b.mean())
    if n < 2:
        return Ratio(value, nan, nan, nan)
    se = float(np.std(a / a.mean() - b / b.mean(), ddof=1) / np.sqrt(n))
    if se <= 1e-12:
        return Ratio(value, value, value, 1.0 if value == 1 else nan)
    half = float(critical_t(level, n - 1)) * se
    p = float(student(np.log(value) / se, n - 1).p)
    return Ratio(value, float(value * np.exp(-half)), float(value * np.exp(half)), p)
