"""Any dataframe as the canonical columns of a table of attempts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.data.roles import RIGHT, WRONG, canonical, carried, check_parts, status_of, which_metric
from deadheat.errors import DataError, MissingScore


def parse_scores(values: Iterable[object]) -> NDArray[np.float64]:
    """Turn scores of any usual spelling into numbers.

    Parameters
    ----------
    values : iterable
        Numbers, booleans, or words such as ``C``, ``I``, ``true``, ``no``; None and empty text mean no score.

    Returns
    -------
    (n,) float64 array
        NaN where there is no score.

    Raises
    ------
    DataError
        For a value that is no score, naming it and its position.
    """
    parsed: list[float] = []
    for position, value in enumerate(values):
        text = "" if value is None else str(value).strip().lower()
        if text in RIGHT:
            parsed.append(1.0)
        elif text in WRONG:
            parsed.append(0.0)
        elif text == "":
            parsed.append(np.nan)
        else:
            try:
                number = float(text)
            except ValueError:
                raise DataError(f"score {position + 1} is not a number: {value!r}") from None
            if not np.isfinite(number):
                raise DataError(
                    f"score {position + 1} is not finite: {value!r}; leave it empty if there is none"
                )
            parsed.append(number)
    return np.array(parsed)


def from_frame(
    frame: Any, named: Mapping[str, str] | None = None, metric: str | None = None
) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Take the canonical columns out of a dataframe.

    Parameters
    ----------
    frame : dataframe
        Anything narwhals reads (pandas, polars, pyarrow, Modin, cuDF, lazy frames), a DuckDB relation, or
        a mapping of columns.
    named : mapping or None
        Part -> column, before any usual name.
    metric : str or None
        Of a frame with several metrics per attempt in a column ``metric``, the one to take.

    Returns
    -------
    columns : dict of str to (rows,) array
        Canonical names first, then the other columns.
    renamed : dict
        Names as found -> part, where they differ.

    Raises
    ------
    DataError
        A part that no column plays, or a label that is neither text nor number.
    MissingScore
        A score that is not a finite number. NaN says that there is no score in pandas and numpy, which have
        no other word for it; where there is a null, as in a file, NaN is refused.
    MethodError
        Several metrics and none chosen.
    """
    columns = _columns(frame)
    parts = canonical(columns, named)
    check_parts(list(columns), parts, ("entry", "item", "score"))
    taken = {part: columns[name] for part, name in parts.items() if part != "metric"}
    for label in ("entry", "item", "sample", "status", "cluster", "category", "answer", "human"):
        if label in taken:
            taken[label] = _text(taken[label])
    if "status" in taken:
        taken["status"] = np.array([status_of(word) for word in taken["status"]], dtype=object)
        if parts["status"] == parts["score"]:  # a verdict, or why there is none
            score = taken["score"].astype(object)
            score[np.isin(taken["status"].astype(str), ("failed", "absent"))] = None
            taken["score"] = score
    if taken["score"].dtype.kind not in "fiub":
        taken["score"] = parse_scores(taken["score"])
    taken["score"] = taken["score"].astype(np.float64)
    if np.isinf(taken["score"]).any():
        raise MissingScore("scores are finite numbers; found Infinity")
    rest = {
        carried(name): _text(column)
        for name, column in columns.items()
        if name and name not in parts.values()
    }
    renamed = {name: part for part, name in parts.items() if name != part}
    if "metric" in parts:
        said = _text(columns[parts["metric"]])
        kept = _of_metric(said, taken, metric)
        made = {name: column[kept] for name, column in (taken | rest).items()}
        return made | {"metric": said[kept]}, renamed
    return taken | rest, renamed


def _of_metric(said: NDArray[Any], taken: Mapping[str, NDArray[Any]], asked: str | None) -> NDArray[Any]:
    """Rows of the chosen metric; all of them where each attempt has one metric of its own."""
    found = sorted({str(name) for name in said})
    keys = [taken[part].tolist() for part in ("entry", "item", "sample") if part in taken]
    attempts = set(zip(*keys, strict=True))
    if asked is None and len(found) > 1 and len(set(zip(*keys, said.tolist(), strict=True))) == len(attempts):
        return np.ones(len(said), dtype=bool)
    return np.asarray(said.astype(str) == which_metric(found, asked))


def _columns(frame: Any) -> dict[str, NDArray[Any]]:
    """The columns of a frame of any kind, by name."""
    if isinstance(frame, Mapping):
        return {str(name): np.asarray(column) for name, column in frame.items()}
    if type(frame).__name__ == "DuckDBPyRelation":
        return {name: _filled(column) for name, column in frame.fetchnumpy().items()}
    import narwhals as nw

    native = nw.from_native(frame)
    eager = native.collect() if isinstance(native, nw.LazyFrame) else native
    # A NaN of pandas is a null; elsewhere it is a number that is none.
    nulls = not eager.implementation.is_pandas_like()
    return {name: _plain(eager[name], nulls=nulls) for name in eager.columns}


def _filled(column: Any) -> NDArray[Any]:
    """Unmask a column that DuckDB gave: None for text, NaN for numbers."""
    if not np.ma.isMaskedArray(column):
        return np.asarray(column)
    kind = np.float64 if column.dtype.kind in "fiub" else object
    filled: NDArray[Any] = np.ma.filled(column.astype(kind), np.nan if kind is np.float64 else None)
    return filled


def _plain(series: Any, *, nulls: bool) -> NDArray[Any]:
    """One narwhals series as numpy: numbers as they are, everything else as objects."""
    if series.dtype.is_float() and nulls and (missing := int(series.is_nan().sum())):
        raise MissingScore(
            f"numbers are finite; of {len(series)} rows {missing} hold NaN in the column {series.name!r}; "
            "leave a score null to say that there is none"
        )
    if series.dtype.is_numeric():
        return np.asarray(series.to_numpy())
    return np.array(series.to_list(), dtype=object)


def _text(column: NDArray[Any]) -> NDArray[Any]:
    """Labels as text; whole numbers without a decimal point, missing ones as None."""

    def word(value: Any) -> str | None:
        if value is None or value != value:
            return None
        if isinstance(value, float | np.floating) and float(value).is_integer():
            return str(int(value))
        return str(value)

    distinct, codes = _distinct(column)
    return np.array([word(value) for value in distinct], dtype=object)[codes]


def _distinct(column: NDArray[Any]) -> tuple[list[Any], NDArray[np.intp]]:
    seen: dict[Any, int] = {}
    try:
        codes = np.fromiter(
            (seen.setdefault(v, len(seen)) for v in column.tolist()), dtype=np.intp, count=len(column)
        )
    except TypeError as error:
        found = next((v for v in column.tolist() if not isinstance(v, Hashable)), column[0])
        raise DataError(f"a label is a text or a number; found {found!r:.60}") from error
    return list(seen), codes
