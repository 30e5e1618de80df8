"""Entries by categories on one page: differences to the best of each category, and which are separated."""

from __future__ import annotations

from dataclasses import dataclass

from deadheat.report import columns
from deadheat.report.names import Name, clean, labels, parted
from deadheat.results import Board, Category, Score

MOST_ROWS = 40
"""Entries of the whole board that the overview shows; the boards of the categories have all."""


@dataclass(frozen=True)
class Spot:
    """What one entry does in one category: ``best``, ``tied`` with it, ``apart``, or nothing known."""

    text: str
    kind: str
    says: str


@dataclass(frozen=True)
class Overview:
    """Entries in the order of the whole board, by categories."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Name, tuple[Spot, ...]], ...]
    rest: int


def overview(board: Board) -> Overview | None:
    """Lay the categories of a board side by side; None for a board without any.

    Parameters
    ----------
    board : Board
        Ranked by category.
    """
    if not board.categories:
        return None
    named = labels(board.entries)
    shown = [score for score in board.entries if score.value is not None]
    parts = [(part, {score.entry: score for score in part.entries}) for part in board.categories.values()]
    names = parted([named[score.entry] for score in shown])
    rows = tuple(
        (name, tuple(_spot(part, known.get(score.entry)) for part, known in parts))
        for name, score in list(zip(names, shown, strict=True))[:MOST_ROWS]
    )
    unit = columns.scale(board.entries)
    title = "Difference to the best of each category" + (f", {unit.points}" if unit.points else "")
    heads = tuple(clean(name) for name in board.categories)
    return Overview(title, heads, rows, max(len(shown) - MOST_ROWS, 0))


def _spot(part: Category, score: Score | None) -> Spot:
    how, first = columns.scale(part.entries), columns.anchor(part.entries)
    if score is None or score.value is None:
        return Spot("—", "", "no score")
    value = f"{how.value(score.value)} {how.unit}".rstrip()
    if score.entry == first:
        return Spot(how.value(score.value), "best", f"{value}, the anchor of this category")
    pair = score.vs_anchor
    if pair is None or pair.difference is None:
        return Spot("—", "", f"{value}, not compared")
    kind = "tied" if pair.verdict == "not separated" else "apart" if pair.verdict else ""
    return Spot(how.difference(pair.difference), kind, f"{value}, {columns.verdict(pair, how)}")
