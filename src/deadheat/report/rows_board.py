"""A board as a grid: one line an entry, in board order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from deadheat.report import numbers, rows_firsts, rows_standing, rows_uncertainty, words
from deadheat.report.grid import Column, Grid, Kind, Sheet
from deadheat.report.names import clean, labels
from deadheat.report.numbers import DASH, Scale
from deadheat.results import COMPOSITE, EVERY_CATEGORY, EVERY_ITEM, Board, Category, Comparison, Score

IN_BRACKETS = "scores in brackets are as published: nothing here lets them be computed"


def sheet(board: Board) -> Sheet:
    """Put a board into words.

    Parameters
    ----------
    board : Board
        The result of ranking; its categories become grids of their own.
    """
    grids = []
    doubts = words.notes(board.notes, board.entries, labels(board.entries))
    for name, part in parts(board):
        if part is None:
            grids.append(rows_firsts.grid(board.firsts, labels(board.entries), board.methods.alpha))
        elif isinstance(part, Board):
            grids.append(grid(board, part))
        else:
            title = clean(name)
            grids.append(grid(board, part, f"{title}: {clean(part.summary)}"))
            found = words.notes(part.notes, part.entries, labels(part.entries))
            doubts += [f"{title}: {text}" for text in found if text not in doubts]
    if board.chances is not None:
        grids.append(rows_standing.chances(board, labels(board.entries)))
    grids += rows_uncertainty.grids(board, scale(board.entries), labels(board.entries))
    doubts += rows_uncertainty.doubts(board)
    for first in board.firsts:
        doubts += [f"{clean(first.part)}: {clean(note.text)}" for note in first.notes]
    doubts = contradictions(board.entries) + doubts
    if any(score.value is None and score.published is not None for score in board.entries):
        doubts.append(IN_BRACKETS)
    doubts = rows_standing.lines(board, scale(board.entries), labels(board.entries)) + doubts
    return Sheet(clean(board.summary), tuple(grids), tuple(doubts), words.methods(board))


def parts(board: Board) -> Iterator[tuple[str, Board | Category | None]]:
    """Give what becomes a grid of its own, in order; None stands for the table of first places."""
    yield "", board
    if board.firsts:
        yield "", None
    others = ((EVERY_ITEM, board.micro), (EVERY_CATEGORY, board.macro), (COMPOSITE, board.composite))
    for name, other in others:
        if other is not None:
            yield name, other
    yield from (board.categories or {}).items()


def scale(entries: Sequence[Score]) -> Scale:
    """Choose how the scores of a board are written."""
    values = [value for score in entries for value in (score.value, score.published)]
    pairs = [score.vs_anchor.se for score in entries if score.vs_anchor]
    return Scale.of(values, [score.se for score in entries] + pairs)


def anchor(entries: Sequence[Score]) -> str | None:
    """Name the entry that all others are compared with, when it is one and the same."""
    anchors = {score.vs_anchor.b for score in entries if score.vs_anchor}
    return anchors.pop() if len(anchors) == 1 else None


def grid(board: Board, part: Board | Category, title: str | None = None) -> Grid:
    """Build the grid of a board or of one category; columns that have nothing to say are left out."""
    entries = part.entries
    kept = [field for field in _fields(board, entries) if field.wanted]
    rows = tuple(tuple(field.word(score) for field in kept) for score in entries)
    return Grid(tuple(field.column for field in kept), rows, title, kinds(entries))


def kinds(entries: Sequence[Score]) -> tuple[Kind, ...]:
    """Say of every line whether it is the anchor's, or has no score of its own."""
    first = anchor(entries)
    return tuple(
        "withheld" if score.value is None else "anchor" if score.entry == first else "" for score in entries
    )


@dataclass(frozen=True)
class _Field:
    """A column, how a line fills it, and whether this board needs it."""

    column: Column
    word: Callable[[Score], str]
    wanted: bool = True


def _fields(board: Board, entries: Sequence[Score]) -> list[_Field]:
    how, named, first = scale(entries), labels(entries), anchor(entries)
    alpha, level = board.methods.alpha, board.methods.level
    interval = f"{numbers.level(level)} interval" if level else "Interval"
    metric = "Score" if board.estimand.label == "mean" else board.estimand.label
    compared = any(score.vs_anchor for score in entries)

    def value(score: Score) -> str:
        if score.value is None and score.published is not None:
            return f"({how.value(score.published)})"
        return how.value(score.value)

    def pair(word: Callable[[Comparison], str]) -> Callable[[Score], str]:
        return lambda score: DASH if score.vs_anchor is None else word(score.vs_anchor)

    def difference(score: Score) -> str:
        return "anchor" if score.entry == first else pair(lambda p: how.difference(p.difference))(score)

    return [
        _Field(Column("rank", "Rank"), lambda s: numbers.ranks(s.rank)),
        _Field(Column("entry", "Entry", right=False), lambda s: named[s.entry]),
        _Field(Column("value", f"{metric} {how.unit}".rstrip()), value),
        _Field(Column("se", "SE", priority=5), lambda s: how.size(s.se)),
        _Field(Column("interval", interval, priority=8), lambda s: how.interval(s.interval)),
        _Field(Column("items", "Items", priority=6), lambda s: numbers.count(s.items), _ragged(entries)),
        _Field(
            Column("samples", "Samples", priority=9), lambda s: numbers.count(s.samples), _sampled(entries)
        ),
        _Field(
            Column("failed", "Failed", priority=4),
            lambda s: numbers.count(s.failed),
            any(s.failed for s in entries),
        ),
        _Field(
            Column("absent", "Absent", priority=4),
            lambda s: numbers.count(s.absent),
            any(s.absent for s in entries),
        ),
        _Field(Column("group", "Group"), lambda s: DASH if s.group is None else str(s.group)),
        _Field(
            Column("letters", "Letters", right=False, priority=10),
            lambda s: s.letters or DASH,
            any(s.letters for s in entries),
        ),
        _Field(Column("difference", "Δ anchor", priority=1), difference, compared),
        _Field(
            Column("difference_interval", interval, priority=7),
            pair(lambda p: how.difference_interval(p.interval)),
            compared,
        ),
        _Field(
            Column("p", "p", priority=2), pair(lambda p: numbers.p_value(p.p, p.log10_p, alpha)), compared
        ),
        _Field(
            Column("p_adjusted", "p adjusted", priority=2),
            pair(lambda p: numbers.p_value(p.p_adjusted, None, alpha)),
            any(s.vs_anchor and s.vs_anchor.p_adjusted is not None for s in entries),
        ),
    ]


def contradicted(entries: Sequence[Score]) -> list[Score]:
    """Pick the entries whose published rate differs from what their items give by more than one item."""
    return [
        score
        for score in entries
        if score.published is not None
        and score.value is not None
        and abs(score.published - score.value) * score.items > 1
    ]


def contradictions(entries: Sequence[Score]) -> list[str]:
    """Say which published rates the items contradict."""
    how, named = scale(entries), labels(entries)
    return [
        f"{named[score.entry]}: published {how.value(score.published)}, "
        f"its items give {how.value(score.value)}"
        for score in contradicted(entries)
    ]


def _ragged(entries: Sequence[Score]) -> bool:
    return len({score.items for score in entries if score.value is not None}) > 1


def _sampled(entries: Sequence[Score]) -> bool:
    return any(score.samples > score.items for score in entries)
