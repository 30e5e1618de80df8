"""Exact coverage of interval methods for a rate: what the promised level is worth at each true rate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from deadheat.errors import MethodError
from deadheat.stats.numerics.bounds import Bounds, Floats
from deadheat.stats.numerics.expectation import binomial_expectation
from deadheat.stats.numerics.pvalues import critical_z
from deadheat.stats.score.binomial import BINOMIAL_INTERVALS

Counts = NDArray[np.integer[Any]]
Method = Callable[[ArrayLike, ArrayLike, float], Bounds]
SAME = 1e-12  # coverages closer than this are one and the same but for rounding


class Infimum(NamedTuple):
    """Greatest lower bound of the coverage, the rate where it is, and whether it is reached or approached."""

    p: float
    coverage: float
    attained: bool


def interval_ends(method: Method, n: int, level: float = 0.95) -> Bounds:
    """The interval of a method at each count 0, 1, ..., n.

    Parameters
    ----------
    method : callable
        ``method(k, n, level)`` giving `Bounds`; neither end may fall as k grows.
    n : int
        Items, 1 or more.
    level : float
        Nominal coverage.

    Returns
    -------
    Bounds
        Arrays of n + 1.

    Raises
    ------
    MethodError
        Fewer than one item, or ends that fall as the count grows.
    """
    if n < 1:
        raise MethodError(f"coverage on {n} items was asked for; an interval needs at least 1 item")
    low, high = method(np.arange(n + 1), n, level)
    if min(np.diff(low).min(), np.diff(high).min()) < -SAME:
        raise MethodError(
            "the ends of this interval fall as the count grows; its coverage is not computed here"
        )
    return Bounds(np.maximum.accumulate(low), np.maximum.accumulate(high))  # a last digit may step back


def coverage(ends: Bounds, p: ArrayLike) -> Floats:
    """Probability that the interval holds the true rate, exactly: a sum over every possible count.

    The counts whose interval holds p lie side by side, so the sum is one difference of the binomial
    distribution function, found by looking p up among the sorted ends.

    Parameters
    ----------
    ends : Bounds
        From `interval_ends`; closed intervals.
    p : array_like
        True rates in [0, 1].

    Returns
    -------
    ndarray
        Coverage at each p.
    """
    p = np.asarray(p, dtype=np.float64)
    first = np.searchsorted(ends.high, p, side="left")
    last = np.searchsorted(ends.low, p, side="right") - 1
    return _between(first, last, ends.low.size - 1, p)


def _between(first: Counts, last: Counts, n: int, p: Floats) -> Floats:
    """P(first <= X <= last) from the two tails, which keep their digits when the sum is nearly 1."""
    above = np.where(last < n, special.betainc(np.clip(last + 1, 1, n), np.clip(n - last, 1, n), p), 0.0)
    # betaincc(a, b, p) is the same number as betainc(b, a, 1 - p) but takes several times as long.
    below = np.where(
        first > 0, special.betainc(np.clip(n - first + 1, 1, n), np.clip(first, 1, n), 1 - p), 0.0
    )
    return np.where(last < first, 0.0, np.clip(1.0 - above - below, 0.0, 1.0))


def infimum(ends: Bounds, within: tuple[float, float] = (0.0, 1.0)) -> Infimum:
    """The true infimum of the coverage over a range of rates.

    Between two neighbouring interval ends the covering counts stay the same, and the probability of a fixed
    run of counts rises to one peak and falls; so the infimum lies at an end, approached from one side.

    Parameters
    ----------
    ends : Bounds
        From `interval_ends`.
    within : (float, float)
        Range of rates. Its ends belong to it, except 0 and 1, where the outcome is certain.

    Returns
    -------
    Infimum
        Of several places the lowest rate; one where it is attained goes before one where it is approached.

    Raises
    ------
    MethodError
        An empty range, or one outside [0, 1].
    """
    start, stop = within
    if not 0 <= start < stop <= 1:
        raise MethodError(
            f"rates from {start} to {stop} were asked for; a range lies in [0, 1] and has a width"
        )
    n = ends.low.size - 1
    inner = np.concatenate(ends)
    edges = np.unique(np.concatenate([[start], inner[(inner > start) & (inner < stop)], [stop]]))
    left, right = edges[:-1], edges[1:]
    first = np.searchsorted(ends.high, left, side="right")
    last = np.searchsorted(ends.low, left, side="right") - 1
    limits = np.concatenate([_between(first, last, n, left), _between(first, last, n, right)])
    places = np.concatenate([left, right])
    constant = np.tile((last < first) | ((first == 0) & (last == n)), 2)
    closed = (places > 0) & (places < 1) & (coverage(ends, places) <= limits + SAME)
    lowest = limits.min()
    low = limits <= lowest + SAME
    reached = low & (constant | closed)
    pool = np.flatnonzero(reached if reached.any() else low)
    best = pool[np.argmin(places[pool])]
    middle = np.tile((left + right) / 2, 2)
    p = middle[best] if constant[best] and not closed[best] else places[best]
    return Infimum(float(p), float(lowest), bool(reached.any()))


def mean_coverage(ends: Bounds) -> float:
    """Coverage averaged over all true rates alike, in closed form: each count adds a beta probability."""
    n = ends.low.size - 1
    k = np.arange(n + 1)
    mass = special.betainc(k + 1, n - k + 1, ends.high) - special.betainc(k + 1, n - k + 1, ends.low)
    return float(mass.sum() / (n + 1))


def expected_width(ends: Bounds, p: ArrayLike) -> Floats:
    """Expected width of the interval at true rates p: the sum over every count with a visible chance."""
    return binomial_expectation(ends.high - ends.low, ends.low.size - 1, p)


def bootstrap_limit(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> Bounds:
    """What the percentile bootstrap of a pass rate tends to as its draws grow without bound.

    The resampled count is binomial(n, k/n), so the ends are quantiles of that distribution: the smallest
    count whose distribution function reaches (1 - level)/2, and its mirror image. A tie at that very
    probability, which finite draws would break by luck, goes outward.

    Parameters
    ----------
    k, n : array_like of int
        Passes and items; they broadcast.
    level : float
        Nominal coverage.

    Returns
    -------
    Bounds
        Multiples of 1/n; NaN where n = 0 or k is outside [0, n].

    References
    ----------
    Efron, B. (1979). Bootstrap methods: another look at the jackknife. Annals of Statistics 7, 1-26.
    """
    critical_z(level)  # refuses a level outside (0, 1)
    passes, items = np.broadcast_arrays(np.asarray(k, dtype=np.float64), np.asarray(n, dtype=np.float64))
    known = (items > 0) & (passes >= 0) & (passes <= items)
    passes, items = np.where(known, passes, 0.0), np.where(known, items, 1.0)
    low = _quantile(passes, items, (1 - level) / 2)
    high = items - _quantile(items - passes, items, (1 - level) / 2)
    return Bounds(np.where(known, low / items, np.nan), np.where(known, high / items, np.nan))


def _quantile(k: Floats, n: Floats, tail: float) -> Floats:
    """Smallest x with P(X <= x) >= tail, X binomial(n, k/n), by bisection on all counts together."""
    short, enough = np.full(n.shape, -1.0), n.copy()
    while np.any(enough - short > 1):
        x = np.floor((short + enough) / 2)
        reached = (x == n) | (special.betainc(np.maximum(n - x, 1), x + 1, (n - k) / n) >= tail)
        moving = enough - short > 1
        enough, short = np.where(moving & reached, x, enough), np.where(moving & ~reached, x, short)
    return enough


COVERAGE_METHODS: dict[str, Method] = {**BINOMIAL_INTERVALS, "bootstrap": bootstrap_limit}
