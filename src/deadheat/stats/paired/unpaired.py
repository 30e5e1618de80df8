"""Two entries as if on different items: for runs that share none, and to show what ignoring pairs costs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from deadheat.stats.numerics.bounds import Bounds
from deadheat.stats.numerics.pvalues import PValues, normal
from deadheat.stats.score.binomial import wilson
from deadheat.stats.score.clustered import Error


def two_proportions(k_a: ArrayLike, n_a: ArrayLike, k_b: ArrayLike, n_b: ArrayLike) -> PValues:
    """Two-sided z test of two rates with the pooled variance; every attempt taken as independent.

    Parameters
    ----------
    k_a, n_a, k_b, n_b : array_like
        Passes and attempts of each entry; they broadcast.

    Returns
    -------
    PValues
        1 where both rates are 0 or both are 1; NaN where an entry has no attempt.
    """
    k_a, n_a, k_b, n_b = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (k_a, n_a, k_b, n_b)))
    known = (n_a > 0) & (n_b > 0)
    k_a, size_a, k_b, size_b = (
        np.where(known, x, y) for x, y in ((k_a, 0.0), (n_a, 1.0), (k_b, 0.0), (n_b, 1.0))
    )
    pooled = (k_a + k_b) / (size_a + size_b)
    se = np.sqrt(pooled * (1 - pooled) * (1 / size_a + 1 / size_b))
    z = (k_a / size_a - k_b / size_b) / np.where(se > 0, se, 1.0)
    return normal(np.where(known, np.where(se > 0, z, 0.0), np.nan))


def newcombe_unpaired(
    k_a: ArrayLike, n_a: ArrayLike, k_b: ArrayLike, n_b: ArrayLike, *, level: float = 0.95
) -> Bounds:
    """Newcombe's interval for the difference of two independent rates (his method 10): Wilson limits squared.

    Parameters
    ----------
    k_a, n_a, k_b, n_b : array_like
        Passes and attempts of each entry; they broadcast.
    level : float
        Confidence level.

    References
    ----------
    Newcombe, R. G. (1998). Interval estimation for the difference between independent proportions:
    comparison of eleven methods. Statistics in Medicine 17, 873-890.
    """
    k_a, n_a, k_b, n_b = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (k_a, n_a, k_b, n_b)))
    rate_a, rate_b = (k / np.where(n > 0, n, np.nan) for k, n in ((k_a, n_a), (k_b, n_b)))
    of_a, of_b = wilson(k_a, n_a, level), wilson(k_b, n_b, level)
    gap = rate_a - rate_b
    return Bounds(
        gap - np.sqrt((rate_a - of_a.low) ** 2 + (of_b.high - rate_b) ** 2),
        gap + np.sqrt((of_a.high - rate_a) ** 2 + (rate_b - of_b.low) ** 2),
    )


def welch(error_a: Error, error_b: Error) -> Error:
    """Standard error of the difference of two independent scores, with Welch's degrees of freedom.

    A side without any variance takes no degree of freedom from the other.

    References
    ----------
    Welch, B. L. (1947). The generalization of 'Student's' problem when several different population variances
    are involved. Biometrika 34, 28-35.
    """
    a, b = error_a.se**2, error_b.se**2
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = [np.where(v == 0, 0.0, v**2 / error.df) for v, error in ((a, error_a), (b, error_b))]
        df = (a + b) ** 2 / (parts[0] + parts[1])
    return Error(np.sqrt(a + b), df)
