"""What a caller hands to a verb, whatever it is: a table, a dataframe, or paths to read."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

from deadheat.data.panel import settled
from deadheat.data.table import Table
from deadheat.errors import DataError
from deadheat.estimand import Estimand

Results: TypeAlias = Table | str | Path | list[str] | list[Path] | Any


def table_of(results: Results) -> Table:
    """Give the table of some results.

    Parameters
    ----------
    results : Table, dataframe, path or list of paths
        Paths are read as `read` does it, anything else is taken as `Table.from_frame` does it.

    Raises
    ------
    DataError
        Something that is none of these.
    """
    if isinstance(results, Table):
        return results
    if isinstance(results, str | Path) or (
        isinstance(results, list | tuple) and all(isinstance(each, str | Path) for each in results)
    ):
        from deadheat.readers import read

        return read(results)
    try:
        return Table.from_frame(results)
    except TypeError as error:
        raise DataError(
            f"results are a Table, a dataframe or paths of files; found {type(results).__name__} ({error})"
        ) from error


def taken(results: Results, estimand: Estimand | None) -> tuple[Table, Estimand]:
    """Give the table of some results, and the estimand with the direction that they state."""
    table = table_of(results)
    return table, settled(table, estimand or Estimand())
