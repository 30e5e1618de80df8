"""Clustered t-tests of every pair of entries that stay honest when clusters are few or unequal."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MethodError
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.pvalues import student
from deadheat.stats.paired.pairs_t import ROUNDING, PairsT
from deadheat.stats.score.item_design import Codes, Groups, Values, nested


class _Layer(NamedTuple):
    """One stratum: difference, CR2 variance, sum of squared weights, trace of squared design, clusters."""

    difference: Floats
    variance: Floats
    mass: Floats
    trace2: Floats
    clusters: Floats


def all_pairs_cr2(
    values: Values,
    present: NDArray[np.bool_],
    cluster: Codes,
    weights: Values | None = None,
    stratum: Codes | None = None,
    shares: Values | None = None,
) -> PairsT:
    """Test every pair's mean difference by t with the CR2 error and Bell and McCaffrey's degrees of freedom.

    Parameters
    ----------
    values, present : (E, M)
        Item values, and where they exist.
    cluster : (M,) int
        Cluster of each item.
    weights, stratum : (M,), optional
    shares : (S,), optional
        As in `pairs_t.all_pairs_t`.

    Returns
    -------
    PairsT
        As `clustered.standard_error` with ``CR2`` gives them for the differences on shared items. No spread
        and no difference: p = 1. No spread but a difference: the sign test over the clusters. Fewer than
        two clusters in a stratum, or nothing in common: NaN.

    Raises
    ------
    MethodError
        Clusters that reach over strata.

    References
    ----------
    Bell and McCaffrey (2002), Survey Methodology 28, 169-181. Imbens and Kolesar (2016), Robust standard
    errors in small samples, Review of Economics and Statistics 98, 701-712.
    """
    layer = nested(Groups(cluster, values.shape[1]), stratum)
    if layer is None:
        raise MethodError(
            "a test of categories that count alike needs each cluster within one category; found some that "
            "reach over: weigh every item alike, or leave the clusters out"
        )
    w = np.ones(values.shape[1]) if weights is None else np.asarray(weights, dtype=np.float64)
    seen = present & (w > 0)
    centre = np.where(seen, values, 0.0).sum(axis=0, dtype=np.float64) / np.maximum(seen.sum(axis=0), 1)
    x = np.where(seen, values - centre, 0.0)  # a shift of an item moves no difference
    codes = np.zeros(values.shape[1], dtype=np.intp) if stratum is None else stratum
    layers = [
        _layer(x[:, at], seen[:, at].astype(np.float64), w[at], cluster[at])
        for at in (codes == code for code in np.unique(codes))
    ]
    share = np.full(len(layers), 1 / len(layers)) if shares is None else shares
    powers = {"difference": 1, "variance": 2, "mass": 2, "trace2": 4, "clusters": 0}
    difference, variance, mass, trace2, clusters = (
        np.sum(
            [w ** powers[name] * getattr(part, name) for w, part in zip(share, layers, strict=True)], axis=0
        )
        for name in _Layer._fields
    )
    se = np.sqrt(variance)
    with np.errstate(invalid="ignore", divide="ignore"):
        df = mass**2 / trace2
        found = student(difference / np.where(se > 0, se, np.nan), df)
    flat = se == 0
    sign = np.where(difference == 0, 0.0, (1 - clusters) * np.log10(2.0))
    return PairsT(
        difference,
        se,
        df,
        np.where(flat, 10.0**sign, found.p),
        np.where(flat, sign, found.log10_p),
    )


def _layer(x: Floats, seen: Floats, w: Floats, cluster: Codes) -> _Layer:
    """Two passes over the clusters: totals of all of them first, then each one's part in error and design."""
    mass = (seen * w) @ seen.T
    total = (x * w) @ seen.T
    squares = (seen * w * w) @ seen.T
    with np.errstate(invalid="ignore", divide="ignore"):
        gap = np.where(mass > 0, (total - total.T) / mass, np.nan)
        q = squares / mass**2
    gap = np.where(np.abs(gap) < ROUNDING, 0.0, gap)
    variance, scale, on, V2, D2, VD, own2, diagonal = np.zeros((8, *mass.shape))
    for code in np.unique(cluster):
        at = cluster == code
        here = seen[:, at]
        part = (x[:, at] * w[at]) @ here.T
        share = (here * w[at]) @ here.T
        with np.errstate(invalid="ignore", divide="ignore"):
            V, D = share / mass, ((here * w[at] ** 2) @ here.T) / mass**2
            own = D * (1 - 2 * V) + q * V**2
            some = own > ROUNDING * D  # not so for a pair's only cluster
            a = np.where(some, D / own, 0.0)
            moved = ((part - part.T) / mass - gap * V) ** 2
            variance += np.where(some, a * moved, 0.0)
            scale += np.where(some, a * (part**2 + (part**2).T) / mass**2, 0.0)
        on += share > 0
        for sums, term in (
            (V2, V * V),
            (D2, D * D),
            (VD, V * D),
            (diagonal, a * (q * V * V - 2 * V * D) ** 2),
        ):
            sums += np.where(some, a * term, 0.0)
        own2 += np.where(some, (a * own) ** 2, 0.0)
    pairs = 2 * V2 * D2 + (q * V2) ** 2 + 2 * VD**2 - 4 * q * V2 * VD
    known = on > 1
    variance = np.where(variance <= ROUNDING * scale, 0.0, variance)
    return _Layer(
        gap,
        np.where(known, variance, np.nan),
        np.where(known, q, np.nan),
        np.where(known, pairs - diagonal + own2, np.nan),
        on,
    )
