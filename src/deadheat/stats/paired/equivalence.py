"""Non-inferiority and equivalence within a margin: two one-sided tests by the score method, Wald or t."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.errors import MethodError
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.paired.paired_intervals import score_z, wald_se

VERDICTS = ("inconclusive", "inferior", "non-inferior", "equivalent")


class Margin(NamedTuple):
    """One-sided p-values of a difference a - b against a margin; NaN where undefined.

    Parameters
    ----------
    p_below : float64
        Against "a is worse than b by the margin or more": small speaks for non-inferiority.
    p_above : float64
        Against "a is better than b by the margin or more".
    p_inferior : float64
        Against "a is not worse by the margin": small speaks for inferiority.
    """

    p_below: Floats
    p_above: Floats
    p_inferior: Floats

    @property
    def p_equivalent(self) -> Floats:
        """p of the two one-sided tests together."""
        return np.maximum(self.p_below, self.p_above)


def score_margin(n: ArrayLike, a_only: ArrayLike, b_only: ArrayLike, margin: float) -> Margin:
    """Test paired 0/1 scores against a margin by Tango's score statistic.

    It agrees with Tango's interval: non-inferior at alpha exactly when the interval at level 1 - 2 alpha lies
    above -margin, equivalent when it lies within the margin on both sides.

    Parameters
    ----------
    n, a_only, b_only : array_like of int
        Items, and those that only the first, only the second entry got right; they broadcast.
    margin : float
        Largest difference that does not matter, in (0, 1).

    References
    ----------
    Tango, T. (1998). Statistics in Medicine 17, 891-908. Schuirmann, D. J. (1987). J. Pharmacokinet.
    Biopharm. 15, 657-680.
    """
    _positive(margin)
    return _from_z(score_z(n, a_only, b_only, -margin), score_z(n, a_only, b_only, margin))


def wald_margin(n: ArrayLike, a_only: ArrayLike, b_only: ArrayLike, margin: float) -> Margin:
    """Test paired 0/1 scores against a margin with Wald's error; parameters as in `score_margin`."""
    _positive(margin)
    n = np.asarray(n, dtype=np.float64)
    gap = np.subtract(a_only, b_only) / np.where(n > 0, n, np.nan)
    se = wald_se(n, a_only, b_only)
    se = np.where(se > 0, se, np.nan)
    return _from_z((gap + margin) / se, (gap - margin) / se)


def t_margin(difference: ArrayLike, se: ArrayLike, df: ArrayLike, margin: float) -> Margin:
    """Test a mean difference against a margin by t; NaN where the error is 0 or unknown.

    Parameters
    ----------
    difference, se, df : array_like
        Difference a - b, its standard error and degrees of freedom.
    margin : float
        Largest difference that does not matter, above 0.
    """
    from scipy.special import stdtr

    _positive(margin)
    gap, df = np.asarray(difference, dtype=np.float64), np.asarray(df, dtype=np.float64)
    se = np.where(np.asarray(se) > 0, se, np.nan)
    known = (df > 0) & ~np.isnan(se)
    low, high = (gap + margin) / se, (gap - margin) / se

    def below(t: Floats) -> Floats:
        return np.where(known, stdtr(np.where(known, df, 1.0), np.where(known, t, 0.0)), np.nan)

    return Margin(below(-low), below(high), below(low))


def decide(found: Margin, alpha: float = 0.05) -> NDArray[np.intp]:
    """Index into `VERDICTS` of each comparison; -1 where undefined.

    Absence of a significant difference is no evidence of anything here: it is ``inconclusive``.
    """
    with np.errstate(invalid="ignore"):
        code = np.where(found.p_inferior < alpha, 1, 0)
        code = np.where(found.p_below < alpha, 2, code)
        code = np.where(found.p_equivalent < alpha, 3, code)
    return np.where(np.isnan(found.p_below), -1, code)


def _from_z(low: Floats, high: Floats) -> Margin:
    from scipy.special import ndtr

    return Margin(ndtr(-low), ndtr(high), ndtr(low))


def _positive(margin: float) -> None:
    if not margin > 0:
        raise MethodError(f"a margin is the largest difference that does not matter, above 0; found {margin}")
