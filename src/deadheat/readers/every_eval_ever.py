"""Every Eval Ever: instance records (`UUID_samples.jsonl`) beside an aggregate record (`UUID.json`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from deadheat.data.batch import Batch
from deadheat.data.direction import lower_is_better
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.lines import json_lines
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, choose

NAME = "every-eval-ever"


class _Evaluation(msgspec.Struct):
    score: float | None = None


class _Metadata(msgspec.Struct):
    epoch: str | int | None = None


class Instance(msgspec.Struct):
    """One instance record, as far as it is read."""

    evaluation_id: str
    model_id: str
    evaluation_name: str
    sample_id: str | int
    evaluation: _Evaluation
    evaluation_result_id: str | None = None
    sample_hash: str | None = None
    error: str | None = None
    metadata: _Metadata | None = None

    def metric(self) -> str:
        """The result that the row belongs to."""
        return self.evaluation_result_id or self.evaluation_name


class _Unit(msgspec.Struct):
    metric_unit: str | None = None
    lower_is_better: bool | None = None


class _Details(msgspec.Struct):
    score: float | None = None


class _Result(msgspec.Struct):
    evaluation_name: str
    score_details: _Details
    evaluation_result_id: str | None = None
    metric_config: _Unit = msgspec.field(default_factory=_Unit)


class _Model(msgspec.Struct):
    id: str


class _Aggregate(msgspec.Struct):
    model_info: _Model
    evaluation_results: list[_Result]


def _claims(source: Source) -> bool:
    found = outline(source.head)
    instance = found.has("schema_version", "evaluation_id", "sample_id")
    return instance or _is_aggregate(source)


def _is_aggregate(source: Source) -> bool:
    return outline(source.head).has("schema_version", "evaluation_id", "model_info")


def _read(source: Source, options: Options) -> Sequence[Batch]:
    if _is_aggregate(source):
        instances = source.path.with_name(f"{source.stem}_samples.jsonl")
        if not instances.exists():
            return _read_aggregate(source)
        # Named alone it stands for its instances; in a folder they are met anyway.
        return [] if source.root else _read_instances(source.beside(instances), options)
    return _read_instances(source, options)


def _read_instances(source: Source, options: Options) -> Sequence[Batch]:
    instances = [row for _, row in json_lines(source, Instance)]
    metrics: dict[str, set[str]] = {}  # metric -> what it was measured on
    for row in instances:
        if row.evaluation_result_id or row.error is None:
            metrics.setdefault(row.metric(), set()).add(row.evaluation_name)
    for row in instances:  # an errored row may name no metric: it counts for those of its evaluation
        if not any(row.evaluation_name in names for names in metrics.values()):
            metrics.setdefault(row.metric(), set()).add(row.evaluation_name)
    rivals = [m for m in metrics if any(m != other and metrics[m] & metrics[other] for other in metrics)]
    chosen = [metric for metric in metrics if metric not in rivals]
    if rivals:
        chosen.append(choose(options, "metric", sorted(rivals), str(source.path)))
    aggregate = _aggregate(source)
    return [
        replace(
            instance_rows(instances, metric, metrics[metric]).batch(source, NAME),
            published=_rates(aggregate, metric) if aggregate and len(chosen) == 1 else {},
            lower_is_better=_direction(aggregate, metric),
            task=metric,
        )
        for metric in chosen
    ]


def instance_rows(instances: list[Instance], metric: str, evaluations: set[str]) -> Rows:
    """Attempts of one metric on some evaluations; an errored row that names no metric counts for all."""
    rows, seen = Rows("category", "sample_hash"), Counter[tuple[str, str]]()
    written: set[tuple[str, str, str, float | None]] = set()
    for row in instances:
        unnamed = row.error is not None and row.evaluation_result_id is None
        if row.metric() != metric and not (unnamed and row.evaluation_name in evaluations):
            continue
        name = row.evaluation_name
        item = f"{name}/{row.sample_id}" if name else str(row.sample_id)
        seen[row.model_id, item] += 1
        epoch = row.metadata.epoch if row.metadata else None
        sample = str(seen[row.model_id, item] if epoch is None else epoch)
        score = None if row.error is not None else row.evaluation.score
        key = (row.model_id, item, sample, score)
        if epoch is not None and key in written:
            continue  # converters repeat a row for each way of reducing the epochs
        written.add(key)
        status, reason = (None, None) if row.error is None else ("failed", "error")
        rows.add(row.model_id, item, score, sample, status, reason, [name or None, row.sample_hash])
    if max(seen.values(), default=1) == 1 and all(row.metadata is None for row in instances):
        rows.samples = [None] * len(rows)
    return rows


def _aggregate(source: Source) -> _Aggregate | None:
    path = source.path.with_name(source.path.name.replace("_samples.jsonl", ".json"))
    return None if path == source.path or not path.exists() else source.beside(path).json(_Aggregate)


def _result(aggregate: _Aggregate, metric: str) -> _Result | None:
    named = (r for r in aggregate.evaluation_results if metric in (r.evaluation_result_id, r.evaluation_name))
    return next(named, None)


def _rates(aggregate: _Aggregate, metric: str) -> dict[str, float]:
    result = _result(aggregate, metric)
    score = result.score_details.score if result else None
    if result is None or score is None:
        return {}
    rate = score / 100 if result.metric_config.metric_unit == "percent" else score
    return {aggregate.model_info.id: rate} if 0 <= rate <= 1 else {}


def _direction(aggregate: _Aggregate | None, metric: str) -> bool | None:
    """What the aggregate record says of the metric, or else its name."""
    result = _result(aggregate, metric) if aggregate else None
    said = result.metric_config.lower_is_better if result else None
    return lower_is_better(metric) if said is None else said


def _read_aggregate(source: Source) -> Sequence[Batch]:
    """The model is listed without results of its own."""
    aggregate = source.json(_Aggregate)
    entry = aggregate.model_info.id
    results = aggregate.evaluation_results
    published = _rates(aggregate, results[0].evaluation_name) if len(results) == 1 else {}
    return [replace(Rows().batch(source, NAME), unpublished=[entry], published=published)]


READERS = (
    Reader(
        name=NAME,
        title="Every Eval Ever records",
        recognised="JSON Lines with schema_version, evaluation_id and sample_id; or JSON with model_info",
        entry="model_id",
        item="evaluation_name/sample_id",
        sample="metadata.epoch, else order among equal rows",
        score="evaluation.score (is_correct is only a copy cut at a threshold); metric=NAME",
        failed="error is set",
        absent="no score",
        claims=_claims,
        read=_read,
    ),
)
