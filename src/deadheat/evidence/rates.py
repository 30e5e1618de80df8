"""Intervals for a rate as plain functions: what has no answer is an error here, not NaN."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from deadheat.errors import DataError
from deadheat.stats.numerics.bounds import Bounds
from deadheat.stats.score import binomial


def wilson(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> Bounds:
    """Wilson's score interval for k passes of n items.

    Parameters
    ----------
    k, n : array_like
        Passes and items; they broadcast.
    level : float
        Nominal coverage, strictly between 0 and 1.

    Returns
    -------
    Bounds
        ``low`` and ``high``, in [0, 1].

    Raises
    ------
    DataError
        No items, or passes outside 0 ... n.
    MethodError
        A level outside (0, 1).

    References
    ----------
    Wilson, E. B. (1927). Journal of the American Statistical Association 22, 209-212.
    """
    return _known(binomial.wilson, k, n, level)


def clopper_pearson(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> Bounds:
    """Clopper and Pearson's exact interval, which covers at least `level`; used as `wilson`."""
    return _known(binomial.clopper_pearson, k, n, level)


def mid_p(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> Bounds:
    """The mid-p interval, Clopper-Pearson less half the observed count's probability; used as `wilson`."""
    return _known(binomial.mid_p, k, n, level)


def jeffreys(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> Bounds:
    """Jeffreys' interval, closed at 0 and at 1; used as `wilson`."""
    return _known(binomial.jeffreys, k, n, level)


def agresti_coull(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> Bounds:
    """Agresti and Coull's interval; used as `wilson`."""
    return _known(binomial.agresti_coull, k, n, level)


def wald(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> Bounds:
    """Wald's interval, for comparison: near 0 and 1 it covers nothing; used as `wilson`."""
    return _known(binomial.wald, k, n, level)


def _known(
    method: Callable[[ArrayLike, ArrayLike, float], Bounds], k: ArrayLike, n: ArrayLike, level: float
) -> Bounds:
    bounds = method(k, n, level)
    if np.any(np.isnan(bounds.low)):
        if np.any(np.asarray(n) == 0):
            raise DataError("no data: a rate of 0 items was asked for; an interval needs at least 1 item")
        raise DataError(f"{k!r} passes of {n!r} items were given; passes lie from 0 to the items")
    return Bounds(bounds.low[()], bounds.high[()])  # numbers for numbers
