"""lighteval details: one Parquet file a task, with the metrics of each sample; the texts stay in the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import msgspec

from deadheat.data.batch import Batch, quoted
from deadheat.errors import MalformedFile
from deadheat.readers.base import PARQUET, Options, Reader, Source
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, choose

NUMBERS = ("DOUBLE", "FLOAT", "BIGINT", "INTEGER", "BOOLEAN", "TINYINT", "SMALLINT", "HUGEINT")
TIME = re.compile(r"_(\d{4}-\d\d-\d\dT[^_]*)$")


class _Results(msgspec.Struct):
    results: dict[str, dict[str, Any]] = {}


def _claims(source: Source) -> bool:
    if source.head.startswith(PARQUET):
        columns = _columns(source)
        return ("doc" in columns and "metric" in columns) or {"full_prompt", "metrics"} <= set(columns)
    return outline(source.head).has("config_general", "results")


def _columns(source: Source) -> dict[str, str]:
    try:
        scan = f"DESCRIBE FROM read_parquet({source.scanned})"
        return {row[0]: row[1] for row in source.connection.execute(scan).fetchall()}
    except duckdb.Error:
        return {}


def _read(source: Source, options: Options) -> Sequence[Batch]:
    if not source.head.startswith(PARQUET):
        return []
    columns = _columns(source)
    struct = "metric" if "metric" in columns else "metrics"
    scan = f"read_parquet({source.scanned})"
    metrics = _metrics(source, f"SELECT {struct}.* FROM {scan}")
    if not metrics:
        raise MalformedFile(f"{source.path}: no metric with one number a sample in the column {struct}")
    metric = choose(options, "metric", metrics, str(source.path))
    task, time = _task_and_time(source)
    entry = _entry(source, time)
    id = "doc.id" if "doc" in columns and re.search(r"\bid VARCHAR", columns["doc"]) else "NULL"
    found = source.connection.execute(
        f"SELECT {id}, CAST({struct}.{quoted(metric)} AS DOUBLE) FROM {scan}"
    ).fetchall()
    rows = Rows("category")
    for position, (named, score) in enumerate(found):
        score = None if score is None or score != score else score
        rows.add(entry, f"{task}/{named or position}", score, extra=[task])
    batch = rows.batch(source, "lighteval")
    return [replace(batch, published=_published(source, entry, task, metric, time), task=task, time=time)]


def _metrics(source: Source, query: str) -> list[str]:
    """Fields of the struct of metrics that hold one number."""
    try:
        described = source.connection.execute(f"DESCRIBE {query}").fetchall()
    except duckdb.Error as error:
        raise MalformedFile(f"{source.path}: the metrics are not a struct ({error})") from error
    return [row[0] for row in described if row[1] in NUMBERS]


def _task_and_time(source: Source) -> tuple[str, str]:
    stem = source.stem if not TIME.search(source.path.stem) else source.path.stem
    time = TIME.search(stem)
    return TIME.sub("", stem).removeprefix("details_"), time[1] if time else ""


def _entry(source: Source, time: str) -> str:
    """Folders between `details` and the time, which are the model's name."""
    folders = [folder.name for folder in source.path.parents]
    if time and folders[0] == time:
        folders = folders[1:]
    if "details" in folders:
        folders = folders[: folders.index("details")]
        return "/".join(folders[::-1]) or source.entry
    return folders[0] or source.entry


def _published(source: Source, entry: str, task: str, metric: str, time: str) -> dict[str, float]:
    """Mean in `results/MODEL/results_TIME.json`, where the folders lie as lighteval writes them."""
    parts = list(source.path.parts)
    if "details" not in parts:
        return {}
    at = len(parts) - 1 - parts[::-1].index("details")
    path = Path(*parts[:at], "results", entry, f"results_{time}.json")
    if not path.exists():
        return {}
    rate = source.beside(path).json(_Results).results.get(task, {}).get(metric)
    return {entry: float(rate)} if isinstance(rate, int | float) and 0 <= rate <= 1 else {}


READERS = (
    Reader(
        name="lighteval",
        title="lighteval details",
        recognised="Parquet with the columns doc and metric (or full_prompt and metrics)",
        entry="folders between `details` and the time",
        item="task/doc.id, else the row",
        sample="one: several answers are reduced by the metric",
        score="field of the metrics, metric=NAME",
        failed="not recorded",
        absent="null or NaN",
        claims=_claims,
        read=_read,
    ),
)
