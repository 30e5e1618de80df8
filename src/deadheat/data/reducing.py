"""Attempts reduced where they lie, by Spark, DuckDB, ibis, Dask or polars: only the reduced table travels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from deadheat.data.attempts import LARGEST
from deadheat.data.direction import lower_is_better
from deadheat.data.reduced_rows import table_of
from deadheat.data.roles import MEANINGS, canonical, check_parts
from deadheat.data.table import Table
from deadheat.errors import DataError, MissingExtra

if TYPE_CHECKING:
    import narwhals as nw

ABOUT_ITEMS = ("cluster", "category", "weight")


def reduce(
    frame: Any,
    columns: Sequence[str] = (),
    *,
    named: Mapping[str, str] | None = None,
    metric: str | None = None,
) -> Table:
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
    named : mapping or None
        Part -> column, before any usual name: ``{"item": "index"}``.
    metric : str or None
        Of a long table with a column ``metric``, the one to take.

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
    parts = canonical(schema.names(), named)
    check_parts(schema.names(), parts, ("entry", "item", "score"))
    if metric is not None:
        check_parts(schema.names(), parts, ("metric",))
        lazy = lazy.filter(nw.col(parts["metric"]).cast(nw.String) == metric)
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
    table = table_of(found, parts, list(carried), origin)
    return replace(table, lower_is_better=lower_is_better(metric or parts["score"]))


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
        **({"dh_stated": _status(nw.col(parts["status"]).cast(nw.String))} if "status" in parts else {}),
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


def _status(said: nw.Expr) -> nw.Expr:
    """The status that a tool's word stands for."""
    import narwhals as nw

    word, found = said.str.to_lowercase(), said
    for status, words in MEANINGS.items():
        found = nw.when(word.is_in([status, *words])).then(nw.lit(status)).otherwise(found)
    return found


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
