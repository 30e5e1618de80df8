"""Exact chances of paths of discordant counts: when an always-valid test stops, how often peeking errs.

Every chance is a sum over all paths of (b, c), taken step by step: a path that has stopped is taken out.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.stats.anytime.betting import log_e
from deadheat.stats.numerics.bounds import Floats

Ints = NDArray[np.int64]
Rejects = Callable[[Ints, Ints, int], NDArray[np.bool_]]

TAIL = 10.0  # standard deviations of a count beyond which nothing is followed


def boundary(most: int, alpha: float) -> Ints:
    """Least larger cell at which the e-value stops, by the number n of discordant items; n + 1 if none does.

    Parameters
    ----------
    most : int
        Largest number of discordant items.
    alpha : float
        Level.

    Returns
    -------
    (most + 1,) int64
    """
    n = np.arange(most + 1)
    low, high = n // 2, n + 1  # the e-value rises with the larger cell
    while (low + 1 < high).any():
        middle = (low + high) // 2
        stops = log_e(middle, n - middle) >= -np.log(alpha)
        low, high = np.where(stops, low, middle), np.where(stops, middle, high)
    return np.asarray(high, dtype=np.int64)


def survival(share: float, most: int, alpha: float) -> Floats:
    """Chance that the e-value has not stopped by each number of discordant items.

    Parameters
    ----------
    share : float
        Chance that a discordant item is right for the first entry; 1/2 when the two do not differ.
    most : int
    alpha : float

    Returns
    -------
    (most + 1,) float64
    """
    return _walk(boundary(most, alpha), lambda n, b: np.full(len(b), share))


def survival_of(b: int, c: int, alpha: float) -> Floats:
    """The same over all orders of discordant items with known cells, each equally likely, (b + c + 1,)."""
    total = b + c
    return _walk(boundary(total, alpha), lambda n, done: np.clip((b - done) / (total - n), 0, 1))


def _walk(edge: Ints, up: Callable[[int, Ints], Floats]) -> Floats:
    """Follow the first cell through one discordant item after another."""
    most = len(edge) - 1
    alive = np.zeros(most + 2)
    alive[0] = 1.0
    out = np.ones(most + 1)
    low, high = 0, 0  # cells that are still followed
    for n in range(most):
        b = np.arange(low, high + 1)
        rise = alive[low : high + 1] * up(n, b)
        stay = alive[low : high + 1] - rise
        alive[low : high + 1] = stay
        alive[low + 1 : high + 2] += rise
        stop = edge[n + 1]
        first, last = max(low, n + 2 - stop), min(high + 1, stop - 1)
        alive[low:first] = 0.0
        alive[last + 1 : high + 2] = 0.0
        low, high = first, last
        if low > high:
            out[n + 1 :] = 0.0
            break
        out[n + 1] = alive[low : high + 1].sum()
    return np.minimum(out, 1.0)


def not_stopped(survived: Floats, discordance: float, items: ArrayLike) -> Floats:
    """Chance of not having stopped by each number of items, of which a share is discordant.

    Parameters
    ----------
    survived : (m + 1,) float64
        By the number of discordant items; m at least the largest that matters.
    discordance : float
    items : (n,) array_like of int
    """
    from scipy.special import xlog1py, xlogy

    n = np.atleast_1d(np.asarray(items, dtype=np.int64))
    out = np.empty(len(n))
    for at, size in enumerate(n):
        centre, spread = size * discordance, TAIL * np.sqrt(size * discordance * (1 - discordance)) + TAIL
        k = np.arange(max(int(centre - spread), 0), min(int(centre + spread), size, len(survived) - 1) + 1)
        logs = _log_choose(size, k) + xlogy(k, discordance) + xlog1py(size - k, -discordance)
        weight = np.exp(logs)
        out[at] = (weight * survived[k]).sum() / weight.sum() if len(k) else 0.0
    return out


def stopped_by(survived: Floats, total: int, items: ArrayLike) -> Floats:
    """Chance of having stopped by each number of items, over all orders of `total` items.

    Parameters
    ----------
    survived : (m + 1,) float64
        Of all m discordant items, as `survival_of` has it.
    total : int
    items : (n,) array_like of int
    """
    m = len(survived) - 1
    k = np.arange(m + 1)
    n = np.asarray(items, dtype=np.int64)[:, None]
    rest, left = n - k, total - m - (n - k)
    possible = (rest >= 0) & (left >= 0)
    logs = _log_choose(m, k) + _log_choose(total - m, np.where(possible, rest, 0)) - _log_choose(total, n)
    return np.asarray(1 - (np.where(possible, np.exp(logs), 0.0) * survived).sum(axis=1))


def quantile_over_orders(b: int, c: int, total: int, alpha: float, share: float = 0.5) -> int | None:
    """Items by which a share of all orders has stopped; None where fewer ever stop.

    Parameters
    ----------
    b, c : int
        Discordant cells of all items.
    total : int
    alpha, share : float
    """
    survived = survival_of(b, c, alpha)
    if 1 - survived[-1] < share:
        return None
    low, high = 0, total
    while high - low > 1:
        middle = (low + high) // 2
        if stopped_by(survived, total, [middle])[0] >= share:
            high = middle
        else:
            low = middle
    return high


def reach(rate: float, items: int) -> int:
    """Largest count of items with a chance of `rate` each that is followed."""
    return min(items, int(items * rate + TAIL * np.sqrt(items * rate * (1 - rate)) + TAIL))


def peeking(
    rejects: Rejects, looks: ArrayLike, b_rate: float, c_rate: float, *, changing: bool = False
) -> Floats:
    """Chance that a test of discordant counts has rejected at one of the looks up to each.

    Parameters
    ----------
    rejects : callable
        ``rejects(b, c, n)`` of arrays of counts, and of the number of items.
    looks : (L,) array_like of int
        Items at each look, rising.
    b_rate, c_rate : float
        Chances that an item is right for the first entry only, for the second only.
    changing : bool
        Whether the rule depends on the number of items too.

    Returns
    -------
    (L,) float64
    """
    ends = np.asarray(looks, dtype=np.int64)
    last = int(ends[-1])
    most = [reach(p, last) for p in (b_rate, c_rate)]
    b, c = np.broadcast_arrays(*np.ogrid[: most[0] + 1, : most[1] + 1])
    stops = rejects(b, c, last)
    alive = np.zeros((most[0] + 1, most[1] + 1))
    alive[0, 0] = 1.0
    out, gone, at = np.zeros(len(ends)), 0.0, 0
    for n in range(1, last + 1):
        step = (1 - b_rate - c_rate) * alive
        step[1:] += b_rate * alive[:-1]
        step[:, 1:] += c_rate * alive[:, :-1]
        alive = step
        if n == ends[at]:
            stops = rejects(b, c, n) if changing else stops
            gone += float(alive[stops].sum())
            alive[stops] = 0.0
            out[at] = gone
            at += 1
    return out


def _log_choose(n: ArrayLike, k: ArrayLike) -> Floats:
    from scipy.special import gammaln

    n, k = np.asarray(n, dtype=np.float64), np.asarray(k, dtype=np.float64)
    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))
