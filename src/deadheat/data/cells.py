"""Attempts reduced inside DuckDB to one row an (entry, item): counts by status, and sums of scores."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.data.attempts import Attempts, Kind, normalised
from deadheat.data.engine import frugally

SLICE = 2**21  # rows fetched at once
WORD = 63  # sample labels 0, 1, … noted as bits of one BIGINT
WORDS = 4
HEAD = 100_000  # rows that say how many words will do
MIXED, UNKNOWN, REPEATED = 1, 2, 4  # doubts about the samples of a cell
TINY = 1e-150  # the square of a score below it may vanish
BITS = 125  # of a whole number in which fractions are summed


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
    """What one or two scans of the attempts gave.

    Parameters
    ----------
    entries, items : tuple of str
        Sorted labels.
    cells : Cells
        One row an (entry, item); where `doubt` says REPEATED, possibly several.
    kind : Kind
    respelled : int
        Labels that changed under Unicode normalisation.
    rows : mapping
        File index -> attempts in that file.
    doubt : int
        Whether within some cell only some attempts carry a sample label (MIXED), some labels were not told
        apart by the scan (UNKNOWN), or an attempt without a label occurs twice (REPEATED).
    """

    entries: tuple[str, ...]
    items: tuple[str, ...]
    cells: Cells
    kind: Kind
    respelled: int
    rows: dict[int, int]
    doubt: int


def reduce(attempts: Attempts) -> Reduced:
    """Check, count and sum the attempts.

    With a sample column the rows are grouped in one scan, since cells are then far fewer than rows. Without
    one each cell has one row: labels are found in a first scan and rows are coded in a second, which needs
    no table of groups.

    Sums of whole numbers are exact in any order; fractions are summed as whole numbers of a fine unit, so
    that neither the order of rows nor the number of threads changes a digit.
    """
    grouped = "sample" in attempts.columns
    words = _group(attempts) if grouped else 0
    query = attempts.connection.execute
    flagged = f"(SELECT entry, item, file_index, {attempts.flags} AS flags FROM attempts)"
    source, count = ("groups", "sum(rows)") if grouped else (flagged, "count(*)")
    query(
        "CREATE OR REPLACE TEMP TABLE seen AS SELECT entry, item, file_index, grouping(entry, item) AS part, "
        f"CAST({count} AS BIGINT) AS rows, bit_or(flags) AS flags FROM {source} "
        "GROUP BY GROUPING SETS ((entry), (item), (file_index))"
    )
    files = query("SELECT file_index, rows, flags FROM seen WHERE part = 3").fetchall()
    flags = 0
    for *_, found in files:
        flags |= found
    kind = attempts.judge(flags)
    labels = [_labels(attempts, label, part) for label, part in (("entry", 1), ("item", 2))]
    (entries, entries_respelled), (items, items_respelled) = labels
    if grouped:
        merged = len(attempts.files) > 1 or entries_respelled + items_respelled > 0
        cells, doubt = _of_groups(attempts, kind, len(items), words, merged)
    else:
        cells, doubt = _of_rows(attempts, kind, len(items))
    return Reduced(
        entries,
        items,
        cells,
        kind,
        entries_respelled + items_respelled,
        {index: rows for index, rows, _ in files},
        doubt,
    )


def _labels(attempts: Attempts, label: str, part: int) -> tuple[tuple[str, ...], int]:
    """Number the labels in sorted order, in a table that later questions join too."""
    query = attempts.connection.execute
    query(
        f"CREATE OR REPLACE TEMP TABLE {label}_codes AS SELECT {label}, {normalised(label)} AS label, "
        f"CAST(dense_rank() OVER (ORDER BY label) - 1 AS INTEGER) AS code FROM seen WHERE part = {part}"
    )
    found = query(
        f"SELECT any_value(label) AS label, count(*) FILTER (label <> {label}) AS respelled "
        f"FROM {label}_codes GROUP BY code ORDER BY code"
    ).fetchnumpy()
    return tuple(found["label"].tolist()), int(found["respelled"].sum())


def _group(attempts: Attempts) -> int:
    """Make the table `groups`: the attempts of each entry, item and file, in one scan.

    Sample labels that are small whole numbers are noted as bits: an attempt that occurs twice then has fewer
    bits than attempts. The number of words is a guess, which costs a further scan where it is too low, as
    where the first rows are all of the first sample.
    """
    query = attempts.connection.execute
    largest = query(
        f"SELECT max(TRY_CAST(sample AS UTINYINT)) FROM (SELECT sample FROM attempts LIMIT {HEAD})"
    ).fetchall()[0][0]
    words = 0
    while words < (needed := min((largest or 0) // WORD + 1, WORDS)):
        words = needed
        frugally(attempts.connection, _grouped(attempts, words))
        largest = query("SELECT max(largest) FROM groups").fetchall()[0][0]
    return words


def _grouped(attempts: Attempts, words: int) -> str:
    """SQL of the table `groups` with so many words of bits."""
    noted = []
    for word in range(words):
        low, high = word * WORD, (word + 1) * WORD - 1
        bit = f"CASE WHEN number BETWEEN {low} AND {high} THEN CAST(number AS BIGINT) - {low} END"
        noted.append(f"bit_or(1::BIGINT << ({bit})) AS word_{word}")
    one = len(attempts.files) == 1
    return (
        f"CREATE OR REPLACE TEMP TABLE groups AS SELECT entry, item, {'0 AS ' if one else ''}file_index, "
        f"count(*) AS rows, {_statuses(attempts)}, sum(score) AS total, sum(score * score) AS squares, "
        f"count(sample) AS labelled, max(number) AS largest, {', '.join(noted)}, bit_or(flags) AS flags "
        f"FROM (SELECT *, {attempts.flags} AS flags, TRY_CAST(sample AS UTINYINT) AS number FROM attempts) "
        f"GROUP BY entry, item{'' if one else ', file_index'}"
    )


def _statuses(attempts: Attempts) -> str:
    """SQL that counts attempts by status."""
    if "status" not in attempts.columns:
        return "count(score) AS scored, 0 AS failed"
    return (
        f"count(score) FILTER ({attempts.unfailed}) AS scored, "
        f"count(*) FILTER ({attempts.stated} = 'failed') AS failed"
    )


JOINED = "JOIN entry_codes e USING (entry) JOIN item_codes i USING (item)"


def _of_groups(attempts: Attempts, kind: Kind, items: int, words: int, merged: bool) -> tuple[Cells, int]:
    """Make cells of the table `groups`; several groups may be merged into one cell, by file or spelling."""
    total, union = ("sum({})", "bit_or({})") if merged else ("{}", "{}")
    rows, labelled = total.format("rows"), total.format("labelled")
    bits = " + ".join(
        f"CAST(bit_count(coalesce({union.format(f'word_{word}')}, 0)) AS INTEGER)" for word in range(words)
    )
    doubt = (
        f"CASE WHEN {rows} = 1 THEN 0 WHEN {labelled} = 0 THEN {REPEATED} "
        f"ELSE CASE WHEN {labelled} < {rows} THEN {MIXED} ELSE 0 END "
        f"+ CASE WHEN {bits} < {labelled} THEN {UNKNOWN} ELSE 0 END END"
    )
    whole = [f"CAST({total.format(name)} AS INTEGER) AS {name}" for name in ("rows", "scored", "failed")]
    sums = [f"coalesce({total.format(name)}, 0) AS {name}" for name in ("total", "squares")]
    found = _fetched(
        attempts,
        f"SELECT e.code AS entry, i.code AS item, {', '.join(whole + sums)}, "
        f"CAST({doubt} AS UTINYINT) AS doubt FROM groups {JOINED}"
        f"{' GROUP BY e.code, i.code' if merged else ''}",
        items,
    )
    attempts.connection.execute("DROP TABLE groups")
    doubt_found = int(np.bitwise_or.reduce(found["doubt"], initial=0))
    cells = Cells(
        entry=found["entry"],
        item=found["item"],
        scored=found["scored"],
        failed=found["failed"],
        absent=found["rows"] - found["scored"] - found["failed"],
        total=found["total"],
        squares=found["total"] if kind.binary else found["squares"],
    )
    several = found["rows"] > 1
    if not kind.whole and several.any():
        cells = _exact(attempts, cells, several, items)
    return cells, doubt_found


def _of_rows(attempts: Attempts, kind: Kind, items: int) -> tuple[Cells, int]:
    """Make a cell of each row."""
    number = "TINYINT" if kind.binary else "DOUBLE"
    is_scored, is_failed = (f"{attempts.status} = '{status}'" for status in ("scored", "failed"))
    found = _fetched(
        attempts,
        f"SELECT e.code AS entry, i.code AS item, CAST(coalesce(score, 0) AS {number}) AS total, "
        f"CASE WHEN {is_scored} THEN 0 WHEN {is_failed} THEN 1 ELSE 2 END::TINYINT AS status "
        f"FROM attempts {JOINED}",
        items,
    )
    entry, item, status = found["entry"], found["item"], found["status"]
    total = found["total"].astype(np.float64)
    again = bool(np.any((entry[1:] == entry[:-1]) & (item[1:] == item[:-1])))
    scored, failed, absent = ((status == code).astype(np.int32) for code in range(3))
    squares = total if kind.binary else total * total
    cells = Cells(entry, item, scored, failed, absent, total, squares)
    return cells, REPEATED if again else 0


def _exact(attempts: Attempts, cells: Cells, several: NDArray[np.bool_], items: int) -> Cells:
    """Sum fractions again, as whole numbers of a unit so fine that only their last bits are rounded."""
    # At least the largest score, unless that is so small that its square vanishes.
    largest = max(math.sqrt(float(cells.squares.max())), TINY)
    rows = int(cells.scored.sum(dtype=np.int64))
    sums, units = [], []
    for name, size, term in (("total", largest, "score"), ("squares", largest**2, "score * score")):
        spare = BITS - math.ceil(math.log2(size)) - rows.bit_length()
        units.append(2.0 ** min(spare, 1000))
        sums.append(f"CAST(sum(CAST({term} * {units[-1]!r} AS HUGEINT)) AS DOUBLE) AS {name}")
    found = _fetched(
        attempts,
        f"SELECT e.code AS entry, i.code AS item, {', '.join(sums)} FROM attempts {JOINED} "
        "WHERE score IS NOT NULL GROUP BY e.code, i.code",
        items,
    )
    key = _key(cells.entry, cells.item, items)
    at = np.searchsorted(key, _key(found["entry"], found["item"], items))
    total, squares = cells.total.copy(), cells.squares.copy()
    total[at], squares[at] = found["total"] / units[0], found["squares"] / units[1]
    return replace(
        cells,
        total=np.where(several, total, cells.total),
        squares=np.where(several, squares, cells.squares),
    )


def _key(entry: NDArray[np.int32], item: NDArray[np.int32], items: int) -> NDArray[np.int64]:
    return entry * np.int64(items) + item


def _fetched(attempts: Attempts, query: str, items: int) -> dict[str, NDArray[Any]]:
    """Fetch columns slice by slice, without a second copy of the whole, sorted by entry, then item."""
    execute = attempts.connection.execute
    rows = execute(f"CREATE OR REPLACE TEMP TABLE fetched AS {query}").fetchall()[0][0]
    made: dict[str, NDArray[Any]] = {}
    for start in range(0, max(rows, 1), SLICE):
        part = execute(
            f"SELECT * FROM fetched WHERE rowid >= {start} AND rowid < {start + SLICE}"
        ).fetchnumpy()
        for name, column in part.items():
            if name not in made:
                made[name] = np.empty(rows, dtype=column.dtype)
            made[name][start : start + len(column)] = column
    execute("DROP TABLE fetched")
    key = _key(made["entry"], made["item"], items)
    if bool(np.any(key[1:] < key[:-1])):
        order = np.argsort(key, kind="stable")
        del key
        for name in made:
            made[name] = made[name][order]
    return made
