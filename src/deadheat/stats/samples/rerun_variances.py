"""What reruns of an item do to its value, also where the item has too few samples to show it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.bounds import Floats


class RerunVariances(NamedTuple):
    """Of each entry and item, (E, M) float64, NaN for an entry without a single estimate.

    Parameters
    ----------
    single : float64
        Variance of one sample: the item's own estimate, or the mean of the entry's others.
    value : float64
        Variance of the item's value: that of one sample over its samples.
    known : bool
        Where the estimate is the item's own.
    """

    single: Floats
    value: Floats
    known: NDArray[np.bool_]


def rerun_variances(
    within: Floats, present: NDArray[np.bool_], samples: NDArray[np.integer[Any]]
) -> RerunVariances:
    """Fill in the rerun variance of items that have too few samples to estimate it.

    Parameters
    ----------
    within : (E, M) float64
        Estimated variance of each item's value under reruns; NaN where the item has too few samples.
    present : (E, M) bool
        Items to use.
    samples : (E, M) int
        Samples behind each value.

    Notes
    -----
    Each item's own estimate is unbiased, so the mean of any of them is; sums over all items are then unbiased
    for any pattern of samples that was not chosen by how much an item's samples vary.
    """
    known = present & ~np.isnan(within)
    number = np.maximum(samples, 1)
    single = np.where(known, within, 0.0) * number
    with np.errstate(divide="ignore", invalid="ignore"):
        typical = single.sum(axis=1, keepdims=True) / known.sum(axis=1, keepdims=True)
    single = np.where(known, single, typical)
    return RerunVariances(single, single / number, known)
