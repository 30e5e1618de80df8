"""Whether the mean of something is the same in several groups of items."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FEWEST = 5  # items of a group that is tested


class GroupMeans(NamedTuple):
    """Groups that were tested, (G,), their means and numbers of items, and p of equal means."""

    group: NDArray[np.intp]
    mean: Floats
    items: NDArray[np.intp]
    p: float


def equal_means(value: Floats, group: NDArray[np.integer]) -> GroupMeans | None:
    """Test that groups of items have one mean: Fisher's one-way analysis of variance.

    Parameters
    ----------
    value : (n,) float64
    group : (n,) int
        From 0; groups of fewer than FEWEST items are left out.

    Returns
    -------
    GroupMeans or None
        None with fewer than two such groups, or without any spread.

    References
    ----------
    Fisher (1925), Statistical Methods for Research Workers. Under the hypothesis that all items are alike
    groups are exchangeable, so that unequal variances are no objection.
    """
    from scipy.special import fdtrc, gammaln

    size = np.bincount(group)
    value, group = value[size[group] >= FEWEST], group[size[group] >= FEWEST]
    kept, code, items = np.unique(group, return_inverse=True, return_counts=True)
    if len(kept) < 2:
        return None
    mean = np.bincount(code, value) / items
    within = float(((value - mean[code]) ** 2).sum())
    between = float((items * (mean - value.mean()) ** 2).sum())
    if within + between <= 1e-12:
        return None
    df = len(kept) - 1, len(value) - len(kept)
    p = 0.0 if within <= 1e-12 * between else float(fdtrc(*df, between / df[0] / (within / df[1])))
    least = float(np.exp(gammaln(items + 1).sum() - gammaln(len(value) + 1)))  # of so many arrangements
    return GroupMeans(kept, mean, items, max(p, least))
