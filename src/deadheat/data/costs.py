"""What attempts cost: a column of tokens, seconds or dollars, reduced to one number per cell."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.data.batch import quoted
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError, listed

Floats = NDArray[np.float64]


class CellCosts(NamedTuple):
    """Sum of the known costs of each cell's attempts, and how many are known, (rows of cells,) each."""

    total: Floats
    known: NDArray[np.int64]


def costs_of(table: Table, column: str, what: str = "costs") -> CellCosts:
    """Add up what the attempts of each cell cost, or another number of 0 or more.

    Parameters
    ----------
    table : Table
    column : str
        A column of numbers, not negative; an empty cell says that the cost is not known, not that it is 0.
    what : str
        What the numbers are, for messages.

    Returns
    -------
    CellCosts

    Raises
    ------
    MethodError
        No such column.
    DataError
        A cost that is negative or not a number.
    """
    attempts = table.attempts
    name = {part: found for found, part in table.renamed.items()}.get(column, column)
    known = [] if attempts is None else attempts.columns
    column = column if column in known else name
    if attempts is None or column not in known:
        usable = [each for each in known if each not in ("entry", "item", "sample", "score", "status")]
        raise MethodError(
            f"no column {column!r} of {what} in these results; found {listed(usable) or 'none'}"
        )
    text, source = quoted(column), "read_rows"
    number = f"TRY_CAST({text} AS DOUBLE)"
    strange = (
        f"{text} IS NOT NULL AND trim(CAST({text} AS VARCHAR)) <> '' AND "
        f"({number} IS NULL OR NOT isfinite({number}) OR {number} < 0)"
    )
    query = attempts.connection.execute
    bad = query(f"SELECT DISTINCT CAST({text} AS VARCHAR) FROM {source} WHERE {strange} ORDER BY 1 LIMIT 4")
    if words := [repr(word) for (word,) in bad.fetchall()]:
        raise DataError(
            f"{what} in the column {column} are numbers, 0 or more; found {listed(words, 3)}: leave a cell "
            "empty where it is not known"
        )
    found = query(
        f"SELECT e.code AS entry, i.code AS item, sum({number}) AS cost, count({number}) AS known "
        f"FROM {source} JOIN entry_codes e USING (entry) JOIN item_codes i USING (item) "
        "GROUP BY e.code, i.code"
    ).fetchnumpy()
    items = np.int64(len(table.items))
    key = table.cells.entry * items + table.cells.item
    total, paid = np.zeros(len(key)), np.zeros(len(key), dtype=np.int64)
    at = np.searchsorted(key, found["entry"] * items + found["item"])
    total[at] = np.ma.filled(np.ma.asarray(found["cost"], dtype=np.float64), 0.0)
    paid[at] = found["known"]
    return CellCosts(total, paid)
