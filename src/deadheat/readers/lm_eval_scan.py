"""The fast way through a large samples file of lm-evaluation-harness: scanned by DuckDB, no object a row."""

from __future__ import annotations

import hashlib

import duckdb

from deadheat.data.batch import literal, quoted
from deadheat.readers.base import Source

LONGEST = 8 * 2**20  # bytes of one line; a longer one is left to the slow way


def scan(source: Source, metric: str, task: str, *, by_hash: bool) -> dict[str, str] | None:
    """Scan a file once, keeping ids, hashes and scores.

    Parameters
    ----------
    source : Source
        A file of JSON Lines.
    metric : str
        The key of the score.
    task : str
    by_hash : bool
        Know documents by their hash where there is one, else by their position.

    Returns
    -------
    dict or None
        Filter -> SQL that selects item, score, status, doc_id, task and category; None where a row is not
        plainly as the format says, so that a reader with a better eye must look.
    """
    table = "lm_eval_" + hashlib.sha256(str(source.path).encode()).hexdigest()[:16]
    columns = {"doc_id": "VARCHAR", "filter": "VARCHAR", "doc_hash": "VARCHAR", metric: "JSON"}
    if len(columns) < 4:
        return None
    listed = ", ".join(f"{literal(name)}: {literal(kind)}" for name, kind in columns.items())
    value = f"{quoted(metric)}::VARCHAR"
    label = "coalesce(left(doc_hash, 16), doc_id)" if by_hash else "doc_id"
    some = f"(SELECT count(doc_hash) FROM {table}) > 0"
    hashed = f"NOT ({some} AND count(doc_hash) < count(*))" if by_hash else "true"
    try:
        source.connection.execute(
            f"CREATE OR REPLACE TEMP TABLE {table} AS SELECT doc_id, coalesce(filter, 'none') AS filter, "
            f"{label} AS label, doc_hash, CASE {value} WHEN 'true' THEN 1.0 WHEN 'false' THEN 0.0 ELSE "
            f"TRY_CAST({value} AS DOUBLE) END AS score FROM read_json([{source.scanned}], "
            f"format='newline_delimited', maximum_object_size={LONGEST}, columns={{{listed}}})"
        )
        counted = source.connection.execute(
            "SELECT filter, count(*) = count(DISTINCT doc_id) AND count(*) = count(score) "
            f"AND {hashed}, "
            f"count(DISTINCT label) < count(*) FROM {table} GROUP BY filter ORDER BY min(rowid)"
        ).fetchall()
    except duckdb.Error:
        return None
    if not all(plain for _, plain, _ in counted):
        return None
    return {filter: _query(table, filter, task, copies) for filter, _, copies in counted}


def _query(table: str, filter: str, task: str, copies: bool) -> str:
    """Select the rows of one filter; a document that occurs again gets a number."""
    rows = f"SELECT * FROM {table} WHERE filter = {literal(filter)}"
    item = f"concat({literal(f'{task}/' if task else '')}, label)"
    task = literal(task) if task else "NULL"
    if copies:
        rows = f"SELECT *, row_number() OVER (PARTITION BY label ORDER BY rowid) AS n FROM ({rows})"
        rows = rows.replace("SELECT * FROM", "SELECT *, rowid FROM")
        item = f"concat({item}, CASE WHEN n > 1 THEN concat('#', n) END)"
    return (
        f"SELECT {item} AS item, CASE WHEN isnan(score) THEN NULL ELSE score END AS score, "
        "CASE WHEN isnan(score) THEN 'absent' ELSE 'scored' END AS status, doc_id, "
        f"{task} AS task, {task} AS category FROM ({rows})"
    )
