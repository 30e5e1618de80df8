"""Tables of attempts: CSV, TSV, JSON Lines, JSON and Parquet, plain or compressed, and wide CSV tables."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from deadheat.data.batch import Batch, literal, quoted
from deadheat.data.columns import canonical, from_frame, score_sql
from deadheat.data.table import IN_MEMORY
from deadheat.errors import DataError, MalformedFile
from deadheat.readers.base import PARQUET, ZSTD, Options, Reader, Source, damage
from deadheat.readers.table_head import (
    JSON_LINES,
    LONGEST,
    first_cells,
    first_rows,
    header,
    is_number,
    keys,
    looks_wide,
)
from deadheat.results import Note

NUMERIC = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "UBIGINT", "UINTEGER")
LONGEST_ANSWER = 200  # characters
QUOTES = """quote='"', escape='"'"""  # said, since DuckDB takes a quote left open for one of the text

BUFFERS = 128  # lines of JSON that must fit into memory


def _is_long(names: Sequence[str]) -> bool:
    parts = canonical(names)
    return "score" in parts and "item" in parts


def _claims_delimited(source: Source) -> bool:
    names = header(source)
    return _is_long(names) or (len(names) > 2 and looks_wide(source))


def _claims_json(source: Source) -> bool:
    return source.suffix in (*JSON_LINES, ".json") and _is_long(keys(first_rows(source)))


def _claims_parquet(source: Source) -> bool:
    return source.head.startswith(PARQUET) and _is_long(list(_parquet_columns(source)))


def _parquet_columns(source: Source) -> dict[str, str]:
    rows = source.connection.execute(f"DESCRIBE FROM read_parquet({literal(str(source.path))})").fetchall()
    return {row[0]: row[1] for row in rows}


def _batch(
    source: Source, columns: dict[str, str], scan: str, format: str, notes: Sequence[Note] = ()
) -> Batch:
    """Select canonical columns from a scan whose columns have the types given; others are carried along."""
    parts = _parts(source, columns)
    plain = {part: quoted(name) for part, name in parts.items() if part != "score"}
    if "answer" in plain:
        plain["answer"] = _short(plain["answer"])
    chosen = [f"{column} AS {part}" for part, column in plain.items()]
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
    large = source.path.stat().st_size > IN_MEMORY
    return Batch(
        file=source.file(format, hashed=not large),
        sha256=source.hashing() if large else None,
        query=f"SELECT {', '.join(chosen)} FROM {scan}",
        renamed={name: part for part, name in parts.items() if name != part},
        notes=list(notes),
    )


def _parts(source: Source, columns: dict[str, str]) -> dict[str, str]:
    """Say which column plays which part, an item and a score at least."""
    spelled: dict[str, str] = {}
    for name in columns:
        if (other := spelled.setdefault(name.lower(), name)) != name:
            raise DataError(f"{source.path}: {other!r} and {name!r} differ in case only: one name would do")
    parts = canonical(columns)
    if "item" not in parts or "score" not in parts:
        raise DataError(
            f"{source.path}: a table of attempts needs the columns item and score (or a usual other name); "
            f"found {', '.join(columns)}"
        )
    return parts


def _short(column: str) -> str:
    """SQL of an answer, or of a digest of one that is a text: only whether two are equal is ever asked."""
    text = f"CAST({column} AS VARCHAR)"
    digest = f"concat('sha256:', left(sha256({text}), 32))"
    return f"CASE WHEN length({text}) > {LONGEST_ANSWER} THEN {digest} ELSE {text} END"


def _shortened(answer: str | None) -> str | None:
    """Give what `_short` gives."""
    if answer is None or len(answer) <= LONGEST_ANSWER:
        return answer
    return f"sha256:{hashlib.sha256(answer.encode()).hexdigest()[:32]}"


def _read_delimited(source: Source, options: Options) -> Sequence[Batch]:
    path = literal(str(source.path))
    _check_compressed(source)
    names = header(source)
    if not names:
        raise MalformedFile(f"{source.path}: the first line is no header: nothing parts its columns")
    sniffed = source.connection.execute(
        f"SELECT Delimiter, Columns FROM sniff_csv({path}, {QUOTES})"
    ).fetchall()[0]
    delimiter = max("\t;|,", key=source.head.split(b"\n", 1)[0].decode(errors="replace").count)
    types = {column["name"]: column["type"] for column in sniffed[1]}
    columns = {name: _kind(types.get(name, "VARCHAR")) for name in names}
    if len(columns) < len(names):
        raise MalformedFile(f"{source.path}: the header names a column twice: {', '.join(names)}")
    if not _is_long(names):
        return [_wide(source, delimiter, names, options)]
    parts = canonical(names)
    typed = {
        name: kind if name in (parts["score"], parts.get("weight")) else "VARCHAR"
        for name, kind in columns.items()
    }
    scan = _csv_scan(path, delimiter, typed)
    notes = []
    if delimiter != "," and typed[parts["score"]] == "VARCHAR":  # words, or commas
        score = quoted(parts["score"])
        query = f"SELECT min({score}) FROM {scan} WHERE contains({score}, ',')"
        if comma := source.connection.execute(query).fetchall()[0][0]:
            text = f"decimal comma in the scores: {comma} was read as {comma.replace(',', '.')}"
            notes.append(Note(code="decimal-comma", text=text))
    return [_batch(source, typed, scan, "csv", notes)]


def _kind(sniffed: str) -> str:
    """Scores of whole or broken numbers are read as such, all else as text, so that 007 stays 007."""
    return "DOUBLE" if sniffed in NUMERIC or sniffed.startswith("DECIMAL") else "VARCHAR"


def _csv_scan(path: str, delimiter: str, columns: dict[str, str]) -> str:
    listed = ", ".join(f"{literal(name)}: {literal(kind)}" for name, kind in columns.items())
    return f"read_csv({path}, header=true, delim={literal(delimiter)}, {QUOTES}, columns={{{listed}}})"


def _wide(source: Source, delimiter: str, names: list[str], options: Options) -> Batch:
    """A column an entry, a row an item; the first column holds the ids, unless every column is scores."""
    first = [row[0] for row in first_cells(source)]
    scores_only = all(is_number(cell) for cell in first) and not _is_id(names[0])
    if scores_only and not options.by_position:
        raise DataError(
            f"{source.path}: a wide table of {len(names)} entries without a column of item ids "
            f"(the first column is {names[0]!r}); --by-position matches its rows by their position"
        )
    scan = _csv_scan(literal(str(source.path)), delimiter, dict.fromkeys(names, "VARCHAR"))
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
    return canonical([name]).get("item") == name or name.strip().lower() in ("", "index", "row")


def _read_json_lines(source: Source) -> Sequence[Batch]:
    _check_compressed(source)
    rows = first_rows(source)
    columns = dict.fromkeys(keys(rows), "VARCHAR")
    parts = _parts(source, columns)
    score = parts["score"]
    values = [row[score] for row in rows if row.get(score) is not None]
    if values and all(type(value) in (int, float) for value in values):
        columns[score] = "DOUBLE"
    elif values and all(type(value) is bool for value in values):
        columns[score] = "BOOLEAN"
    if "status" not in parts:
        columns["status"] = "VARCHAR"  # failed attempts may come late
    elif parts["status"] != "status":  # and so may another spelling
        objects = f"read_ndjson_objects({literal(str(source.path))}, maximum_object_size={_longest(source)})"
        late = f"SELECT 1 FROM {objects} WHERE json_exists(json, '$.status') LIMIT 1"
        if source.connection.execute(late).fetchall():
            _parts(source, columns | {"status": "VARCHAR"})
    listed = ", ".join(f"{literal(name)}: {literal(kind)}" for name, kind in columns.items())
    scan = (
        f"read_json({literal(str(source.path))}, format='newline_delimited', "
        f"maximum_object_size={_longest(source)}, columns={{{listed}}})"
    )
    return [_batch(source, columns, scan, "jsonl")]


def _longest(source: Source) -> int:
    """Bytes of a line; a buffer of a scan takes two, so a large file must do with shorter ones."""
    large = source.path.stat().st_size > IN_MEMORY
    return min(LONGEST, max(source.memory // BUFFERS, 2**20)) if large else LONGEST


def _read_json(source: Source, options: Options) -> Sequence[Batch]:
    if source.suffix in JSON_LINES:
        return _read_json_lines(source)
    rows = source.json(list[dict[str, Any]])
    names = keys(rows)
    frame: dict[str, Any] = {}
    for key in names:
        column = np.empty(len(rows), dtype=object)
        column[:] = [row.get(key) for row in rows]
        frame[key] = column
    if "entry" not in canonical(names):
        frame["entry"] = np.full(len(rows), source.entry, dtype=object)
    try:
        columns, renamed = from_frame(frame)
    except DataError as error:
        raise DataError(f"{source.path}: {error}") from error
    if "answer" in columns:
        columns["answer"] = np.array([_shortened(answer) for answer in columns["answer"]], dtype=object)
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
    except damage() as error:
        raise MalformedFile(
            f"{source.path}: the compressed file is truncated or corrupt ({error})"
        ) from error


_COMMON: dict[str, Any] = {
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
