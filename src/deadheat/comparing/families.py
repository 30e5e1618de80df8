"""Adjustment of several comparisons: the candidates are one family; candidates x categories another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from deadheat.comparing.evidence import Evidence
from deadheat.errors import MethodError
from deadheat.panel import Panel
from deadheat.placing import MAX_T
from deadheat.seeds import stream
from deadheat.stats.maxt import max_t
from deadheat.stats.multiple import ADJUSTMENTS

Floats = NDArray[np.float64]
Weighed = tuple[Panel, list[int], int, Evidence]


def adjust_all(weighed: Sequence[Weighed], adjust: str) -> list[Floats | None]:
    """Adjust the comparisons of all items, then those of the categories together.

    Parameters
    ----------
    weighed : sequence of (Panel, candidates, baseline, Evidence)
        All items first, then one for each category.
    adjust : str
        A name of ADJUSTMENTS or ``max-t``, which adjusts each category by itself.

    Returns
    -------
    list of (P,) float64 or None
        None without adjustment; NaN stays NaN and is not counted.
    """
    if adjust == "none":
        return [None] * len(weighed)
    if adjust == MAX_T:
        return [_max_t(*part) for part in weighed]
    whole, *parts = [part[3].found for part in weighed]
    adjusted: list[Floats | None] = [_adjusted(whole.p, whole.log10_p, adjust)]
    if parts:
        p, log10_p = (np.array([getattr(part, key) for part in parts]) for key in ("p", "log10_p"))
        adjusted += list(_adjusted(p, log10_p, adjust))
    return adjusted


def _adjusted(p: Floats, log10_p: Floats, adjust: str) -> Floats:
    """Adjust one family, by the logarithms where a p has underflowed."""
    if (p == 0).any():
        return np.asarray(10.0 ** ADJUSTMENTS[adjust](log10_p, log10=True))
    return ADJUSTMENTS[adjust](p)


def _max_t(panel: Panel, first: Sequence[int], second: int, found: Evidence) -> Floats:
    """Step-down max-t over the candidates, from sign draws that all pairs share."""
    clusters = len(panel.items) if panel.cluster is None else len(np.unique(panel.cluster))
    least, alpha = 2.0 ** (1 - clusters), found.methods.alpha
    if least >= alpha:
        raise MethodError(
            f"max-t was asked of {clusters} items or clusters: with so few no p-value can be below "
            f"{least:g}, so "
            f"nothing could be separated at alpha {alpha:g}; --adjust holm would do"
        )
    rows = [*first, second]
    p = max_t(
        panel.values[rows],
        panel.present[rows],
        cluster=panel.cluster,
        weights=panel.weights,
        stratum=panel.stratum,
        draws=found.methods.draws,
        simultaneous=False,
        rng=stream(found.methods.seed, "signs"),
    )
    return p[-1, :-1]
