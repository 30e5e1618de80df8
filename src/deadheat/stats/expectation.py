"""Expected values over a binomial count, for many chances and sizes at once, in bounded memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from deadheat.stats.bounds import Floats

CELLS = 2**20  # probabilities held at once: 8 MB


def binomial_expectation(values: Floats, n: ArrayLike, p: ArrayLike) -> Floats:
    """E[values[X]] for X binomial(n, p).

    Only counts within nine standard deviations and forty of the mean are summed; what is left out has
    probability below 1e-15 (Bernstein's inequality).

    Parameters
    ----------
    values : (N + 1,) float64
        Value at each count, N at least the largest n.
    n, p : array_like
        Sizes (integers) and chances in [0, 1]; they broadcast.

    Returns
    -------
    ndarray
        Of the broadcast shape.
    """
    size, chance = np.broadcast_arrays(np.asarray(n, dtype=np.int64), np.asarray(p, dtype=np.float64))
    flat_n, flat_p = size.ravel(), chance.ravel()
    mean = flat_n * flat_p
    reach = np.ceil(9 * np.sqrt(mean * (1 - flat_p)) + 40).astype(np.int64)
    first = np.maximum(np.floor(mean).astype(np.int64) - reach, 0)
    last = np.minimum(np.ceil(mean).astype(np.int64) + reach, flat_n)
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
        out[rows] = np.where(inside, np.exp(log_pmf) * values[k], 0.0).sum(axis=1)
    return out.reshape(size.shape)
