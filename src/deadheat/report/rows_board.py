"""A board in words: the grids of its entries and of its first places, and its doubts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from deadheat.report import columns, numbers, rows_uncertainty, words
from deadheat.report.grid import Column, Field, Grid, Sheet, table
from deadheat.report.names import clean, labels
from deadheat.report.numbers import DASH, Scale
from deadheat.results import (
    COMPOSITE,
    EVERY_CATEGORY,
    EVERY_ITEM,
    Board,
    Category,
    Comparison,
    First,
    Score,
)
from deadheat.results.claims import PossibleBest
from deadheat.results.votes import VoteBoard

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
            grids.append(firsts(board))
        elif isinstance(part, Board):
            grids.append(grid(board, part))
        else:
            title = clean(name)
            grids.append(grid(board, part, f"{title}: {clean(part.summary)}"))
            found = words.notes(part.notes, part.entries, labels(part.entries))
            doubts += [f"{title}: {text}" for text in found if text not in doubts]
    if board.chances is not None:
        grids.append(rows_uncertainty.chances(board, labels(board.entries)))
    grids += rows_uncertainty.grids(board, columns.scale(board.entries), labels(board.entries))
    doubts += rows_uncertainty.doubts(board)
    for first in board.firsts:
        doubts += [f"{clean(first.part)}: {clean(note.text)}" for note in first.notes]
    doubts = contradictions(board.entries) + doubts
    if any(score.value is None and score.published is not None for score in board.entries):
        doubts.append(IN_BRACKETS)
    doubts = rows_uncertainty.standing(board, columns.scale(board.entries), labels(board.entries)) + doubts
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


def grid(board: Board, part: Board | Category, title: str | None = None) -> Grid:
    """Build the grid of a board or of one category."""
    return table(columns.of_board(board, part), part.entries, title, columns.kinds(part.entries))


def some_best(part: Board | Category | VoteBoard) -> PossibleBest | None:
    """Give the claim who may be the best, where it leaves out some entries and keeps some."""
    claim = next((each for each in part.claims if isinstance(each, PossibleBest)), None)
    return claim if claim and 0 < len(claim.entries) < claim.of else None


def firsts(board: Board, named: dict[str, str] | None = None) -> Grid:
    """Build the table of the first place of every part of a board against the second.

    A strict first is named only where it is separated from the second. `named`: how to write entries.
    """
    fields = _first_fields(board.firsts, named or labels(board.entries), board.methods.alpha)
    return table(fields, board.firsts, "First place against second")


def _first_fields(firsts: Sequence[First], names: dict[str, str], alpha: float | None) -> list[Field[First]]:
    pairs = [first.comparison for first in firsts]
    values = [value for pair in pairs if pair for value in (pair.value_a, pair.value_b)]
    there = [pair for pair in pairs if pair is not None]
    how = Scale.of(values, [pair.se for pair in there], (pair.unit for pair in there))

    def named(entries: Sequence[str]) -> str:
        return words.listed([names.get(entry, clean(entry)) for entry in entries], most=2) or DASH

    def pair(word: Callable[[Comparison], str]) -> Callable[[First], str]:
        return lambda first: DASH if first.comparison is None else word(first.comparison)

    return [
        Field(Column("part", "Items of", right=False), lambda f: clean(f.part)),
        Field(Column("items", "Items", priority=3), lambda f: numbers.count(f.items)),
        Field(Column("first", "First", right=False), lambda f: named(f.first)),
        Field(Column("second", "Second", right=False), lambda f: named(f.second)),
        Field(
            Column("discordant", "First only / second only", priority=4),
            pair(lambda p: numbers.either(p.a_only, p.b_only)),
        ),
        Field(
            Column("difference", f"Δ {how.points}".rstrip(), priority=1),
            pair(lambda p: how.difference(p.difference)),
        ),
        Field(Column("p", "p"), pair(lambda p: numbers.p_value(p.p, p.log10_p, alpha))),
        Field(
            Column("p_across", "p, all categories", priority=2),
            lambda f: numbers.p_value(f.p_across, None, alpha),
        ),
        Field(Column("verdict", "First place", right=False), first_place),
    ]


def first_place(first: First) -> str:
    """Say whether there is a first place."""
    if len(first.first) > 1:
        return "shared"
    if first.strict is None:
        return DASH
    return "1st" if first.strict else "not separated"


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
    how, named = columns.scale(entries), labels(entries)
    return [
        f"{named[score.entry]}: published {how.value(score.published)}, "
        f"its items give {how.value(score.value)}"
        for score in contradicted(entries)
    ]
