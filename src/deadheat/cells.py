"""Attempts reduced inside DuckDB to one row an (entry, item): counts by status, and sums of scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

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
    labels = {}
    respelled = 0
    for label in ("entry", "item"):
        query(
            f"CREATE OR REPLACE TEMP TABLE {label}_codes AS SELECT {label}, {normalised(label)} AS label, "
            "CAST(dense_rank() OVER (ORDER BY label) - 1 AS INTEGER) AS code "
            f"FROM (SELECT DISTINCT {label} FROM attempts)"
        )
        spelled = f"SELECT any_value(label) AS label FROM {label}_codes GROUP BY code ORDER BY code"
        labels[label] = tuple(query(spelled).fetchnumpy()["label"].tolist())
        respelled += query(f"SELECT count(*) FROM {label}_codes WHERE label <> {label}").fetchall()[0][0]
    cells = _cells(attempts, ordered=False)
    if not kind.whole and np.any(cells.scored > 1):
        cells = _cells(attempts, ordered=True)
    return Reduced(labels["entry"], labels["item"], cells, int(respelled))


def _cells(attempts: Attempts, *, ordered: bool) -> Cells:
    """Group attempts by the codes of their labels; numpy sorts the groups, which is faster than SQL."""
    order = " ORDER BY score" if ordered else ""
    scored, failed, absent = (f"{attempts.status} = '{status}'" for status in ("scored", "failed", "absent"))
    found: Any = attempts.connection.execute(
        "SELECT e.code AS entry, i.code AS item, "
        f"count(*) FILTER ({scored}) AS scored, count(*) FILTER ({failed}) AS failed, "
        f"count(*) FILTER ({absent}) AS absent, coalesce(sum(score{order}) FILTER ({scored}), 0.0) AS total, "
        f"coalesce(sum(score * score{order}) FILTER ({scored}), 0.0) AS squares "
        "FROM attempts JOIN entry_codes e USING (entry) JOIN item_codes i USING (item) "
        "GROUP BY e.code, i.code"
    ).fetchnumpy()
    sort = np.lexsort((found["item"], found["entry"]))
    whole = {n: found[n][sort].astype(np.int32) for n in ("entry", "item", "scored", "failed", "absent")}
    return Cells(**whole, total=found["total"][sort], squares=found["squares"][sort])
