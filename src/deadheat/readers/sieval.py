"""SiEval runs: `report.json` and `manifest.json` beside shards of samples, of which the last state counts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from deadheat.data.batch import Batch
from deadheat.errors import MalformedFile
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.lines import json_lines
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, agree, choose, folder_name
from deadheat.results import Note

COMPANIONS = ("manifest.json", "meta.json", "profile.json", "anomalies.json")


class _Rollout(msgspec.Struct):
    index: int = 0
    correct: bool | None = None
    score: float | None = None


class _Feedback(msgspec.Struct):
    rollouts: list[_Rollout] | None = None


class _Model(msgspec.Struct):
    model: str | None = None


class _Inferred(msgspec.Struct):
    model: _Model | None = None


class _Row(msgspec.Struct):
    sample_id: int | str
    iteration: int = 0
    repeat_index: int | None = None
    infer_result: _Inferred | None = None
    feedback_result: _Feedback | None = None
    error_reason: str | None = None


class _Report(msgspec.Struct):
    score: float | None = None
    pass_1: float | None = msgspec.field(default=None, name="pass@1")
    denominator_policy: str | None = None


def _claims(source: Source) -> bool:
    folder = source.path.parent
    if source.path.name in ("report.json", *COMPANIONS):
        return (folder / "report.json").exists() and (folder / "manifest.json").exists()
    shard = source.suffix == ".jsonl" and outline(source.head).has("sample_id", "iteration", "stage")
    return shard or (source.suffix == ".idx" and folder.parent.name.isdecimal())


def _read(source: Source, options: Options) -> Sequence[Batch]:
    if source.path.name != "report.json":
        return []
    report = source.json(_Report)
    folder = source.path.parent
    final = _last(source, folder, "final")
    if not final:
        raise MalformedFile(f"{source.path}: no final sample in {folder}/<iteration>/final")
    broke = {key: row for key, row in _last(source, folder, "failed").items() if key not in final}
    task, time = _task_and_time(source)
    models = [
        row.infer_result.model.model for row in final.values() if row.infer_result and row.infer_result.model
    ]
    entry = next((model for model in models if model), None) or folder_name(source)
    rollouts = {key: _rollouts(row, source) for key, row in final.items()}
    rated = [(r.correct, r.score) for found in rollouts.values() for r in found]
    pairs = [(None if right is None else float(right), score) for right, score in rated]
    kinds = [
        name
        for name, column in zip(("correct", "score"), zip(*pairs, strict=True), strict=False)
        if set(column) != {None}
    ]
    if not kinds:
        raise MalformedFile(f"{source.path}: no rollout with correct or score")
    metric = kinds[0] if agree(pairs) else choose(options, "metric", kinds, str(source.path))
    rows = Rows("category")
    most = max(len(found) for found in rollouts.values())
    for (id, repeat), found in rollouts.items():
        for rollout in found:
            score = rollout.score if metric == "score" else rollout.correct
            sample = str(rollout.index) if repeat is None else f"{repeat}.{rollout.index}"
            rows.add(entry, f"{task}/{id}", None if score is None else float(score), sample, extra=[task])
    for (id, repeat), row in broke.items():
        for index in range(most):  # every rollout of the sample went with it
            sample = str(index) if repeat is None else f"{repeat}.{index}"
            rows.add(entry, f"{task}/{id}", None, sample, "failed", row.error_reason or "failed", [task])
    rate = report.pass_1 if report.pass_1 is not None else report.score if most == 1 else None
    notes = []
    if broke and report.denominator_policy == "judged":
        text = f"{task}: this report leaves {len(broke)} failed samples out of its score (policy judged)"
        notes.append(Note(code="failed-left-out", text=text))
    published = {entry: rate / 100} if rate is not None and 0 <= rate <= 100 else {}
    batch = rows.batch(source, "sieval")
    return [replace(batch, published=published, notes=notes, task=task, time=time)]


def _last(source: Source, folder: Path, stage: str) -> dict[tuple[str, int | None], _Row]:
    """Last row of each sample in the shards of a stage; a later iteration replaces an earlier one."""
    found: dict[tuple[str, int | None], _Row] = {}
    shards = sorted(folder.glob(f"*/{stage}/*.jsonl"), key=lambda path: (_number(path.parts[-3]), path.name))
    for shard in shards:
        for _, row in json_lines(replace(source, path=shard), _Row):
            found[str(row.sample_id), row.repeat_index] = row
    return found


def _number(name: str) -> int:
    return int(name) if name.isdecimal() else -1


def _rollouts(row: _Row, source: Source) -> list[_Rollout]:
    if row.feedback_result is None or not row.feedback_result.rollouts:
        raise MalformedFile(
            f"{source.path}: sample {row.sample_id}: no feedback_result.rollouts to read a score from"
        )
    return row.feedback_result.rollouts


def _task_and_time(source: Source) -> tuple[str, str]:
    """Folders above the report: the task, then perhaps a time of 14 digits, then perhaps `results`."""
    names = [folder.name for folder in source.path.parents if folder.name != "results"]
    if names and re.fullmatch(r"\d{14}", names[0]):
        return (names[1] if len(names) > 1 else "task"), names[0]
    return (names[0] if names else "task"), ""


READERS = (
    Reader(
        name="sieval",
        title="SiEval runs",
        recognised="report.json beside manifest.json; the shards are read with it",
        entry="infer_result.model.model of the samples, else the folder",
        item="task/sample_id",
        sample="index of the rollout, after repeat_index where there is one",
        score="correct of each rollout, or its score, metric=NAME",
        failed="in the shards `failed` and never in `final`",
        absent="a rollout without a verdict",
        claims=_claims,
        read=_read,
    ),
)
