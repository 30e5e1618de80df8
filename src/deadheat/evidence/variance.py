"""Where the variance of a board's scores comes from, and whether its items can rank these entries at all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.estimand import Estimand
from deadheat.evidence.order import Placing
from deadheat.evidence.pairwise import Pairwise
from deadheat.evidence.scores import Scores
from deadheat.report.numbers import Scale
from deadheat.report.sentences import Voice, sentences
from deadheat.results import Components, Note, TopVariance, Variance, claims
from deadheat.results.claim import Claim
from deadheat.stats.numerics.bounds import defined
from deadheat.stats.samples import components
from deadheat.stats.score import clustered

Floats = NDArray[np.float64]

TOP = 5


def variance(
    seen: Panel, pairs: Pairwise, made: Scores, placed: Placing, estimand: Estimand, alpha: float
) -> Variance:
    """Decompose the variance of the scores of a board.

    Parameters
    ----------
    seen, pairs, made, placed
        The board's panel, the test of all its pairs, its scores and places.
    estimand : Estimand
    alpha : float
        A pair is separated when p < alpha.
    """
    # The variance of one sample, over its number, is the value's for means alone: other metrics keep to the
    # items that have more samples than k, in every part.
    used = seen.present
    if estimand.metric != "mean" and seen.within is not None:
        used = used & ~np.isnan(seen.within)
    parts = components.components(seen.values, used, seen.within, seen.samples, seen.cluster)
    if estimand.metric != "mean":
        parts = parts._replace(icc=np.full(len(seen.entries), np.nan))
    again = None
    if seen.within is not None and seen.samples is not None:
        again = clustered.rerun_error(seen.within, seen.present, seen.samples, seen.weights, seen.stratum).se
    reliable = components.reliability(seen.values, seen.present, again)
    p = pairs.p if placed.adjusted is None else placed.adjusted
    near = [float(p[a, b]) for a, b in zip(placed.rows, placed.rows[1:], strict=False)]
    top = _top(seen, made, placed, p, again, alpha)
    notes = []
    if estimand.metric != "mean" and again is not None:
        text = (
            f"the rerun part of {estimand.label} is a jackknife estimate, not too low in expectation, so the "
            "items' part is not too high"
        )
        notes.append(Note(code="jackknife", text=text))
    short = int(seen.present.sum() - used.sum())
    if short:
        text = (
            f"{short:,} of {int(seen.present.sum()):,} values have too few samples to show what a rerun does "
            "to them; the components leave them out"
        )
        notes.append(Note(code="too-few-samples", text=text))
    if again is None:
        text = "one sample an item: what a rerun would do, and so the items' own share, cannot be known"
        notes.append(Note(code="single-samples", text=text))
    if seen.cluster is None:
        text = "items count as independent; --cluster COLUMN shows what clusters do to the errors"
        notes.append(Note(code="no-clusters", text=text))
    apart = sum(value < alpha for value in near)
    claimed = _alone(seen, made, placed) if top is None else _claims(top, len(near), apart)
    errors = () if top is None else (top.se_items, top.se_reruns)
    scale = Scale.of((), errors, ("rate" if seen.rates else "score",))
    return Variance(
        summary=sentences(claimed, Voice(scale)),
        claims=claimed,
        board=_components([_mean(x) for x in parts]),
        entries=tuple(_components([float(x[row]) for x in parts], seen.entries[row]) for row in placed.rows),
        top=top,
        neighbours=len(near),
        neighbours_separated=apart,
        reliability_items=defined(reliable.items),
        reliability_reruns=defined(reliable.reruns),
        notes=tuple(notes),
    )


def _components(values: Sequence[float], entry: str | None = None) -> Components:
    named = dict(zip(components.Components._fields, values, strict=True))
    return Components(entry=entry, **{name: defined(value) for name, value in named.items()})


def _mean(values: Floats) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else np.nan


def _median(values: Floats) -> float | None:
    known = values[np.isfinite(values)]
    return float(np.median(known)) if known.size else None


def _top(
    seen: Panel, made: Scores, placed: Placing, p: Floats, again: Floats | None, alpha: float
) -> TopVariance | None:
    """Measure how far apart the first few entries lie."""
    rows = placed.rows[:TOP]
    if len(rows) < 2:
        return None
    plain = clustered.standard_error(seen.values, seen.present, seen.cluster, seen.weights, seen.stratum).se
    against = defined(float(p[rows[0], rows[-1]]))
    return TopVariance(
        entries=len(rows),
        spread=float(made.value[rows[0]] - made.value[rows[-1]]),
        se_items=_median(plain[rows]),
        se_reruns=None if again is None else _median(again[rows]),
        p_first_last=against,
        separated=None if against is None else against < alpha,
    )


def _alone(seen: Panel, made: Scores, placed: Placing) -> tuple[Claim, ...]:
    """Claim that there is nothing to rank."""
    return tuple(
        claims.Alone(
            entry=seen.entries[row], value=defined(made.value[row]), items=int(seen.present[row].sum())
        )
        for row in placed.rows
    )


def _claims(top: TopVariance, pairs: int, separated: int) -> tuple[Claim, ...]:
    """Claim whether these items can rank these entries."""
    spread = claims.TopSpread(
        entries=top.entries,
        spread=top.spread,
        se_items=top.se_items,
        se_reruns=top.se_reruns,
        separated=top.separated,
    )
    if pairs == 1:
        return (spread,)
    return spread, claims.NeighboursSeparated(pairs=pairs, separated=separated)


def unused_clusters(table: Table, seen: Panel, estimand: Estimand) -> tuple[Note, ...]:
    """Say what a cluster column that is not used would do to the errors."""
    if estimand.cluster is not None or estimand.generalises_to == "reruns":
        return ()
    spare = table.spare_clusters(seen.items)
    if spare is None:
        return ()
    column, codes = spare
    effect = _median(components.components(seen.values, seen.present, cluster=codes).design_effect)
    if effect is None:
        return ()
    text = (
        f"items have {codes.max() + 1} clusters, which are not used: with --cluster {column} standard errors "
        f"would be {effect**0.5:.2f} times these (design effect {effect:.2f}, median of the entries)"
    )
    return (Note(code="clusters-unused", text=text),)
