"""The rows of one file as columns: JSON, JSON Lines or a table, decoded as far as a description asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.data.batch import literal, quoted
from deadheat.errors import DataError, MalformedFile
from deadheat.readers.base import PARQUET, Source
from deadheat.readers.description import Description, columns_of_table
from deadheat.readers.expressions import Column, Written, paths
from deadheat.readers.lines import json_lines
from deadheat.readers.outline import outline
from deadheat.readers.paths import Node, Path, Step, Traversal, follow, parse
from deadheat.readers.table_head import JSON_LINES


class Data:
    """Rows, and what lies along a path from each of them.

    Parameters
    ----------
    found : list
        Documents; each line of JSON Lines is one.
    names : mapping
        What the file's path says.
    steps : sequence of Step
        The way from a document to its rows.
    without : sequence of str
        Keys that are no rows.
    lines : sequence of int or None
        Number of the line of each document.
    """

    def __init__(
        self,
        found: list[Any],
        names: dict[str, Any],
        steps: Sequence[Step],
        without: Sequence[str] = (),
        lines: Sequence[int] | None = None,
    ) -> None:
        self.documents, self.lines = found, lines
        walk = Traversal(found, steps, without)
        self.rows, self.origin = walk.rows, walk.origin
        self.names = names | walk.captures
        self.size = len(self.rows)
        self.numbers = list(range(1, self.size + 1))
        self.astray = [self._document(at) for at in walk.astray]

    def column(self, path: Path) -> Column:
        """Values of a path, one a row."""
        if not path.top:
            return follow(self.rows, path.steps)
        found = follow(self.documents, path.steps)
        return found * self.size if len(found) == 1 else [found[at] for at in self.origin]

    def top(self) -> Data:
        """The documents themselves, a row each."""
        names = {name: value for name, value in self.names.items() if not isinstance(value, list)}
        return Data(self.documents, names, ())

    def keep(self, rows: NDArray[np.intp]) -> None:
        """Leave only some rows."""
        chosen = rows.tolist()
        self.rows = [self.rows[at] for at in chosen]
        self.origin, self.numbers = [self.origin[at] for at in chosen], [self.numbers[at] for at in chosen]
        for name, value in self.names.items():
            if isinstance(value, list):
                self.names[name] = [value[at] for at in chosen]
        self.size = len(chosen)

    def place(self, at: int) -> str:
        """Say where a row stands."""
        if self.lines is not None and self.size == len(self.documents):
            return self._document(self.origin[at])
        return f"row {self.numbers[at]}"

    def _document(self, at: int) -> str:
        return f"line {self.lines[at]}" if self.lines is not None else f"document {at + 1}"


def asked(one: Description) -> list[tuple[Path, bool]]:
    """Every path that a description goes along, and whether the file must have it."""
    names = one.known()
    required: list[Written] = [one.item, one.entry] + ([one.score] if isinstance(one.score, str) else [])
    rest: list[Written] = [
        one.sample,
        *map(one.told, one.scores()),
        one.task,
        one.time,
        *one.columns.values(),
        one.right,
        one.of,
    ]
    rest += [*one.failed, *one.failed_unscored, *one.absent, *one.skip]
    rest += [*one.define.values()]
    rest += [w for offered in one.optional.values() for w in offered.values()]
    rest += [] if isinstance(one.score, str) else [*one.scores().values()]
    if one.published is not None and one.published.beside is None:
        rest += [one.published.path.replace("{metric}", name) for name in one.scores()]
    found = [
        (path, isinstance(w, str) and (not one.of or w is one.item))
        for w in required
        if w
        for path in paths(w, names)
    ]
    return found + [(path, False) for w in rest if w and w != "#" for path in paths(w, names)]


def documents(one: Description, source: Source, names: dict[str, Any]) -> Data:
    """Decode a JSON file."""
    start, head = parse(one.rows).steps, outline(source.head)
    listed = not start and head.kind == "list"
    steps: tuple[Step, ...] = (("list", ""),) if listed else start
    root, top = Node(), Node()
    for path, required in asked(one):
        whole = path.steps if path.top else (*steps, *path.steps)
        # The elements of a list that a score is chosen from, and everything below ".", are read as they come.
        root.add(whole, path.leaf, free=len(steps) if required and not path.top else -1)
    if one.layout != "rows":
        root.add(steps)
    del top
    kind = root.type()
    numbered: list[tuple[int, Any]] | None = None
    if not listed and (source.suffix in JSON_LINES or head.second is not None):
        numbered = list(json_lines(source, kind))
    else:
        try:
            found = [source.json(kind)]
        except MalformedFile as error:
            if "trailing characters" not in str(error):
                raise
            numbered = list(json_lines(source, kind))
    if numbered is not None:
        found = [document for _, document in numbered]
    lines = None if numbered is None else [number for number, _ in numbered]
    data = Data(found, names, steps, one.without, lines)
    if one.layout != "rows":
        data = Data(_laid_out(one, data.rows, source), names, ())
    return data


def _laid_out(one: Description, rows: list[Any], source: Source) -> list[dict[str, Any]]:
    """Rows of a table that is written by its columns."""
    found: list[dict[str, Any]] = []
    for row in rows:
        if one.layout == "split" and isinstance(row, dict) and {"columns", "data"} <= set(row):
            heads, cells = row["columns"], row["data"]
            found += [dict(zip(heads, line, strict=False)) for line in cells]
        elif one.layout == "columns" and isinstance(row, dict):
            columns = {k: list(v.values()) if isinstance(v, dict) else v for k, v in row.items()}
            lists = {k: v for k, v in columns.items() if isinstance(v, list)}
            if len({len(v) for v in lists.values()}) > 1:
                sizes = ", ".join(f"{name} {len(v)}" for name, v in lists.items())
                raise MalformedFile(f"{source.path}: its columns differ in length: {sizes}")
            shared = {k: v for k, v in columns.items() if not isinstance(v, list)}
            found += [
                shared | dict(zip(lists, line, strict=True)) for line in zip(*lists.values(), strict=True)
            ]
        else:
            raise MalformedFile(
                f"{source.path}: no table laid out as {one.layout} at {one.rows or 'the top'}"
            )
    return found


def table(one: Description, source: Source, names: dict[str, Any]) -> Data:
    """Read the columns that a description names from a CSV or Parquet file."""
    there = columns_of_table(source)
    wanted: dict[str, None] = {}
    for path, required in asked(one):
        if path.steps:
            name = path.steps[0][1]
            if name in there:
                wanted[name] = None
            elif required:
                raise DataError(f"{source.path}: no column {name!r}; found {', '.join(there)}")
    scan = f"read_parquet({literal(str(source.path))})"
    if not source.head.startswith(PARQUET):
        scan = f"read_csv({literal(str(source.path))}, header=true, all_varchar=true)"
    listed = ", ".join(map(quoted, wanted)) or "1"
    cells = source.connection.execute(f"SELECT {listed} FROM {scan}").fetchall()
    return Data([dict(zip(wanted, row, strict=True)) for row in cells], names, ())
