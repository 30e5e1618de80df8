"""Results as they were read, however broken: what can be used becomes a table, the rest becomes findings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from deadheat.auditing import row_checks
from deadheat.data.attempts import Attempts
from deadheat.data.batch import STATUSES, Batch, literal, quoted
from deadheat.data.publication import Stated
from deadheat.data.table import Table
from deadheat.results.audit import Finding

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, eq=False)
class Intake:
    """What was read.

    Parameters
    ----------
    table : Table or None
        The usable attempts; None if there are none.
    findings : tuple of Finding
        About the rows as they were.
    stated : tuple of Stated
        Figures that the files state about the entries whose results they hold in whole.
    """

    table: Table | None
    findings: tuple[Finding, ...]
    stated: tuple[Stated, ...] = ()


def intake(batches: Sequence[Batch], connection: duckdb.DuckDBPyConnection, size: int) -> Intake:
    """Check rows and make a table of those that can be used.

    Parameters
    ----------
    batches : sequence of Batch
    connection : duckdb.DuckDBPyConnection
        Where the batches' queries are valid.
    size : int
        Bytes of input, which decide whether the rows are held in memory.
    """
    attempts = Attempts(batches, connection, size)
    found = [finding for check in ROW_CHECKS.values() for finding in check(attempts)]
    columns = [c for c in attempts.columns if c in _held(attempts)]
    connection.execute(f"CREATE TEMP TABLE usable AS {_usable(attempts, columns)}")
    connection.execute(f"DROP {attempts.held_as} attempts")
    if not connection.execute("SELECT count(*) FROM usable").fetchall()[0][0]:
        return Intake(None, tuple(found))
    selected = ", ".join(map(quoted, columns))
    kept = [
        replace(batch, columns=None, query=f"SELECT {selected} FROM usable WHERE file_index = {index}")
        for index, batch in enumerate(batches)
    ]
    spread = connection.execute(
        "SELECT entry FROM usable GROUP BY entry HAVING count(DISTINCT file_index) > 1"
    ).fetchall()
    parted = {row[0] for row in spread}
    stated = tuple(figure for batch in batches for figure in batch.stated if figure.entry not in parted)
    return Intake(Table.from_batches(kept, connection, size), tuple(found), stated)


def _held(attempts: Attempts) -> set[str]:
    described = attempts.connection.execute("DESCRIBE attempts").fetchall()
    return {row[0] for row in described}


def _usable(attempts: Attempts, columns: Sequence[str]) -> str:
    """SQL of the rows that say something, each attempt once, with contradictory ones left out."""
    keys = row_checks.keys_of(attempts)
    known = ", ".join(map(literal, STATUSES))
    stated = "status" if "status" in columns else "NULL"
    others = [quoted(c) for c in columns if c not in ("score", "status")]
    number = f"CASE WHEN isfinite(score) AND coalesce({stated}, 'scored') = 'scored' THEN score END AS score"
    status = [f"CASE WHEN {stated} <> 'scored' THEN {stated} END AS status"] if "status" in columns else []
    selected = ", ".join([*others, number, *status, "file_index"])
    return (
        f"SELECT DISTINCT ON ({keys}) {selected} FROM (SELECT *, count(DISTINCT "
        f"(coalesce(score, -1e300), {attempts.status})) OVER (PARTITION BY {keys}) AS outcomes FROM attempts "
        f"WHERE entry <> '' AND item <> '' AND coalesce({stated} IN ({known}), true)) WHERE outcomes = 1"
    )


RowCheck = Callable[[Attempts], list[Finding]]

ROW_CHECKS: Mapping[str, RowCheck] = {
    "unnamed rows": row_checks.unnamed,
    "scores that are no numbers": row_checks.not_numbers,
    "statuses": row_checks.statuses,
    "repeats": row_checks.repeats,
    "hidden failures": row_checks.hidden_failures,
    "contradictory columns": row_checks.contradictory_columns,
    "constant columns": row_checks.constant_columns,
    "labels of samples": row_checks.sample_labels,
}
