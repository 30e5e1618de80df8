"""Answers behind the cells of a table, for metrics that let the samples vote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.data.attempts import Attempts
from deadheat.data.batch import literal
from deadheat.data.table import Table
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.stats.samples import majority

Floats = NDArray[np.float64]
MAJORITY = ("maj@k", "self-consistency")


class Votes(NamedTuple):
    """Answers of each cell, padded with zeros.

    Parameters
    ----------
    counts, fixed : (cells, A) int
        How many samples gave each answer, and how many of these did not run.
    scores : (cells, A) float64
        Mean score of each answer.
    """

    counts: NDArray[np.int64]
    fixed: NDArray[np.int64]
    scores: Floats


def values(table: Table, estimand: Estimand) -> tuple[Floats, Floats]:
    """Value of each cell under maj@k or self-consistency, and its variance under reruns.

    Parameters
    ----------
    table : Table
    estimand : Estimand
        Failed attempts that count as zeros vote together for an answer of their own, which is wrong.

    Returns
    -------
    value, within : (cells,) float64
        NaN where the cell has too few samples.

    Raises
    ------
    MethodError
        No column `answer`, or a right attempt without an answer.
    """
    zeros = [name for name in ("failed", "absent") if getattr(estimand, name) == "zero"]
    found = votes(table, zeros)
    k = None if estimand.metric == "self-consistency" else estimand.k or 1
    if k is None:
        value = majority.self_consistency(found.counts, found.scores)
    else:
        value = majority.majority_at_k(found.counts, found.scores, k)
    return value, majority.jackknife_within(found.counts, found.scores, k, found.fixed)


def votes(table: Table, zeros: Sequence[str]) -> Votes:
    """Count the answers of each cell; attempts of the statuses `zeros` vote for an answer of their own."""
    attempts = table.attempts
    if attempts is None or "answer" not in attempts.columns:
        raise MethodError(
            f"{' and '.join(MAJORITY)} let the samples of an item vote and need a column `answer`; found none"
        )
    rows = _rows(attempts, ("scored", *zeros))
    bare = rows["bare"] & (rows["score"] > 0)
    if bare.any():
        missing = int(rows["count"][bare].sum())
        raise MethodError(f"every attempt that is right needs an answer to vote with; {missing} have none")
    size = len(table.items)
    cell = np.searchsorted(
        table.cells.entry.astype(np.int64) * size + table.cells.item,
        rows["entry"].astype(np.int64) * size + rows["item"],
    )
    _, first, which = np.unique(
        np.column_stack([cell, rows["code"]]), axis=0, return_index=True, return_inverse=True
    )
    counts = np.bincount(which.ravel(), rows["count"]).astype(np.int64)
    total = np.bincount(which.ravel(), rows["count"] * rows["score"])
    cell = cell[first]
    slot = np.arange(len(cell)) - np.searchsorted(cell, cell)
    shape = (len(table.cells.entry), int(slot.max(initial=0)) + 1)
    made = Votes(np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64), np.zeros(shape))
    made.counts[cell, slot] = counts
    made.fixed[cell, slot] = np.bincount(which.ravel(), rows["count"] * ~rows["ran"])
    made.scores[cell, slot] = total / counts
    return made


def _rows(attempts: Attempts, statuses: Sequence[str]) -> dict[str, NDArray[Any]]:
    """One row an (entry, item, answer, whether it ran): attempts and mean score; the answer as a code."""
    ran = f"{attempts.status} = 'scored'"
    found = attempts.connection.execute(
        "SELECT entry, item, ran, answer = '' AND ran AS bare, count, score, "
        "dense_rank() OVER (ORDER BY ran, answer) AS code FROM (SELECT e.code AS entry, i.code AS item, "
        f"{ran} AS ran, CASE WHEN {ran} THEN coalesce(answer, '') ELSE '' END AS answer, "
        f"count(*) AS count, coalesce(avg(score) FILTER ({ran}), 0.0) AS score "
        "FROM attempts JOIN entry_codes e USING (entry) JOIN item_codes i USING (item) "
        f"WHERE {attempts.status} IN ({', '.join(map(literal, statuses))}) GROUP BY ALL)"
    ).fetchnumpy()
    return {name: np.asarray(column) for name, column in found.items()}
