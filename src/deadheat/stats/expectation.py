"""Expected values over a binomial count, for many chances and sizes at once, in bounded memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from deadheat.stats.bounds import Floats

Counts = NDArray[np.int64]
CELLS = 2**20  # probabilities held at once: 8 MB


def largest_count(n: ArrayLike, p: ArrayLike) -> int:
    """Largest count that `binomial_expectation` looks at for these sizes and chances."""
    return int(_window(np.asarray(n, dtype=np.int64), np.asarray(p, dtype=np.float64))[1].max(initial=0))


def _window(n: Counts, p: Floats) -> tuple[Counts, Counts]:
    """First and last count within nine standard deviations and forty of the mean."""
    mean = n * p
    reach = np.ceil(9 * np.sqrt(mean * (1 - p)) + 40)
    first = np.maximum(np.floor(mean) - reach, 0).astype(np.int64)
    return first, np.minimum(np.ceil(mean) + reach, n).astype(np.int64)


def binomial_expectation(values: Floats, n: ArrayLike, p: ArrayLike) -> Floats:
    """E[values[X]] for X binomial(n, p).

    Only counts within nine standard deviations and forty of the mean are summed; what is left out has
    probability below 1e-15 (Bernstein's inequality).

    Parameters
    ----------
    values : (N + 1,) float64
        Value at each count, N at least `largest_count`.
    n, p : array_like
        Sizes (integers) and chances in [0, 1]; they broadcast.

    Returns
    -------
    ndarray
        Of the broadcast shape.
    """
    size, chance = np.broadcast_arrays(np.asarray(n, dtype=np.int64), np.asarray(p, dtype=np.float64))
    flat_n, flat_p = size.ravel(), chance.ravel()
    first, last = _window(flat_n, flat_p)
    width = int((last - first).max(initial=0)) + 1
    log_factorial = special.gammaln(np.arange(flat_n.max(initial=0) + 1) + 1.0)
    out = np.empty(flat_n.size)
    step = max(1, CELLS // width)
    for start in range(0, flat_n.size, step):
        rows = slice(start, start + step)
        m, q = flat_n[rows, None], flat_p[rows, None]
        k = first[rows, None] + np.arange(width)
        inside = k <= last[rows, None]
        k = np.where(inside, k, first[rows, None])
        log_pmf = log_factorial[m] - log_factorial[k] - log_factorial[m - k]
        log_pmf += special.xlogy(k, q) + special.xlog1py(m - k, -q)
        pmf = np.where(inside, np.exp(log_pmf), 0.0)
        # Large log factorials lose digits, the same for every term: the sum of the terms takes the loss out.
        out[rows] = (pmf * values[k]).sum(axis=1) / pmf.sum(axis=1)
    return out.reshape(size.shape)
