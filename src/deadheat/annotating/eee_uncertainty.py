"""An aggregate record of Every Eval Ever, with the uncertainty that its own instance records support."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from deadheat.errors import MalformedFile, ReadError
from deadheat.estimand import Estimand
from deadheat.readers.base import Source
from deadheat.readers.every_eval_ever import Instance, instance_rows
from deadheat.readers.lines import json_lines
from deadheat.version import VERSION

if TYPE_CHECKING:
    from deadheat.evidence.scores import Scores

DIGITS = 12


def with_uncertainty(path: Path, level: float = 0.95) -> tuple[bytes, list[str]]:
    """Fill in `score_details.uncertainty` of each result whose instances agree with its score.

    Parameters
    ----------
    path : Path
        The aggregate record, with ``<name>_samples.jsonl`` beside it.
    level : float
        Level of the interval.

    Returns
    -------
    bytes
        The record, all else as it was.
    list of str
        Results that were left alone, and why.

    Raises
    ------
    ReadError
        No instance records beside it, or no aggregate record.
    """
    import duckdb

    source = Source(path, duckdb.connect(":memory:"))
    record = source.json(dict[str, Any])
    results = record.get("evaluation_results")
    if not isinstance(results, list) or not all(isinstance(result, dict) for result in results):
        raise MalformedFile(f"{path}: no list evaluation_results: not an aggregate record of Every Eval Ever")
    beside = path.with_name(f"{path.stem}_samples.jsonl")
    if not beside.exists():
        raise ReadError(f"{path}: no instance records beside it; {beside.name} is needed")
    instances = [row for _, row in json_lines(Source(beside, source.connection), Instance)]
    left = []
    for result in results:
        why = _fill(result, instances, level)
        if why:
            left.append(f"{result.get('evaluation_result_id') or result.get('evaluation_name')}: {why}")
    return msgspec.json.format(msgspec.json.encode(record), indent=2) + b"\n", left


def _fill(result: dict[str, Any], instances: list[Instance], level: float) -> str | None:
    """Write one result's uncertainty; say why not where it cannot be."""
    name, details = result.get("evaluation_name"), result.get("score_details")
    metric = result.get("evaluation_result_id") or name
    if not isinstance(name, str) or not isinstance(metric, str) or not isinstance(details, dict):
        return "no evaluation_name, or no score_details"
    rows = instance_rows(instances, metric, {name})
    if not len(rows):
        return "no instance of it"
    if len(set(rows.entries)) > 1:
        return "instances of several models"
    config = result.get("metric_config")
    unit = 100 if isinstance(config, dict) and config.get("metric_unit") == "percent" else 1
    made, items, failed = _scores(rows.columns(), level)
    value, stated = float(made.value[0]) * unit, details.get("score")
    # One item more or less is what rounding and a late answer can explain; more is another data set.
    if not isinstance(stated, int | float) or not abs(value - stated) <= unit / items:
        return f"its instances give {value:.6g}, the record says {stated}"
    uncertainty: dict[str, Any] = {"num_samples": items}
    by = f"deadheat {VERSION}"
    if math.isfinite(made.se[0]):
        method = f"over items, {by}"
        uncertainty["standard_error"] = {"value": round(float(made.se[0]) * unit, DIGITS), "method": method}
    if math.isfinite(made.low[0]) and math.isfinite(made.high[0]):
        uncertainty["confidence_interval"] = {
            "lower": round(float(made.low[0]) * unit, DIGITS),
            "upper": round(float(made.high[0]) * unit, DIGITS),
            "confidence_level": level,
            "method": f"{made.method}, {by}",
        }
    details["uncertainty"] = uncertainty
    return f"{failed} errored instances counted as zero" if failed else None


def _scores(columns: dict[str, Any], level: float) -> tuple[Scores, int, int]:
    """Score of the one model, its items, and its failed attempts."""
    from deadheat.data.panel import panel
    from deadheat.data.table import Table
    from deadheat.evidence.scores import scores

    table = Table.from_columns(columns, origin="instances")
    seen = panel(table, Estimand())
    return scores(seen, None, level=level, seed=0), len(table.items), int(table.cells.failed.sum())
