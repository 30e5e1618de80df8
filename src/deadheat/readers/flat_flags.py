"""Flat JSON objects of verdicts: SWE-bench Pro, SWE-bench details by instance, lists of samples by item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec

from deadheat.data.batch import Batch
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, folder_name
from deadheat.readers.swebench_site import repository


class _Detail(msgspec.Struct):
    resolved: bool | None = None


def _kinds(source: Source, below: str = "") -> set[str]:
    """Kinds of the values of the top-level object, or of what lies in them."""
    keys = outline(source.head).keys
    if not below:
        return {kind for path, kind in keys.items() if len(path) == 1}
    return {kind for path, kind in keys.items() if len(path) == 2 and path[1] == below}


def _claims_pro(source: Source) -> bool:
    found = outline(source.head)
    return found.kind == "object" and source.stem == "eval_results" and _kinds(source) == {"bool"}


def _claims_details(source: Source) -> bool:
    named = source.path.name.startswith("per_instance_details")
    return named and _kinds(source) == {"object"} and bool(_kinds(source, "resolved") & {"bool", "null"})


def _claims_samples(source: Source) -> bool:
    found = outline(source.head)
    return found.kind == "object" and _kinds(source) == {"list"} and _kinds(source, "[]") == {"bool"}


def _read_pro(source: Source, options: Options) -> Sequence[Batch]:
    verdicts = source.json(dict[str, bool])
    return _instances(
        source, "swebench-pro", {id: float(right) for id, right in verdicts.items()}, _repository_pro
    )


def _read_details(source: Source, options: Options) -> Sequence[Batch]:
    details = source.json(dict[str, _Detail])
    scores = {id: None if d.resolved is None else float(d.resolved) for id, d in details.items()}
    return _instances(source, "swebench-details", scores, repository)


def _instances(
    source: Source, format: str, scores: dict[str, float | None], cluster: Callable[[str], str]
) -> Sequence[Batch]:
    entry = source.path.parent.name or folder_name(source)
    rows = Rows("cluster")
    for id, score in scores.items():
        rows.add(entry, id, score, extra=[cluster(id)])
    return [replace(rows.batch(source, format), renamed={"repository": "cluster"})]


def _repository_pro(id: str) -> str:
    """Repository of ``instance_ORG__REPO-<40 digits of a commit>-…``."""
    name = id.removeprefix("instance_")
    parts = name.split("-")
    commit = next((at for at, part in enumerate(parts) if len(part) == 40), len(parts) - 1)
    return "-".join(parts[:commit]).replace("__", "/", 1)


def _read_samples(source: Source, options: Options) -> Sequence[Batch]:
    entry = folder_name(source)
    rows = Rows()
    for item, verdicts in source.json(dict[str, list[bool]]).items():
        for sample, right in enumerate(verdicts, 1):
            rows.add(entry, item, float(right), str(sample))
    return [rows.batch(source, "sample-lists")]


READERS = (
    Reader(
        name="swebench-pro",
        title="SWE-bench Pro: eval_results.json",
        recognised="eval_results.json, an object whose values are all true or false",
        entry="name of the folder",
        item="instance id",
        sample="one",
        score="true = 1, false = 0",
        failed="not told apart",
        absent="an instance that is not listed",
        claims=_claims_pro,
        read=_read_pro,
    ),
    Reader(
        name="swebench-details",
        title="SWE-bench experiments, bash-only: per_instance_details.json",
        recognised="per_instance_details.json, an object of objects with resolved",
        entry="name of the folder",
        item="instance id",
        sample="one",
        score="resolved",
        failed="not told apart",
        absent="resolved null, or an instance that is not listed",
        claims=_claims_details,
        read=_read_details,
    ),
    Reader(
        name="sample-lists",
        title="Lists of verdicts by item, as CRUXEval writes them",
        recognised="a JSON object whose values are all lists of true and false",
        entry="file name, or the folder's where that says nothing",
        item="key",
        sample="place in the list",
        score="true = 1, false = 0",
        failed="not told apart",
        absent="an item that is not listed, or an empty list",
        claims=_claims_samples,
        read=_read_samples,
    ),
)
