"""Paired t-tests of every pair of entries at once, on item or cluster differences, by matrix products."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MethodError
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.pvalues import student
from deadheat.stats.score.clustered import pooled_df

Values = NDArray[np.floating[Any]]
Codes = NDArray[np.integer[Any]]

ROUNDING = 1e-12  # a variance below this share of its own terms is rounding, not spread


class PairsT(NamedTuple):
    """E x E arrays, row entry - column entry on the items they share; NaN where undefined."""

    difference: Floats
    se: Floats
    df: Floats
    p: Floats
    log10_p: Floats


class _Layer(NamedTuple):
    """One stratum's differences, the variances of their means, and the clusters behind them."""

    difference: Floats
    variance: Floats
    clusters: Floats


def all_pairs_t(
    values: Values,
    present: NDArray[np.bool_],
    cluster: Codes | None = None,
    weights: Values | None = None,
    stratum: Codes | None = None,
    shares: Values | None = None,
) -> PairsT:
    """Test the mean difference of every pair of entries with a (clustered) paired t.

    Parameters
    ----------
    values, present : (E, M)
        Item values, and where they exist.
    cluster : (M,) int, optional
        Cluster of each item; by default each item is its own.
    weights : (M,), optional
        Item weights, none negative.
    stratum : (M,) int, optional
        Strata that count alike: differences are averaged over them, and only items within them are drawn.
    shares : (S,), optional
        Shares of the strata in the score, summing to 1, where they do not count alike.

    Returns
    -------
    PairsT
        `se` is CR1: the linearised error of the weighted mean of differences, times ``sqrt(G / (G - 1))``
        over the G clusters that both entries have. No spread and no difference: p = 1 and an error of 0. No
        spread, but a difference: p of the sign test over the clusters, ``2 ** (1 - G)``, for then t does not
        exist. Fewer than two clusters, or no item of a stratum in common: NaN.

    Raises
    ------
    MethodError
        Clusters that reach over strata.

    References
    ----------
    Miller (2024), Adding error bars to evals, arXiv:2411.00640. Cameron and Miller (2015), A practitioner's
    guide to cluster-robust inference, Journal of Human Resources 50, 317-372.
    """
    layers = _layers(values, present, cluster, weights, stratum)
    difference, variance, squares, clusters = np.zeros((4, len(values), len(values)))
    part = np.full(len(layers), 1 / len(layers)) if shares is None else shares
    with np.errstate(invalid="ignore", divide="ignore"):
        for w, layer in zip(part, layers, strict=True):
            difference += w * layer.difference
            variance += w**2 * layer.variance
            squares += w**4 * layer.variance**2 / (layer.clusters - 1)
            clusters += layer.clusters
        df = clusters - len(layers)
        df = np.where(
            np.isnan(difference), np.nan, df if len(layers) == 1 else pooled_df(variance, squares, df)
        )
    with np.errstate(invalid="ignore", divide="ignore"):
        se = np.where(df > 0, np.sqrt(variance), np.nan)
        found = student(difference / np.where(se > 0, se, np.nan), df)
        flat = (se == 0) & (df > 0)
        sign = np.where(difference == 0, 0.0, (1 - clusters) * np.log10(2.0))
    log10_p = np.where(flat, sign, found.log10_p)
    p = np.where(flat, 10.0**sign, found.p)
    return PairsT(difference, se, df, p, log10_p)


def _layers(
    values: Values,
    present: NDArray[np.bool_],
    cluster: Codes | None,
    weights: Values | None,
    stratum: Codes | None,
) -> list[_Layer]:
    w = np.ones(values.shape[1]) if weights is None else np.asarray(weights, dtype=np.float64)
    seen = present & (w > 0)
    # A shift of an item moves no difference; it keeps squares small, so that they cancel without loss.
    centre = np.where(seen, values, 0.0).sum(axis=0, dtype=np.float64) / np.maximum(seen.sum(axis=0), 1)
    x = np.where(seen, values - centre, 0.0)
    if stratum is None:
        return [_layer(x, seen.astype(np.float64), w, cluster)]
    if cluster is not None and _reach_over(cluster, stratum):
        raise MethodError(
            "a test of categories that count alike needs each cluster within one category; found some that "
            "reach over: weigh every item alike, or leave the clusters out"
        )
    found = []
    for code in np.unique(stratum):
        at = stratum == code
        found.append(
            _layer(x[:, at], seen[:, at].astype(np.float64), w[at], None if cluster is None else cluster[at])
        )
    return found


def _reach_over(cluster: Codes, stratum: Codes) -> bool:
    """Whether some cluster has items of several strata."""
    cells = np.unique(np.stack([cluster, stratum]), axis=1)
    return bool(len(np.unique(cluster)) < cells.shape[1])


def _layer(x: Floats, seen: Floats, w: Floats, cluster: Codes | None) -> _Layer:
    """Sum (total difference)^2, total x mass and mass^2 over clusters: the variance of the mean follows."""
    mass = (seen * w) @ seen.T
    total = (x * w) @ seen.T
    total = total - total.T
    if cluster is None:
        w2 = w * w
        squares = (x * x * w2) @ seen.T
        square = squares + squares.T - 2 * ((x * w2) @ x.T)
        cross = (x * w2) @ seen.T
        cross = cross - cross.T
        mass2 = (seen * w2) @ seen.T
        scale = squares + squares.T
        clusters = seen @ seen.T
    else:
        square, cross, mass2, scale, clusters = np.zeros((5, *mass.shape))
        for code in np.unique(cluster):
            at = cluster == code
            t = (x[:, at] * w[at]) @ seen[:, at].T
            scale += t * t + (t * t).T
            t = t - t.T
            m = (seen[:, at] * w[at]) @ seen[:, at].T
            square += t * t
            cross += t * m
            mass2 += m * m
            clusters += m > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        gap = np.where(mass > 0, total / mass, np.nan)
        spread = square - 2 * gap * cross + gap * gap * mass2
        spread = np.where(spread <= ROUNDING * (scale + gap * gap * mass2), 0.0, spread)
        variance = np.where(clusters > 1, spread / mass**2 * clusters / (clusters - 1), np.nan)
    return _Layer(np.where(np.abs(gap) < ROUNDING, 0.0, gap), variance, clusters)
