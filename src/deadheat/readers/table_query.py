"""The query of a table: which column plays which part, and the SQL that makes attempts of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from deadheat.data.batch import Batch, literal, quoted
from deadheat.data.direction import lower_is_better
from deadheat.data.roles import (
    STATUS_OF,
    canonical,
    carried,
    check_parts,
    score_sql,
    status_sql,
    which_metric,
)
from deadheat.data.table import IN_MEMORY
from deadheat.errors import DataError, MethodError
from deadheat.readers.base import Options, Source
from deadheat.results import Note

NESTED = ("STRUCT", "MAP", "UNION", "BLOB", "DATE", "TIME", "INTERVAL", "UUID")
LONGEST_ANSWER = 200  # characters


def table_batch(
    source: Source, columns: Mapping[str, str], scan: str, format: str, options: Options, comma: str = ""
) -> Batch:
    """Select canonical columns from a scan whose columns have the types given; others are carried along."""
    parts = parts_of(source, columns)
    chosen = {
        part: _label(name, columns[name]) for part, name in parts.items() if part not in ("score", "metric")
    }
    if "weight" in chosen and _is_text(columns[parts["weight"]]):
        chosen["weight"] = _number(chosen["weight"])
    if "answer" in chosen:
        chosen["answer"] = _short(chosen["answer"])
    if "status" in chosen:
        chosen["status"] = status_sql(chosen["status"])
    kind, column = columns[parts["score"]], quoted(parts["score"])
    if kind.endswith("]") or kind.startswith(NESTED):
        raise DataError(
            f"{source.path}: a score is a number or a word such as true; the column {parts['score']!r} "
            f"holds {kind}"
        )
    if _is_text(kind):
        column = f"CAST({column} AS VARCHAR)"
        if parts["score"] == parts.get("status"):  # a verdict, or why there is none
            unscored = ", ".join(
                repr(word) for word, status in STATUS_OF.items() if status != "scored" and word != "failed"
            )
            column = f"CASE WHEN lower(trim({column})) NOT IN ({unscored}) THEN {column} END"
        chosen["score"] = score_sql(column, decimal_comma=bool(comma))
        chosen["score_text"] = f"CASE WHEN NOT isfinite({chosen['score']}) THEN {column} END"
    else:
        chosen["score"] = f"CAST({column} AS DOUBLE)"
    chosen.setdefault("entry", literal(source.entry))
    selected = [f"{sql} AS {part}" for part, sql in chosen.items()]
    rest = [name for name in columns if name and name not in parts.values()]
    selected += [f"{quoted(name)} AS {quoted(carried(name))}" for name in rest]
    where, metric = "", parts["score"]
    if "metric" in parts:
        where, metric = _metric(source, parts, scan, options)
        selected.append(f"CAST({quoted(parts['metric'])} AS VARCHAR) AS metric")
    large = source.path.stat().st_size > IN_MEMORY
    text = f"decimal comma in the scores: {comma} was read as {comma.replace(',', '.')}"
    return Batch(
        file=source.file(format, hashed=not large),
        sha256=source.hashing() if large else None,
        query=f"SELECT {', '.join(selected)} FROM {scan}{where}",
        renamed={name: part for part, name in parts.items() if name != part},
        notes=[Note(code="decimal-comma", text=text)] if comma else [],
        lower_is_better=lower_is_better(metric),
    )


def parts_of(source: Source, columns: Mapping[str, str]) -> dict[str, str]:
    """Say which column plays which part, an item and a score at least."""
    spelled: dict[str, str] = {}
    for name in columns:
        if (other := spelled.setdefault(name.lower(), name)) != name:
            raise DataError(
                f"{source.path}: the columns {other!r} and {name!r} differ in case only, so no name "
                "tells them apart; rename one of them"
            )
    parts = canonical(columns, source.columns)
    try:
        check_parts(list(columns), parts, ("item", "score"))
    except DataError as error:
        raise DataError(f"{source.path}: {error}") from error
    return parts


def _metric(source: Source, parts: Mapping[str, str], scan: str, options: Options) -> tuple[str, str]:
    """SQL that keeps the rows of one metric, and its name; all rows where an attempt has one of its own."""
    query, column = source.connection.execute, f"CAST({quoted(parts['metric'])} AS VARCHAR)"
    found = [str(row[0]) for row in query(f"SELECT DISTINCT {column} FROM {scan}").fetchall()]
    asked = options.choices.get("metric")
    if len(found) > 1 and asked is None:
        attempt = ", ".join(quoted(parts[part]) for part in ("entry", "item", "sample") if part in parts)
        several = f"SELECT 1 FROM {scan} GROUP BY {attempt} HAVING count(DISTINCT {column}) > 1 LIMIT 1"
        if not query(several).fetchall():
            return "", parts["score"]
    try:
        name = which_metric(found, asked)
    except MethodError as error:
        raise MethodError(f"{source.path}: {error}") from error
    return f" WHERE {column} = {literal(name)}", name


def _is_text(kind: str) -> bool:
    return kind in ("VARCHAR", "JSON") or kind.startswith("ENUM")


def _number(column: str) -> str:
    """SQL of a number in a text; what is none becomes NaN, which whoever takes the numbers refuses."""
    bare = f"CASE WHEN trim(coalesce({column}, '')) <> '' THEN 'NaN'::DOUBLE END"
    return f"coalesce(TRY_CAST({column} AS DOUBLE), {bare})"


def _label(name: str, kind: str) -> str:
    """SQL of a label; whole numbers have no decimal point, as they have none in other files."""
    column = quoted(name)
    if kind not in ("FLOAT", "DOUBLE"):
        return column
    whole = f"{column} = floor({column}) AND abs({column}) < 1e15"
    return (
        f"CASE WHEN {whole} THEN CAST(CAST({column} AS BIGINT) AS VARCHAR) ELSE CAST({column} AS VARCHAR) END"
    )


def _short(column: str) -> str:
    """SQL of an answer, or of a digest of one that is a text: only whether two are equal is ever asked."""
    text = f"CAST({column} AS VARCHAR)"
    digest = f"concat('sha256:', left(sha256({text}), 32))"
    return f"CASE WHEN length({text}) > {LONGEST_ANSWER} THEN {digest} ELSE {text} END"


def shortened(answer: str | None) -> str | None:
    """Give what `_short` gives."""
    if answer is None or len(answer) <= LONGEST_ANSWER:
        return answer
    return f"sha256:{hashlib.sha256(answer.encode()).hexdigest()[:32]}"
