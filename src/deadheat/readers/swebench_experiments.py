"""The SWE-bench experiments layout: a folder an entry with results/results.json, lists of instance ids."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path

import msgspec
import numpy as np

from deadheat.data.batch import Batch
from deadheat.errors import MalformedFile
from deadheat.readers.base import Options, Reader, Source, decode
from deadheat.readers.rows import fingerprint
from deadheat.readers.swebench_site import repository
from deadheat.results import Note

Ids = list[str]


class _Results(msgspec.Struct):
    """Lists of ids by outcome, in the older layout and in that of the harness report."""

    resolved: Ids = []
    resolved_ids: Ids = []
    unresolved_ids: Ids = []
    completed_ids: Ids = []
    submitted_ids: Ids = []
    applied: Ids = []
    generated: Ids = []
    with_logs: Ids = []
    no_generation: Ids = []
    no_logs: Ids = []
    no_apply: Ids = []
    install_fail: Ids = []
    reset_failed: Ids = []
    test_errored: Ids = []
    test_timeout: Ids = []
    empty_patch_ids: Ids = []
    error_ids: Ids = []
    incomplete_ids: Ids = []
    total_instances: int | None = None

    def named(self) -> set[str]:
        """Every instance in any list."""
        lists = (getattr(self, name) for name in ("resolved", "resolved_ids", *SCORED, *FAILED, *ABSENT))
        return set(chain.from_iterable(lists))

    def whole(self) -> bool:
        """Whether what was tried and not resolved is listed; the layout of 2024 leaves it out."""
        return any(getattr(self, name) for name in SCORED)


FAILED = ("install_fail", "reset_failed", "no_logs", "test_errored", "test_timeout", "error_ids", "no_apply")
ABSENT = ("no_generation", "incomplete_ids")
SCORED = (
    "unresolved_ids",
    "applied",
    "generated",
    "with_logs",
    "completed_ids",
    "submitted_ids",
    "empty_patch_ids",
)


def _claims(source: Source) -> bool:
    path = source.path
    return path.name == "results.json" and path.parent.name == "results" and b'"resolved' in source.head


def _indexed(source: Source) -> list[str]:
    """Every item of the split, where an index.json stands in a folder above; else empty."""
    for folder in list(source.path.parents)[1:4]:
        index = folder / "index.json"
        if index.is_file():
            listed = source.beside(index).json(dict[str, msgspec.Raw])
            return sorted(listed)
    return []


def _beside(source: Source) -> tuple[list[str], int]:
    """Every item that an entry of the same split names, and the number of these entries."""
    files = sorted(source.path.parents[2].glob("*/results/results.json"))
    stamps = [(path, path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return sorted(set().union(*(_named(*stamp) for stamp in stamps))), len(files)


@cache
def _named(path: Path, size: int, time: int) -> frozenset[str]:
    """Items that a file names; every entry of a split asks for those of all others."""
    return frozenset(decode(path.read_bytes(), _Results, str(path)).named())


def outcomes(results: _Results, universe: Sequence[str]) -> dict[str, tuple[float, str]]:
    """Say the score and status of each instance; the lists overlap, so the most telling one wins.

    Returns
    -------
    dict
        Instance -> (score or NaN, status). One of the universe in no list is absent; where what was tried and
        not resolved is not listed it is that.
    """
    found = dict.fromkeys(universe, (np.nan, "absent") if results.whole() else (0.0, "scored"))
    for names, verdict in (
        (ABSENT, (np.nan, "absent")),
        (SCORED, (0.0, "scored")),
        (FAILED, (np.nan, "failed")),
    ):
        for name in names:
            found.update(dict.fromkeys(getattr(results, name), verdict))
    found.update(dict.fromkeys([*results.resolved, *results.resolved_ids], (1.0, "scored")))
    return found


def _read(source: Source, options: Options) -> Sequence[Batch]:
    results = source.json(_Results)
    if not results.named():
        raise MalformedFile(f"{source.path}: no list of instance ids in it")
    universe, notes, aligned = _indexed(source), [], {}
    if not universe and results.whole():
        text = (
            "the results list outcomes without the items of the split; items in no list are unknown, "
            "so rates are over the items listed"
        )
        notes.append(Note(code="unknown-universe", text=text))
    elif not universe:
        universe, entries = _beside(source)
        if entries == 1:
            raise MalformedFile(
                f"{source.path}: lists what was resolved and not what else there was; keep it among the "
                "other entries of its split, or put an index.json of the split's instances above them"
            )
        text = (
            f"{source.path.parents[2].name}: results list what was resolved and not what else there was; the "
            f"items of the split are taken to be the {len(universe)} that any of its {entries} entries "
            "names, so a rate is too high where nobody resolved some item"
        )
        notes.append(Note(code="unknown-universe", text=text))
        aligned["set of items, told from the entries beside it,"] = fingerprint(universe)
    found = outcomes(results, universe)
    entry = source.label or source.path.parent.parent.name
    items = sorted(found)
    columns = {
        "entry": np.full(len(items), entry, dtype=object),
        "item": np.array(items, dtype=object),
        "score": np.array([found[item][0] for item in items]),
        "status": np.array([found[item][1] for item in items], dtype=object),
        "cluster": np.array([repository(item) for item in items], dtype=object),
    }
    return [
        Batch(
            file=source.file("swebench-experiments"),
            columns=columns,
            renamed={"repository": "cluster"},
            notes=notes,
            aligned=aligned,
        )
    ]


def _claims_index(source: Source) -> bool:
    """An index.json above experiment folders: read with them."""
    path = source.path
    return path.name == "index.json" and any(Path(path.parent).glob("*/results/results.json"))


READERS = (
    Reader(
        name="swebench-experiments",
        title="SWE-bench experiments: <entry>/results/results.json",
        recognised="a file results/results.json with a list `resolved` (index.json above it gives all items)",
        entry="name of the entry's folder",
        item="instance id",
        sample="one",
        score="listed in resolved = 1; listed elsewhere, or nowhere where only that is listed, = 0",
        failed="install_fail, reset_failed, no_logs, no_apply, test_errored, test_timeout, error_ids",
        absent="no_generation, incomplete_ids, or in no list",
        claims=lambda source: _claims(source) or _claims_index(source),
        read=lambda source, options: [] if _claims_index(source) else _read(source, options),
    ),
)
