"""The lines of a board: what is known of every entry, and what has to be withheld."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.estimand import Estimand
from deadheat.evidence.contrasts import against
from deadheat.evidence.fitted import FittedPanel
from deadheat.evidence.order import Placing, Rule
from deadheat.evidence.pairwise import SMALLEST, Pairwise, verdict
from deadheat.evidence.participants import Participants
from deadheat.evidence.scores import Scores
from deadheat.results import Comparison, Interval, Note, Score
from deadheat.stats.numerics.bounds import defined


def entries(
    table: Table, seen: Panel, pairs: Pairwise, made: Scores, placed: Placing, rule: Rule
) -> list[Score]:
    """Write the line of every entry, in board order; last those without a score."""
    versus = against(seen, pairs, placed.rows, placed.anchor, level=made.level, rule=rule)
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
    own = _own(table, seen, made, row)
    if len(seen.entries) == 1:
        return own
    return msgspec.structs.replace(
        own,
        place=int(placed.place[row]),
        rank=(int(placed.rank_low[row]), int(placed.rank_high[row])),
        group=int(placed.group[row]) or None,
        letters=None if placed.letters is None else placed.letters[row] or None,
        vs_anchor=versus,
    )


def _own(table: Table, seen: Panel, made: Scores, row: int) -> Score:
    """What an entry scores by itself."""
    entry = seen.entries[row]
    se, low, high = float(made.se[row]), float(made.low[row]), float(made.high[row])
    value = float(made.value[row])
    return Score(
        entry=entry,
        name=table.names.get(entry),
        value=defined(value),
        se=defined(se),
        interval=Interval(low=low, high=high, level=made.level, method=made.method)
        if np.isfinite(low)
        else None,
        items=int(seen.present[row].sum()),
        samples=int(seen.scored[row]),
        failed=int(seen.failed[row]),
        absent=int(seen.absent[row]),
        published=table.published.get(entry),
        unit="rate" if seen.rates else "score",
        notes=made.entry_notes[row],
    )


def of_fit(line: Score, fit: FittedPanel, pairs: Pairwise, plain: Comparison | None) -> Score:
    """Put beside a fitted score what was observed, and the bounds that hold without a model.

    Parameters
    ----------
    line : Score
    fit : FittedPanel
    pairs : Pairwise
        Tests of the fitted scores.
    plain : Comparison or None
        The comparison with the anchor on shared items, where it stands in place of the fitted one.
    """
    versus = line.vs_anchor if plain is None else plain
    if plain is not None and plain.p is not None:
        text = "separated on shared items in the other direction than the fitted scores, which give way"
        doubt = Note(code="fit-contradicted", text=text)
        versus = msgspec.structs.replace(plain, notes=(*plain.notes, doubt))
    elif versus is not None:
        a, b = (fit.own.entries.index(name) for name in (versus.a, versus.b))
        versus = msgspec.structs.replace(versus, items=int(pairs.shared[a, b]))
    row = fit.own.entries.index(line.entry)
    items = int(fit.own.present[row].sum())
    notes = line.notes
    low, high = fit.low, fit.high
    bounds = None if low is None or high is None or not items else (float(low[row]), float(high[row]))
    if line.value is None and items:
        text = (
            f"its {items:,} items are all right or all wrong, which leaves its ability open: no fitted "
            "score; --absent shared compares it on shared items"
        )
        notes = (Note(code="fit-boundary", text=text),)
    return msgspec.structs.replace(
        line,
        items=items,
        own=defined(fit.own_value[row]),
        bounds=bounds,
        vs_anchor=versus,
        notes=notes,
    )


def apart(
    table: Table, who: Participants, made: Scores, versus: Sequence[Comparison | None]
) -> Iterator[Score]:
    """Write the lines of the entries that are listed apart, best first: their own score, no rank.

    Parameters
    ----------
    table, who
        Where the entries come from, and who is apart.
    made : Scores
        Their scores.
    versus : sequence of Comparison or None
        Each against the anchor of the board.
    """
    assert who.apart is not None
    for row in np.argsort(-who.apart.sign * made.value, kind="stable"):
        line = _own(table, who.apart, made, int(row))
        yield msgspec.structs.replace(line, vs_anchor=versus[row], notes=(who.why[line.entry], *line.notes))


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
