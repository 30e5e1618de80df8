"""The rows of one file as columns: JSON, JSON Lines or a table, decoded as far as a description asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.data.batch import quoted
from deadheat.errors import DataError, MalformedFile
from deadheat.readers import xlsx
from deadheat.readers.base import PARQUET, Source
from deadheat.readers.description import Description, columns_of_table
from deadheat.readers.expressions import Column, Written, paths
from deadheat.readers.lines import json_lines
from deadheat.readers.outline import outline
from deadheat.readers.paths import Node, Path, Traversal, follow
from deadheat.readers.table_head import JSON_LINES


class Data:
    """Rows, and what lies along a path from each of them.

    Parameters
    ----------
    found : list
        Documents; each line of JSON Lines is one.
    names : mapping
        What the file's path says.
    ways : sequence of Path
        The ways from a document to its rows.
    without : sequence of str
        Keys that are no rows.
    lines : sequence of int or None
        Number of the line of each document.
    """

    def __init__(
        self,
        found: list[Any],
        names: dict[str, Any],
        ways: Sequence[Path] = (),
        without: Sequence[str] = (),
        lines: Sequence[int] | None = None,
    ) -> None:
        self.documents, self.lines = found, lines
        walks = [Traversal(found, way.steps, without) for way in ways or [Path()]]
        self.rows = [row for walk in walks for row in walk.rows]
        self.origin = [at for walk in walks for at in walk.origin]
        self.way = [at for at, walk in enumerate(walks) for _ in walk.rows]
        self.names = dict(names)
        for name in walks[0].captures:
            self.names[name] = [value for walk in walks for value in walk.captures[name]]
        self.size = len(self.rows)
        self.numbers = list(range(1, self.size + 1))
        self.astray = [self._document(at) for at in walks[0].astray] if len(walks) == 1 else []

    def column(self, path: Path) -> Column:
        """Values of a path, one a row."""
        if not path.top:
            return follow(self.rows, path.steps)
        found = follow(self.documents, path.steps)
        return found * self.size if len(found) == 1 else [found[at] for at in self.origin]

    def top(self) -> Data:
        """The documents themselves, a row each."""
        names = {name: value for name, value in self.names.items() if not isinstance(value, list)}
        return Data(self.documents, names)

    def keep(self, rows: NDArray[np.intp]) -> None:
        """Leave only some rows."""
        chosen = rows.tolist()
        self.rows = [self.rows[at] for at in chosen]
        self.origin, self.numbers = [self.origin[at] for at in chosen], [self.numbers[at] for at in chosen]
        self.way = [self.way[at] for at in chosen]
        for name, value in self.names.items():
            if isinstance(value, list):
                self.names[name] = [value[at] for at in chosen]
        self.size = len(chosen)

    def place(self, at: int) -> str:
        """Say where a row stands."""
        if self.lines is not None:
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
    found = []
    for written in required:
        for path in paths(written, names) if written else ():
            plain = isinstance(written, str) and {kind for kind, _ in path.steps} <= {"key"}
            known = written is not one.score or (path.leaf and not path.leaf.endswith("?"))
            found.append((path, bool(plain and known and (not one.of or written is one.item))))
    return found + [
        (path, False) for w in rest if w for path in paths(w, names) if path.steps != (("key", "#"),)
    ]


def documents(one: Description, source: Source, names: dict[str, Any]) -> Data:
    """Decode a JSON file."""
    ways, head = one.ways(), outline(source.head)
    listed = head.kind == "list" and not ways[0].steps
    ways = [Path((("list", ""),))] if listed else ways
    root = Node()
    for path, required in asked(one):
        if path.top:
            root.add(path.steps, path.leaf)
        else:
            for way in ways:
                root.add((*way.steps, *path.steps), path.leaf, free=len(way.steps) if required else -1)
    for way in ways if one.layout != "rows" else ():
        root.add(way.steps)
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
    data = Data(found, names, ways, one.without, lines)
    if one.layout != "rows":
        data = Data(_laid_out(one, data.rows, source), names)
    return data


def _laid_out(one: Description, rows: list[Any], source: Source) -> list[dict[str, Any]]:
    """Rows of a table that is written by its columns."""
    found: list[dict[str, Any]] = []
    for row in rows:
        if one.layout == "split" and isinstance(row, dict) and {"columns", "data"} <= set(row):
            heads, cells = row["columns"], row["data"]
            if not isinstance(heads, list) or not isinstance(cells, list):
                raise MalformedFile(f"{source.path}: columns and data are lists; found {heads!r:.40}")
            if not all(isinstance(line, list) and len(line) == len(heads) for line in cells):
                raise MalformedFile(
                    f"{source.path}: a row of data has not {len(heads)} values, as many as columns"
                )
            found += [dict(zip(map(str, heads), line, strict=True)) for line in cells]
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
    wanted: dict[str, tuple[str, ...]] = {}  # column -> the keys that lead to its value
    for path, required in asked(one):
        before, several, _ = path.split("map")
        keys = tuple(text for _, text in before)
        here = _columns(list(there), keys, several is not None)
        if required and path.steps and not here:
            raise DataError(f"{source.path}: no column {'.'.join(keys)!r}; found {', '.join(there)}")
        wanted |= here
    scan = f"read_parquet({source.scanned})"
    if not source.head.startswith(PARQUET):
        scan = f"read_csv({source.scanned}, header=true, all_varchar=true)"
    if xlsx.is_workbook(source):
        heads, *lines = xlsx.rows(source) or [[]]
        places = {name: at for at, name in enumerate(heads)}
        cells: list[Any] = [[*line, *[None] * (len(heads) - len(line))] for line in lines]
        cells = [[line[places[name]] for name in wanted] for line in cells]
    else:
        listed = ", ".join(map(quoted, wanted)) or "1"
        cells = source.connection.execute(f"SELECT {listed} FROM {scan}").fetchall()
    rows: list[dict[str, Any]] = [{} for _ in cells]
    for at, way in enumerate(wanted.values()):
        for row, line in zip(rows, cells, strict=True):
            if len(way) == 1:
                row[way[0]] = line[at]
            else:
                row.setdefault(way[0], {})[way[1]] = line[at]
    return Data(rows, names)


def _columns(there: Sequence[str], keys: tuple[str, ...], several: bool) -> dict[str, tuple[str, ...]]:
    """Columns that a path needs: of its name, a struct of its first key, or all whose names begin with it."""
    if not keys:
        return {name: (name,) for name in there} if several else {}
    if ".".join(keys) in there and not several:
        return {".".join(keys): keys[:2] if len(keys) > 1 else keys}
    if keys[0] in there:
        return {keys[0]: (keys[0],)}
    return {name: (keys[0], name.split(".", 1)[1]) for name in there if name.startswith(f"{keys[0]}.")}
