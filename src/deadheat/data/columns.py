"""The canonical columns of a table of attempts, their usual other names, and any dataframe as such."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import DataError

# Names that other tools give to each column, most telling first; case and -/space/_ do not matter.
ALIASES: dict[str, tuple[str, ...]] = {
    "entry": ("model", "model_name", "system", "agent", "submission", "run", "run_id", "entry_id", "method"),
    "item": (
        "item_id",
        "question_id",
        "instance_id",
        "task_id",
        "problem_id",
        "example_id",
        "doc_id",
        "qid",
        "id",
        "question",
        "problem",
        "instance",
        "task",
    ),
    "sample": ("epoch", "repeat", "trial", "rollout", "attempt", "sample_index", "sample_id", "iteration"),
    "score": (
        "correct",
        "is_correct",
        "resolved",
        "passed",
        "success",
        "solved",
        "score_value",
        "value",
        "metric_value",
    ),
    "status": (),
    "cluster": ("repository", "repo", "passage_id", "cluster_id"),
    "category": ("subject", "subset", "domain", "categories"),
    "weight": ("item_weight",),
    "answer": ("prediction", "extracted_answer", "final_answer"),
}
RIGHT = ("true", "t", "yes", "y", "c", "correct", "pass", "passed", "resolved", "right")
WRONG = ("false", "f", "no", "n", "i", "incorrect", "fail", "failed", "unresolved", "wrong")


def canonical(found: Iterable[str]) -> dict[str, str]:
    """Say which column plays which part.

    Parameters
    ----------
    found : iterable of str
        Column names of a table.

    Returns
    -------
    dict
        Canonical name -> name as found, for the columns that play a part.
    """
    by_form = {
        name.strip().lower().replace("-", "_").replace(" ", "_"): name for name in reversed(list(found))
    }
    chosen: dict[str, str] = {}
    for part, aliases in ALIASES.items():
        name = next((by_form[form] for form in (part, *aliases) if form in by_form), None)
        if name is not None:
            chosen[part] = name
    return chosen


def score_sql(column: str, *, decimal_comma: bool = False) -> str:
    """Give the SQL that turns a text column of scores into numbers.

    Words for right and wrong become 1 and 0, empty text no score; anything else that is not a number
    becomes NaN, which the check of attempts refuses.
    """

    def listed(words: tuple[str, ...]) -> str:
        return ", ".join(f"'{word}'" for word in words)

    number = f"replace({column}, ',', '.')" if decimal_comma else column
    return (
        f"CASE WHEN {column} IS NULL OR trim({column}) = '' THEN NULL "
        f"WHEN lower(trim({column})) IN ({listed(RIGHT)}) THEN 1.0 "
        f"WHEN lower(trim({column})) IN ({listed(WRONG)}) THEN 0.0 "
        f"ELSE coalesce(TRY_CAST({number} AS DOUBLE), 'NaN'::DOUBLE) END"
    )


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


def from_frame(frame: Any) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Take the canonical columns out of a dataframe.

    Parameters
    ----------
    frame : dataframe
        Anything narwhals reads (pandas, polars, pyarrow, Modin, cuDF, lazy frames), a DuckDB relation, or
        a mapping of columns.

    Returns
    -------
    columns : dict of str to (rows,) array
        Canonical names first, then the other columns.
    renamed : dict
        Names as found -> canonical, where they differ.
    """
    columns: Mapping[str, NDArray[Any]]
    if isinstance(frame, Mapping):
        columns = {name: np.asarray(column) for name, column in frame.items()}
    elif type(frame).__name__ == "DuckDBPyRelation":
        columns = {name: _filled(column) for name, column in frame.fetchnumpy().items()}
    else:
        import narwhals as nw

        native = nw.from_native(frame)
        eager = native.collect() if isinstance(native, nw.LazyFrame) else native
        columns = {name: _plain(eager[name]) for name in eager.columns}
    parts = canonical(columns)
    for needed in ("entry", "item", "score"):
        if needed not in parts:
            raise DataError(
                f"a table of attempts needs the columns entry, item and score; found {', '.join(columns)}"
            )
    taken = {part: columns[name] for part, name in parts.items()}
    for label in ("entry", "item", "sample", "status", "cluster", "category", "answer"):
        if label in taken:
            taken[label] = _text(taken[label])
    if taken["score"].dtype.kind not in "fiub":
        taken["score"] = parse_scores(taken["score"])
    taken["score"] = taken["score"].astype(np.float64)
    if np.isinf(taken["score"]).any():
        raise DataError("scores are finite numbers; found Infinity")
    rest = {name: _text(column) for name, column in columns.items() if name not in parts.values()}
    return taken | rest, {name: part for part, name in parts.items() if name != part}


def _filled(column: Any) -> NDArray[Any]:
    """Unmask a column that DuckDB gave: None for text, NaN for numbers."""
    if not np.ma.isMaskedArray(column):
        return np.asarray(column)
    kind = np.float64 if column.dtype.kind in "fiub" else object
    filled: NDArray[Any] = np.ma.filled(column.astype(kind), np.nan if kind is np.float64 else None)
    return filled


def _plain(series: Any) -> NDArray[Any]:
    """One narwhals series as numpy: numbers as they are, everything else as objects."""
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
