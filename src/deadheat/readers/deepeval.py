"""DeepEval test runs: test cases with the data of several metrics."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from deadheat.data.batch import Batch
from deadheat.errors import MalformedFile
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, choose, folder_name


class _Metric(msgspec.Struct):
    name: str
    score: float | None = None
    success: bool | None = None
    error: str | None = None


class _Case(msgspec.Struct, rename="camel"):
    name: str = ""
    input: Any = None
    metrics_data: list[_Metric] | None = None


class _Run(msgspec.Struct, rename="camel"):
    test_cases: list[_Case] = []
    conversational_test_cases: list[_Case] = []
    identifier: str | None = None
    hyperparameters: dict[str, Any] | None = None


class _Wrapped(msgspec.Struct, rename="camel"):
    test_run_data: _Run


def _claims(source: Source) -> bool:
    found = outline(source.head)
    named = ("testCases", "conversationalTestCases")
    return any(
        found.has(f"{name}.[].metricsData") or found.has(name, "metricsScores") for name in named
    ) or any(found.has(f"testRunData.{name}") for name in named)


def _read(source: Source, options: Options) -> Sequence[Batch]:
    wrapped = outline(source.head).has("testRunData")
    run = source.json(_Wrapped).test_run_data if wrapped else source.json(_Run)
    cases = [*run.test_cases, *run.conversational_test_cases]
    names = sorted({metric.name for case in cases for metric in case.metrics_data or []})
    if not names:
        raise MalformedFile(f"{source.path}: no test case with a metric")
    found = [kind for name in names for kind in (name, f"{name}/success")]
    metric = names[0] if len(names) == 1 and "metric" not in options.choices else None
    metric = metric or choose(options, "metric", found, str(source.path))
    name = metric if metric in names else metric.removesuffix("/success")
    model = (run.hyperparameters or {}).get("model")
    entry = str(model) if isinstance(model, str) else run.identifier or folder_name(source)
    rows, seen = Rows(), Counter[str]()
    for case in cases:
        item = _item(case)
        seen[item] += 1
        data = next((m for m in case.metrics_data or [] if m.name == name), None)
        score = None if data is None else data.score
        failed = data is not None and data.error is not None and data.score is None
        if data is not None and metric != name:
            score = None if failed or data.success is None else float(data.success)
        reason = "error" if failed else None if data else "metric not run"
        rows.add(entry, item, score, str(seen[item]), "failed" if failed else None, reason)
    return [rows.batch(source, "deepeval")]


def _item(case: _Case) -> str:
    """Name of the case, or a hash of its input where the name only counts."""
    if case.name and not re.fullmatch(r"(conversational_)?test_case_\d+", case.name):
        return case.name
    content = msgspec.json.encode(case.input, order="sorted")
    return hashlib.sha256(content).hexdigest()[:16] if case.input is not None else case.name or "unnamed"


READERS = (
    Reader(
        name="deepeval",
        title="DeepEval test runs",
        recognised="JSON with testCases of metricsData, or testRunData",
        entry="hyperparameters.model, else identifier, else the file or folder name",
        item="name of the test case, or a hash of its input where it is test_case_N",
        sample="order among equal cases",
        score="score of metric=NAME, or its verdict with metric=NAME/success",
        failed="the metric has an error and no score",
        absent="the metric was not run on the case",
        claims=_claims,
        read=_read,
    ),
)
