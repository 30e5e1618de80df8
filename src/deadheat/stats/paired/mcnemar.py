"""McNemar's family of tests for 0/1 scores on the same items, from discordant counts of any shape."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.stats.numerics.pvalues import Floats, PValues, from_log

Ints = NDArray[np.int64]

NOT_BINARY = (
    "McNemar's test was asked of scores that are not all 0 or 1; the paired t, sign-flip and bootstrap tests "
    "take any score"
)
TABLE = 2**24  # largest (n, smaller side) grid that is looked up rather than sorted
BLOCK = 2**16  # distinct pairs evaluated together: they stay in the cache
CENTRAL = 0.25  # below this imbalance the deviance is a power series, above it logarithms
SERIES = 1.0 / (np.arange(2, 30, 2) * np.arange(1, 29, 2))  # 1 / (2k (2k - 1))


def mcnemar_exact(b: ArrayLike, c: ArrayLike) -> PValues:
    """Exact two-sided McNemar test: min(1, 2 P(X <= min(b, c))), X binomial(b + c, 1/2).

    Parameters
    ----------
    b, c : array_like of int
        Items that only the first, and only the second, entry got right; they broadcast.

    Returns
    -------
    PValues
        p and log10 p, within 1e-12 relative of the exact rational; 1 where no item is discordant.

    References
    ----------
    McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions
    or percentages. Psychometrika 12, 153-157.
    Loader, C. (2000). Fast and accurate computation of binomial probabilities.
    """
    return _dyadic(b, c, _by_distinct_pairs(b, c, _log_exact))


def mcnemar_mid_p(b: ArrayLike, c: ArrayLike) -> PValues:
    """Mid-p McNemar test: the exact p less the probability of the observed split.

    Less cautious than the exact test; its size may exceed the nominal level, if by little.

    References
    ----------
    Fagerland, M. W., Lydersen, S., Laake, P. (2013). The McNemar test for binary matched-pairs data:
    mid-p and asymptotic are better than exact conditional. BMC Med Res Methodol 13, 91.
    """
    return _dyadic(b, c, _by_distinct_pairs(b, c, _log_mid_p))


def mcnemar_chi2(b: ArrayLike, c: ArrayLike) -> PValues:
    """McNemar's chi-square test without continuity correction: z = |b - c| / sqrt(b + c)."""
    return _by_distinct_pairs(b, c, _log_chi2)


def mcnemar_cc(b: ArrayLike, c: ArrayLike) -> PValues:
    """McNemar's chi-square test with Edwards' correction: z = max(|b - c| - 1, 0) / sqrt(b + c).

    The correction stops at zero, so that b = c gives p = 1; squaring an unstopped one does not.

    References
    ----------
    Edwards, A. L. (1948). Note on the "correction for continuity" in testing the significance of the
    difference between correlated proportions. Psychometrika 13, 185-187.
    """
    return _by_distinct_pairs(b, c, _log_cc)


def _by_distinct_pairs(b: ArrayLike, c: ArrayLike, log_p: Callable[[Ints, Ints], Floats]) -> PValues:
    """Evaluate `log_p(n, smaller side)` once for each distinct split; symmetric in b and c."""
    b, c = np.broadcast_arrays(np.asarray(b, dtype=np.int64), np.asarray(c, dtype=np.int64))
    n, m = b + c, np.minimum(b, c)
    width = int(m.max(initial=0)) + 1
    key = n * width + m
    if key.ndim == 1 and bool(np.all(key[1:] > key[:-1])):  # distinct already
        return from_log(_in_blocks(key, width, log_p))
    size = int(key.max(initial=0)) + 1
    if size <= max(TABLE, key.size):
        seen = np.zeros(size, dtype=bool)
        seen[key] = True
        distinct = np.flatnonzero(seen)
        table = np.empty(size)
        table[distinct] = _in_blocks(distinct, width, log_p)
        return from_log(table[key])
    distinct, where = np.unique(key, return_inverse=True)
    return from_log(_in_blocks(distinct, width, log_p)[where].reshape(key.shape))


def _in_blocks(distinct: Ints, width: int, log_p: Callable[[Ints, Ints], Floats]) -> Floats:
    out = np.empty(distinct.size)
    for start in range(0, distinct.size, BLOCK):
        block = slice(start, start + BLOCK)
        out[block] = log_p(distinct[block] // width, distinct[block] % width)
    return out


def _dyadic(b: ArrayLike, c: ArrayLike, found: PValues) -> PValues:
    """Round p of few discordant items to the multiple of 2**-n that it is, so that 1/32 is 1/32."""
    n = np.add(b, c, dtype=np.int64)
    scale = np.exp2(np.minimum(n, 40))
    return found._replace(p=np.where(n <= 40, np.round(found.p * scale) / scale, found.p))


def _log_exact(n: Ints, m: Ints) -> Floats:
    out: Floats = np.log(2.0) + log_half(n, m) + np.log(_tail_over_pmf(n, m))
    out[n - 2 * m <= 1] = 0.0  # even split: twice the tail is 1 or more
    return out


def _log_mid_p(n: Ints, m: Ints) -> Floats:
    out: Floats = log_half(n, m) + np.log(2.0 * _tail_over_pmf(n, m) - 1.0)
    out[n == 2 * m] = 0.0
    return out


def _log_chi2(n: Ints, m: Ints) -> Floats:
    return _log_normal(n - 2 * m, n)


def _log_cc(n: Ints, m: Ints) -> Floats:
    return _log_normal(np.maximum(n - 2 * m - 1, 0), n)


def _log_normal(gap: Ints, n: Ints) -> Floats:
    from scipy.special import log_ndtr

    return np.asarray(np.log(2.0) + log_ndtr(-gap / np.sqrt(np.maximum(n, 1))))


def log_half(n: Ints | Floats, m: Ints | Floats) -> Floats:
    """Log of C(n, m) / 2**n for m <= n/2: Loader's saddle point form, which never subtracts large logs.

    Neither need be whole: the factorials are then gamma functions.
    """
    out: Floats = n * -np.log(2.0)  # right where m = 0
    some = m > 0
    n, m = n[some], m[some]
    imbalance = (n - 2 * m) / n
    deviance = np.empty_like(imbalance)
    near = imbalance <= CENTRAL
    square = imbalance[near] ** 2
    series = np.zeros_like(square)
    for coefficient in SERIES[::-1]:
        series += coefficient
        series *= square
    deviance[near] = series
    x = imbalance[~near]
    deviance[~near] = ((1 - x) * np.log1p(-x) + (1 + x) * np.log1p(x)) / 2
    spread = 0.5 * np.log(n / (2 * np.pi * m * (n - m)))
    out[some] = _stirling_error(n) - _stirling_error(m) - _stirling_error(n - m) - n * deviance + spread
    return out


def _stirling_error(k: Ints | Floats) -> Floats:
    """log k! less Stirling's formula, k > 0."""
    y = 1.0 / np.maximum(k, 16) ** 2
    series = (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188)))) / np.maximum(k, 16)
    if k.dtype.kind == "f":
        near = k[k < 16]
        log_factorial = np.array([math.lgamma(x + 1) for x in near.tolist()])
        series[k < 16] = log_factorial - (near + 0.5) * np.log(near) + near - 0.5 * np.log(2 * np.pi)
        return np.asarray(series)
    small = np.arange(1, 16)
    table = np.cumsum(np.log(small)) - (small + 0.5) * np.log(small) + small - 0.5 * np.log(2 * np.pi)
    return np.where(k < 16, table[np.minimum(k, 15) - 1], series)


def _tail_over_pmf(n: Ints, m: Ints) -> Floats:
    """P(X <= m) / P(X = m) = 1 + m/(n-m+1) + m(m-1)/((n-m+1)(n-m+2)) + ..., dropping pairs that are done."""
    total = np.ones(n.shape)
    active = np.arange(n.size)
    down, up = m.astype(np.float64), (n - m + 1).astype(np.float64)
    term, running = np.ones(n.shape), np.ones(n.shape)
    while active.size:
        for _ in range(16):
            term = term * (down / up)
            running += term
            down, up = np.maximum(down - 1, 0), up + 1
        total[active] = running
        # The rest is below term / (1 - ratio); stop when that cannot be seen.
        going = term * up > running * (up - down) * 2.0**-55
        active = active[going]
        down, up, term, running = down[going], up[going], term[going], running[going]
    return total
