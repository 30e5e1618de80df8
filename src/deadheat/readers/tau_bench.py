"""tau-bench and tau2-bench: tasks tried several times by an agent and a simulated user."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from deadheat.data.batch import Batch
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, folder_name

DOMAINS = ("airline", "retail", "telecom", "banking")
RUN_NAME = re.compile(r"(?:tool-calling|act|react|few-shot)-(.+)-\d+(?:\.\d+)?_range_.*_(\d{10})")
NOT_THE_AGENT = ("infrastructure_error",)  # what tau2 leaves out of its own numbers


class _Info(msgspec.Struct):
    error: str | None = None


class _Attempt(msgspec.Struct):
    task_id: int | str
    reward: float | None
    trial: int = 0
    info: _Info = msgspec.field(default_factory=_Info)


class _Agent(msgspec.Struct):
    llm: str | None = None
    implementation: str | None = None


class _Environment(msgspec.Struct):
    domain_name: str


class _RunInfo(msgspec.Struct):
    agent_info: _Agent
    environment_info: _Environment


class _Reward(msgspec.Struct):
    reward: float | None = None


class _Simulation(msgspec.Struct):
    task_id: int | str
    id: str = ""
    trial: int | None = None
    reward_info: _Reward | None = None
    reward: float | None = None  # in the index of the folder layout
    termination_reason: str | None = None


class _Run(msgspec.Struct):
    info: _RunInfo
    timestamp: str = ""
    simulations: list[_Simulation] | None = None
    simulation_index: list[_Simulation] | None = None


def _claims(source: Source) -> bool:
    return outline(source.head).has("[].task_id", "[].reward", "[].info")


def _claims_run(source: Source) -> bool:
    return outline(source.head).has("info.agent_info", "info.environment_info") or _is_part(source)


def _is_part(source: Source) -> bool:
    """One simulation of the folder layout, whose result is in the index above it."""
    folder = source.path.parent
    return (
        folder.name == "simulations"
        and (folder.parent / "results.json").exists()
        and outline(source.head).has("task_id", "id")
    )


def _read(source: Source, options: Options) -> Sequence[Batch]:
    words = re.split(r"[^a-z0-9]+", str(source.path).lower())
    domain = options.choices.get("domain") or next((name for name in DOMAINS if name in words[::-1]), "")
    named = RUN_NAME.fullmatch(source.stem)
    entry = named[1] if named else folder_name(source)
    rows = Rows()
    for attempt in source.json(list[_Attempt]):
        failed = attempt.info.error is not None
        item = f"{domain}/{attempt.task_id}" if domain else str(attempt.task_id)
        score = None if failed else attempt.reward
        status = "failed" if failed else None
        rows.add(entry, item, score, str(attempt.trial), status, "error" if failed else None)
    return [replace(rows.batch(source, "tau-bench"), task=domain or "tau", time=named[2] if named else "")]


def _read_run(source: Source, options: Options) -> Sequence[Batch]:
    if _is_part(source):
        return []
    run = source.json(_Run)
    domain = run.info.environment_info.domain_name
    entry = run.info.agent_info.llm or run.info.agent_info.implementation or folder_name(source)
    rows = Rows()
    unnumbered: Counter[str] = Counter()
    for simulation in _simulations(source, run):
        task = str(simulation.task_id)
        trial = simulation.trial
        if trial is None:
            trial = unnumbered[task]
            unnumbered[task] += 1
        reward = simulation.reward_info.reward if simulation.reward_info else simulation.reward
        ended = simulation.termination_reason
        if ended in NOT_THE_AGENT:
            score, status = None, "absent"
        elif reward is None:
            score, status = None, "failed"
        else:
            score, status = reward, "scored"
        reason = None if ended in ("user_stop", "agent_stop") else ended
        rows.add(entry, f"{domain}/{task}", score, str(trial), status, reason)
    return [replace(rows.batch(source, "tau2-bench"), task=domain, time=run.timestamp)]


def _simulations(source: Source, run: _Run) -> list[_Simulation]:
    """Simulations in the file, else those of its index, and those beside it that the index leaves out."""
    found = run.simulations or run.simulation_index or []
    known = {simulation.id for simulation in found}
    parts = () if run.simulations else sorted((source.path.parent / "simulations").glob("*.json"))
    return found + [source.beside(path).json(_Simulation) for path in parts if path.stem not in known]


READERS = (
    Reader(
        name="tau-bench",
        title="tau-bench trajectories",
        recognised="a JSON list of objects with task_id, reward and info",
        entry="model in the file name STRATEGY-MODEL-TEMPERATURE_range_…; else the file or folder name",
        item="task_id, after the domain where the path or domain=NAME tells it",
        sample="trial",
        score="reward",
        failed="info.error (tau-bench itself counts it 0)",
        absent="not recorded",
        claims=_claims,
        read=_read,
    ),
    Reader(
        name="tau2-bench",
        title="tau2-bench simulations",
        recognised="JSON with info.agent_info and info.environment_info",
        entry="info.agent_info.llm",
        item="domain/task_id",
        sample="trial, else the order",
        score="reward_info.reward",
        failed="no reward",
        absent="termination_reason infrastructure_error, which tau2 itself leaves out",
        claims=_claims_run,
        read=_read_run,
    ),
)
