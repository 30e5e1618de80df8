"""Samples of an item and items in clusters: what they make of a variance, and the best split of a budget."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from deadheat.stats.numerics.bounds import Floats


def variance_factor(
    samples: ArrayLike = 1, noise: ArrayLike = 0.0, cluster_size: ArrayLike = 1.0, icc: ArrayLike = 0.0
) -> Floats:
    """Variance of a mean of items, in units of independent items attempted once.

    The variance of one attempt at one item has three parts: what the items of a cluster share (`icc`), what
    is the item's own, and what differs from attempt to attempt (`noise`). Samples average the last away;
    items of a cluster repeat the first.

    Parameters
    ----------
    samples : array_like
        Attempts of each entry at each item, 1 or more.
    noise : array_like
        Share of the variance of one attempt that comes from rerunning, in [0, 1].
    cluster_size : array_like
        Items in a cluster.
    icc : array_like
        Share that items of a cluster have in common: the intraclass correlation of single attempts.

    Returns
    -------
    ndarray
        1 + (cluster_size - 1) icc - noise (1 - 1/samples).

    References
    ----------
    Kish, L. (1965). Survey Sampling. Wiley, sections 5.4 and 8.
    """
    samples, noise, cluster_size, icc = (
        np.asarray(value, dtype=np.float64) for value in (samples, noise, cluster_size, icc)
    )
    return np.asarray(1 + (cluster_size - 1) * icc - noise * (1 - 1 / samples))


def best_samples(item_cost: float, sample_cost: float, noise: float, rest: float) -> int:
    """Samples an item that make the variance least for what they cost.

    Variance times cost is proportional to (rest + noise/s)(item_cost + s sample_cost): least near
    s = sqrt(item_cost noise / (sample_cost rest)), at one of the whole numbers beside it.

    Parameters
    ----------
    item_cost, sample_cost : float
        Cost of an item itself, 0 or more, and of each attempt at it, positive.
    noise, rest : float
        Variance that samples average away, and variance that they do not (positive).

    References
    ----------
    Cochran, W. G. (1977). Sampling Techniques, 3rd ed. Wiley, section 10.6.
    """
    near = np.floor(np.sqrt(item_cost * noise / (sample_cost * rest)))
    whole = np.maximum(np.array([near, near + 1]), 1)
    product = (rest + noise / whole) * (item_cost + whole * sample_cost)
    return int(whole[np.argmin(product)])
