"""Results as plain data: the keys of the JSON document as a dict, and its tables as dataframes."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import msgspec

from deadheat.errors import DataError, MethodError, MissingExtra
from deadheat.report import csv
from deadheat.results import Board, Document

LIBRARIES = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}
"""Libraries of dataframes, and what makes one of a mapping of columns."""


def to_dict(document: Document) -> dict[str, Any]:
    """Give a document as dicts, tuples, texts and numbers: the keys and values of its JSON.

    Parameters
    ----------
    document : Document
        Any result document.
    """
    built: dict[str, Any] = msgspec.to_builtins(document)
    return built


def to_frame(document: Document, library: str | None = None) -> Any:
    """Give the main table of a document as a dataframe, with the columns of its CSV and full precision.

    Parameters
    ----------
    document : Document
        Any result document: the entries of a board, the pairs of a comparison, the rows of a study, ….
    library : str or None
        ``pandas``, ``polars`` or ``pyarrow``. None takes the first of them that is imported already, then
        the first that is installed.

    Returns
    -------
    dataframe
        What cannot be known is null (NaN in a column of numbers of pandas).

    Raises
    ------
    MissingExtra
        None of the libraries, or not the one that was asked for, is installed.
    """
    rows = csv.records(document)
    keys = dict.fromkeys(key for row in rows for key in row)
    return _frame({key: [row.get(key) for row in rows] for key in keys}, library)


def pairs_frame(board: Board, library: str | None = None) -> Any:
    """Give all pairs of a board as a dataframe, one row per pair.

    Parameters
    ----------
    board : Board
        Made with ``every_pair=True``.
    library : str or None
        As for ``to_frame``.

    Returns
    -------
    dataframe
        ``a`` stands above ``b`` on the board; ``difference``, ``low`` and ``high`` are a - b; ``a_only`` and
        ``b_only`` count the items that only one of them got right. The rest is as in `Board.pairs`.

    Raises
    ------
    DataError
        The board has no pairs.
    MissingExtra
        As for ``to_frame``.
    """
    pairs = board.pairs
    if pairs is None:
        raise DataError("this board holds no table of all pairs; make it with rank(…, every_pair=True)")
    # The record is about each entry against those above it, row by row of a lower triangle.
    above = [name for row in range(len(pairs.entries)) for name in pairs.entries[:row]]
    below = [name for row, name in enumerate(pairs.entries) for _ in range(row)]
    columns = {
        "a": above,
        "b": below,
        "items": pairs.items,
        "difference": _negated(pairs.difference),
        "low": _negated(pairs.high),
        "high": _negated(pairs.low),
        "p": pairs.p,
        "log10_p": pairs.log10_p,
        "p_adjusted": pairs.p_adjusted,
        "smallest_visible": pairs.smallest_visible,
        "a_only": pairs.column_only,
        "b_only": pairs.row_only,
    }
    return _frame({key: list(column) for key, column in columns.items() if column is not None}, library)


def _negated(values: Sequence[float | None]) -> list[float | None]:
    return [None if value is None else 0.0 - value for value in values]


def _frame(columns: Mapping[str, Sequence[Any]], library: str | None) -> Any:
    if library is not None and library not in LIBRARIES:
        raise MethodError(f"no library {library!r} of dataframes; known are {', '.join(LIBRARIES)}")
    wanted = (library,) if library else sorted(LIBRARIES, key=lambda name: name not in sys.modules)
    name = next((name for name in wanted if find_spec(name)), None)
    if name is None:
        raise MissingExtra(f"a dataframe needs {' or '.join(wanted)}: pip install {wanted[0]}")
    if name == "pandas":  # numbers of which none is known
        columns = {
            key: [float("nan")] * len(column) if set(column) == {None} else column
            for key, column in columns.items()
        }
    return getattr(import_module(name), LIBRARIES[name])(columns)
