"""Attempts reduced where they lie, by Spark, DuckDB, ibis, Dask or polars: only the reduced table travels."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from deadheat.data.attempts import LARGEST, SHOWN
from deadheat.data.batch import STATUSES
from deadheat.data.cells import Cells
from deadheat.data.columns import canonical
from deadheat.data.table import Table
from deadheat.errors import DataError, DuplicateAttempt, MissingExtra, MissingScore
from deadheat.results import File, Note

if TYPE_CHECKING:
    import narwhals as nw

ABOUT_ITEMS = ("cluster", "category", "weight")

# Faults of a row -> what is said of them, and by which error.
FAULTS: Mapping[str, tuple[type[DataError], str]] = {
    "unnamed": (DataError, "every attempt needs an entry and an item; some have none"),
    "unfinished": (MissingScore, "scores are finite numbers; found an infinite one"),
    "unknown": (DataError, f"a status is one of {', '.join(STATUSES)}; found another"),
    "bare": (MissingScore, "an attempt of status scored has a score; found none"),
    "contradictory": (DataError, "an attempt that failed or is absent has no score; found one"),
    "huge": (DataError, f"a score is at most {LARGEST:g} in size; found a larger one; use another unit"),
}


def reduce(frame: Any, columns: Sequence[str] = ()) -> Table:
    """Reduce attempts inside the engine that holds them, and make a table of the result.

    One lazy query groups the attempts by entry and item: how many were scored, failed and absent, the sum of
    their scores and of its squares, and what is said of the item. It runs wherever the frame lives; only its
    result, a row an (entry, item), comes here.

    Parameters
    ----------
    frame : dataframe
        Anything narwhals reads: a Spark or Dask dataframe, a DuckDB relation, an ibis table (ClickHouse,
        BigQuery, …), a lazy or eager polars frame, pandas, pyarrow. Columns as in `Table.from_frame`;
        scores are numbers or booleans.
    columns : sequence of str
        Further columns that say something of each item, for clusters and categories.

    Returns
    -------
    Table
        As `Table.from_frame` makes it, but without the attempts themselves, so that votes over answers
        (maj@k) cannot be asked for. Sums of whole scores are exact; fractions are summed in the engine's
        own order, so that their last digits may differ.

    Raises
    ------
    DataError
        A column is missing, or attempts contradict themselves.
    DuplicateAttempt
        The same entry, item and sample twice, or attempts of a cell with and without a label.
    MissingExtra
        The engine's result cannot be fetched without a package that is not installed.
    """
    import narwhals as nw

    lazy = nw.from_native(frame).lazy()
    schema = lazy.collect_schema()
    parts = canonical(schema.names())
    for needed in ("entry", "item", "score"):
        if needed not in parts:
            raise DataError(
                "a table of attempts needs the columns entry, item and score; "
                f"found {', '.join(schema.names())}"
            )
    kind = schema[parts["score"]]
    if not (kind.is_numeric() or kind == nw.Boolean):
        raise DataError(
            f"the column {parts['score']} holds {kind}; an engine sums numbers and booleans: cast it first"
        )
    missing = [name for name in columns if name not in schema.names()]
    if missing:
        raise DataError(f"no column {', '.join(missing)} in this frame; found {', '.join(schema.names())}")
    carried = {name: parts[name] for name in ABOUT_ITEMS if name in parts}
    carried |= {name: name for name in columns if name not in parts.values()}
    found = _fetched(_grouped(lazy, parts, carried))
    origin = type(frame).__module__.split(".")[0] + " frame"
    return _table(found, parts, list(carried), origin)


def _grouped(lazy: nw.LazyFrame[Any], parts: Mapping[str, str], carried: Mapping[str, str]) -> Any:
    """The query: rows first by attempt, so that a repeat shows, then by entry and item."""
    import narwhals as nw

    label = {name: nw.col(parts[name]).cast(nw.String).fill_null("") for name in ("entry", "item")}
    label["sample"] = nw.lit("")
    if "sample" in parts:
        label["sample"] = nw.col(parts["sample"]).cast(nw.String).fill_null("")
    # A sum of booleans is no number everywhere.
    number = nw.col(parts["score"]).cast(nw.Float64)
    rows = lazy.select(
        **{f"dh_{name}": expression for name, expression in label.items()},
        dh_score=nw.when(~number.is_nan()).then(number),
        **({"dh_stated": nw.col(parts["status"]).cast(nw.String)} if "status" in parts else {}),
        **{
            f"dh_of_{at}": nw.col(found).cast(nw.Float64 if name == "weight" else nw.String)
            for at, (name, found) in enumerate(carried.items())
        },
    )
    score = nw.col("dh_score")
    rows = rows.with_columns(dh_held=score.fill_null(0.0), dh_bare=score.is_null())
    held, bare = nw.col("dh_held"), nw.col("dh_bare")
    status = nw.when(bare).then(nw.lit("absent")).otherwise(nw.lit("scored"))
    if "status" in parts:
        stated = nw.col("dh_stated")
        status = nw.when(~stated.is_null()).then(stated).otherwise(status)
    rows = rows.with_columns(dh_status=status)
    status = nw.col("dh_status")
    finite = held.abs() <= 1.7e308
    faults = {
        "unnamed": (nw.col("dh_entry") == "") | (nw.col("dh_item") == ""),
        "unfinished": ~finite,
        "unknown": ~((status == "scored") | (status == "failed") | (status == "absent")),
        "bare": (status == "scored") & bare,
        "contradictory": ((status == "failed") | (status == "absent")) & (held != 0.0),
        "huge": finite & (held.abs() > LARGEST),
    }
    flags = {
        "rows": ~status.is_null(),
        "scored": status == "scored",
        "failed": status == "failed",
        "graded": (held != 0.0) & (held != 1.0),
        "outside": (held < 0.0) | (held > 1.0),
        **faults,
    }
    one, zero = nw.lit(1).cast(nw.Int64), nw.lit(0).cast(nw.Int64)
    sums = [*flags, "total", "squares"]
    rows = rows.with_columns(
        **{f"dh_{name}": nw.when(flag).then(one).otherwise(zero) for name, flag in flags.items()},
        dh_total=held,
        dh_squares=held * held,
    )
    added = [nw.col(f"dh_{name}").sum().alias(f"dh_{name}") for name in sums]
    about = [f"dh_of_{at}" for at in range(len(carried))]
    by_attempt = rows.group_by("dh_entry", "dh_item", "dh_sample").agg(
        *added,
        *[nw.col(name).min().alias(f"{name}_low") for name in about],
        *[nw.col(name).max().alias(f"{name}_high") for name in about],
    )
    labelled = nw.when(nw.col("dh_sample") != "").then(nw.col("dh_rows")).otherwise(zero)
    return (
        by_attempt.with_columns(dh_labelled=labelled, dh_most=nw.col("dh_rows"))
        .group_by("dh_entry", "dh_item")
        .agg(
            *added,
            nw.col("dh_labelled").sum().alias("dh_labelled"),
            nw.col("dh_most").max().alias("dh_most"),
            *[nw.col(f"{name}_low").min().alias(f"{name}_low") for name in about],
            *[nw.col(f"{name}_high").max().alias(f"{name}_high") for name in about],
        )
    )


def _fetched(grouped: Any) -> dict[str, NDArray[Any]]:
    """Run the query and take its columns, names without their prefix."""
    native = grouped.to_native()
    if type(native).__name__ == "DuckDBPyRelation":
        columns = {name: np.ma.filled(column, None) for name, column in native.fetchnumpy().items()}
    else:
        try:
            eager = grouped.collect()
        except ModuleNotFoundError as error:
            raise MissingExtra(
                f"the result of the engine is fetched through {error.name}, which is not installed: "
                f"pip install {error.name}"
            ) from error
        columns = {name: np.array(eager[name].to_list(), dtype=object) for name in eager.columns}
    return {name.removeprefix("dh_"): column for name, column in columns.items()}


def _table(
    found: Mapping[str, NDArray[Any]], parts: Mapping[str, str], carried: Sequence[str], origin: str
) -> Table:
    """Check what came and order it."""
    if not len(found["entry"]):
        raise DataError(f"no attempt in {origin}")
    number = {name: found[name].astype(np.int64) for name in COUNTS}
    spelled = list(zip(found["entry"].tolist(), found["item"].tolist(), strict=True))
    for fault, (error, text) in FAULTS.items():
        if number[fault].any():
            raise error(f"{text}: {_first(spelled, number[fault] > 0)}")
    entry, entries, respelled_entries = _codes(found["entry"])
    item, items, respelled_items = _codes(found["item"])
    respelled = respelled_entries + respelled_items
    order = np.argsort(entry * np.int64(len(items)) + item, kind="stable")
    key = (entry * np.int64(len(items)) + item)[order]
    twice = np.zeros(len(key), dtype=bool)
    twice[order[1:]] = key[1:] == key[:-1]
    if twice.any():
        raise DuplicateAttempt(
            "one label was found in two Unicode forms at the same entry and item: "
            f"{_first(spelled, twice)}; bring ids to one form"
        )
    _check_repeats(spelled, number, "sample" in parts)
    total = found["total"].astype(np.float64)[order]
    binary = not number["graded"].any()
    cells = Cells(
        entry=entry[order].astype(np.int32),
        item=item[order].astype(np.int32),
        scored=number["scored"][order].astype(np.int32),
        failed=number["failed"][order].astype(np.int32),
        absent=(number["rows"] - number["scored"] - number["failed"])[order].astype(np.int32),
        total=total,
        squares=total if binary else found["squares"].astype(np.float64)[order],
    )
    notes = []
    if respelled:
        text = f"{respelled} ids matched after Unicode normalisation (composed characters)"
        notes.append(Note(code="ids-normalised", text=text))
    attributes = {}
    for at, name in enumerate(carried):
        said = _attribute(found[f"of_{at}_low"], found[f"of_{at}_high"], item, len(items))
        if isinstance(said, int):
            text = f"the column {name} says several things of one item ({items[said]}), and is left out"
            notes.append(Note(code="column-left-out", text=text))
        else:
            attributes[name] = said
    return Table(
        entries=entries,
        items=items,
        cells=cells,
        binary=binary,
        rates=not number["outside"].any(),
        attributes=attributes,
        files=(File(path=origin, sha256="", format="reduced", rows=int(number["rows"].sum())),),
        renamed={name: part for part, name in parts.items() if name != part},
        notes=tuple(notes),
    )


COUNTS = ("rows", "scored", "failed", "labelled", "most", "graded", "outside", *FAULTS)


def _check_repeats(
    spelled: Sequence[tuple[str, str]], number: Mapping[str, NDArray[Any]], sampled: bool
) -> None:
    """Refuse attempts that occur twice, as far as labels can tell."""
    mixed = (number["labelled"] > 0) & (number["labelled"] < number["rows"])
    if mixed.any():
        raise DuplicateAttempt(
            "attempts with and without a sample label were found at the same entry and item, which are "
            f"likely the same results twice: {_first(spelled, mixed)}; label every attempt"
        )
    again = number["most"] > 1
    if again.any():
        what = "entry, item, sample" if sampled else "entry, item"
        remedy = "keep distinct rows only" if sampled else "add a column `sample` that numbers the attempts"
        raise DuplicateAttempt(
            f"each ({what}) may occur once; found {_first(spelled, again)} again; {remedy}"
        )


def _first(spelled: Sequence[tuple[str, str]], where: NDArray[np.bool_]) -> str:
    cells = sorted(spelled[at] for at in np.flatnonzero(where).tolist())[:SHOWN]
    return "; ".join(f"({entry or 'empty'}, {item or 'empty'})" for entry, item in cells)


def _codes(labels: NDArray[Any]) -> tuple[NDArray[np.int64], tuple[str, ...], int]:
    """Number labels in the sorted order of their composed forms; how many were spelled otherwise."""
    spelled = sorted(set(labels.tolist()))
    forms = {label: unicodedata.normalize("NFC", label) for label in spelled}
    distinct = sorted(set(forms.values()))
    code = {label: at for at, label in enumerate(distinct)}
    number = {label: code[form] for label, form in forms.items()}
    codes = np.fromiter((number[label] for label in labels.tolist()), dtype=np.int64, count=len(labels))
    return codes, tuple(distinct), sum(label != form for label, form in forms.items())


def _attribute(
    low: NDArray[Any], high: NDArray[Any], item: NDArray[np.int64], items: int
) -> NDArray[Any] | int:
    """What a column says of each item; or an item of which it says several things."""
    values = np.full(items, None, dtype=object)
    for at, least, most in zip(item.tolist(), low.tolist(), high.tolist(), strict=True):
        if least is None or least != least:
            continue
        if least != most or values[at] not in (None, least):
            return int(at)
        values[at] = least
    return values
