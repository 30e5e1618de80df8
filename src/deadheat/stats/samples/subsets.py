"""Tables of the chance that at least m of k samples, drawn from an item's n, are right."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.integer[Any]] | int

EXACT_UP_TO = 1000
"""Samples up to which the tables are ratios of whole numbers, correctly rounded on every machine."""


def at_least(n: int, k: int, m: int) -> Floats:
    """Probability that at least m of k samples drawn from n are right, for every number of right samples.

    Parameters
    ----------
    n, k, m : int
        Samples, samples drawn, right ones asked for (1 <= m <= k).

    Returns
    -------
    (n + 1,) float64
        Entry c is the probability when c of the n are right; all NaN where k > n.

    Notes
    -----
    Marking one more sample as right, the (t+1)-th, changes the event for exactly
    ``C(t, m-1) C(n-t-1, k-m)`` of the ``C(n, k)`` subsets: those whose m-th right sample it is. The table is
    the running sum of these counts, in whole numbers up to `EXACT_UP_TO`, above it in float64 scaled by the
    largest of them (relative error about 1e-13 up to n = 10^6).
    """
    if k > n:
        return np.full(n + 1, np.nan)
    if k == 1:
        return np.arange(n + 1) / n
    table = np.zeros(n + 1)
    last = n - k + m  # from here on every subset has m right ones
    if n <= EXACT_UP_TO:
        everything, step, seen = comb(n, k), comb(n - m, k - m), 0
        for t in range(m - 1, last):
            seen += step
            table[t + 1] = seen / everything
            step = step * (t + 1) * (n - t - 1 - k + m) // ((t + 2 - m) * max(n - t - 1, 1))
    else:
        table[m : last + 1] = _running_share(n, k, m)
    table[last:] = 1.0
    return table


def _running_share(n: int, k: int, m: int) -> Floats:
    """Running sum, as a share of the whole, of ``C(t, m-1) C(n-t-1, k-m)`` for t = m-1 ... n-k+m-1."""
    t = np.arange(m - 1, n - k + m - 1, dtype=np.float64)
    # log of the ratio of neighbours, as log1p of a small number where it is one
    ratio = np.log1p((m - 1) / (t + 2 - m)) + np.log1p(-(k - m) / (n - t - 1))
    peak = int(np.count_nonzero(ratio > 0))  # ratios fall with t: log-concave
    up, down = _running_sum(ratio[:peak][::-1])[::-1], _running_sum(ratio[peak:])
    weights = np.exp(np.concatenate([-up, [0.0], down]))
    sums = _running_sum(weights)
    return np.asarray(sums / sums[-1])


def _running_sum(x: Floats) -> Floats:
    """Cumulative sum in two levels: rounding then grows with the root of the length, not with the length."""
    width = max(1, int(len(x) ** 0.5))
    rows = -(-len(x) // width)
    padded = np.zeros(rows * width)
    padded[: len(x)] = x
    within = np.cumsum(padded.reshape(rows, width), axis=1)
    before = np.concatenate([[0.0], np.cumsum(within[:, -1])[:-1]]) if rows else np.zeros(0)
    return np.asarray((within + before[:, None]).ravel()[: len(x)])


def look_up(n: Counts, c: Counts, k: int, m: int) -> Floats:
    """Probability that at least m of k drawn samples are right, for items with c right ones among n.

    Parameters
    ----------
    n, c : (...) int
        Samples of each item, and how many are right.
    k, m : int
        Samples drawn and right ones asked for.

    Returns
    -------
    (...) float64
        One table of `at_least` for each number of samples that occurs; NaN where k > n.
    """
    size, right = np.broadcast_arrays(np.asarray(n), np.asarray(c))
    k, m = int(k), int(m)
    if size.size and size.min() == size.max():
        return np.asarray(at_least(int(size.flat[0]), k, m)[right])
    out = np.full(size.shape, np.nan)
    for one in np.unique(size):
        here = size == one
        out[here] = at_least(int(one), k, m)[right[here]]
    return out
