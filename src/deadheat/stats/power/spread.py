"""What the differences of two entries vary by, from sums over clusters, of data and of resamples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deadheat.stats.drawing.multinomial import resampling_weights
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.score.item_design import Codes, Groups


class Spread(NamedTuple):
    """Per-item variances of a difference, each of shape (B,): one value a resample, or one for the data.

    Parameters
    ----------
    gap : float64
        Mean difference.
    square : float64
        Mean squared difference; for single 0/1 attempts the share of discordant items.
    plain : float64
        Variance between the items' differences.
    clustered : float64
        Squared clustered error times items: as `plain` when the items are independent.
    rerun, single : float64
        Variance of an item's difference under reruns, and of that of one attempt each; NaN where unknown.
    """

    gap: Floats
    square: Floats
    plain: Floats
    clustered: Floats
    rerun: Floats
    single: Floats

    def per_item(self, samples: int) -> Floats:
        """Variance that one item adds when it is attempted so often; NaN where reruns are not known.

        What reruns leave is not below 0, though an estimate of it may be.
        """
        return np.asarray(np.maximum(self.clustered - self.rerun, 0.0) + self.single / samples)


def sums(difference: Floats, rerun: Floats, single: Floats, cluster: Codes | None) -> Floats:
    """Sums over each cluster that every part of `Spread` is made of.

    Parameters
    ----------
    difference : (M,) float64
        Difference of the two entries' values at each shared item.
    rerun, single : (M,) float64
        Variance of it under reruns, and of the difference of single attempts; NaN where unknown.
    cluster : (M,) int or None
        Cluster of each item.

    Returns
    -------
    (G, 9) float64
    """
    known = ~(np.isnan(rerun) | np.isnan(single))
    groups = Groups(cluster, difference.size)
    ones = np.ones_like(difference)
    columns = [ones, difference, difference**2, known, np.where(known, rerun, 0), np.where(known, single, 0)]
    summed = groups.sum(np.array(columns, dtype=np.float64))
    n, total = summed[0], summed[1]
    return np.stack([*summed, total**2, total * n, n**2], axis=1)


def spread(counts: Floats) -> Spread:
    """Variances from sums that were added up over clusters.

    Parameters
    ----------
    counts : (B, 10) float64
        Number of clusters, then the columns of `sums` added up.
    """
    clusters, n, total, square, known, rerun, single, totals, mixed, sizes = counts.T
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = total / n
        plain = (square - n * gap**2) / (n - 1)
        error = (totals - 2 * gap * mixed + gap**2 * sizes) / n * clusters / (clusters - 1)
        return Spread(gap, square / n, plain, error, rerun / known, single / known)


def observed_spread(table: Floats) -> Spread:
    """Spread of the data themselves, arrays of one element; `table` from `sums`."""
    return spread(np.concatenate([[len(table)], table.sum(axis=0)])[None, :])


def resampled_spread(table: Floats, draws: int, *, rng: np.random.Generator) -> Spread:
    """Spread of resamples of whole clusters, arrays of `draws`."""
    full = np.concatenate([np.ones((len(table), 1)), table], axis=1)
    weights = resampling_weights(len(table), draws, rng=rng)
    return spread(np.concatenate([block @ full for block in weights]))
