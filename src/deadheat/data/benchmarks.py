"""Several benchmarks in one table: all attempts, each item within its benchmark, which is its category."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.data.batch import COLUMNS, quoted
from deadheat.data.table import Table
from deadheat.errors import DataError, listed


def merged(tables: Mapping[str, Table], further: Sequence[str] = ()) -> Table:
    """Put several benchmarks into one table, attempt by attempt.

    Parameters
    ----------
    tables : mapping of str to Table
        Benchmark -> its results, read from files; entries are matched by their names.
    further : sequence of str
        Columns to keep besides the canonical ones, where a benchmark has them.

    Raises
    ------
    DataError
        Lower is better in one benchmark, and higher in another.
    """
    lower = [name for name, table in tables.items() if table.lower_is_better]
    higher = [name for name, table in tables.items() if not table.lower_is_better]
    if lower and higher:
        raise DataError(
            f"benchmarks are put together where their scores run the same way; lower is better in "
            f"{listed(lower, 3)}, and higher in {listed(higher, 3)}: rank each on its own"
        )
    read = {name: _attempts(table, further) for name, table in tables.items()}
    sizes = {name: len(columns["entry"]) for name, columns in read.items()}
    names = dict.fromkeys(column for columns in read.values() for column in columns)
    joined = {
        column: np.concatenate(
            [columns.get(column, np.full(sizes[name], None, dtype=object)) for name, columns in read.items()]
        )
        for column in names
    }
    joined["item"] = np.concatenate([f"{name}/" + columns["item"] for name, columns in read.items()])
    joined["category"] = np.repeat(np.array(list(read), dtype=object), list(sizes.values()))
    renamed = {found: part for table in tables.values() for found, part in table.renamed.items()}
    return replace(
        Table.from_columns(joined, origin="benchmarks"),
        files=tuple(file for table in tables.values() for file in table.files),
        renamed={found: part for found, part in renamed.items() if part != "category"},
        notes=tuple(dict.fromkeys(note for table in tables.values() for note in table.notes)),
        lower_is_better=bool(lower) or None,
    )


def _attempts(table: Table, further: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Give the attempts of a table as columns, with None where a cell is empty."""
    assert table.attempts is not None, "a table of files"
    wanted = {*COLUMNS, *further, *(table.renamed.get(name, name) for name in further)} - {"category"}
    columns = [name for name in table.attempts.columns if name in wanted]
    query = f"SELECT {', '.join(map(quoted, columns))} FROM read_rows"
    found = table.attempts.connection.execute(query).fetchnumpy()
    out = {}
    for name, column in found.items():
        out[name] = np.ma.getdata(column).astype(object)
        out[name][np.ma.getmaskarray(column)] = None
    return out
