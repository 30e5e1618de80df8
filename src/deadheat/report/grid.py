"""The plain shape that all text formats share: a sheet of grids of finished words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

Line = TypeVar("Line")
Sort = float | str | None
Form = Literal["", "signed", "range", "p", "adjusted", "count", "only", "verdict"]

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
    tip : str
        What a reader is told who asks what the column means.
    """

    key: str
    title: str
    right: bool = True
    priority: int = 0
    tip: str = ""


@dataclass(frozen=True)
class Grid:
    """Columns and rows of words.

    ``kinds`` says of each row whether it is the anchor's or withheld; ``sections`` names the rows that begin
    a part of the table, where formats can show that.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str | None = None
    kinds: tuple[Kind, ...] = ()
    sections: tuple[tuple[int, str], ...] = ()

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


@dataclass(frozen=True)
class Field(Generic[Line]):
    """A column and how a line fills it.

    Parameters
    ----------
    column : Column
    word : callable
        Writes the cell of a line.
    sort : callable or None
        Gives what the cell sorts by; None for what is not known, which sorts last.
    wanted : bool
        Whether these lines have anything to say in it.
    form : str
        How a page writes it for another anchor, a name of FORMS in ``words.js``; empty where the anchor does
        not matter.
    """

    column: Column
    word: Callable[[Line], str]
    sort: Callable[[Line], Sort] | None = None
    wanted: bool = True
    form: Form = ""


def table(
    fields: Iterable[Field[Line]],
    lines: Sequence[Line],
    title: str | None = None,
    kinds: tuple[Kind, ...] = (),
) -> Grid:
    """Fill the columns that are wanted with the words of some lines."""
    kept = [field for field in fields if field.wanted]
    rows = tuple(tuple(field.word(line) for field in kept) for line in lines)
    return Grid(tuple(field.column for field in kept), rows, title, kinds)
