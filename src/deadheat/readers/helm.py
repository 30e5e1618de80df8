"""HELM runs: `per_instance_stats.json`, with the model and the scenario from `run_spec.json` beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from deadheat.data.batch import Batch
from deadheat.errors import MalformedFile
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, choose
from deadheat.results import Note

COMPANIONS = ("run_spec.json", "scenario.json", "scenario_state.json", "stats.json")
# What HELM counts beside the metrics proper.
BOOKKEEPING = re.compile(
    r"num_.*|finish_reason_.*|training_.*|inference_.*|batch_size|prompt_truncated|max_prob|logprob"
)
NULL = msgspec.Raw(b"null")


class _Name(msgspec.Struct):
    name: str
    split: str | None = None
    perturbation: msgspec.Raw = NULL


class _Stat(msgspec.Struct):
    name: _Name
    count: int = 0
    mean: float | None = None


class _Row(msgspec.Struct):
    instance_id: str
    stats: list[_Stat]
    train_trial_index: int = 0
    perturbation: msgspec.Raw = NULL


class _Adapter(msgspec.Struct):
    model: str


class _RunSpec(msgspec.Struct):
    name: str
    adapter_spec: _Adapter


def _claims(source: Source) -> bool:
    if source.path.name in COMPANIONS:
        return source.path.with_name("per_instance_stats.json").exists()
    return source.stem == "per_instance_stats" and outline(source.head).has("[].instance_id", "[].stats")


def _read(source: Source, options: Options) -> Sequence[Batch]:
    if source.path.name in COMPANIONS:
        return []
    entry, scenario = _run(source)
    kept: dict[tuple[str, int], list[_Stat]] = {}
    perturbed = 0
    for row in source.json(list[_Row]):
        if bytes(row.perturbation) != b"null":
            perturbed += 1
            continue
        # Each metric extends the list, so one instance may have several rows.
        kept.setdefault((row.instance_id, row.train_trial_index), []).extend(row.stats)
    names = {
        stat.name.name for stats in kept.values() for stat in stats if stat.count and stat.mean is not None
    }
    metrics = sorted(name for name in names if not BOOKKEEPING.fullmatch(name))
    if not metrics:
        raise MalformedFile(f"{source.path}: no metric with a value besides HELM's bookkeeping")
    metric = choose(options, "metric", metrics, str(source.path))
    rows = Rows("category", "split")
    for (id, trial), stats in kept.items():
        found = [
            stat for stat in stats if stat.name.name == metric and bytes(stat.name.perturbation) == b"null"
        ]
        score = next((stat.mean for stat in found if stat.count), None)
        split = next((stat.name.split for stat in stats if stat.name.split), None)
        reason = None if score is not None else "no value"
        rows.add(entry, f"{scenario}/{id}", score, str(trial), None, reason, [scenario, split])
    notes = []
    if perturbed:
        text = f"{scenario}: {perturbed} rows of perturbed instances were left out"
        notes.append(Note(code="perturbed-left-out", text=text))
    rate = _published(source, metric)
    published = {} if rate is None else {entry: rate}
    return [replace(rows.batch(source, "helm"), published=published, notes=notes, task=scenario)]


def _run(source: Source) -> tuple[str, str]:
    """Entry and scenario: the name of the run without its model."""
    spec = source.path.with_name("run_spec.json")
    if spec.exists():
        run = source.beside(spec).json(_RunSpec)
        name, model = run.name, run.adapter_spec.model
    else:
        name = source.path.parent.name
        named = re.search(r"\bmodel=([^,]+)", name)
        if named is None:
            raise MalformedFile(
                f"{source.path}: no run_spec.json beside it, and no model= in the folder's name"
            )
        model = named[1]
    return model, re.sub(r"[,:-]?\bmodel(_deployment)?=[^,]+", "", name).replace(":,", ":") or "helm"


def _published(source: Source, metric: str) -> float | None:
    """Mean of the run in `stats.json`, over instances and then trials, if it is of one split."""
    path = Path(source.path.with_name("stats.json"))
    if not path.exists():
        return None
    found = [
        stat.mean
        for stat in source.beside(path).json(list[_Stat])
        if stat.name.name == metric and bytes(stat.name.perturbation) == b"null" and stat.count
    ]
    return found[0] if len(found) == 1 and found[0] is not None and 0 <= found[0] <= 1 else None


READERS = (
    Reader(
        name="helm",
        title="HELM runs",
        recognised="per_instance_stats.json, a list of objects with instance_id and stats",
        entry="adapter_spec.model of run_spec.json, else model= in the folder's name",
        item="run name without the model/instance_id",
        sample="train_trial_index: other examples in the prompt, not the same prompt again",
        score="mean of the stat called metric=NAME",
        failed="not recorded",
        absent="the stat is missing, or its count is 0",
        claims=_claims,
        read=_read,
    ),
)
