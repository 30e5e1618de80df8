"""OpenAI evals event logs: verdicts on samples, in the order in which they came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from deadheat.data.batch import Batch
from deadheat.errors import MalformedFile
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.lines import json_lines
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, choose, folder_name

NOTHING = msgspec.Raw(b"null")


class _Spec(msgspec.Struct):
    completion_fns: list[str] = []
    eval_name: str = ""
    created_at: str = ""


class _Event(msgspec.Struct):
    spec: _Spec | None = None
    final_report: dict[str, Any] | None = None
    sample_id: str | None = None
    type: str | None = None
    data: msgspec.Raw = NOTHING


def _claims(source: Source) -> bool:
    return outline(source.head).has("spec.completion_fns", "spec.eval_name")


def _read(source: Source, options: Options) -> Sequence[Batch]:
    spec, report = _Spec(), {}
    values: dict[str, list[tuple[str, float]]] = {}  # metric -> (sample id, value) in the order of events
    errors: dict[str, None] = {}
    started: dict[str, None] = {}
    for number, event in json_lines(source, _Event):
        if event.spec is not None:
            spec = event.spec
        elif event.final_report is not None:
            report = event.final_report
        elif event.sample_id is not None:
            started[event.sample_id] = None
            if event.type in ("match", "metrics"):
                for name, value in _values(event, f"{source.path}: line {number}").items():
                    values.setdefault(name, []).append((event.sample_id, value))
            elif event.type == "error":
                errors[event.sample_id] = None
    if not values and not errors:
        raise MalformedFile(f"{source.path}: no event of type match or metrics with a number")
    metric = choose(options, "metric", list(values), str(source.path)) if values else ""
    entry = spec.completion_fns[0] if spec.completion_fns else folder_name(source)
    rows, seen = Rows(), Counter[str]()
    for id, value in values.get(metric, []):
        seen[id] += 1
        rows.add(entry, id, value, str(seen[id]))
    for id in started:
        if not seen[id]:
            failed = id in errors
            rows.add(
                entry, id, None, "1", "failed" if failed else "absent", "error" if failed else "no verdict"
            )
    rate = report.get("accuracy") if metric == "correct" else report.get(metric)
    published = {entry: float(rate)} if isinstance(rate, int | float) and 0 <= rate <= 1 else {}
    batch = rows.batch(source, "openai-evals")
    return [replace(batch, published=published, task=spec.eval_name, time=spec.created_at)]


def _values(event: _Event, where: str) -> dict[str, float]:
    """Numbers of a match or metrics event."""
    found = msgspec.json.decode(event.data)
    data = found if isinstance(found, dict) else {}
    if event.type == "match":
        if not isinstance(data.get("correct"), bool):
            raise MalformedFile(f"{where}: a match without data.correct true or false")
        return {"correct": float(data["correct"])}
    return {name: float(value) for name, value in data.items() if isinstance(value, bool | int | float)}


READERS = (
    Reader(
        name="openai-evals",
        title="OpenAI evals event logs",
        recognised="JSON Lines that begin with spec.completion_fns",
        entry="spec.completion_fns[0]",
        item="sample_id",
        sample="order among the verdicts on a sample",
        score="data.correct of match events, or a number of metrics events, metric=NAME",
        failed="an error event and no verdict",
        absent="events but no verdict",
        claims=_claims,
        read=_read,
    ),
)
