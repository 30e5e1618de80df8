"""Attempts reduced inside DuckDB to one row an (entry, item): counts by status, and sums of scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.attempts import Attempts, Kind, normalised


@dataclass(frozen=True)
class Cells:
    """Attempts of each (entry, item), sorted by entry, then item.

    Parameters
    ----------
    entry, item : (rows,) int32
        Positions in the sorted label lists.
    scored, failed, absent : (rows,) int32
        Attempts of each status.
    total, squares : (rows,) float64
        Sum of scores and of squared scores.
    """

    entry: NDArray[np.int32]
    item: NDArray[np.int32]
    scored: NDArray[np.int32]
    failed: NDArray[np.int32]
    absent: NDArray[np.int32]
    total: NDArray[np.float64]
    squares: NDArray[np.float64]


class Reduced(NamedTuple):
    """Sorted labels, the cells, and how many labels changed under Unicode normalisation."""

    entries: tuple[str, ...]
    items: tuple[str, ...]
    cells: Cells
    respelled: int


def reduce(attempts: Attempts, kind: Kind) -> Reduced:
    """Count and sum the attempts of each (entry, item) in one pass over the rows.

    Parameters
    ----------
    attempts : Attempts
    kind : Kind
        Sums of whole numbers are exact in any order; others are made in sorted order, so that neither the
        order of rows nor the number of threads changes a digit.

    Returns
    -------
    Reduced
    """
    query = attempts.connection.execute
    order = "" if kind.whole else " ORDER BY score"
    scored, failed, absent = (f"{attempts.status} = '{status}'" for status in ("scored", "failed", "absent"))
    query(
        "CREATE OR REPLACE TEMP TABLE grouped AS SELECT entry, item, "
        f"count(*) FILTER ({scored}) AS scored, count(*) FILTER ({failed}) AS failed, "
        f"count(*) FILTER ({absent}) AS absent, sum(score{order}) FILTER ({scored}) AS total, "
        f"sum(score * score{order}) FILTER ({scored}) AS squares FROM attempts GROUP BY entry, item"
    )
    labels = {}
    respelled = 0
    for label in ("entry", "item"):
        query(
            f"CREATE OR REPLACE TEMP TABLE {label}_codes AS SELECT {label}, {normalised(label)} AS label, "
            "CAST(dense_rank() OVER (ORDER BY label) - 1 AS INTEGER) AS code "
            f"FROM (SELECT DISTINCT {label} FROM grouped)"
        )
        rows = query(f"SELECT DISTINCT code, label FROM {label}_codes ORDER BY code").fetchall()
        labels[label] = tuple(row[1] for row in rows)
        respelled += query(f"SELECT count(*) FROM {label}_codes WHERE label <> {label}").fetchall()[0][0]
    columns = query(
        "SELECT e.code AS entry, i.code AS item, "
        + ", ".join(f"CAST(sum({name}) AS INTEGER) AS {name}" for name in ("scored", "failed", "absent"))
        + ", coalesce(sum(total ORDER BY total), 0.0) AS total, "
        "coalesce(sum(squares ORDER BY squares), 0.0) AS squares "
        "FROM grouped g JOIN entry_codes e USING (entry) JOIN item_codes i USING (item) "
        "GROUP BY e.code, i.code ORDER BY e.code, i.code"
    ).fetchnumpy()
    cells = Cells(**{name: np.ascontiguousarray(column) for name, column in columns.items()})
    return Reduced(labels["entry"], labels["item"], cells, int(respelled))
