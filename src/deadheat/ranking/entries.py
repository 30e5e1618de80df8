"""The lines of a board: what is known of every entry, and what has to be withheld."""

from __future__ import annotations

import msgspec
import numpy as np

from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.estimand import Estimand
from deadheat.evidence.order import Placing, Rule
from deadheat.evidence.pairwise import SMALLEST, Pairwise, contrasts, verdict
from deadheat.evidence.scores import Scores
from deadheat.results import Comparison, Interval, Note, Score


def entries(
    table: Table, seen: Panel, pairs: Pairwise, made: Scores, placed: Placing, rule: Rule
) -> list[Score]:
    """Write the line of every entry, in board order; last those without a score."""
    versus = contrasts(seen, pairs, placed.rows, placed.anchor, level=made.level, alpha=rule.alpha)
    if placed.adjusted is not None:
        versus = [
            _judge(v, float(placed.adjusted[row, placed.anchor]), seen.sign, rule.alpha)
            for v, row in zip(versus, placed.rows, strict=True)
        ]
    found = [_score(table, seen, made, placed, row, v) for row, v in zip(placed.rows, versus, strict=True)]
    rest = set(range(len(seen.entries))) - set(placed.rows)
    return found + [_without(table, seen, row) for row in sorted(rest, key=lambda row: seen.entries[row])]


def _without(table: Table, seen: Panel, row: int) -> Score:
    """The line of an entry that has no scored item here: counted, but in no number of others."""
    entry = seen.entries[row]
    return Score(
        entry=entry,
        name=table.names.get(entry),
        failed=int(seen.failed[row]),
        absent=int(seen.absent[row]),
        published=table.published.get(entry),
        notes=(Note(code="no-scored-items", text="no item carries a score"),),
    )


def _judge(versus: Comparison | None, p: float, sign: int, alpha: float) -> Comparison | None:
    """Put the adjusted p beside the test's own, and let it decide."""
    if versus is None or versus.difference is None or np.isnan(p):
        return versus
    return msgspec.structs.replace(
        versus, p_adjusted=max(p, SMALLEST), verdict=verdict(p, sign * versus.difference, alpha)
    )


def _score(
    table: Table, seen: Panel, made: Scores, placed: Placing, row: int, versus: Comparison | None
) -> Score:
    entry = seen.entries[row]
    se, low, high = float(made.se[row]), float(made.low[row]), float(made.high[row])
    notes = list(made.entry_notes[row])
    return Score(
        entry=entry,
        name=table.names.get(entry),
        value=float(made.value[row]),
        se=se if np.isfinite(se) else None,
        interval=Interval(low=low, high=high, level=made.level, method=made.method)
        if np.isfinite(low)
        else None,
        items=int(seen.present[row].sum()),
        samples=int(seen.scored[row]),
        failed=int(seen.failed[row]),
        absent=int(seen.absent[row]),
        published=table.published.get(entry),
        place=int(placed.place[row]),
        rank=(int(placed.rank_low[row]), int(placed.rank_high[row])),
        group=int(placed.group[row]) or None,
        letters=None if placed.letters is None else placed.letters[row] or None,
        vs_anchor=versus,
        notes=tuple(notes),
    )


def unpublished(table: Table, estimand: Estimand) -> list[Score]:
    """Entries without per-item results, best published rate first: listed, but in no number of others."""
    note = Note(
        code="no-per-item-results", text="publishes no per-item results, so nothing can be said of its rate"
    )
    sign = -1 if estimand.lower_is_better else 1
    listed = sorted(table.unpublished, key=lambda e: (-sign * table.published.get(e, -sign * np.inf), e))
    return [
        Score(entry=entry, name=table.names.get(entry), published=table.published.get(entry), notes=(note,))
        for entry in listed
    ]
