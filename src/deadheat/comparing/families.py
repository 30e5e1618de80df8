"""Adjustment of several comparisons: candidates are one family, candidates x categories another; picks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.errors import MethodError
from deadheat.evidence.order import MAX_T
from deadheat.evidence.pair_evidence import Evidence
from deadheat.results import Note
from deadheat.seeds import stream
from deadheat.stats.multiple import adjustment
from deadheat.stats.multiple.adjustment import ADJUSTMENTS
from deadheat.stats.multiple.maxt import max_t

Floats = NDArray[np.float64]
Weighed = tuple[Panel, list[int], int, Evidence]


def adjust_all(weighed: Sequence[Weighed], adjust: str, best_of: int = 1) -> list[Floats | None]:
    """Adjust the comparisons of all items, then those of the categories together.

    Parameters
    ----------
    weighed : sequence of (Panel, candidates, baseline, Evidence)
        All items first, then one for each category.
    adjust : str
        A name of ADJUSTMENTS or ``max-t``, which adjusts each category by itself.
    best_of : int
        Runs of which each candidate was picked as the best: its p is that of the best of so many
        comparisons, by Bonferroni's rule, for runs against one baseline depend on each other.

    Returns
    -------
    list of (P,) float64 or None
        None without adjustment; NaN stays NaN and is not counted.
    """
    if adjust == "none" and best_of == 1:
        return [None] * len(weighed)
    if adjust == MAX_T:
        if best_of > 1:
            raise MethodError(
                "max-t draws from the runs themselves, and the runs that were not picked are not here; "
                "--best-of goes with --adjust none, holm, hochberg or bh"
            )
        return [_max_t(*part) for part in weighed]
    whole, *parts = [part[3].found for part in weighed]
    adjusted: list[Floats | None] = [_adjusted(whole.p, whole.log10_p, adjust, best_of)]
    if parts:
        p, log10_p = (np.array([getattr(part, key) for part in parts]) for key in ("p", "log10_p"))
        adjusted += list(_adjusted(p, log10_p, adjust, best_of))
    return adjusted


def picked(best_of: int | None) -> list[Note]:
    """Say what the pick of the best of several runs does to the numbers."""
    if best_of is None:
        return []
    text = (
        f"the candidate is the best of {best_of} runs: p is multiplied by {best_of} (Bonferroni) before it "
        "decides; the difference, its interval and what stands on them are not corrected and favour what "
        "was picked"
    )
    return [Note(code="picked", text=text)]


def check_pick(best_of: int | None) -> None:
    """Refuse a pick of fewer than two.

    Raises
    ------
    MethodError
    """
    if best_of is not None and best_of < 2:
        raise MethodError(f"the best is picked of at least 2 runs; found {best_of}")


def _adjusted(p: Floats, log10_p: Floats, adjust: str, best_of: int) -> Floats:
    """Adjust one family, by the logarithms where a p has underflowed."""
    if (p == 0).any():
        picked = np.minimum(log10_p + np.log10(best_of), 0.0)
        return np.asarray(10.0 ** ADJUSTMENTS[adjust](picked, log10=True))
    return ADJUSTMENTS[adjust](adjustment.best_of(p, best_of).bonferroni)


def _max_t(panel: Panel, first: Sequence[int], second: int, found: Evidence) -> Floats:
    """Step-down max-t over the candidates, from sign draws that all pairs share."""
    clusters = len(panel.items) if panel.cluster is None else len(np.unique(panel.cluster))
    least, alpha = 2.0 ** (1 - clusters), found.methods.alpha
    if least >= alpha:
        raise MethodError(
            f"max-t was asked of {clusters} items or clusters: with so few no p-value can be below "
            f"{least:g}, so nothing could be separated at alpha {alpha:g}; --adjust holm would do"
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
