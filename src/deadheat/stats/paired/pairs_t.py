"""Paired t-tests of every pair of entries at once, on item or cluster differences, by matrix products."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MethodError
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.pvalues import student_or_sign
from deadheat.stats.score.clustered import ROUNDING, SPANNING, Cr2, Kind, cr2_terms, pooled_df
from deadheat.stats.score.item_design import Codes, Groups, Values, nested


class PairsT(NamedTuple):
    """E x E arrays, row entry - column entry on the items they share; NaN where undefined."""

    difference: Floats
    se: Floats
    df: Floats
    p: Floats
    log10_p: Floats


class _Stratum(NamedTuple):
    """One stratum of the items: its columns, its share in the score, and all pairs' totals over them.

    Parameters
    ----------
    columns : (M,) bool
    share : float
    mass, gap : (E, E) float64
        Weight that both entries have, and their mean difference.
    """

    columns: NDArray[np.bool_]
    share: float
    mass: Floats
    gap: Floats


class _Layer(NamedTuple):
    """What the clusters of one layer add to the variance of all pairs, and how many they are.

    `design` is, for CR2, the sum of squared weights and the trace of the squared design.
    """

    variance: Floats
    clusters: Floats
    design: tuple[Floats, Floats]


class _Items(NamedTuple):
    """Values without a shift of each item, which moves no difference; 1 where present; weights."""

    x: Floats
    seen: Floats
    w: Floats


def all_pairs_t(
    values: Values,
    present: NDArray[np.bool_],
    cluster: Codes | None = None,
    weights: Values | None = None,
    stratum: Codes | None = None,
    shares: Values | None = None,
    *,
    kind: Kind = "CR1",
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
    kind : str
        ``CR1``: the linearised error of the weighted mean of differences, times ``sqrt(G / (G - 1))`` over
        the G clusters that both entries have, in each stratum if clusters lie within strata. ``CR2``: the
        error and the degrees of freedom of Bell and McCaffrey, which hold where clusters are few or unequal.

    Returns
    -------
    PairsT
        What `clustered.standard_error` gives for the differences on shared items. No spread and no
        difference: p = 1 and an error of 0. No spread, but a difference: p of the sign test over the G
        clusters, ``2 ** (1 - G)``, because t does not exist. Fewer than two clusters, or no item of a stratum
        in common: NaN.

    Raises
    ------
    MethodError
        CR2 with clusters that span strata.

    References
    ----------
    Miller (2024), Adding error bars to evals, arXiv:2411.00640. Cameron and Miller (2015), A practitioner's
    guide to cluster-robust inference, Journal of Human Resources 50, 317-372. Bell and McCaffrey (2002),
    Survey Methodology 28, 169-181. Imbens and Kolesar (2016), Robust standard errors in small samples, Review
    of Economics and Statistics 98, 701-712.
    """
    w = np.ones(values.shape[1]) if weights is None else np.asarray(weights, dtype=np.float64)
    there = present & (w > 0)
    centre = np.where(there, values, 0.0).sum(axis=0, dtype=np.float64) / np.maximum(there.sum(axis=0), 1)
    items = _Items(np.where(there, values - centre, 0.0), there.astype(np.float64), w)
    strata = _strata(items, stratum, shares)
    if kind == "CR2" and cluster is None and (weights is not None or stratum is not None):
        cluster = np.arange(values.shape[1])  # without weights and strata CR1 and CR2 are the same
    if cluster is None:
        layers = [_independent(items, part) for part in strata]
    else:
        groups = Groups(cluster, values.shape[1])
        layer = nested(groups, stratum)
        if layer is None and kind == "CR2":
            raise MethodError(SPANNING)
        layers = _clustered(items, strata, groups, layer, kind)
    difference = np.sum([part.share * part.gap for part in strata], axis=0)
    difference = np.where(np.abs(difference) < ROUNDING, 0.0, difference)
    return _tested(difference, layers, kind if cluster is not None else "CR1")


def _tested(difference: Floats, layers: list[_Layer], kind: Kind) -> PairsT:
    """Add up the layers and test."""
    variance = np.sum([layer.variance for layer in layers], axis=0)
    clusters = np.sum([layer.clusters for layer in layers], axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        if kind == "CR2":
            mass, trace2 = (np.sum([layer.design[at] for layer in layers], axis=0) for at in (0, 1))
            df = mass**2 / trace2
        else:
            df = clusters - len(layers)
            if len(layers) > 1:
                squares = [layer.variance**2 / (layer.clusters - 1) for layer in layers]
                df = pooled_df(variance, np.sum(squares, axis=0), df)
            df = np.where(np.isnan(difference), np.nan, df)
        se = np.where(df > 0, np.sqrt(variance), np.nan) if kind == "CR1" else np.sqrt(variance)
    above = np.triu_indices(len(se), 1)
    half = student_or_sign(*(part[above] for part in (difference, se, df, clusters)))
    same = student_or_sign(*(np.diag(part) for part in (difference, se, df, clusters)))
    found = []
    for pairs, own in zip(half, same, strict=True):
        both = np.diag(own)
        both[above] = both.T[above] = pairs
        found.append(both)
    return PairsT(difference, se, df, *found)


def _strata(items: _Items, stratum: Codes | None, shares: Values | None) -> list[_Stratum]:
    codes = np.zeros(len(items.w), dtype=np.intp) if stratum is None else stratum
    names = np.unique(codes)
    parts = np.full(len(names), 1 / len(names)) if shares is None else shares
    strata = []
    for code, share in zip(names, parts, strict=True):
        at = codes == code
        x, seen, w = (part[..., at] for part in items)
        mass, total = _shared(seen * w, seen), _shared(x * w, seen)
        with np.errstate(invalid="ignore", divide="ignore"):
            gap = np.where(mass > 0, (total - total.T) / mass, np.nan)
        strata.append(_Stratum(at, float(share), mass, np.where(np.abs(gap) < ROUNDING, 0.0, gap)))
    return strata


def _shared(a: Floats, seen: Floats) -> Floats:
    """Sum `a` of each row over the items that each other entry has."""
    if seen.all():
        return np.broadcast_to(a.sum(axis=1, keepdims=True), (len(a), len(a)))
    return np.asarray(a @ seen.T)


def _independent(items: _Items, stratum: _Stratum) -> _Layer:
    """CR1 where every item is its own cluster: sums of squares, products and weights over the items."""
    x, seen, w = (part[..., stratum.columns] for part in items)
    w2, xw = w * w, x * w
    squares = _shared(xw * xw, seen)
    scale = squares + squares.T
    square = scale - 2 * (xw @ xw.T)
    cross = _shared(xw * w, seen)
    cross = cross - cross.T
    mass2, clusters = _shared(seen * w2, seen), _shared(seen, seen)
    gap = stratum.gap
    spread = square - 2 * gap * cross + gap * gap * mass2
    spread = np.where(spread <= ROUNDING * (scale + gap * gap * mass2), 0.0, spread)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = spread / (stratum.mass / stratum.share) ** 2
        variance = np.where(clusters > 1, mean * clusters / (clusters - 1), np.nan)
    return _Layer(variance, clusters, (mass2, mass2))


class _Part(NamedTuple):
    """One cluster's part for all pairs: as in `cr2_terms`, and the size of what cancels in `total`."""

    total: Floats
    share: Floats
    square: Floats
    size: Floats


def _clustered(
    items: _Items, strata: list[_Stratum], groups: Groups, layer: Codes | None, kind: Kind
) -> list[_Layer]:
    """CR1 or CR2 in each layer of clusters: a stratum each, or one where clusters span strata."""
    layers = []
    shape = strata[0].mass.shape
    for code in range(len(strata) if layer is not None else 1):
        inside = range(groups.size) if layer is None else np.flatnonzero(layer == code)
        masses = _squares(items, strata[code]) if kind == "CR2" else np.zeros(shape)
        sums, scale, clusters = np.zeros((6, *shape)), np.zeros(shape), np.zeros(shape)
        for part in _parts(items, strata, groups.codes, inside):
            clusters += part.share > 0
            if kind == "CR2":
                terms = cr2_terms(part.total, part.share, part.square, masses)
                sums += np.nan_to_num(np.array(terms))
                with np.errstate(invalid="ignore", divide="ignore"):
                    scale += np.nan_to_num(terms.shares / part.share**2 * part.size)
            else:
                sums[0] += np.nan_to_num(part.total**2)
                scale += np.nan_to_num(part.size)
        layers.append(_layer(Cr2(*sums), scale, clusters, masses, kind))
    return layers


def _layer(sums: Cr2, scale: Floats, clusters: Floats, mass: Floats, kind: Kind) -> _Layer:
    variance = np.where(sums.variance <= ROUNDING * scale, 0.0, sums.variance)
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = clusters / (clusters - 1) if kind == "CR1" else 1.0
        variance, mass, trace2 = (
            np.where(clusters > 1, part, np.nan) for part in (variance * factor, mass, sums.trace2(mass))
        )
    return _Layer(variance, clusters, (mass, trace2))


def _squares(items: _Items, stratum: _Stratum) -> Floats:
    """Sum of squared normalised weights of a stratum's shared items."""
    seen, w = items.seen[:, stratum.columns], items.w[stratum.columns]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(((seen * w**2) @ seen.T) / (stratum.mass / stratum.share) ** 2)


def _parts(
    items: _Items, strata: list[_Stratum], codes: Codes, clusters: Sequence[int] | NDArray[np.intp]
) -> Iterator[_Part]:
    """Give the part of one cluster after another, over all strata that it has items in."""
    for code in clusters:
        total, share, square, size = np.zeros((4, *strata[0].mass.shape))
        for stratum in strata:
            at = (codes == code) & stratum.columns
            if not at.any():
                continue
            x, seen, w = (part[..., at] for part in items)
            moved, here = (x * w) @ seen.T, (seen * w) @ seen.T
            with np.errstate(invalid="ignore", divide="ignore"):
                u = stratum.share / stratum.mass
                total += u * ((moved - moved.T) - stratum.gap * here)
                share += here / stratum.mass
                square += u**2 * ((seen * w**2) @ seen.T)
                size += u**2 * (moved**2 + moved.T**2 + (stratum.gap * here) ** 2)
        yield _Part(total, share, square, size)
