"""Tables of attempts: CSV, TSV, JSON Lines, JSON and Parquet, plain or compressed, and wide CSV tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np

from deadheat.batch import Batch, literal, quoted
from deadheat.columns import canonical, from_frame, score_sql
from deadheat.errors import DataError, MalformedFile
from deadheat.readers.base import PARQUET, ZSTD, Options, Reader, Source
from deadheat.results import Note

NUMERIC = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "UBIGINT", "UINTEGER")
JSON_LINES = (".jsonl", ".ndjson")
DELIMITED = (".csv", ".tsv", ".txt")
LONGEST_ROW = 64 * 2**20  # bytes of one JSON line


def _header(source: Source) -> list[str]:
    """Column names of a delimited file's first line; empty if it does not look like one."""
    if source.suffix not in DELIMITED:
        return []
    try:
        line = source.head.split(b"\n", 1)[0].decode().strip("\r")
    except UnicodeDecodeError:
        return []
    delimiter = max("\t;|,", key=line.count)
    return [cell.strip().strip('"') for cell in line.split(delimiter)] if delimiter in line else []


def _first_rows(source: Source) -> list[dict[str, Any]]:
    """The objects on the first lines of a JSON Lines file, or at the head of a JSON list."""
    text = source.head
    if text.lstrip()[:1] == b"{":
        rows = []
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


def _keys(rows: Iterable[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key in row))


def _is_long(names: Sequence[str]) -> bool:
    parts = canonical(names)
    return "score" in parts and "item" in parts


def _claims_delimited(source: Source) -> bool:
    names = _header(source)
    return _is_long(names) or (len(names) > 2 and _looks_wide(source))


def _looks_wide(source: Source) -> bool:
    """Whether every cell below the header, the first column aside, is a number, a word for one, or empty."""
    lines = source.head.decode(errors="replace").splitlines()[1:21]
    width = len(_header(source))
    delimiter = max("\t;|,", key=lines[0].count) if lines else ","
    rows = [line.split(delimiter) for line in lines if line.strip()]
    return bool(rows) and all(
        len(row) == width and all(_number(cell) for cell in row[1:]) for row in (rows[:-1] or rows)
    )


def _number(cell: str) -> bool:
    cell = cell.strip().strip('"').lower()
    if cell in ("", "true", "false"):
        return True
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _claims_json(source: Source) -> bool:
    return source.suffix in (*JSON_LINES, ".json") and _is_long(_keys(_first_rows(source)))


def _claims_parquet(source: Source) -> bool:
    return source.head.startswith(PARQUET) and _is_long(list(_parquet_columns(source)))


def _parquet_columns(source: Source) -> dict[str, str]:
    rows = source.connection.execute(f"DESCRIBE FROM read_parquet({literal(str(source.path))})").fetchall()
    return {row[0]: row[1] for row in rows}


def _batch(
    source: Source, columns: dict[str, str], scan: str, format: str, notes: Sequence[Note] = ()
) -> Batch:
    """Select canonical columns from a scan whose columns have the types given; others are carried along."""
    parts = canonical(columns)
    if "item" not in parts or "score" not in parts:
        raise DataError(
            f"{source.path}: a table of attempts needs the columns item and score (or a usual other name); "
            f"found {', '.join(columns)}"
        )
    chosen = [f"{quoted(name)} AS {part}" for part, name in parts.items() if part != "score"]
    column = quoted(parts["score"])
    if columns[parts["score"]] == "BOOLEAN":
        chosen.append(f"CAST({column} AS INTEGER) AS score")
    elif columns[parts["score"]] == "VARCHAR":
        comma = any(note.code == "decimal-comma" for note in notes)
        chosen += [f"{score_sql(column, decimal_comma=comma)} AS score", f"{column} AS score_text"]
    else:
        chosen.append(f"{column} AS score")
    if "entry" not in parts:
        chosen.append(f"{literal(source.entry)} AS entry")
    chosen += [quoted(name) for name in columns if name not in parts.values()]
    return Batch(
        file=source.file(format),
        query=f"SELECT {', '.join(chosen)} FROM {scan}",
        renamed={name: part for part, name in parts.items() if name != part},
        notes=list(notes),
    )


def _read_delimited(source: Source, options: Options) -> Sequence[Batch]:
    path = literal(str(source.path))
    _check_compressed(source)
    header = _header(source)
    if not header:
        raise MalformedFile(f"{source.path}: the first line is no header: nothing parts its columns")
    sniffed = source.connection.execute(f"SELECT Delimiter, Columns FROM sniff_csv({path})").fetchall()[0]
    delimiter = max("\t;|,", key=source.head.split(b"\n", 1)[0].decode(errors="replace").count)
    types = {column["name"]: column["type"] for column in sniffed[1]}
    columns = {name: _kind(types.get(name, "VARCHAR")) for name in header}
    if len(columns) < len(header):
        raise MalformedFile(f"{source.path}: the header names a column twice: {', '.join(header)}")
    if not _is_long(header):
        return [_wide(source, delimiter, header, options)]
    parts = canonical(header)
    notes = []
    commas = delimiter != "," and columns[parts["score"]] == "VARCHAR"
    if commas:
        text = "decimal comma in the scores: 0,75 was read as 0.75"
        notes.append(Note(code="decimal-comma", text=text))
    typed = {
        name: kind if name in (parts["score"], parts.get("weight")) else "VARCHAR"
        for name, kind in columns.items()
    }
    return [_batch(source, typed, _csv_scan(path, delimiter, typed), "csv", notes)]


def _kind(sniffed: str) -> str:
    """Scores of whole or broken numbers are read as such, all else as text, so that 007 stays 007."""
    return "DOUBLE" if sniffed in NUMERIC or sniffed.startswith("DECIMAL") else "VARCHAR"


def _csv_scan(path: str, delimiter: str, columns: dict[str, str]) -> str:
    listed = ", ".join(f"{literal(name)}: {literal(kind)}" for name, kind in columns.items())
    return f"read_csv({path}, header=true, delim={literal(delimiter)}, columns={{{listed}}})"


def _wide(source: Source, delimiter: str, header: list[str], options: Options) -> Batch:
    """A column an entry, a row an item; the first column holds the ids, unless every column is scores."""
    first = [line.split(delimiter)[0] for line in source.head.decode(errors="replace").splitlines()[1:21]]
    scores_only = all(_number(cell) for cell in first) and not _is_id(header[0])
    if scores_only and not options.by_position:
        raise DataError(
            f"{source.path}: a wide table of {len(header)} entries without a column of item ids "
            f"(the first column is {header[0]!r}); --by-position matches its rows by their position"
        )
    scan = _csv_scan(literal(str(source.path)), delimiter, dict.fromkeys(header, "VARCHAR"))
    entries = header if scores_only else header[1:]
    item = "CAST(row_number() OVER () AS VARCHAR)" if scores_only else quoted(header[0])
    numbers = ", ".join(f"{score_sql(quoted(name))} AS {quoted(name)}" for name in entries)
    listed = ", ".join(map(quoted, entries))
    # The subquery's item column must not collide with an entry of that name.
    key = next(name for name in ("item", "item_", "item__") if name not in entries)
    query = (
        f"SELECT entry, {key} AS item, score FROM (SELECT {item} AS {key}, {numbers} FROM {scan}) "
        f"UNPIVOT INCLUDE NULLS (score FOR entry IN ({listed}))"
    )
    how = "rows matched by position" if scores_only else f"items from column {header[0]!r}"
    note = Note(code="wide-table", text=f"{source.path.name}: {len(entries)} columns read as entries, {how}")
    return Batch(file=source.file("wide"), query=query, notes=[note])


def _is_id(name: str) -> bool:
    return canonical([name]).get("item") == name or name.strip().lower() in ("", "index", "row")


def _read_json_lines(source: Source) -> Sequence[Batch]:
    _check_compressed(source)
    rows = _first_rows(source)
    columns = dict.fromkeys(_keys(rows), "VARCHAR")
    score = canonical(columns).get("score")
    if score is not None:
        values = [row[score] for row in rows if row.get(score) is not None]
        if values and all(type(value) in (int, float) for value in values):
            columns[score] = "DOUBLE"
        elif values and all(type(value) is bool for value in values):
            columns[score] = "BOOLEAN"
    listed = ", ".join(f"{literal(name)}: {literal(kind)}" for name, kind in columns.items())
    scan = (
        f"read_json({literal(str(source.path))}, format='newline_delimited', "
        f"maximum_object_size={LONGEST_ROW}, columns={{{listed}}})"
    )
    return [_batch(source, columns, scan, "jsonl")]


def _read_json(source: Source, options: Options) -> Sequence[Batch]:
    if source.suffix in JSON_LINES:
        return _read_json_lines(source)
    rows = source.json(list[dict[str, Any]])
    keys = _keys(rows)
    frame: dict[str, Any] = {}
    for key in keys:
        column = np.empty(len(rows), dtype=object)
        column[:] = [row.get(key) for row in rows]
        frame[key] = column
    if "entry" not in canonical(keys):
        frame["entry"] = np.full(len(rows), source.entry, dtype=object)
    columns, renamed = from_frame(frame)
    return [Batch(file=source.file("json"), columns=columns, renamed=renamed)]


def _read_parquet(source: Source, options: Options) -> Sequence[Batch]:
    found = _parquet_columns(source)
    columns = {name: "BOOLEAN" if kind == "BOOLEAN" else _kind(kind) for name, kind in found.items()}
    return [_batch(source, columns, f"read_parquet({literal(str(source.path))})", "parquet")]


def _check_compressed(source: Source) -> None:
    """Refuse a truncated zstd file, which a scan may take for a short one; it checks gzip itself."""
    with source.path.open("rb") as raw:
        if raw.read(4) != ZSTD:
            return
    try:
        with source.open() as stream:
            while stream.read(2**20):
                pass
    except EOFError as error:
        raise MalformedFile(f"{source.path}: the compressed file is truncated ({error})") from error


_COMMON = {
    "entry": "column entry (or model, system, agent, …); else the file's name",
    "item": "column item (or question_id, instance_id, task_id, …)",
    "sample": "column sample (or epoch, repeat, trial, …)",
    "score": "column score (or correct, resolved, passed, …)",
    "failed": "status = failed",
    "absent": "status = absent, or an empty score",
}

READERS = (
    Reader(
        name="csv",
        title="CSV or TSV: a row an attempt, or a wide table with a column an entry",
        recognised=".csv, .tsv or .txt (also .gz, .zst) whose header names item and score, or all scores",
        claims=_claims_delimited,
        read=_read_delimited,
        general=True,
        **_COMMON,
    ),
    Reader(
        name="json",
        title="JSON Lines or a JSON list: an object an attempt",
        recognised=".jsonl, .ndjson or .json (also .gz, .zst) whose objects name an item and a score",
        claims=_claims_json,
        read=_read_json,
        general=True,
        **_COMMON,
    ),
    Reader(
        name="parquet",
        title="Parquet: a row an attempt",
        recognised="first bytes PAR1, and columns that name an item and a score",
        claims=_claims_parquet,
        read=_read_parquet,
        general=True,
        **_COMMON,
    ),
)
