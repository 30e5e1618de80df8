"""Power and size of tests on a mean effect: normal and t forms, differences, non-inferiority, equivalence."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from deadheat.errors import MethodError
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.pvalues import upper_t
from deadheat.stats.numerics.search import crossing, double


def _floats(*values: ArrayLike) -> list[Floats]:
    return [np.asarray(value, dtype=np.float64) for value in values]


def refuse_points(name: str, gap: float | None) -> None:
    """Refuse a difference between scores in [0, 1] that was given in points.

    Parameters
    ----------
    name : str
        What it is: a margin, a difference.
    gap : float or None

    Raises
    ------
    MethodError
        1 or more: no two such scores differ by more.
    """
    if gap is not None and abs(gap) >= 1:
        text = "1 point is 0.01" if abs(gap) == 1 else f"{abs(gap):g} points are {abs(gap) / 100:g}"
        raise MethodError(
            f"found a {name} of {gap:g}; between scores from 0 to 1 it is a fraction below 1, not points: "
            f"{text}"
        )


def upper_z(tail: float) -> float:
    """The normal quantile with this probability above it, without scipy, which takes its time to load."""
    if 0 < tail < 1:
        return -NormalDist().inv_cdf(tail)
    return {0.0: math.inf, 1.0: -math.inf}.get(tail, math.nan)


def z_power(
    effect: ArrayLike, null: ArrayLike, spread: ArrayLike, items: ArrayLike, alpha: float = 0.05
) -> Floats:
    """Power of a two-sided z test of a mean effect, rejections on both sides counted.

    Parameters
    ----------
    effect : array_like
        True mean of one item's contribution.
    null, spread : array_like
        Variance of one item's contribution as the test supposes it, and as it is.
    items : array_like
        Items; real values are allowed.
    alpha : float
        Size of the test.

    Returns
    -------
    ndarray
        Probability that the test rejects; all broadcast.
    """
    from scipy import special

    effect, null, spread, items = _floats(effect, null, spread, items)
    reach = np.abs(effect) * np.sqrt(items)
    bar = upper_z(alpha / 2) * np.sqrt(null)
    sd = np.sqrt(spread)
    with np.errstate(divide="ignore"):
        return np.asarray(special.ndtr((reach - bar) / sd) + special.ndtr((-reach - bar) / sd))


def z_items(
    effect: ArrayLike, null: ArrayLike, spread: ArrayLike, power: float = 0.8, alpha: float = 0.05
) -> Floats:
    """Items that a two-sided z test needs, as a real number: the closed form, which leaves out the far side.

    Parameters as in `z_power`, with `power` above alpha. Where the effect is 0 no size is enough: inf.
    """
    effect, null, spread = _floats(effect, null, spread)
    bar = upper_z(alpha / 2) * np.sqrt(null) + upper_z(1 - power) * np.sqrt(spread)
    with np.errstate(divide="ignore"):
        return np.asarray((np.maximum(bar, 0.0) / np.abs(effect)) ** 2)


def t_power(
    effect: ArrayLike, spread: ArrayLike, items: ArrayLike, df: ArrayLike, alpha: float = 0.05
) -> Floats:
    """Power of a two-sided t test of a mean effect: the noncentral t distribution, exact for normal effects.

    Parameters
    ----------
    effect, spread : array_like
        True mean and variance of one item's contribution.
    items, df : array_like
        Items, and degrees of freedom of the variance estimate.
    alpha : float
        Size of the test.

    Returns
    -------
    ndarray
        NaN where df <= 0.
    """
    effect, spread, items, df = np.broadcast_arrays(*_floats(effect, spread, items, df))
    known = df > 0
    df = np.where(known, df, 1.0)
    shift = np.abs(effect) * np.sqrt(items / spread)
    bar = upper_t(alpha / 2, df)
    power = np.asarray(1 - _noncentral(df, shift, bar) + _noncentral(df, shift, -bar))
    return np.where(known, power, np.nan)


def margin_power(
    effect: float,
    spread: float,
    items: float,
    df: float,
    margin: float,
    alpha: float = 0.05,
    *,
    equivalence: bool = False,
) -> float:
    """Power to show that an effect lies above -margin, or (equivalence) between -margin and margin.

    Each bound is a one-sided t test of size alpha. For equivalence both must reject; the probability is the
    sum of the two less one, a lower bound that is exact for a known variance.

    Parameters
    ----------
    effect, spread : float
        True mean and variance of one item's contribution.
    items, df : float
        Items, and degrees of freedom of the variance estimate; inf gives z tests.
    margin : float
        0 or more; more than 0 for equivalence.
    alpha : float
        Size of each one-sided test.
    equivalence : bool
        Both bounds, or the lower alone.

    References
    ----------
    Schuirmann, D. J. (1987). A comparison of the two one-sided tests procedure and the power approach for
    assessing the equivalence of average bioavailability. Journal of Pharmacokinetics and Biopharmaceutics
    15, 657-680.
    """
    per_error = np.sqrt(items / spread)
    below = _one_sided((effect + margin) * per_error, df, alpha)
    if not equivalence:
        return below
    return max(below + _one_sided((margin - effect) * per_error, df, alpha) - 1, 0.0)


def _one_sided(shift: float, df: float, alpha: float) -> float:
    from scipy import special

    if np.isinf(df):
        return float(special.ndtr(shift - upper_z(alpha)))
    return float(_noncentral(df, -shift, -upper_t(alpha, df)))


def _noncentral(df: ArrayLike, shift: ArrayLike, t: ArrayLike) -> Floats:
    """P(T <= t) for noncentral t; 0 where scipy gives NaN, as it does for some chances below 1e-14."""
    from scipy import special

    df, shift, t = _floats(df, shift, t)
    found = np.asarray(special.nctdtr(df, shift, t))
    return np.where(np.isnan(found) & ~np.isnan(shift), 0.0, found)


def least_items(power_at: Callable[[float], float], target: float, start: float) -> float:
    """Least real number of items at which a rising power function reaches a target; inf when none does.

    Parameters
    ----------
    power_at : callable
        Power at a number of items; NaN counts as not reached.
    target : float
        Power to reach.
    start : float
        Smallest number of items to consider.
    """

    def reached(items: float) -> bool:
        return power_at(items) >= target

    high = double(reached, start)
    if high is None:
        return float("inf")
    if high == start:
        return high
    found = crossing(lambda items: power_at(max(items, start)), target, 0.75 * high, high, relative=1e-11)
    return high if found is None else found
