"""Runs on different items, side by side: on shared items, on all items by a fit, and without any model."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from deadheat.data.panel import Panel
from deadheat.evidence import pair_evidence
from deadheat.evidence.contrasts import comparisons
from deadheat.evidence.fitted import FittedPanel, fitted
from deadheat.methods import choose_pair
from deadheat.results import Comparison, FittedGap, Note
from deadheat.stats.ability import fitted_scores

TURNS = Note(
    code="absent-may-decide",
    text="what only one of the two ran could turn the difference round: without a model its sign over all "
    "their items is open",
)


def with_bounds(seen: Panel, pairs: Sequence[Comparison]) -> list[Comparison]:
    """Bound each difference over the items that either ran, whatever the outcomes that are absent.

    Parameters
    ----------
    seen : Panel
    pairs : sequence of Comparison
        Unchanged where the two ran the same items, or scores have no limits.
    """
    if seen.shares is not None or seen.stratum is not None:
        return list(pairs)
    return [_bounded(seen, pair) for pair in pairs]


def _bounded(seen: Panel, pair: Comparison) -> Comparison:
    rows = [seen.entries.index(name) for name in (pair.a, pair.b)]
    either = seen.present[rows].any(axis=0)
    values, present = seen.values[rows][:, either], seen.present[rows][:, either]
    if present.all() or not either.any() or values.min() < 0 or values.max() > 1:
        return pair
    weights = np.ones(values.shape[1]) if seen.weights is None else seen.weights[either]
    if not weights.any():
        return pair
    low, high = fitted_scores.bounds(values, present, weights / weights.sum(), 0.0, 1.0)
    least, most = float(low[0] - high[1]), float(high[0] - low[1])
    notes = pair.notes
    if pair.difference is not None and least < 0 < most:
        notes = (*notes, TURNS)
    return msgspec.structs.replace(pair, bounds=(least, most), notes=notes)


def with_fitted(
    seen: Panel, pairs: Sequence[Comparison], *, level: float, alpha: float
) -> tuple[list[Comparison], tuple[Note, ...]]:
    """Add to each comparison that of fitted scores over all items of the table.

    Parameters
    ----------
    seen : Panel
        All entries of the table, which together say how hard each item is.
    pairs : sequence of Comparison
    level, alpha : float
        Level of the interval; a pair is separated when p < alpha.

    Returns
    -------
    list of Comparison
    tuple of Note
        What the fit assumes, or why there is none.
    """
    fit = fitted(seen)
    if fit is None:
        text = "every entry ran every item, so nothing is fitted"
        return list(pairs), (Note(code="nothing-absent", text=text),)
    if isinstance(fit, Note):
        return list(pairs), (fit,)
    base = seen.entries.index(pairs[0].b)
    first = [seen.entries.index(pair.a) for pair in pairs]
    methods = pair_evidence.Methods(*choose_pair(fit.panel.shape(), None, None), level=level, alpha=alpha)
    able = fit.panel.present[:, 0]
    kept = [row for row in first if able[row] and able[base]]
    found = {}
    if kept:
        weighed = pair_evidence.weigh(fit.panel, pair_evidence.pairs_of(fit.panel, kept, base), methods)
        found = dict(zip(kept, comparisons(fit.panel, kept, base, weighed), strict=True))
    made = [
        msgspec.structs.replace(pair, fitted=_gap(fit, found[row], seen, row, base)) if row in found else pair
        for pair, row in zip(pairs, first, strict=True)
    ]
    return made, fit.notes


def _gap(fit: FittedPanel, pair: Comparison, seen: Panel, row: int, base: int) -> FittedGap:
    return FittedGap(
        model=fit.model,
        items=len(fit.panel.items),
        missing=float(1 - seen.present[[row, base]].mean()),
        value_a=pair.value_a,
        value_b=pair.value_b,
        difference=pair.difference,
        se=pair.se,
        interval=pair.interval,
        p=pair.p,
        verdict=pair.verdict,
    )
