"""The first place of a panel: who may hold it, and what its score is worth after having been picked."""

from __future__ import annotations

import math
from typing import TypedDict

import numpy as np

from deadheat.data.panel import Codes, Floats, Panel
from deadheat.errors import MethodError
from deadheat.estimand import GeneralisesTo
from deadheat.evidence.order import MAX_T, Placing, Rule
from deadheat.evidence.pairwise import Pairwise
from deadheat.results import Chance, Interval, Note, Top, Winner
from deadheat.seeds import stream
from deadheat.stats.drawing.resample import layers, orders
from deadheat.stats.multiple import maxt, winner
from deadheat.stats.multiple.rank_draws import expected_rank, rank_probabilities
from deadheat.stats.numerics.bounds import defined
from deadheat.stats.numerics.pvalues import critical_t
from deadheat.stats.score.clustered import standard_error

RAGGED = 2e10
"""Pairs x clusters x draws up to which a board with absent items is drawn: seconds."""
FEW = 20
"""Clusters below which the corrected top score, which leans on a normal distribution, is doubted."""


class _Design(TypedDict):
    """What the items are drawn by, as every function of the winner takes it."""

    cluster: Codes | None
    weights: Floats | None
    stratum: Codes | None


def first_place(panel: Panel, pairs: Pairwise, placed: Placing, rule: Rule, *, level: float) -> Winner:
    """Say who may be the best, and correct the top score for being the top.

    Parameters
    ----------
    panel : Panel
        Scores that generalise to items.
    pairs : Pairwise
        The test of all pairs, which takes the place of draws where these would take too long.
    placed : Placing
    rule : Rule
        Its alpha is the winner set's; its draws are shared with max-t.
    level : float
        Level of the interval of the top score.
    """
    design = _Design(cluster=panel.cluster, weights=panel.weights, stratum=panel.stratum)
    clusters = len(panel.items) if panel.cluster is None else len(np.unique(panel.cluster))
    # What is better is larger here; 0/1 scores stay 0/1.
    base = float(panel.lower_is_better and panel.binary)
    merit = np.where(panel.present, base + panel.sign * panel.values, 0)
    drawn = panel.complete or len(panel.entries) ** 2 * clusters * rule.draws <= RAGGED
    if drawn:
        p = maxt.may_be_best(merit, panel.present, draws=rule.draws, rng=stream(rule.seed, "signs"), **design)
    else:
        p = _bonferroni(pairs, panel.sign)
    # Nothing excludes an entry that shares no item with any other.
    able = tuple(panel.entries[row] for row in placed.rows if not p[row] < rule.alpha)
    top = winner.top_score(merit, panel.present, level=level, **design)
    gain = winner.optimism(merit, panel.present, rng=stream(rule.seed, "optimism"), **design).iterated
    low, high = sorted(base + panel.sign * float(end) for end in top.hybrid)
    known = math.isfinite(low) and math.isfinite(high) and clusters > 1
    value = base + panel.sign * top.score
    expected = value - panel.sign * max(gain, 0.0) if known and math.isfinite(gain) else None
    return Winner(
        entry=panel.entries[top.row],
        may_be_best=able,
        method=MAX_T if drawn else "bonferroni",
        value=value,
        corrected=base + panel.sign * top.estimate if known else None,
        interval=Interval(low=low, high=high, level=level, method="hybrid") if known else None,
        optimism=defined(gain),
        expected=expected,
        expected_interval=None if expected is None else _moved(panel, top.row, expected, level),
        notes=_notes(known, clusters, "items" if panel.cluster is None else "clusters"),
    )


def _moved(panel: Panel, row: int, centre: float, level: float) -> Interval:
    """The t interval of the top score, moved to its corrected value; within [0, 1] for rates."""
    one = slice(row, row + 1)
    error = standard_error(panel.values[one], panel.present[one], panel.cluster, panel.weights, panel.stratum)
    half = float(critical_t(level, error.df)[0] * error.se[0])
    floor, roof = (0.0, 1.0) if panel.rates else (-math.inf, math.inf)
    return Interval(
        low=max(centre - half, floor), high=min(centre + half, roof), level=level, method="t, less optimism"
    )


def top_places(panel: Panel, placed: Placing, k: int) -> Top:
    """Say who may hold one of the first k places, and who surely does, by the rank intervals.

    Raises
    ------
    MethodError
        k below 1.
    """
    if k < 1:
        raise MethodError(f"the first k places were asked about; k is at least 1, found {k}")
    return Top(
        k=k,
        may_be=tuple(panel.entries[row] for row in placed.rows if placed.rank_low[row] <= k),
        surely=tuple(panel.entries[row] for row in placed.rows if placed.rank_high[row] <= k),
    )


def chances(panel: Panel, placed: Placing, rule: Rule, generalises_to: GeneralisesTo) -> tuple[Chance, ...]:
    """Count how often each entry takes each rank in resamples of the items (clusters).

    Parameters
    ----------
    panel, placed
        The board.
    rule : Rule
        Its draws and seed.
    generalises_to : str
        ``items``; resampled items say nothing of reruns.

    Raises
    ------
    MethodError
        Asked about reruns.
    """
    if generalises_to == "reruns":
        raise MethodError(
            "shares of ranks come from resampled items, so they speak of comparable items; they were asked "
            "about reruns of these very items: --generalises-to items would do"
        )
    rows = placed.rows
    parts = layers(
        panel.sign * panel.values[rows], panel.present[rows], panel.cluster, panel.weights, panel.stratum
    )
    shares = rank_probabilities(orders(parts, rule.draws, rng=stream(rule.seed, "bootstrap")))
    expected = expected_rank(shares)
    return tuple(
        Chance(
            entry=panel.entries[row],
            first=float(shares[at, 0]),
            expected_rank=float(expected[at]),
            ranks=tuple(shares[at].tolist()),
        )
        for at, row in enumerate(placed.rows)
    )


def _bonferroni(pairs: Pairwise, sign: int) -> Floats:
    """Test each entry by its smallest one-sided p against the others, times their number."""
    behind = sign * pairs.difference < 0
    ahead = np.where(behind, pairs.one_sided, np.where(np.isnan(pairs.p), np.nan, 1.0))
    np.fill_diagonal(ahead, np.nan)
    known = np.count_nonzero(~np.isnan(ahead), axis=1)
    smallest = np.where(np.isnan(ahead), np.inf, ahead).min(axis=1)
    return np.where(known > 0, np.minimum(smallest * known, 1.0), np.nan)


def _notes(known: bool, clusters: int, what: str) -> tuple[Note, ...]:
    if not known:
        text = "the top score has no standard error, so it cannot be corrected for having been picked"
        return (Note(code="winner-uncorrected", text=text),)
    if clusters < FEW:
        text = f"{clusters} {what} only: the corrected top score leans on a normal distribution of its error"
        return (Note(code="winner-few", text=text),)
    return ()
