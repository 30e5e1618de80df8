"""The verb `rank`: a board that says which gaps are real."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from deadheat.pairwise import Pairwise, contrasts, pairwise
from deadheat.panel import Panel, panel
from deadheat.results import Board, Comparison, Group, Interval, Methods, Note, Score
from deadheat.scores import Scores, scores
from deadheat.stats import groups, multiple, ranks
from deadheat.table import Table
from deadheat.version import VERSION


@dataclass(frozen=True, eq=False)
class _Order:
    """Rows of a panel in board order, and what the tests make of it."""

    rows: list[int]
    place: NDArray[np.int64]
    group: NDArray[np.int64]
    rank_low: NDArray[np.float64]
    rank_high: NDArray[np.float64]
    lines: list[tuple[int, int]]
    anchor: int


def rank(
    table: Table,
    estimand: Estimand | None = None,
    *,
    interval: str | None = None,
    test: str | None = None,
    adjust: str = "none",
    anchor: str | None = None,
    alpha: float = 0.05,
    level: float = 0.95,
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
        A name of ADJUSTMENTS, for the comparisons that make the groups.
    anchor : str or None
        The entry that anchors group 1; None takes the best.
    alpha : float
        A pair is separated when p < alpha.
    level : float
        Level of the intervals.
    seed : int
        Seed of methods that use luck.

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
    _check(alpha, level, adjust)
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
    order = _order(seen, pairs, made, adjust=adjust, anchor=anchor, alpha=alpha)
    versus = contrasts(seen, pairs, order.rows, order.anchor, level=level, alpha=alpha)
    entries = [_score(table, seen, made, order, at, versus[at]) for at in range(len(order.rows))]
    members = _groups(seen, order)
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
            rank="holm, simultaneous",
        ),
        summary=_summary(seen, members, pairs),
        notes=(*seen.notes, *made.notes, *_notes(table, seen, adjust)),
        provenance=table.provenance(),
        entries=(*entries, *_unpublished(table)),
        groups=members,
        tie_lines=tuple(
            tuple(seen.entries[order.rows[at]] for at in range(first, last + 1))
            for first, last in order.lines
        ),
    )


def _check(alpha: float, level: float, adjust: str) -> None:
    for name, value in (("alpha", alpha), ("level", level)):
        if not 0 < value < 1:
            raise MethodError(f"{name} lies between 0 and 1; found {value}")
    if adjust not in multiple.ADJUSTMENTS:
        raise MethodError(f"no adjustment {adjust!r}; known are {', '.join(multiple.ADJUSTMENTS)}")


def _order(
    seen: Panel, pairs: Pairwise, made: Scores, *, adjust: str, anchor: str | None, alpha: float
) -> _Order:
    value = np.where(np.isnan(made.value), -np.inf, made.value)
    # Rows come in an order of content alone, so the order of equal scores depends on no name.
    best_first = [int(i) for i in np.argsort(-value, kind="stable") if np.isfinite(value[i])]
    if anchor is not None:
        if anchor not in seen.entries:
            raise MethodError(f"no entry {anchor!r} to anchor the board; found {_some(seen.entries)}")
        first = seen.entries.index(anchor)
        best_first = [first, *(i for i in best_first if i != first)]

    def adjusted(row: int) -> NDArray[np.float64]:
        """The comparisons of one anchor are the family that an adjustment speaks of."""
        p = pairs.p[row].copy()
        p[row] = np.nan
        return multiple.ADJUSTMENTS[adjust](p)

    group = groups.anchor_groups(adjusted, best_first, alpha)
    family = multiple.pairs(pairs.p, multiple.holm)
    low, high = ranks.rank_intervals(family, pairs.difference, alpha)
    place = ranks.competition_place(np.where(np.isfinite(value), value, np.nan))
    # An anchor that was asked for keeps its place on the board.
    shown = sorted(best_first, key=lambda i: (-value[i], i))
    lines = groups.tie_lines(pairs.p, shown, alpha)
    return _Order(shown, place, group, low, high, lines, best_first[0])


def _score(
    table: Table, seen: Panel, made: Scores, order: _Order, at: int, versus: Comparison | None
) -> Score:
    row = order.rows[at]
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
        place=int(order.place[row]),
        rank=(int(order.rank_low[row]), int(order.rank_high[row])),
        group=int(order.group[row]),
        vs_anchor=versus,
        notes=tuple(notes),
    )


def _groups(seen: Panel, order: _Order) -> tuple[Group, ...]:
    found = []
    for number in range(1, int(order.group.max()) + 1):
        rows = [row for row in order.rows if order.group[row] == number]
        anchor = _anchor_of(seen, order, rows)
        found.append(
            Group(group=number, anchor=seen.entries[anchor], members=tuple(seen.entries[row] for row in rows))
        )
    return tuple(found)


def _anchor_of(seen: Panel, order: _Order, rows: Sequence[int]) -> int:
    """The anchor of group 1 as chosen; of the others, the best member (rows are in content order)."""
    if order.anchor in rows:
        return order.anchor
    return min(rows, key=lambda row: (order.place[row], row))


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


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
