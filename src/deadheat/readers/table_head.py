"""What the first bytes say of a table: names of columns, keys of objects, whether all cells are scores."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import msgspec

from deadheat.errors import MalformedFile
from deadheat.readers.base import BOM, Source, damage

JSON_LINES = (".jsonl", ".ndjson")
DELIMITED = (".csv", ".tsv", ".txt")
LONGEST = 64 * 2**20  # bytes of one JSON line


def header(source: Source) -> list[str]:
    """Column names of a delimited file's first line; empty if it does not look like one."""
    if source.suffix not in DELIMITED:
        return []
    delimiter = parted_by(source)
    try:
        line = source.head.split(b"\n", 1)[0].decode().strip("\r")
        cells = next(csv.reader([line], delimiter=delimiter)) if delimiter in line else []
    except (UnicodeDecodeError, csv.Error):
        return []
    # Pandas writes the index of a frame as a first column without a name.
    return [cell.strip() or f"column{at}" for at, cell in enumerate(cells)]


def parted_by(source: Source) -> str:
    """What parts the cells of a delimited file, told from its first line."""
    return max("\t;|,", key=source.head.split(b"\n", 1)[0].decode(errors="replace").count)


def first_rows(source: Source) -> list[dict[str, Any]]:
    """The objects on the first lines of a JSON Lines file, or at the head of a JSON list."""
    text = source.head
    if text.lstrip()[:1] == b"{":
        rows = []
        if b"\n" not in text.strip():  # a first line that is longer than a head
            with suppress(MalformedFile, *damage()), source.open() as stream:
                text = stream.readline(LONGEST).removeprefix(BOM)
        for line in text.split(b"\n")[:200]:
            try:
                row = msgspec.json.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError):
                    continue
            if isinstance(row, dict):
                rows.append(row)
        return rows
    if text.lstrip()[:1] == b"[":
        try:
            start = text.index(b"{")
            row, _ = json.JSONDecoder().raw_decode(text[start:].decode(errors="ignore"))
        except (ValueError, RecursionError):
            return []
        return [row] if isinstance(row, dict) else []
    return []


def keys(rows: Iterable[dict[str, Any]]) -> list[str]:
    """Every key of some objects, in the order in which they come."""
    return list(dict.fromkeys(key for row in rows for key in row))


def columns_of(source: Source) -> list[str]:
    """Names of the columns, or of the keys of the first objects, where the file is a table; else none."""
    if source.suffix in DELIMITED:
        return header(source)
    return keys(first_rows(source)) if source.suffix in (*JSON_LINES, ".json") else []


def first_cells(source: Source) -> list[list[str]]:
    """Rows below the header, the last of them perhaps cut."""
    lines = source.head.decode(errors="replace").splitlines()[1:21]
    delimiter = max("\t;|,", key=lines[0].count) if lines else ","
    try:
        return list(csv.reader(filter(str.strip, lines), delimiter=delimiter))
    except csv.Error:
        return []


def looks_wide(source: Source) -> bool:
    """Whether every cell below the header, the first column aside, is a number, a word for one, or empty."""
    width, rows = len(header(source)), first_cells(source)
    return bool(rows) and all(
        len(row) == width and all(is_number(cell) for cell in row[1:]) for row in (rows[:-1] or rows)
    )


def is_number(cell: str) -> bool:
    """Whether a cell is a number, a word for one, or empty."""
    cell = cell.strip().lower()
    if cell in ("", "true", "false"):
        return True
    try:
        float(cell)
    except ValueError:
        return False
    return True
