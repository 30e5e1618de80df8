"""The verb `rank`: a board that says which gaps are real."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np

from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from deadheat.pairwise import SMALLEST, Pairwise, contrasts, pairwise
from deadheat.panel import Panel, panel
from deadheat.placing import MAX_T, Kind, Placing, Rule, lines, members, placing
from deadheat.results import Board, Comparison, Group, Interval, Methods, Note, Score
from deadheat.scores import Scores, scores
from deadheat.table import Table
from deadheat.version import VERSION
from deadheat.winning import first_place


def rank(
    table: Table,
    estimand: Estimand | None = None,
    *,
    interval: str | None = None,
    test: str | None = None,
    adjust: str = "none",
    ranks: Kind = "simultaneous",
    anchor: str | None = None,
    alpha: float = 0.05,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
) -> Board:
    """Rank entries and say which of their gaps the data support.

    Parameters
    ----------
    table : Table
    estimand : Estimand or None
        What the scores are about; None takes the defaults.
    interval : str or None
        A name of INTERVALS; None takes the default for this kind of data.
    test : str or None
        A name of TESTS; None takes the default for this kind of data.
    adjust : str
        A name of `placing.ADJUSTMENTS`. All pairs of the board are one family; groups, tie lines and
        letters stand on the adjusted p-values. ``max-t`` makes the rank intervals too, else Holm's rule does.
    ranks : str
        ``simultaneous``: all rank intervals hold together; ``marginal``: each holds by itself.
    anchor : str or None
        The entry that anchors group 1; None takes the best.
    alpha : float
        A pair is separated when p < alpha.
    level : float
        Level of the intervals.
    draws, seed : int
        Draws and seed of methods that use luck.

    Returns
    -------
    Board

    Raises
    ------
    DataError
        Fewer than two entries, or none with an item in common with another.
    MethodError
        A method that does not fit the data, or an anchor that is not an entry.
    """
    estimand = estimand or Estimand()
    if not 0 < level < 1:
        raise MethodError(f"level lies between 0 and 1; found {level}")
    rule = Rule(adjust=adjust, ranks=ranks, alpha=alpha, draws=draws, seed=seed)
    if adjust == MAX_T and estimand.generalises_to == "reruns":
        raise MethodError(
            "max-t draws signs of items, so it speaks of comparable items; it was asked about reruns of "
            "these very items: the holm adjustment would do"
        )
    seen = panel(table, estimand)
    if len(seen.entries) < 2:
        raise DataError(
            f"a board needs at least two entries; found {len(seen.entries)} ({', '.join(seen.entries)}); "
            "give more files, or a table whose column `entry` names several"
        )
    pairs = pairwise(seen, test)
    if not np.any(pairs.shared[~np.eye(len(seen.entries), dtype=bool)]):
        raise DataError("no two entries share an item; the same items must carry the same ids in every file")
    made = scores(seen, interval, level=level, seed=seed)
    placed = placing(seen, pairs, made.value, rule, anchor)
    entries = _entries(table, seen, pairs, made, placed, rule)
    groups = members(seen, placed)
    return Board(
        version=VERSION,
        estimand=estimand,
        methods=Methods(
            interval=made.method,
            test=pairs.test,
            adjust=adjust,
            alpha=alpha,
            level=level,
            seed=seed,
            draws=draws,
            rank=rule.rank_method,
        ),
        summary=_summary(seen, groups, pairs),
        notes=(*seen.notes, *made.notes, *placed.notes, *_notes(table, seen, adjust)),
        provenance=table.provenance(),
        entries=(*entries, *_unpublished(table)),
        groups=groups,
        tie_lines=lines(seen, placed),
        winner=first_place(seen, placed, rule, level=level) if estimand.generalises_to == "items" else None,
    )


def _entries(
    table: Table, seen: Panel, pairs: Pairwise, made: Scores, placed: Placing, rule: Rule
) -> list[Score]:
    """Write the line of every entry that is placed, in board order."""
    versus = contrasts(seen, pairs, placed.rows, placed.anchor, level=made.level, alpha=rule.alpha)
    if placed.adjusted is not None:
        versus = [
            _judge(v, float(placed.adjusted[row, placed.anchor]), rule.alpha)
            for v, row in zip(versus, placed.rows, strict=True)
        ]
    return [_score(table, seen, made, placed, at, versus[at]) for at in range(len(placed.rows))]


def _judge(versus: Comparison | None, p: float, alpha: float) -> Comparison | None:
    """Put the adjusted p beside the test's own, and let it decide."""
    if versus is None or versus.difference is None or np.isnan(p):
        return versus
    verdict: Literal["a", "b", "not separated"] = "a" if versus.difference > 0 else "b"
    return msgspec.structs.replace(
        versus, p_adjusted=max(p, SMALLEST), verdict="not separated" if p >= alpha else verdict
    )


def _score(
    table: Table, seen: Panel, made: Scores, placed: Placing, at: int, versus: Comparison | None
) -> Score:
    row = placed.rows[at]
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
        group=int(placed.group[row]),
        letters=None if placed.letters is None else placed.letters[row],
        vs_anchor=versus,
        notes=tuple(notes),
    )


def _unpublished(table: Table) -> list[Score]:
    """Entries without per-item results, best published rate first: listed, but in no number of others."""
    note = Note(
        code="no-per-item-results", text="publishes no per-item results, so nothing can be said of its rate"
    )
    listed = sorted(table.unpublished, key=lambda e: (-table.published.get(e, -1.0), e))
    return [
        Score(entry=entry, name=table.names.get(entry), published=table.published.get(entry), notes=(note,))
        for entry in listed
    ]


def _summary(seen: Panel, members: Sequence[Group], pairs: Pairwise) -> str:
    """The one sentence that a reader should take along."""
    count, items = len(seen.entries), int(seen.present.any(axis=0).sum())
    top = members[0]
    these = f"these {items} items" if items > 1 else "this one item"
    if len(top.members) == 1:
        row = seen.entries.index(top.anchor)
        compared = int(np.count_nonzero(pairs.shared[row])) - 1
        if compared < count - 1:
            return (
                f"{top.anchor} is separated from the {compared} of {count - 1} other entries that share "
                "items with it; of the rest nothing can be said."
            )
        return f"{top.anchor} is separated from each of the {count - 1} other entries by {these}."
    do = "do" if items > 1 else "does"
    whole = f"All {count} entries" if len(top.members) == count else f"{len(top.members)} of {count} entries"
    return f"{whole} share the top group: {these} {do} not decide their order."


def _notes(table: Table, seen: Panel, adjust: str) -> list[Note]:
    notes = []
    if adjust == "none":
        text = (
            "groups compare each entry with its group's anchor without adjustment for the number of "
            "comparisons, so their sizes are lower bounds"
        )
        notes.append(Note(code="groups-lower-bound", text=text))
    if not seen.complete:
        counts = seen.present.sum(axis=1)
        text = (
            f"entries have between {int(counts.min())} and {int(counts.max())} of {len(seen.items)} items; "
            "each score is over an entry's own items, each comparison over the items both have"
        )
        notes.append(Note(code="ragged", text=text))
    if table.unpublished:
        best = max((table.published.get(e, -1.0) for e in table.entries), default=-1.0)
        above = sum(table.published.get(e, -1.0) > best for e in table.unpublished)
        text = (
            f"{len(table.unpublished)} entries publish no per-item results; {above} of them have a higher "
            "published rate than every entry that does"
        )
        notes.append(Note(code="no-per-item-results", text=text))
    return notes
