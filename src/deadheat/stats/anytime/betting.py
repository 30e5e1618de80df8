"""Evidence about a mean that may be looked at any time: betting with the universal portfolio's mixture.

A unit is an item (or a cluster) with a difference x in [-1, 1] that counts as a share r in (0, 1] of the
largest unit. With u = (x + 1) / 2, and a mean m = (difference + 1) / 2 under the hypothesis, a bet theta
turns every euro into (1 - r) + r (u theta / m + (1 - u) (1 - theta) / (1 - m)). The wealth of all bets
together, theta ~ Beta(1/2, 1/2), is an e-value at every look. For 0/1 scores and no difference it is the
mixture e-value E(b, c) of McNemar's two discordant cells.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.stats.numerics.bounds import Bounds, Floats

Side = Literal["both", "above", "below"]
BOTH: Side = "both"
ABOVE: Side = "above"
BELOW: Side = "below"

NODES = 256  # bets that stand for the mixture: exact for up to 500 units, and far beyond to what is printed
FEW_VALUES = 256  # distinct units up to which they are counted rather than followed one by one
EDGE = 1e-12  # means are looked for in [EDGE, 1 - EDGE]
WIDTH, SLACK = (
    1e-12,
    1e-9,
)  # of the end of an interval: of the last bracket, or of the logarithm of the wealth there
NEAR = 30.0  # logarithms of wealth above the target from which the Illinois rule is quick
LN_PI = float(np.log(np.pi))
LN2 = float(np.log(2.0))


def log_e(b: ArrayLike, c: ArrayLike) -> Floats:
    """Logarithm of the mixture e-value of discordant counts: E = 2^(b+c) B(b + 1/2, c + 1/2) / B(1/2, 1/2).

    Parameters
    ----------
    b, c : array_like of int
        Items right for one entry only; they broadcast.

    References
    ----------
    Howard, Ramdas, McAuliffe & Sekhon (2021), "Time-uniform, nonparametric, nonasymptotic
    confidence sequences", Ann. Statist. 49, 1055–1080.
    """
    from scipy.special import betaln

    b, c = np.asarray(b, dtype=np.float64), np.asarray(c, dtype=np.float64)
    return np.asarray((b + c) * LN2 + betaln(b + 0.5, c + 0.5) - LN_PI)


class Looks(NamedTuple):
    """Units in the order in which they came, and when they are looked at.

    Parameters
    ----------
    u, r : (V,) float64
        Distinct units (or all of them), as the module has them.
    counts : (L, V) float64 or None
        Of each distinct unit, up to each look; None where the units stand one by one.
    ends : (L,) int64
        Units up to each look.
    """

    u: Floats
    r: Floats
    counts: Floats | None
    ends: NDArray[np.int64]


def looks(x: ArrayLike, share: ArrayLike | None = None, every: int = 1) -> Looks:
    """Prepare units for any hypothesis.

    Parameters
    ----------
    x : (T,) array_like
        Differences in [-1, 1], in order.
    share : (T,) array_like or None
        Size of each unit relative to the largest that may come; None where all count alike.
    every : int
        Units from one look to the next; the last unit is always looked at.
    """
    x = np.asarray(x, dtype=np.float64)
    r = np.ones_like(x) if share is None else np.asarray(share, dtype=np.float64)
    ends = np.unique(np.append(np.arange(every, len(x) + 1, every), len(x))).astype(np.int64)
    pairs, codes = np.unique(np.stack([x, r], axis=1), axis=0, return_inverse=True)
    if len(pairs) > FEW_VALUES:
        return Looks((x + 1) / 2, r, None, ends)
    codes = codes.ravel()
    at = np.searchsorted(ends, np.arange(len(x)), side="right")
    counts = np.bincount(at * len(pairs) + codes, minlength=len(ends) * len(pairs))
    shaped = counts.reshape(len(ends), len(pairs)).cumsum(axis=0).astype(np.float64)
    return Looks((pairs[:, 0] + 1) / 2, pairs[:, 1], shaped, ends)


def log_wealth(
    seen: Looks, difference: float, side: Side = "both", rows: NDArray[np.intp] | None = None
) -> Floats:
    """Logarithm of the wealth at each look, against a mean difference.

    Parameters
    ----------
    seen : Looks
    difference : float
        Mean under the hypothesis, in (-1, 1).
    side : str
        ``both``: the mean is this one. ``above``: it is this one or less, so that wealth speaks for more.
        ``below``: it is this one or more.
    rows : (l,) int or None
        Looks to take; None takes all.

    Returns
    -------
    (L,) float64

    Notes
    -----
    Every factor is a sum of a/m, b/(1 - m) and a constant, a, b >= 0, which are log-convex in m; so is the
    wealth, and the means that it does not reject form an interval.

    References
    ----------
    Waudby-Smith & Ramdas (2024), "Estimating means of bounded random variables by betting", J. R.
    Statist. Soc. B 86, 1–27. Orabona & Jun (2024), "Tight concentrations and confidence sequences from the
    regret of universal portfolio", IEEE Trans. Inf. Theory 70, 436–455.
    """
    m = (difference + 1) / 2
    theta, log_weight = bets(side, m)
    growth = log_factors(seen.u, seen.r, m, theta)
    if seen.counts is not None:
        totals = growth @ (seen.counts if rows is None else seen.counts[rows]).T
    else:
        ends = seen.ends if rows is None else seen.ends[rows]
        growth = growth[:, : ends.max()]
        totals = growth.sum(axis=1, keepdims=True) if len(ends) == 1 else growth.cumsum(axis=1)[:, ends - 1]
    return log_sum(totals + log_weight[:, None])


def log_factors(u: Floats, r: Floats, m: float, theta: Floats) -> Floats:
    """Logarithm of what each bet makes of a euro at each unit, (K, V)."""
    own = np.outer(theta, r * u / m) + np.outer(1 - theta, r * (1 - u) / (1 - m))
    own += 1 - r
    return np.asarray(np.log(own, out=own))


def bets(side: Side, m: float) -> tuple[Floats, Floats]:
    """The bets and the logarithms of their shares: Beta(1/2, 1/2), cut off at m if one-sided."""
    if side == "both":
        angle = (np.arange(NODES) + 0.5) * (np.pi / NODES)
        return np.sin(angle / 2) ** 2, np.full(NODES, -np.log(NODES))
    points, weights = _gauss()
    edge = 2 * np.arcsin(np.sqrt(m))
    low, high = (edge, np.pi) if side == "above" else (0.0, edge)
    angle = low + (high - low) * (points + 1) / 2
    return np.sin(angle / 2) ** 2, np.log(weights / 2)


@cache
def _gauss() -> tuple[Floats, Floats]:
    points, weights = np.polynomial.legendre.leggauss(NODES // 2)
    return points, weights


def log_sum(logs: Floats) -> Floats:
    """Logarithm of the sum over bets, (K, L) to (L,)."""
    top = logs.max(axis=0)
    return np.asarray(top + np.log(np.exp(logs - top).sum(axis=0)))


def confidence_sequence(seen: Looks, alpha: float = 0.05) -> Bounds:
    """Mean differences that no look up to now has rejected: the running intersection.

    Parameters
    ----------
    seen : Looks
    alpha : float
        Chance that the truth is ever outside.

    Returns
    -------
    Bounds
        Scalars; NaN where no mean is left, as when the difference drifted while the units came.
    """
    target = -np.log(alpha)
    inside = _not_rejected(seen, target)
    if inside is None:
        return Bounds(np.array(np.nan), np.array(np.nan))
    ends = [_end(seen, edge, inside, target) for edge in (EDGE, 1 - EDGE)]
    return Bounds(*(np.array(2 * m - 1) for m in ends))


def _worst(seen: Looks, m: float) -> float:
    return float(log_wealth(seen, 2 * m - 1).max())


def _not_rejected(seen: Looks, target: float) -> float | None:
    """A mean that no look rejects; None where there is none."""
    weight = seen.r if seen.counts is None else seen.r * seen.counts[-1]
    m = float(np.clip((seen.u * weight).sum() / weight.sum(), EDGE, 1 - EDGE))
    if _worst(seen, m) < target:
        return m
    low, high = EDGE, 1 - EDGE
    while high - low > WIDTH:  # the largest wealth is log-convex: thirds close in on its least
        left, right = low + (high - low) / 3, high - (high - low) / 3
        values = _worst(seen, left), _worst(seen, right)
        if min(values) < target:
            return left if values[0] <= values[1] else right
        low, high = (low, right) if values[0] <= values[1] else (left, high)
    return None


def _end(seen: Looks, outer: float, inner: float, target: float) -> float:
    """Where rejection begins, between a mean that some look may reject and one that none does.

    The last look alone brackets the end; of the others only those that reject what it leaves are asked again.
    """
    if not _worst(seen, outer) >= target:
        return round(outer)
    rows = np.array([len(seen.ends) - 1], dtype=np.intp)
    while True:
        found = _root(seen, rows, outer, inner, target)
        others = np.flatnonzero(log_wealth(seen, 2 * found - 1) >= target + SLACK)
        if len(others) == 0 or len(rows) > 1:
            return found
        rows, outer = others, found


def _root(seen: Looks, rows: NDArray[np.intp], outer: float, inner: float, target: float) -> float:
    """Where the largest wealth of some looks meets the target: halving, then the Illinois rule."""

    def above(m: float) -> float:
        return float(log_wealth(seen, 2 * m - 1, rows=rows).max() - target)

    out, inn, side = above(outer), above(inner), 0
    if out < 0:
        return outer
    for _ in range(200):
        if abs(outer - inner) <= WIDTH:
            break
        near = out < NEAR
        middle = inner - inn * (outer - inner) / (out - inn) if near else (outer + inner) / 2
        value = above(middle)
        if abs(value) < SLACK:
            return middle
        if value > 0:
            outer, out = middle, value
            inn, side = (inn / 2, 1) if near and side == 1 else (inn, 1)
        else:
            inner, inn = middle, value
            out, side = (out / 2, -1) if near and side == -1 else (out, -1)
    return (outer + inner) / 2
