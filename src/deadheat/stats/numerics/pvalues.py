"""Two-sided p-values as a type, with the logarithm that survives where p itself underflows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.errors import MethodError

Floats = NDArray[np.float64]

LN2, LN10 = float(np.log(2.0)), float(np.log(10.0))
FAR, STEPS = 1e-150, 50  # below FAR a t tail comes from a continued fraction of so many steps


class PValues(NamedTuple):
    """p and log10 p, arrays of one shape; p is 0.0 only where it lies below the smallest double."""

    p: Floats
    log10_p: Floats


def from_log(log_p: Floats) -> PValues:
    """Make both forms of natural logarithms of p, capped at p = 1."""
    log_p = np.minimum(log_p, 0.0)
    return PValues(np.exp(log_p), log_p / LN10)


def undefined_unless(defined: ArrayLike, result: PValues) -> PValues:
    """Put NaN wherever `defined` is false, for example where two entries share no item."""
    mask = np.asarray(defined, dtype=bool)
    return PValues(*(np.where(mask, part, np.nan) for part in result))


def normal(z: ArrayLike) -> PValues:
    """Two-sided p of a standard normal statistic; NaN gives NaN."""
    from scipy.special import log_ndtr

    return from_log(LN2 + log_ndtr(-np.abs(np.asarray(z, dtype=np.float64))))


def student(t: ArrayLike, df: ArrayLike) -> PValues:
    """Two-sided p of a t statistic with `df` degrees of freedom; NaN, and df <= 0, give NaN.

    Far out, where library tails turn to 0.0, log p comes from the continued fraction of the incomplete beta
    function (DLMF 8.17.22) with a = df/2, b = 1/2, x = df / (df + t**2).
    """
    from scipy.special import betaln, stdtr

    t, df = np.broadcast_arrays(np.abs(np.asarray(t, dtype=np.float64)), np.asarray(df, dtype=np.float64))
    known = (df > 0) & ~np.isnan(t)
    tail = stdtr(np.where(known, df, 1.0), -np.where(known, t, 0.0))
    p = np.array(np.where(known, np.minimum(2 * tail, 1.0), np.nan))
    log_p = np.array(np.log(np.where(p > 0, p, 1.0)))
    far = known & (p < FAR) & (t < 1e150) & np.isfinite(df)
    a = df[far] / 2
    odds = t[far] ** 2 / df[far]
    x = 1 / (1 + odds)
    fraction = np.ones_like(a)
    for m in range(STEPS, 0, -1):
        fraction = 1 + m * (0.5 - m) * x / ((a + 2 * m - 1) * (a + 2 * m)) / fraction
        fraction = 1 - (a + m - 1) * (a + m - 0.5) * x / ((a + 2 * m - 2) * (a + 2 * m - 1)) / fraction
    front = 0.5 * np.log(odds * x) - a * np.log1p(odds) - np.log(a) - betaln(a, 0.5)
    log_p[far] = front - np.log(fraction)
    p[far] = np.exp(log_p[far])
    log_p = np.where(known, np.where((p == 0) & ~far, -np.inf, log_p), np.nan)
    return PValues(p, log_p / LN10)


def student_or_sign(
    difference: Floats, se: Floats, df: Floats, clusters: ArrayLike, *, constant_is_evidence: bool = True
) -> PValues:
    """Two-sided p of mean differences by t, or of a sign test over the clusters where they have no spread.

    Parameters
    ----------
    difference, se, df : ndarray of float64
        Mean difference, its standard error and degrees of freedom.
    clusters : array_like
        Independent units behind each difference: where all of them give the same difference and `se` is 0,
        no t exists; p is then 1 for a difference of 0 and ``2 ** (1 - clusters)`` otherwise.
    constant_is_evidence : bool
        False gives NaN instead of that sign test.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        found = student(difference / np.where(se > 0, se, np.nan), df)
    flat = (se == 0) & ~np.isnan(difference) & (constant_is_evidence | (difference == 0))
    if not flat.any():
        return found
    sign = np.where(difference == 0, 0.0, (1.0 - np.asarray(clusters)) * np.log10(2.0))
    return PValues(np.where(flat, 10.0**sign, found.p), np.where(flat, sign, found.log10_p))


def critical_z(level: float) -> float:
    """Return the standard normal quantile that a two-sided interval of this level uses.

    Raises
    ------
    MethodError
        When the level does not lie in (0, 1).
    """
    from statistics import NormalDist  # a tenth of the time that it takes to import scipy.special

    if not 0 < level < 1:
        raise MethodError(f"level {level} was asked for; a level lies strictly between 0 and 1, such as 0.95")
    return -NormalDist().inv_cdf((1 - level) / 2)


def critical_t(level: float, df: ArrayLike) -> Floats:
    """Return the t quantile of a two-sided interval; NaN where `df` is not positive."""
    critical_z(level)
    return upper_t((1 - level) / 2, df)


def upper_t(tail: float, df: ArrayLike) -> Floats:
    """Return what a t variable exceeds with a chance of `tail`; NaN where `df` is not positive."""
    from scipy.special import gammaln, stdtr, stdtrit

    df = np.asarray(df, dtype=np.float64)
    known = df > 0
    df = np.where(known, df, 1.0)
    found = -stdtrit(df, tail)
    # Versions of scipy before 1.13 are right to some 1e-10: one step of Newton's method mends that.
    with np.errstate(all="ignore"):
        density = np.exp(gammaln((df + 1) / 2) - gammaln(df / 2) - (df + 1) / 2 * np.log1p(found**2 / df))
        step = (stdtr(df, -found) - tail) / density * np.sqrt(np.pi * df)
        found = np.where(np.abs(step) > 1e-13 * np.abs(found), found + step, found)
    return np.where(known, found, np.nan)
