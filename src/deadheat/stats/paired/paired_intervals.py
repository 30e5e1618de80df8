"""Intervals for the difference of two rates on the same items, from the four cells of the table."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from deadheat.stats.numerics.bounds import Bounds, Floats
from deadheat.stats.numerics.pvalues import critical_z
from deadheat.stats.score.binomial import wilson


class PairedInterval(Protocol):
    """What every line of PAIRED_INTERVALS is: four cells in, the ends for rate a - rate b out."""

    def __call__(
        self,
        both: ArrayLike,
        a_only: ArrayLike,
        b_only: ArrayLike,
        neither: ArrayLike,
        *,
        level: float = 0.95,
    ) -> Bounds:
        """Bound the difference."""


def tango(
    both: ArrayLike, a_only: ArrayLike, b_only: ArrayLike, neither: ArrayLike, *, level: float = 0.95
) -> Bounds:
    """Tango's score interval: all differences that the score test does not reject.

    At a difference of 0 the statistic is McNemar's uncorrected z, so interval and chi-square test always
    agree. It stays informative when no item is discordant, and close to nominal in small samples.

    Parameters
    ----------
    both, a_only, b_only, neither : array_like of int
        Items that both, only the first, only the second, and no entry got right; they broadcast.
    level : float
        Confidence level.

    Returns
    -------
    Bounds
        Ends for the difference a - b; NaN where there are no items.

    References
    ----------
    Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for the
    paired-sample design. Statistics in Medicine 17, 891-908.
    """
    n, b, c = _counts(both, a_only, b_only, neither)
    square = critical_z(level) ** 2
    return Bounds(-_upper_root(c, b, n, square), _upper_root(b, c, n, square))


def score_z(n: ArrayLike, a_only: ArrayLike, b_only: ArrayLike, difference: float) -> Floats:
    """Tango's score statistic for a stated difference, positive where the observed one is larger.

    Where the constrained variance is 0 the statistic is infinite, or 0 when the difference is the observed.
    """
    n, b, c = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (n, a_only, b_only)))
    gap = b - c - n * difference
    # Beyond a difference of 1 no variance exists, and any data speak against it without end.
    spread = np.sqrt(np.maximum(n * score_variance(b, c, n, np.full(n.shape, difference)), 0))
    flat = spread <= 0
    z = gap / np.where(flat, 1.0, spread)
    return np.where(n > 0, np.where(flat & (gap != 0), np.copysign(np.inf, gap), z), np.nan)


def newcombe_paired(
    both: ArrayLike, a_only: ArrayLike, b_only: ArrayLike, neither: ArrayLike, *, level: float = 0.95
) -> Bounds:
    """Newcombe's paired interval (his method 10): Wilson limits squared and added, with the correlation.

    Parameters and return value as for :func:`tango`.

    References
    ----------
    Newcombe, R. G. (1998). Improved confidence intervals for the difference between binomial proportions
    based on paired data. Statistics in Medicine 17, 2635-2650.
    """
    n, b, c = _counts(both, a_only, b_only, neither)
    a, d = np.asarray(both, dtype=np.float64), np.asarray(neither, dtype=np.float64)
    product = (a + b) * (c + d) * (a + c) * (b + d)
    cross = a * d - b * c
    cross = np.where(cross > 0, np.maximum(cross - n / 2, 0), cross)
    phi = cross / np.sqrt(np.where(product > 0, product, 1.0))
    size = np.where(n > 0, n, 1.0)
    rate_a, rate_b = (a + b) / size, (a + c) / size
    wilson_a, wilson_b = wilson(a + b, n, level=level), wilson(a + c, n, level=level)
    down_a, up_a = rate_a - wilson_a.low, wilson_a.high - rate_a
    down_b, up_b = rate_b - wilson_b.low, wilson_b.high - rate_b
    middle = (b - c) / size
    return Bounds(
        middle - np.sqrt(down_a**2 - 2 * phi * down_a * up_b + up_b**2),
        middle + np.sqrt(down_b**2 - 2 * phi * down_b * up_a + up_a**2),
    )


def wald_paired(
    both: ArrayLike, a_only: ArrayLike, b_only: ArrayLike, neither: ArrayLike, *, level: float = 0.95
) -> Bounds:
    """Wald's paired interval: too short in small samples and of no width without discordant items.

    Parameters and return value as for :func:`tango`; the ends are clipped to [-1, 1].
    """
    n, b, c = _counts(both, a_only, b_only, neither)
    size = np.where(n > 0, n, np.nan)
    middle, half = (b - c) / size, critical_z(level) * wald_se(n, b, c)
    return Bounds(np.clip(middle - half, -1, 1), np.clip(middle + half, -1, 1))


def wald_se(n: ArrayLike, a_only: ArrayLike, b_only: ArrayLike) -> Floats:
    """Estimated standard error of the paired difference of two rates, with divisor n."""
    n, b, c = (np.asarray(x, dtype=np.float64) for x in (n, a_only, b_only))
    size = np.where(n > 0, n, np.nan)
    return np.asarray(np.sqrt(np.maximum(b + c - (b - c) ** 2 / size, 0)) / size)


def _counts(
    both: ArrayLike, a_only: ArrayLike, b_only: ArrayLike, neither: ArrayLike
) -> tuple[Floats, Floats, Floats]:
    a, b, c, d = np.broadcast_arrays(
        *(np.asarray(x, dtype=np.float64) for x in (both, a_only, b_only, neither))
    )
    return a + b + c + d, b, c


def score_variance(b: Floats, c: Floats, n: Floats, difference: Floats) -> Floats:
    """n times the variance of the observed difference, at the likeliest cells with that true difference."""
    linear = (2 * n - b + c) * difference - b - c
    constant = -c * difference * (1 - difference)
    root = np.sqrt(np.maximum(linear**2 - 8 * n * constant, 0))
    # The larger root of 2n q^2 + linear q + constant = 0, without subtracting near-equal numbers.
    positive = linear > 0
    q = np.where(
        positive,
        -2 * constant / np.where(positive, root + linear, 1),
        (root - linear) / np.where(n > 0, 4 * n, 1),
    )
    return np.asarray(2 * q + difference * (1 - difference))


def _upper_root(b: Floats, c: Floats, n: Floats, square: float) -> Floats:
    """Bisect for the largest difference whose score statistic is not beyond the critical value."""
    size = np.where(n > 0, n, 1.0)
    observed = (b - c) / size
    low, high = observed, np.ones_like(observed)
    for _ in range(60):
        middle = (low + high) / 2
        outside = size * (middle - observed) ** 2 > square * score_variance(b, c, size, middle)
        low, high = np.where(outside, low, middle), np.where(outside, middle, high)
    return np.where(n > 0, (low + high) / 2, np.nan)


PAIRED_INTERVALS: dict[str, PairedInterval] = {
    "tango": tango,
    "newcombe": newcombe_paired,
    "wald": wald_paired,
}
