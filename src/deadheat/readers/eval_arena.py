"""Counts by item: the JSON Lines of eval-arena, and the run tables of METR."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import numpy as np

from deadheat.data.batch import Batch
from deadheat.errors import MalformedFile
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.lines import json_lines
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, agree, choose


class _Counts(msgspec.Struct):
    benchmark_id: str
    model: str
    example_id: str | int
    pass1: float | None
    correct: int | None = None
    count: int | None = None


def _claims(source: Source) -> bool:
    return outline(source.head).has("benchmark_id", "model", "example_id", "pass1")


def _read(source: Source, options: Options) -> Sequence[Batch]:
    rows = Rows("category")
    for line, row in json_lines(source, _Counts):
        item, extra = f"{row.benchmark_id}/{row.example_id}", [row.benchmark_id]
        if row.correct is None or row.count is None:
            rows.add(row.model, item, row.pass1, extra=extra)
            continue
        if not 0 <= row.correct <= row.count <= 10**6:
            raise MalformedFile(f"{source.path}: line {line}: {row.correct} of {row.count} right cannot be")
        for sample in range(row.count):
            rows.add(row.model, item, float(sample < row.correct), str(sample + 1), extra=extra)
    return [rows.batch(source, "eval-arena")]


class _Run(msgspec.Struct):
    task_family: str
    task_id: str
    run_id: str | int
    alias: str
    score_binarized: float | None = None
    score_cont: float | None = None
    fatal_error_from: str | None = None
    invsqrt_task_weight: float | None = None
    equal_task_weight: float | None = None


def _claims_runs(source: Source) -> bool:
    return outline(source.head).has("task_family", "task_id", "run_id", "alias")


def _read_runs(source: Source, options: Options) -> Sequence[Batch]:
    runs = [run for _, run in json_lines(source, _Run)]
    scores = {
        name: [getattr(run, name) for run in runs]
        for name in ("score_binarized", "score_cont")
        if any(getattr(run, name) is not None for run in runs)
    }
    if not scores:
        raise MalformedFile(f"{source.path}: no run with score_binarized or score_cont")
    same = agree(list(zip(*scores.values(), strict=True)))
    metric = next(iter(scores)) if same else choose(options, "metric", list(scores), str(source.path))
    weights = [
        name
        for name in ("invsqrt_task_weight", "equal_task_weight")
        if name in options.choices.get("weight", "")
    ]
    rows = Rows("cluster")
    for run, score in zip(runs, scores[metric], strict=True):
        broke = run.fatal_error_from
        status = "failed" if score is None and broke else None
        rows.add(run.alias, run.task_id, score, str(run.run_id), status, broke, [run.task_family])
    columns = rows.columns()
    if weights:
        found = [getattr(run, weights[0]) for run in runs]
        columns["weight"] = np.array([np.nan if w is None else w for w in found], dtype=np.float64)
    return [replace(rows.batch(source, "metr-runs"), columns=columns, renamed={"task_family": "cluster"})]


READERS = (
    Reader(
        name="eval-arena",
        title="eval-arena counts",
        recognised="JSON Lines with benchmark_id, model, example_id and pass1",
        entry="model",
        item="benchmark_id/example_id",
        sample="count of them, where correct and count are given",
        score="correct of count samples are 1, the others 0; else pass1, a mean of unknown samples",
        failed="not recorded",
        absent="pass1 null",
        claims=_claims,
        read=_read,
    ),
    Reader(
        name="metr-runs",
        title="METR run tables",
        recognised="JSON Lines with task_family, task_id, run_id and alias",
        entry="alias",
        item="task_id, with task_family as cluster",
        sample="run_id",
        score="score_binarized or score_cont, metric=NAME",
        failed="fatal_error_from and no score",
        absent="no score",
        claims=_claims_runs,
        read=_read_runs,
    ),
)
