"""What the differences of two entries vary by, from sums over clusters, of data and of resamples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from deadheat.stats.drawing.multinomial import resampling_weights
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.samples.rerun_variances import rerun_variances
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

    @property
    def attempt(self) -> Floats:
        """Variance of the difference of one attempt each; where reruns are unknown, of the items' own."""
        several = np.maximum(self.plain - self.rerun, 0.0) + self.single
        return np.where(np.isnan(self.single), self.plain, several)

    @property
    def noise(self) -> Floats:
        """Share of it that comes from rerunning; NaN where reruns are unknown."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.single / self.attempt)

    def per_item(self, samples: int) -> Floats:
        """Variance that one item adds with this many samples; NaN where reruns are not known.

        What reruns leave is not below 0, though an estimate of it may be.
        """
        return np.asarray(np.maximum(self.clustered - self.rerun, 0.0) + self.single / samples)


def sums(
    values: Floats,
    reruns: Sequence[tuple[Floats, Codes]] = (),
    cluster: Codes | None = None,
    weights: Floats | None = None,
) -> Floats:
    """Sums over each cluster that every part of `Spread` is made of.

    Parameters
    ----------
    values : (M,) float64
        Value at each item: of one entry, or the difference of two.
    reruns : sequence of (within, samples)
        Of each of these entries, (M,) each: variance of its value under reruns, NaN where unknown, and its
        samples. Empty: reruns are unknown.
    cluster : (M,) int or None
        Cluster of each item.
    weights : (M,) float64 or None
        Weight of each item in the mean.

    Returns
    -------
    (G, 10 + 6 E) float64
    """
    groups = Groups(cluster, values.size)
    w = np.ones_like(values) if weights is None else weights
    columns = [np.ones_like(values), w, w * values, w * values**2, w**2, w**2 * values, (w * values) ** 2]
    for within, samples in reruns:
        single, value, known = (
            x[0] for x in rerun_variances(within[None], np.isfinite(w)[None], samples[None])
        )
        own = [
            known,
            np.where(known, single, 0),
            w**2 * np.where(known, value, 0),
            w**2 * np.where(known, single, 0),
        ]
        columns += [*own, w**2 * ~known / np.maximum(samples, 1), w**2 * ~known]
    summed = groups.sum(np.array(columns, dtype=np.float64))
    mass, total = summed[1], summed[2]
    return np.stack([*summed[:7], total**2, total * mass, mass**2, *summed[7:]], axis=1)


def spread(counts: Floats) -> Spread:
    """Variances from sums that were added up over clusters.

    Parameters
    ----------
    counts : (B, 11 + 6 E) float64
        Number of clusters, then the columns of `sums` added up.
    """
    clusters, n, mass, total, square, twice, twice_total, twice_square, *rest = counts.T
    totals, mixed, sizes, *reruns = rest
    with np.errstate(divide="ignore", invalid="ignore"):
        gap, per_item = total / mass, n / mass**2
        plain = (twice_square - 2 * gap * twice_total + gap**2 * twice) * per_item * n / (n - 1)
        error = (totals - 2 * gap * mixed + gap**2 * sizes) * per_item * clusters / (clusters - 1)
        rerun = single = np.full(gap.shape, 0.0 if reruns else np.nan)
        for known, own, value, once, filled_value, filled_once in zip(*[iter(reruns)] * 6, strict=True):
            typical = own / known
            rerun = rerun + (value + typical * filled_value) * per_item
            single = single + (once + typical * filled_once) * per_item
        return Spread(gap, square / mass, plain, error, rerun, single)


def observed_spread(table: Floats) -> Spread:
    """Spread of the data themselves, arrays of one element; `table` from `sums`."""
    return spread(np.concatenate([[len(table)], table.sum(axis=0)])[None, :])


def resampled_spread(table: Floats, draws: int, *, rng: np.random.Generator) -> Spread:
    """Spread of resamples of whole clusters, arrays of `draws`."""
    full = np.concatenate([np.ones((len(table), 1)), table], axis=1)
    weights = resampling_weights(len(table), draws, rng=rng)
    return spread(np.concatenate([block @ full for block in weights]))
