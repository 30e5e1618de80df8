"""Generated programs and whether they passed: EvalPlus, BigCodeBench, HumanEval, bigcode harness."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from deadheat.data.batch import Batch
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.lines import json_lines
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, agree, choose, folder_name

Status = str | None


class _EvalPlus(msgspec.Struct):
    base_status: Status
    plus_status: Status = None


class _EvalPlusOld(msgspec.Struct):
    """Version 0.1: a list of [status, details] for each kind of tests."""

    base: list[tuple[str, Any]]
    plus: list[tuple[str, Any]] | None = None


class _EvalPlusFile(msgspec.Struct):
    eval: dict[str, list[_EvalPlus] | _EvalPlusOld]
    pass_at_k: dict[str, dict[str, float]] = {}


class _BigCode(msgspec.Struct):
    status: Status


class _BigCodeFile(msgspec.Struct):
    eval: dict[str, list[_BigCode]]


class _Rates(msgspec.Struct):
    pass_1: float | None = msgspec.field(default=None, name="pass@1")


class _HumanEval(msgspec.Struct):
    task_id: str
    passed: bool
    result: str = ""


class _Passed(msgspec.Struct):
    passed: bool
    result: str = ""


def _passed(status: Status) -> float | None:
    return None if status is None else float(status == "pass")


def _reason(status: Status) -> str | None:
    return None if status in ("pass", "fail", None) else status


def _claims_evalplus(source: Source) -> bool:
    found = outline(source.head)
    return found.has("eval.*.[].base_status") or found.has("eval.*.base", "eval.*.nfiles")


def _read_evalplus(source: Source, options: Options) -> Sequence[Batch]:
    file = source.json(_EvalPlusFile)
    samples: list[tuple[str, int, Status, Status]] = []
    pairs: list[tuple[Status, Status]]
    for task, found in file.eval.items():
        if isinstance(found, _EvalPlusOld):
            second: Sequence[Status] = [status for status, _ in found.plus or []] or [None] * len(found.base)
            pairs = list(zip([status for status, _ in found.base], second, strict=False))
        else:
            pairs = [(sample.base_status or "timeout", sample.plus_status) for sample in found]
        samples += [(task, number, base, extra) for number, (base, extra) in enumerate(pairs, 1)]
    scores = {"base": [_passed(base) for *_, base, _ in samples]}
    if any(plus is not None for *_, plus in samples):
        scores["plus"] = [float(base == plus == "pass") for *_, base, plus in samples]
    same = agree(list(zip(*scores.values(), strict=True)))
    metric = "base" if same else choose(options, "metric", list(scores), str(source.path))
    entry = _model(source)
    rows = Rows()
    for (task, number, base, plus), score in zip(samples, scores[metric], strict=True):
        rows.add(
            entry, task, score, str(number), None, _reason(base if metric == "base" or plus is None else plus)
        )
    rate = file.pass_at_k.get(metric, {}).get("pass@1")
    return [replace(rows.batch(source, "evalplus"), published={} if rate is None else {entry: rate})]


def _model(source: Source) -> str:
    """Name the model of ``MODEL_BACKEND_temp_T_eval_results.json``; of a folder's file, the folder."""
    stem = re.sub(r"([._-]|^)eval_results$", "", source.stem)
    stem = re.sub(r"_[a-z]+_temp_[\d.]+$", "", stem)
    return folder_name(source, stem.replace("--", "/"))


def _claims_bigcodebench(source: Source) -> bool:
    found = outline(source.head)
    return found.has("eval.*.[].status", "eval.*.[].details") or found.has("pass@1", "gt_pass_rate")


def _read_bigcodebench(source: Source, options: Options) -> Sequence[Batch]:
    if outline(source.head).has("gt_pass_rate"):
        return []
    stem = source.stem.removesuffix("_eval_results")
    entry = folder_name(source, stem.split("--bigcodebench")[0].replace("--", "/"))
    rows = Rows()
    for task, samples in source.json(_BigCodeFile).eval.items():
        for number, sample in enumerate(samples, 1):
            status = sample.status or "timeout"  # what BigCodeBench makes of an unknown outcome
            rows.add(entry, task, _passed(status), str(number), None, _reason(status))
    rates = source.path.with_name(source.path.name.replace("_eval_results", "_pass_at_k"))
    rate = source.beside(rates).json(_Rates).pass_1 if rates != source.path and rates.exists() else None
    return [replace(rows.batch(source, "bigcodebench"), published={} if rate is None else {entry: rate})]


def _claims_humaneval(source: Source) -> bool:
    found = outline(source.head)
    return found.kind == "object" and found.has("task_id", "completion", "result", "passed")


def _read_humaneval(source: Source, options: Options) -> Sequence[Batch]:
    entry = folder_name(source, source.stem.removesuffix("_results").removesuffix(".jsonl"))
    rows, seen = Rows(), Counter[str]()
    for _, line in json_lines(source, _HumanEval):
        seen[line.task_id] += 1
        reason = "timed out" if line.result == "timed out" else None
        rows.add(entry, line.task_id, float(line.passed), str(seen[line.task_id]), None, reason)
    return [rows.batch(source, "humaneval")]


def _claims_bigcode(source: Source) -> bool:
    return outline(source.head).has("*.[].[].passed")


def _read_bigcode(source: Source, options: Options) -> Sequence[Batch]:
    entry = folder_name(source)
    rows = Rows()
    for task, samples in source.json(dict[str, list[tuple[int, _Passed]]]).items():
        for number, sample in samples:
            reason = "timed out" if sample.result == "timed out" else None
            rows.add(entry, task, float(sample.passed), str(number), None, reason)
    return [rows.batch(source, "bigcode-harness")]


_FAILED = "not told apart: a time-out is wrong, with its reason"
_ABSENT = "not recorded"
_PATH = "file name, or the folder's where that says nothing"

READERS = (
    Reader(
        name="evalplus",
        title="EvalPlus results (HumanEval+, MBPP+)",
        recognised="JSON with eval: samples by task with base_status and plus_status",
        entry="model in the file name MODEL_BACKEND_temp_T_eval_results.json, else the folder",
        item="task_id",
        sample="place in the list",
        score="metric=base: base_status is pass; metric=plus: both are pass",
        failed=_FAILED,
        absent=_ABSENT,
        claims=_claims_evalplus,
        read=_read_evalplus,
    ),
    Reader(
        name="bigcodebench",
        title="BigCodeBench results",
        recognised="JSON with eval: samples by task with status and details; …_pass_at_k.json goes with it",
        entry="file name before --bigcodebench",
        item="task_id",
        sample="place in the list",
        score="status is pass",
        failed=_FAILED,
        absent=_ABSENT,
        claims=_claims_bigcodebench,
        read=_read_bigcodebench,
    ),
    Reader(
        name="humaneval",
        title="HumanEval results",
        recognised="JSON Lines with task_id, completion, result and passed",
        entry=_PATH,
        item="task_id",
        sample="order among the lines of a task",
        score="passed",
        failed=_FAILED,
        absent=_ABSENT,
        claims=_claims_humaneval,
        read=_read_humaneval,
    ),
    Reader(
        name="bigcode-harness",
        title="bigcode-evaluation-harness, verdicts by task",
        recognised="JSON: lists of [number, {passed}] by task",
        entry=_PATH,
        item="task",
        sample="the number",
        score="passed",
        failed=_FAILED,
        absent=_ABSENT,
        claims=_claims_bigcode,
        read=_read_bigcode,
    ),
)
