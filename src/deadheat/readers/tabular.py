"""Tables of attempts: CSV, TSV, JSON Lines, JSON and Parquet, plain or packed, and wide CSV tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypedDict

import numpy as np

from deadheat.data.batch import Batch, literal, quoted
from deadheat.data.columns import from_frame
from deadheat.data.direction import lower_is_better
from deadheat.data.roles import canonical, score_sql
from deadheat.data.table import IN_MEMORY
from deadheat.errors import DataError, MalformedFile, MethodError
from deadheat.readers.base import PARQUET, Options, Reader, Source
from deadheat.readers.table_head import (
    JSON_LINES,
    LONGEST,
    first_cells,
    first_rows,
    header,
    is_number,
    keys,
    looks_wide,
    parted_by,
)
from deadheat.readers.table_query import parts_of, shortened, table_batch
from deadheat.results import Note

QUOTES = """quote='"', escape='"'"""  # said, since DuckDB takes a quote left open for one of the text
BUFFERS = 128  # lines of JSON that must fit into memory


def _is_long(source: Source, names: Sequence[str]) -> bool:
    if not set(source.columns.values()) <= set(names):
        return False
    parts = canonical(names, source.columns)
    return "score" in parts and "item" in parts


def _claims_delimited(source: Source) -> bool:
    names = header(source)
    return _is_long(source, names) or (len(names) > 2 and not source.columns and looks_wide(source))


def _claims_json(source: Source) -> bool:
    return source.suffix in (*JSON_LINES, ".json") and _is_long(source, keys(first_rows(source)))


def _claims_parquet(source: Source) -> bool:
    return source.head.startswith(PARQUET) and _is_long(source, list(_parquet_columns(source)))


def _parquet_columns(source: Source) -> dict[str, str]:
    rows = source.connection.execute(f"DESCRIBE FROM read_parquet({source.scanned})").fetchall()
    return {row[0]: row[1] for row in rows}


def _read_delimited(source: Source, options: Options) -> Sequence[Batch]:
    names = header(source)
    if not names:
        raise MalformedFile(f"{source.path}: the first line is no header: nothing parts its columns")
    if len(set(names)) < len(names):
        raise MalformedFile(f"{source.path}: the header names a column twice: {', '.join(names)}")
    columns, delimiter = dict.fromkeys(names, "VARCHAR"), parted_by(source)
    scan = _csv_scan(source, delimiter, names)
    if not _is_long(source, names) and not source.columns and looks_wide(source):
        return [_wide(source, scan, names, options)]
    comma = ""
    if delimiter != ",":  # words, or decimal commas
        score = quoted(parts_of(source, columns)["score"])
        query = f"SELECT min({score}) FROM {scan} WHERE contains({score}, ',')"
        comma = source.connection.execute(query).fetchall()[0][0] or ""
    return [table_batch(source, columns, scan, "csv", options, comma)]


def _csv_scan(source: Source, delimiter: str, names: Sequence[str]) -> str:
    """Every column is read as text, so that 007 stays 007 and no type is guessed from the first rows."""
    listed = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in names)
    return (
        f"read_csv({source.scanned}, header=true, delim={literal(delimiter)}, {QUOTES}, "
        f"columns={{{listed}}}, auto_detect=false)"
    )


def _wide(source: Source, scan: str, names: list[str], options: Options) -> Batch:
    """A column an entry, a row an item; the first column holds the ids, unless every column is scores."""
    first = [row[0] for row in first_cells(source)]
    scores_only = all(is_number(cell) for cell in first) and not _is_id(names[0])
    if scores_only and not options.by_position:
        raise DataError(
            f"{source.path}: a wide table of {len(names)} entries without a column of item ids "
            f"(the first column is {names[0]!r}); --by-position matches its rows by their position"
        )
    entries = names if scores_only else names[1:]
    item = "CAST(row_number() OVER () AS VARCHAR)" if scores_only else quoted(names[0])
    listed = ", ".join(map(quoted, entries))
    # The subquery's item column must not collide with an entry of that name.
    key = next(name for name in ("item", "item_", "item__") if name not in entries)
    query = (
        f"SELECT entry, {key} AS item, {score_sql('score_text')} AS score, score_text "
        f"FROM (SELECT {item} AS {key}, {listed} FROM {scan}) "
        f"UNPIVOT INCLUDE NULLS (score_text FOR entry IN ({listed}))"
    )
    how = "rows matched by position" if scores_only else f"items from column {names[0]!r}"
    note = Note(code="wide-table", text=f"{source.path.name}: {len(entries)} columns read as entries, {how}")
    return Batch(file=source.file("wide"), query=query, notes=[note])


def _is_id(name: str) -> bool:
    return canonical([name]).get("item") == name or name.strip().lower() in ("row", "column0")


def _read_json_lines(source: Source, options: Options) -> Sequence[Batch]:
    columns = dict.fromkeys(_keys(source), "VARCHAR")
    listed = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in columns)
    scan = (
        f"read_json({source.scanned}, format='newline_delimited', "
        f"maximum_object_size={_longest(source)}, columns={{{listed}}})"
    )
    return [table_batch(source, columns, scan, "jsonl", options)]


def _keys(source: Source) -> list[str]:
    """Keys of all objects; of a large file those at its head, and a status, which may come late."""
    found = keys(first_rows(source))
    objects = f"read_ndjson_objects({source.scanned}, maximum_object_size={_longest(source)})"
    if source.path.stat().st_size > IN_MEMORY:
        late = f"SELECT 1 FROM {objects} WHERE json_exists(json, '$.status') LIMIT 1"
        rows = [("status",)] if source.connection.execute(late).fetchall() else []
    else:
        rows = source.connection.execute(
            f"SELECT DISTINCT unnest(json_keys(json)) AS key FROM {objects} ORDER BY key"
        ).fetchall()
    return [name for name in dict.fromkeys([*found, *(str(row[0]) for row in rows)]) if name]


def _longest(source: Source) -> int:
    """Bytes of a line; a buffer of a scan takes two, so a large file must do with shorter ones."""
    large = source.path.stat().st_size > IN_MEMORY
    return min(LONGEST, max(source.memory // BUFFERS, 2**20)) if large else LONGEST


def _read_json(source: Source, options: Options) -> Sequence[Batch]:
    if source.suffix in JSON_LINES:
        return _read_json_lines(source, options)
    rows = source.json(list[dict[str, Any]])
    names = keys(rows)
    frame: dict[str, Any] = {}
    for key in names:
        column = np.empty(len(rows), dtype=object)
        column[:] = [row.get(key) for row in rows]
        frame[key] = column
    if "entry" not in canonical(names, source.columns):
        frame["entry"] = np.full(len(rows), source.entry, dtype=object)
    asked = options.choices.get("metric")
    try:
        columns, renamed = from_frame(frame, source.columns, asked)
    except (DataError, MethodError) as error:
        raise type(error)(f"{source.path}: {error}") from error
    if "answer" in columns:
        columns["answer"] = np.array([shortened(answer) for answer in columns["answer"]], dtype=object)
    score = next((name for name, part in renamed.items() if part == "score"), "score")
    made = Batch(file=source.file("json"), columns=columns, renamed=renamed)
    return [replace(made, lower_is_better=lower_is_better(asked or score))]


def _read_parquet(source: Source, options: Options) -> Sequence[Batch]:
    scan = f"read_parquet({source.scanned})"
    return [table_batch(source, _parquet_columns(source), scan, "parquet", options)]


class _Common(TypedDict):
    entry: str
    item: str
    sample: str
    score: str
    failed: str
    absent: str


_COMMON = _Common(
    entry="column entry (or model, system, agent, …); else the file's name",
    item="column item (or question_id, instance_id, task_id, …)",
    sample="column sample (or epoch, repeat, trial, seed, …)",
    score="column score (or correct, resolved, passed, …); of a column metric, metric=NAME",
    failed="status = failed (or error, timeout, …)",
    absent="status = absent (or skipped, …), or an empty score",
)

READERS = (
    Reader(
        name="csv",
        title="CSV or TSV: a row an attempt, or a wide table with a column an entry",
        recognised=".csv, .tsv or .txt (also packed) whose header names item and score, or all scores",
        claims=_claims_delimited,
        read=_read_delimited,
        general=True,
        **_COMMON,
    ),
    Reader(
        name="json",
        title="JSON Lines or a JSON list: an object an attempt",
        recognised=".jsonl, .ndjson or .json (also packed) whose objects name an item and a score",
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
