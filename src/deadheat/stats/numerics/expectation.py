"""Expected values over a binomial count, for many chances and sizes at once, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.stats.numerics.bounds import Floats

Counts = NDArray[np.int64]
CELLS = 2**20  # probabilities held at once: 8 MB


def count_window(n: ArrayLike, p: ArrayLike) -> tuple[Counts, Counts]:
    """First and last count within nine standard deviations and forty of the mean.

    What lies outside has probability below 1e-15 (Bernstein's inequality).
    """
    size, chance = np.asarray(n, dtype=np.int64), np.asarray(p, dtype=np.float64)
    mean = size * chance
    reach = np.where((chance > 0) & (chance < 1), np.ceil(9 * np.sqrt(mean * (1 - chance)) + 40), 0)
    first = np.maximum(np.floor(mean) - reach, 0).astype(np.int64)
    return first, np.minimum(np.ceil(mean) + reach, size).astype(np.int64)


def binomial_expectation(values: Floats, n: ArrayLike, p: ArrayLike, start: int = 0) -> Floats:
    """E[values[X]] for X binomial(n, p), summed over the counts in `count_window`.

    Parameters
    ----------
    values : (N,) float64
        Value at each count from `start` on; every count in the windows must be there.
    n, p : array_like
        Sizes (integers) and chances in [0, 1]; they broadcast.
    start : int
        Count that ``values[0]`` belongs to.

    Returns
    -------
    ndarray
        Of the broadcast shape.
    """
    size, chance = np.broadcast_arrays(np.asarray(n, dtype=np.int64), np.asarray(p, dtype=np.float64))
    flat_n, flat_p = size.ravel(), chance.ravel()
    out = np.empty(flat_n.size)
    for rows in row_blocks(flat_n, flat_p):
        k, pmf = likely_counts(flat_n[rows], flat_p[rows])
        out[rows] = (pmf * values[k - start]).sum(axis=1)
    return out.reshape(size.shape)


def consecutive_expectations(values: Floats, n: int, number: int, p: float, start: int = 0) -> Floats:
    """E[values[X]] for X binomial(n, p), binomial(n + 1, p), ...: one more trial adds one or nothing.

    Much cheaper than `binomial_expectation` of each size, and as exact: only weighted means are taken.

    Parameters
    ----------
    values : (N,) float64
        Value at each count from `start` on, up to the last of the window of n, plus `number`.
    n, number : int
        First size, and how many.
    p : float
        Chance in [0, 1].
    start : int
        Count that ``values[0]`` belongs to.

    Returns
    -------
    (number,) float64
    """
    k, pmf = likely_counts(np.array([n]), np.array([p]))
    first = int(k[0, 0]) - start
    # shifted[j] = E[values[X + j]] for X binomial(n, p); each trial more mixes neighbours.
    shifted = np.correlate(values[first : first + k.size + number - 1], pmf[0], "valid")
    out = np.empty(number)
    for trial in range(number):
        out[trial] = shifted[0]
        shifted = shifted[:-1] + p * np.diff(shifted)
    return out


def row_blocks(n: Counts, p: Floats) -> Iterator[slice]:
    """Runs of sizes whose windows are held at once."""
    first, last = count_window(n, p)
    step = max(1, CELLS // (int((last - first).max(initial=0)) + 1))
    return (slice(start, start + step) for start in range(0, n.size, step))


def likely_counts(n: Counts, p: Floats) -> tuple[Counts, Floats]:
    """Counts of each window and their probabilities, by ratios of neighbours, which lose no digits.

    Parameters
    ----------
    n, p : (R,)
        Sizes and chances.

    Returns
    -------
    counts, probabilities : (R, W)
        W is the widest window; a narrower one repeats its last count with probability 0.
    """
    first, last = (end[:, None] for end in count_window(n, p))
    width = int((last - first).max(initial=0)) + 1
    k = np.minimum(first + np.arange(width), last)
    here = k[:, :-1]
    with np.errstate(divide="ignore", invalid="ignore"):  # at the last count, which has no next one
        log_odds = (np.log(p) - np.log1p(-p))[:, None]
        ratio = np.log((n[:, None] - here) / (here + 1)) + log_odds
    log_pmf = np.zeros(k.shape)
    log_pmf[:, 1:] = np.cumsum(np.where(here < last, ratio, -np.inf), axis=1)
    pmf = np.exp(log_pmf - log_pmf.max(axis=1, keepdims=True))
    return k, np.asarray(pmf / pmf.sum(axis=1, keepdims=True))
