"""What a paired comparison could have shown: correlation, the smallest visible gap, items to separate."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.pvalues import critical_t
from deadheat.stats.power.power_paired import paired_effect, paired_items
from deadheat.stats.score.item_design import Values, influence

POWER = 0.8


def correlation(a: Values, b: Values, both: NDArray[np.bool_], weights: Values | None = None) -> Floats:
    """Correlation of two entries' values over the items they share.

    Parameters
    ----------
    a, b : (P, M)
        Values of the two entries of each pair.
    both : (P, M) bool
        Items that both have.
    weights : (M,), optional
        Item weights.

    Returns
    -------
    (P,) float64
        Pearson's (phi for 0/1 values); NaN where an entry has the same value everywhere.
    """
    _, u, of_a = influence(a, both, weights, None)
    _, _, of_b = influence(b, both, weights, None)
    root = np.sqrt(np.where(u > 0, u, 1.0))
    of_a, of_b = of_a / root, of_b / root
    square = (of_a**2).sum(axis=1) * (of_b**2).sum(axis=1)
    found = (of_a * of_b).sum(axis=1) / np.sqrt(np.where(square > 0, square, np.nan))
    return np.asarray(np.clip(found, -1.0, 1.0))


def visible_rates(n: ArrayLike, discordant: ArrayLike, alpha: float = 0.05) -> Floats:
    """Smallest difference of two rates that McNemar's test sees in 8 of 10 cases on these items.

    The discordant share is taken as observed.

    Parameters
    ----------
    n, discordant : array_like of int
        Items, and how many of them are discordant.
    alpha : float
        Size of the two-sided test.

    Returns
    -------
    ndarray
        NaN where no item is discordant, or where even a difference as large as the discordant share would be
        missed too often.

    References
    ----------
    Connor, R. J. (1987). Biometrics 43, 207-211.
    """
    n = np.asarray(n, dtype=np.float64)
    return paired_effect(np.asarray(discordant) / np.where(n > 0, n, np.nan), n, POWER, alpha)


def items_for_rates(n: ArrayLike, a_only: ArrayLike, b_only: ArrayLike, alpha: float = 0.05) -> Floats:
    """Items on which a gap like the observed one would be separated in 8 of 10 cases; NaN without a gap."""
    n, b, c = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (n, a_only, b_only)))
    some = (b != c) & (n > 0)
    size = np.where(some, n, 2.0)
    gap, share = np.where(some, b - c, 1.0) / size, np.where(some, b + c, 1.0) / size
    return np.where(some, np.ceil(paired_items(np.abs(gap), share, POWER, alpha) - 1e-9), np.nan)


def visible_mean(se: ArrayLike, df: ArrayLike, alpha: float = 0.05) -> Floats:
    """Smallest mean difference that the t test sees in 8 of 10 cases with this error; NaN if it is 0.

    Parameters
    ----------
    se, df : array_like
        Standard error of the difference, and its degrees of freedom.
    """
    se = np.where(np.asarray(se) > 0, se, np.nan)
    return np.asarray(se * (critical_t(1 - alpha, df) + critical_t(2 * POWER - 1, df)))


def items_for_mean(
    n: ArrayLike, difference: ArrayLike, se: ArrayLike, df: ArrayLike, alpha: float = 0.05
) -> Floats:
    """Items on which the t test would separate this difference in 8 of 10 cases; NaN without a difference.

    The spread of the differences and the make-up of the clusters are taken as observed.
    """
    gap = np.abs(np.asarray(difference, dtype=np.float64))
    ratio = visible_mean(se, df, alpha) / np.where(gap > 0, gap, np.nan)
    return np.ceil(np.asarray(n) * ratio**2 - 1e-9)
