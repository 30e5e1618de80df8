"""A table of attempts written out: the canonical table, or instance records of Every Eval Ever."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from deadheat.data.batch import COLUMNS, literal, quoted
from deadheat.data.engine import room_of
from deadheat.errors import DataError, DeadheatError, MethodError
from deadheat.output import placing

if TYPE_CHECKING:
    from deadheat.data.table import Table

SUFFIXES = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
SCHEMA_VERSION = "0.3.0"  # of Every Eval Ever


def export(table: Table, path: Path, to: str | None = None, columns: Sequence[str] = ()) -> int:
    """Write attempts to a file, whole or not at all; texts of a harness's log are never among them.

    Parameters
    ----------
    table : Table
    path : Path
    to : str or None
        One of `TARGETS`; None goes by the suffix.
    columns : sequence of str
        Further columns to carry along.

    Returns
    -------
    int
        Rows written.

    Raises
    ------
    MethodError
        If the suffix stands for no format, or a column does not exist.
    """
    to = to or SUFFIXES.get("".join(path.suffixes[-1:]).lower())
    if to not in TARGETS:
        raise MethodError(
            f"{path.name}: the suffix stands for no format; end it in {', '.join(SUFFIXES)}, "
            f"or choose with --to: {', '.join(TARGETS)}"
        )
    if table.attempts is None:
        raise MethodError("this table holds counts only, no attempts that could be written")
    known = table.attempts.columns
    missing = [name for name in columns if name not in known]
    if missing:
        raise MethodError(f"no column {', '.join(missing)} in these results; found {', '.join(known)}")
    import duckdb

    query, options = TARGETS[to](known, columns)
    try:
        with placing(path) as draft:
            written = room_of(table.attempts.connection) / "export"
            copy = f"COPY ({query}) TO {literal(str(written))} ({options}, USE_TMP_FILE false)"
            rows = table.attempts.connection.execute(copy).fetchall()
            with written.open("rb") as whole, open(draft, "wb") as stream:
                shutil.copyfileobj(whole, stream)
            written.unlink()
    except duckdb.IOException as error:
        why = str(error).split('": ')[-1].split('"')[0]
        raise DeadheatError(f"{path}: cannot be written ({why})") from error
    return int(rows[0][0])


def _canonical(known: Sequence[str], columns: Sequence[str]) -> str:
    """Canonical columns that exist, the reason, and the further columns asked for."""
    chosen = dict.fromkeys(name for name in (*COLUMNS, "reason", *columns) if name in known)
    return f"SELECT {', '.join(map(quoted, chosen))} FROM read_rows"


def _csv(known: Sequence[str], columns: Sequence[str]) -> tuple[str, str]:
    return _canonical(known, columns), "FORMAT csv, HEADER"


def _jsonl(known: Sequence[str], columns: Sequence[str]) -> tuple[str, str]:
    return _canonical(known, columns), "FORMAT json"


def _parquet(known: Sequence[str], columns: Sequence[str]) -> tuple[str, str]:
    return _canonical(known, columns), "FORMAT parquet, COMPRESSION zstd"


def _every_eval_ever(known: Sequence[str], columns: Sequence[str]) -> tuple[str, str]:
    """Instance records: an absent attempt has none, a failed one has an error and the score 0."""
    if columns:
        raise DataError(f"instance records have no place for further columns; leave out {', '.join(columns)}")
    status = "coalesce(status, 'scored')" if "status" in known else "'scored'"
    reason = "coalesce(reason, 'failed')" if "reason" in known else "'failed'"
    epoch = "sample" if "sample" in known else "NULL::VARCHAR"
    # An item named task/id is the sample `id` of the evaluation `task`; the reader puts them together again.
    named = "contains(item, '/')"
    failed = f"{status} = 'failed'"
    query = f"""
        SELECT {literal(SCHEMA_VERSION)} AS schema_version,
            concat(task, '/', replace(model_id, '/', '_'), '/0') AS evaluation_id,
            model_id, task AS evaluation_name, sample_id, 'single_turn' AS interaction_type,
            {{'raw': '', 'reference': []::VARCHAR[]}} AS input, {{'raw': []::VARCHAR[]}} AS output,
            []::VARCHAR[] AS answer_attribution,
            {{'score': score, 'is_correct': score = 1}} AS evaluation, error,
            CASE WHEN epoch IS NOT NULL THEN {{'epoch': epoch}} END AS metadata
        FROM (
            SELECT entry AS model_id, CASE WHEN {named} THEN split_part(item, '/', 1) ELSE '' END AS task,
                CASE WHEN {named} THEN substr(item, strpos(item, '/') + 1) ELSE item END AS sample_id,
                CASE WHEN {failed} THEN 0.0 ELSE score END AS score,
                CASE WHEN {failed} THEN {reason} END AS error, {epoch} AS epoch
            FROM read_rows WHERE {failed} OR score IS NOT NULL
        )"""
    return query, "FORMAT json"


# Target -> query and options of the copy, from the columns that exist and those asked for.
TARGETS: dict[str, Callable[[Sequence[str], Sequence[str]], tuple[str, str]]] = {
    "csv": _csv,
    "jsonl": _jsonl,
    "parquet": _parquet,
    "every-eval-ever": _every_eval_ever,
}
