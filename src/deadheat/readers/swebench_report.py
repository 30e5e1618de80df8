"""Reports of the SWE-bench harness, sb-cli and Multi-SWE-bench: lists of instance ids by outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from deadheat.data.batch import Batch
from deadheat.errors import MalformedFile
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, folder_name
from deadheat.readers.swebench_site import repository
from deadheat.results import Note


class _Report(msgspec.Struct):
    total_instances: int
    resolved_ids: list[str]
    resolved_instances: int | None = None
    unresolved_instances: int | None = None
    empty_patch_instances: int | None = None
    error_instances: int | None = None
    unresolved_ids: list[str] = []
    empty_patch_ids: list[str] = []
    error_ids: list[str] = []
    failed_ids: list[str] = []
    incomplete_ids: list[str] = []
    pending_ids: list[str] = []
    submitted_ids: list[str] = []
    infra_failure_ids: list[str] = []


class _Instance(msgspec.Struct):
    resolved: bool
    infra_failure: bool = False


# Lists in the order in which they speak: an id in several has the outcome of the last that names it.
OUTCOMES: tuple[tuple[str, float | None, str, str | None], ...] = (
    ("submitted_ids", None, "absent", "no outcome"),
    ("incomplete_ids", None, "absent", "no prediction"),
    ("pending_ids", None, "absent", "pending"),
    ("unresolved_ids", 0.0, "scored", None),
    ("empty_patch_ids", 0.0, "scored", "empty patch"),
    ("failed_ids", None, "failed", "error"),
    ("error_ids", None, "failed", "error"),
    ("resolved_ids", 1.0, "scored", None),
)


def _is_report(source: Source) -> bool:
    return outline(source.head).has("total_instances", "submitted_instances", "resolved_instances")


def _is_instance(source: Source) -> bool:
    return source.path.name == "report.json" and outline(source.head).has("*.patch_exists", "*.resolved")


def _claims(source: Source) -> bool:
    if source.path.name == "results.json" and source.path.parent.name == "results":
        return False  # the layout of the experiments repository
    return _is_report(source) or _is_instance(source)


def _read(source: Source, options: Options) -> Sequence[Batch]:
    if _is_instance(source):
        return _read_instance(source)
    report = source.json(_Report)
    entry = _entry(source)
    outcomes: dict[str, tuple[float | None, str, str | None]] = {}
    for name, score, status, reason in OUTCOMES:
        outcomes |= dict.fromkeys(getattr(report, name), (score, status, reason))
    infra = set(report.infra_failure_ids)
    rows = Rows("cluster")
    for id, (score, status, reason) in sorted(outcomes.items()):
        rows.add(
            entry, id, score, None, status, "infra failure" if id in infra else reason, [_repository(id)]
        )
    if not len(rows):
        raise MalformedFile(f"{source.path}: no list of instance ids in this report")
    notes = _contradictions(report, source.path.name)
    if len(rows) < report.total_instances:
        text = (
            f"{source.path.name}: the report counts {report.total_instances} instances and lists "
            f"{len(rows)}; rates are over those listed"
        )
        notes.append(Note(code="unknown-universe", text=text))
    resolved = report.resolved_instances if report.total_instances > 0 else None
    return [
        Batch(
            file=source.file("swebench-report"),
            columns=rows.columns(),
            renamed={"repository": "cluster"},
            published={} if resolved is None else {entry: resolved / report.total_instances},
            notes=notes,
        )
    ]


def _contradictions(report: _Report, name: str) -> list[Note]:
    """Instances that are resolved and something else too, and counts that are not those of their lists."""
    found = []
    for other in ("unresolved_ids", "empty_patch_ids", "failed_ids", "error_ids", "incomplete_ids"):
        both = sorted(set(report.resolved_ids) & set(getattr(report, other)))
        if both:
            found.append(f"{len(both)} listed in resolved_ids and in {other}, for example {both[0]}")
    for kind in ("resolved", "unresolved", "empty_patch", "error"):
        count, listed = getattr(report, f"{kind}_instances"), len(set(getattr(report, f"{kind}_ids")))
        if count is not None and count != listed and (listed or kind == "resolved"):
            found.append(f"{kind}_instances is {count}, and {kind}_ids lists {listed}")
    text = f"{name} contradicts itself: {'; '.join(found)}"
    return [Note(code="report-contradicts-itself", text=text)] if found else []


def _repository(id: str) -> str:
    """Repository of ``django__django-1``, or of Multi-SWE-bench's ``alibaba/fastjson2:pr-1``."""
    return repository(id).removesuffix(":pr")


def _entry(source: Source) -> str:
    """Name the model of ``MODEL.RUN.json``, the run of ``SUBSET__SPLIT__RUN.json``, else the folder."""
    stem = source.stem
    if source.path.parent.name.startswith("sb-cli-reports") and stem.count("__") >= 2:
        return stem.split("__", 2)[2]
    model, dot, _ = stem.rpartition(".")
    return model.replace("__", "/") if dot else folder_name(source)


def _read_instance(source: Source) -> Sequence[Batch]:
    """``logs/run_evaluation/RUN/MODEL/INSTANCE/report.json``, unless the run's own report is read too."""
    folders = list(source.path.parents)
    if len(folders) < 3:
        raise MalformedFile(f"{source.path}: not in a folder RUN/MODEL/INSTANCE that would name the model")
    model, run = folders[1].name, folders[2].name
    above = folders[5] if len(folders) > 5 else None
    if (
        above
        and source.root
        and above.is_relative_to(source.root)
        and (above / f"{model}.{run}.json").exists()
    ):
        return []
    rows = Rows("cluster")
    for id, instance in source.json(dict[str, _Instance]).items():
        reason = "infra failure" if instance.infra_failure else None
        rows.add(
            model.replace("__", "/"), id, float(instance.resolved), None, None, reason, [_repository(id)]
        )
    text = "read from one report an instance: instances that ended in an error left none and are missing"
    note = Note(code="unknown-universe", text=text)
    batch = rows.batch(source, "swebench-report")
    return [replace(batch, renamed={"repository": "cluster"}, notes=[note])]


READERS = (
    Reader(
        name="swebench-report",
        title="Reports of the SWE-bench harness, sb-cli and Multi-SWE-bench",
        recognised="JSON with total_instances, submitted_instances and resolved_instances; or report.json",
        entry="model of the file name MODEL.RUN.json; run of SUBSET__SPLIT__RUN.json; else the folder",
        item="instance id",
        sample="one",
        score="listed in resolved_ids = 1; in unresolved_ids or empty_patch_ids = 0",
        failed="error_ids, failed_ids",
        absent="incomplete_ids, pending_ids",
        claims=_claims,
        read=_read,
    ),
)
