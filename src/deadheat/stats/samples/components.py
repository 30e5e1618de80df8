"""Where the variance of scores comes from: items, reruns of items, clusters; what a board can tell apart."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.samples.rerun_variances import rerun_variances
from deadheat.stats.score.clustered import standard_error
from deadheat.stats.score.item_design import Codes, Groups, Values


class Components(NamedTuple):
    """Variance components of each row, (E,) float64; NaN where the data do not know.

    Estimates without bias are shown as they are, below zero too; shares and correlations made of them floor
    them at zero.

    Parameters
    ----------
    total : (E,)
        Variance between item values, as observed: ``items + reruns``.
    reruns : (E,)
        Mean variance of an item's value under reruns of that item, over the same items as the total.
    items : (E,)
        Variance between the items' own long-run values: ``total - reruns``.
    share_items : (E,)
        Share of the score's variance that more samples of the same items cannot remove.
    icc : (E,)
        Correlation of two samples of one item.
    clusters : (E,)
        Variance between clusters, beyond what their items' spread explains.
    cluster_icc : (E,)
        Correlation of the values of two items of one cluster.
    design_effect : (E,)
        Squared clustered error over squared unclustered error.
    effective_items : (E,)
        Independent items that would carry as much: items over design effect.
    """

    total: Floats
    reruns: Floats
    items: Floats
    share_items: Floats
    icc: Floats
    clusters: Floats
    cluster_icc: Floats
    design_effect: Floats
    effective_items: Floats


def components(
    values: Values,
    present: NDArray[np.bool_],
    within: Floats | None = None,
    samples: NDArray[np.integer[Any]] | None = None,
    cluster: Codes | None = None,
) -> Components:
    """Split the variance of each row's item values.

    Parameters
    ----------
    values, present : (E, M)
        Item values, and where they exist; every item counts alike.
    within : (E, M) float64, optional
        Variance of each value under reruns of its item; NaN where unknown, and then filled in by
        `rerun_variances`. None: single samples.
    samples : (E, M) int, optional
        Samples behind each value.
    cluster : (M,) int, optional
        Cluster of each item.

    Returns
    -------
    Components

    References
    ----------
    Searle, Casella and McCulloch (1992), Variance Components, chapter 3. Kish (1965), Survey Sampling, 5.4.
    """
    nan = np.full(len(values), np.nan)
    n = present.sum(axis=1).astype(np.float64)
    plain = standard_error(values, present).se
    total = plain**2 * n
    reruns, single = (nan, nan)
    if within is not None and samples is not None:
        filled = rerun_variances(within, present, samples)
        reruns, single = (np.where(present, x, 0.0).sum(axis=1) / n for x in (filled.value, filled.single))
    items = total - reruns
    floored = np.maximum(items, 0.0)
    between, icc = (nan, nan) if cluster is None else _clusters(values, present, cluster)
    se = plain if cluster is None else standard_error(values, present, cluster).se
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = np.where(plain > 0, se**2 / plain**2, np.nan)
        return Components(
            total=total,
            reruns=reruns,
            items=items,
            share_items=floored / (floored + reruns),
            icc=floored / (floored + single),
            clusters=between,
            cluster_icc=icc,
            design_effect=effect,
            effective_items=n / effect,
        )


def _clusters(values: Values, present: NDArray[np.bool_], cluster: Codes) -> tuple[Floats, Floats]:
    """Variance between clusters by analysis of variance with unequal sizes, and the correlation within."""
    groups = Groups(cluster, values.shape[1])
    here = present.astype(np.float64)
    size = groups.sum(here)
    n, count = size.sum(axis=1), (size > 0).sum(axis=1).astype(np.float64)
    x = np.asarray(values, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        centred = here * (x - (here * x).sum(axis=1, keepdims=True) / n[:, None])
        sums = groups.sum(centred)
        explained = np.where(size > 0, sums**2 / size, 0.0).sum(axis=1)
        inside = ((centred**2).sum(axis=1) - explained) / (n - count)
        typical = (n - (size**2).sum(axis=1) / n) / (count - 1)
        between = (explained / (count - 1) - inside) / typical
        floored = np.maximum(between, 0.0)
        icc = floored / (floored + inside)
    known = (count > 1) & (n > count)
    return np.where(known, between, np.nan), np.where(known & (floored + inside > 0), icc, np.nan)


class Reliability(NamedTuple):
    """How much of the spread of the board's scores is spread of the entries; NaN where unknown.

    Parameters
    ----------
    items : float
        Of the scores over comparable items: Hoyt's, that is Cronbach's alpha and, for 0/1, KR-20. Never
        floored: below zero says that entries differ less than their errors would make them.
    reruns : float
        Of the scores over these very items, when attempted again.
    shared : int
        Items that every entry has: the ones that `items` is made from.
    """

    items: float
    reruns: float
    shared: int


def reliability(values: Values, present: NDArray[np.bool_], rerun_se: Floats | None = None) -> Reliability:
    """Reliability of a board's scores.

    Parameters
    ----------
    values, present : (E, M)
        Item values, and where they exist.
    rerun_se : (E,) float64, optional
        Standard errors under reruns, from `clustered.rerun_error`.

    Returns
    -------
    Reliability

    References
    ----------
    Hoyt (1941), Test reliability estimated by analysis of variance, Psychometrika 6, 153-160. Cronbach
    (1951), Coefficient alpha and the internal structure of tests, Psychometrika 16, 297-334.
    """
    everyone = present.all(axis=0)
    x = np.asarray(values[:, everyone], dtype=np.float64)
    entries, shared = x.shape
    by_items = by_reruns = float("nan")
    if entries > 1 and shared > 1:
        rows, columns, mean = x.mean(axis=1), x.mean(axis=0), x.mean()
        between = shared * ((rows - mean) ** 2).sum() / (entries - 1)
        left = ((x - rows[:, None] - columns + mean) ** 2).sum() / ((entries - 1) * (shared - 1))
        by_items = float(1 - left / between) if between > 0 else by_items
        if rerun_se is not None:
            spread = rows.var(ddof=1)
            by_reruns = float(1 - (rerun_se**2).mean() / spread) if spread > 0 else by_reruns
    return Reliability(by_items, by_reruns, shared)
