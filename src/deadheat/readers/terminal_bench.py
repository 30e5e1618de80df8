"""Terminal-Bench runs (`results.json` of each run) and Harbor jobs (`result.json` of each trial)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from deadheat.data.batch import Batch
from deadheat.data.publication import Stated
from deadheat.errors import MalformedFile
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.outline import outline
from deadheat.readers.rows import GENERIC, Rows, choose
from deadheat.results import Note

if TYPE_CHECKING:
    import duckdb

RUN_ID = re.compile(r"\d{4}-\d\d-\d\d__\d\d-\d\d-\d\d")  # the default name of a run: says no model
SILENT = ("none", "unset", None)  # failure modes that say nothing


class _Trial(msgspec.Struct):
    task_id: str
    is_resolved: bool | None
    trial_name: str = ""
    failure_mode: str | None = None


class _Run(msgspec.Struct):
    results: list[_Trial]
    id: str = ""
    accuracy: float | None = None
    pass_at_k: dict[str, Any] | None = None


class _Metadata(msgspec.Struct):
    agent_name: str | None = None
    model_name: str | None = None


class _Model(msgspec.Struct):
    name: str


class _Agent(msgspec.Struct):
    name: str
    model_info: _Model | None = None


class _Verifier(msgspec.Struct):
    rewards: dict[str, float | None] | None = None


class _Policy(msgspec.Struct):
    has_valid_reward: bool = True


class _Exception(msgspec.Struct):
    exception_type: str
    policy: _Policy | None = None


class _HarborTrial(msgspec.Struct):
    task_name: str
    trial_name: str
    agent_info: _Agent
    source: str | None = None
    verifier_result: _Verifier | None = None
    exception_info: _Exception | None = None
    reward_valid: bool | None = None


def _claims(source: Source) -> bool:
    found = outline(source.head)
    run = found.has("results.[].task_id", "results.[].is_resolved")
    trial = found.has("task_id", "trial_name", "is_resolved")
    return run or trial or (source.path.name == "run_metadata.json" and found.has("run_id", "agent_name"))


def _read(source: Source, options: Options) -> Sequence[Batch]:
    found = outline(source.head)
    if source.path.name == "run_metadata.json":
        return []
    if found.has("results"):
        run = source.json(_Run)
    elif len(source.path.parents) > 2 and (source.path.parents[2] / source.path.name).exists():
        return []  # one trial of a run whose results are all in the file above
    else:
        run = _Run([source.json(_Trial)])
    entry = _entry(source)
    rows = Rows()
    for number, trial in enumerate(run.results):
        resolved, mode = trial.is_resolved, trial.failure_mode
        told = None if mode in SILENT else mode
        status = "scored" if resolved is not None else "failed" if told else "absent"
        reason = told or (None if resolved is not None else "not finished")
        sample = trial.trial_name.removeprefix(f"{trial.task_id}.") or f"{run.id}.{number}"
        rows.add(entry, trial.task_id, None if resolved is None else float(resolved), sample, status, reason)
    published = {} if run.accuracy is None else {entry: run.accuracy}
    passes = sorted((int(k), v) for k, v in (run.pass_at_k or {}).items() if k.isdecimal())
    stated = [Stated.unrounded(entry, float(v), k=k) for k, v in passes if isinstance(v, int | float)]
    return [replace(rows.batch(source, "terminal-bench"), published=published, stated=stated)]


def _entry(source: Source) -> str:
    """Agent and model of `run_metadata.json`, else the nearest folder whose name says something."""
    metadata = source.path.with_name("run_metadata.json")
    if metadata.exists():
        read = source.beside(metadata).json(_Metadata)
        named = [name for name in (read.agent_name, read.model_name) if name]
        if named:
            return "/".join(named)
    names = [folder.name for folder in source.path.parents]
    return next((name for name in names if name not in GENERIC and not RUN_ID.match(name)), source.entry)


def _claims_harbor(source: Source) -> bool:
    found = outline(source.head)
    trial = found.has("trial_name", "agent_info") or found.has("trial_name", "task_checksum")
    return trial or found.has("stats.evals")


def _read_harbor(source: Source, options: Options) -> Sequence[Batch]:
    if outline(source.head).has("stats.evals"):
        return []
    trial = source.json(_HarborTrial)
    model = trial.agent_info.model_info
    entry = f"{trial.agent_info.name}/{model.name}" if model else trial.agent_info.name
    rewards = (trial.verifier_result.rewards if trial.verifier_result else None) or {}
    broke = trial.exception_info
    valid = trial.reward_valid is not False and not (
        broke and broke.policy and not broke.policy.has_valid_reward
    )
    score = rewards[choose(options, "metric", list(rewards), str(source.path))] if rewards else None
    if score is None or not valid:
        score, status, reason = None, "failed", broke.exception_type if broke else "no reward"
    else:
        status, reason = "scored", broke.exception_type if broke else None
    item = (
        f"{trial.source}/{trial.task_name.removeprefix(f'{trial.source}/')}"
        if trial.source
        else trial.task_name
    )
    rows = Rows()
    rows.add(entry, item, score, trial.trial_name, status, reason)
    if not trial.task_name:
        raise MalformedFile(f"{source.path}: a trial without the name of its task")
    return [rows.batch(source, "harbor")]


def _above_one(batches: Sequence[Batch], connection: duckdb.DuckDBPyConnection) -> Sequence[Batch]:
    """Say how many rewards are above 1, so that a mean of them is no share of tasks."""
    high = [batch for batch in batches if batch.columns is not None and (batch.columns["score"] > 1).any()]
    if not high:
        return batches
    highest = max(float(batch.columns["score"].max()) for batch in high if batch.columns is not None)
    text = f"rewards above 1: {len(high):,} of {len(batches):,} trials, up to {highest:g}; one is that of"
    note = Note(code="rewards-above-one", text=f"{text} {high[0].file.path}")
    return [replace(batches[0], notes=[*batches[0].notes, note]), *batches[1:]]


READERS = (
    Reader(
        name="terminal-bench",
        title="Terminal-Bench runs",
        recognised="JSON with results[] of task_id and is_resolved; trials and run_metadata.json go with it",
        entry="agent_name/model_name of run_metadata.json, else the folder",
        item="task_id",
        sample="trial_name without the task: number of the trial and the run",
        score="is_resolved",
        failed="is_resolved null with a failure_mode (Terminal-Bench itself counts it 0)",
        absent="is_resolved null without one",
        claims=_claims,
        read=_read,
    ),
    Reader(
        name="harbor",
        title="Harbor trials, as of Terminal-Bench 2",
        recognised="JSON with trial_name and agent_info; the job's own result.json goes with them",
        entry="agent/model",
        item="dataset/task_name",
        sample="trial_name",
        score="verifier_result.rewards, metric=NAME if there are several",
        failed="no reward, or an exception after which the reward is not valid",
        absent="not recorded",
        claims=_claims_harbor,
        read=_read_harbor,
        together=_above_one,
    ),
)
