"""The plain shape that all text formats share: a sheet of grids of finished words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["", "anchor", "withheld"]


@dataclass(frozen=True)
class Column:
    """A column of a grid.

    Parameters
    ----------
    key : str
        What it holds, in one word.
    title : str
        Its heading.
    right : bool
        Numbers stand on the right.
    priority : int
        Where room is short, columns with the highest number go first; 0 never goes.
    """

    key: str
    title: str
    right: bool = True
    priority: int = 0


@dataclass(frozen=True)
class Grid:
    """Columns and rows of words; ``kinds`` says of each row whether it is the anchor's or withheld."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str | None = None
    kinds: tuple[Kind, ...] = ()

    def only(self, keep: tuple[Column, ...]) -> Grid:
        """Give the same rows with some of the columns."""
        index = [self.columns.index(column) for column in keep]
        rows = tuple(tuple(row[at] for at in index) for row in self.rows)
        return replace(self, columns=keep, rows=rows)

    def column(self, key: str) -> tuple[str, ...]:
        """Give the words of one column."""
        at = [column.key for column in self.columns].index(key)
        return tuple(row[at] for row in self.rows)


@dataclass(frozen=True)
class Sheet:
    """A document in words: what it says first, its grids, its doubts, how it was made and from what."""

    summary: str
    grids: tuple[Grid, ...]
    notes: tuple[str, ...]
    methods: tuple[str, ...]
