"""tau2-bench: tasks tried several times by an agent and a simulated user, in one file or a folder of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from deadheat.data.batch import Batch
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, folder_name

NOT_THE_AGENT = ("infrastructure_error",)  # what tau2 leaves out of its own numbers


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
        name="tau2-bench",
        title="tau2-bench simulations",
        recognised="JSON with info.agent_info and info.environment_info",
        entry="info.agent_info.llm",
        item="domain/task_id",
        sample="trial, else the order",
        score="reward_info.reward",
        failed="no reward",
        absent="termination_reason infrastructure_error, which tau2 itself leaves out",
        claims=_claims,
        read=_read,
    ),
)
