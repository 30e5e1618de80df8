"""The frontier of score and cost: who is on it as observed, and who may be on it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.pvalues import critical_t, student
from deadheat.stats.score.clustered import standard_error

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Codes = NDArray[np.integer]


class Frontier(NamedTuple):
    """Frontier of E entries; an entry whose cost is unknown is on neither.

    Parameters
    ----------
    observed : (E,) bool
        No other entry has at least the score at no more than the cost, and is better in one of the two.
    possible : (E,) bool
        Not excluded: of no entry is it shown both that it scores higher and that it costs no more.
    p : (E,) float64
        Adjusted p of being off the frontier; 1 where no entry can beat it, NaN where the cost is unknown.
    rival : (E,) int
        The entry of which both are shown most clearly; -1 where there is none.
    """

    observed: Mask
    possible: Mask
    p: Floats
    rival: NDArray[np.intp]


def frontier(score: Floats, cost: Floats, above: Floats, cheaper: Floats, alpha: float) -> Frontier:
    """Find the frontier, and the entries that are off it with family-wise error alpha.

    An entry is off the frontier if some entry has the higher true score at no more than its true cost. Both
    have to be shown, so that the larger of the two p-values counts (an intersection-union test). Bonferroni's
    rule holds over the entries of which it can be shown, and Holm's over all entries together.

    Parameters
    ----------
    score, cost : (E,) float64
        Higher scores are better; costs are NaN where unknown.
    above : (E, E) float64
        One-sided p-values: ``above[i, j]`` of j scoring higher than i, NaN where they share no item.
    cheaper : (E, E) float64
        ``cheaper[i, j]`` of j costing no more than i. Costs without error give 0 or 1.
    alpha : float

    References
    ----------
    Berger (1982), "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24, 295-300.
    Holm (1979), Scand. J. Statist. 6, 65-70. Dunn (1961), "Multiple comparisons among means", JASA 56, 52-64.
    """
    known = np.isfinite(cost) & np.isfinite(score)
    both = known[:, None] & known[None, :]
    np.fill_diagonal(both, False)
    higher, less = score[None, :] > score[:, None], cost[None, :] < cost[:, None]
    beaten = both & (cost[None, :] <= cost[:, None]) & (score[None, :] >= score[:, None]) & (higher | less)
    tested = both & np.isfinite(above) & (cheaper < 1)
    count = tested.sum(axis=1)
    p = np.where(tested, np.maximum(above, cheaper), 1.0)
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


def cost_ratio(a: Floats, b: Floats, level: float, cluster: Codes | None = None) -> Ratio:
    """Compare the mean costs of two entries on the items for which both are known.

    Parameters
    ----------
    a, b : (n,) float64
        Costs, item by item.
    level : float
        Level of the interval, by the delta method for the logarithm of the ratio and t.
    cluster : (n,) int or None
        Clusters of the items, whose costs then are drawn together.

    Returns
    -------
    Ratio
        One price per entry, the same on every item, is a ratio without error: p is then 0, or 1 if it is 1.

    References
    ----------
    Cochran (1977), Sampling Techniques, 3rd ed., section 6.3.
    """
    n, nan = len(a), float("nan")
    if n == 0 or a.mean() <= 0 or b.mean() <= 0:
        return Ratio(nan, nan, nan, nan)
    value = float(a.mean() / b.mean())
    if np.ptp(a) == 0 and np.ptp(b) == 0:
        return Ratio(value, value, value, float(value == 1))
    part = (a / a.mean() - b / b.mean())[None, :]
    error = standard_error(part, np.ones(part.shape, dtype=bool), cluster)
    se, df = float(error.se[0]), float(error.df[0])
    if not se > 1e-12:  # too few items or clusters, or costs in one proportion everywhere
        return Ratio(value, nan, nan, nan)
    half = float(critical_t(level, df)) * se
    p = float(student(np.log(value) / se, df).p)
    return Ratio(value, float(value * np.exp(-half)), float(value * np.exp(half)), p)
