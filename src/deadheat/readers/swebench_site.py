"""The leaderboards.json of the SWE-bench site: boards of entries, some with per-item results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from deadheat.data.batch import Batch
from deadheat.errors import DataError, MalformedFile
from deadheat.readers.base import Options, Reader, Source


class _Detail(msgspec.Struct):
    resolved: bool | None = None
    cost: float | None = None
    api_calls: float | None = None


class _Result(msgspec.Struct):
    folder: str
    name: str | None = None
    resolved: float | None = None
    date: str | None = None
    per_instance_details: dict[str, _Detail] | None = None


class _Leaderboard(msgspec.Struct):
    name: str
    results: list[_Result]


class _Leaderboards(msgspec.Struct):
    leaderboards: list[_Leaderboard]


def repository(instance: str) -> str:
    """Return the repository that an instance id names: ``django__django-123`` -> ``django/django``."""
    return re.sub(r"-[^-]*$", "", instance).replace("__", "/", 1)


def _claims(source: Source) -> bool:
    return source.suffix == ".json" and re.match(rb'\s*\{\s*"leaderboards"\s*:', source.head) is not None


def _board(source: Source, boards: list[_Leaderboard], asked: str | None) -> _Leaderboard:
    """Choose the board: the one asked for, or the only one that has per-item results."""
    names = [board.name for board in boards]
    detailed = [board for board in boards if any(result.per_instance_details for result in board.results)]
    if asked is None and len(detailed) == 1:
        return detailed[0]
    chosen = [board for board in boards if asked is not None and board.name.lower() == asked.lower()]
    if len(chosen) != 1:
        wanted = f"no board {asked!r}" if asked else "several boards"
        raise DataError(f"{source.path}: {wanted}; choose one with --board: {', '.join(names)}")
    return chosen[0]


def _read(source: Source, options: Options) -> Sequence[Batch]:
    board = _board(source, source.json(_Leaderboards).leaderboards, options.board)
    folders = [result.folder for result in board.results]
    repeated = sorted({folder for folder in folders if folders.count(folder) > 1})
    if repeated:
        raise MalformedFile(
            f"{source.path}: board {board.name}: folder occurs more than once: {', '.join(repeated)}"
        )
    named = ("entry", "item", "score", "cluster", "date", "cost", "api_calls")
    columns: dict[str, list[Any]] = {name: [] for name in named}
    for result in board.results:
        details = result.per_instance_details or {}
        columns["entry"] += [result.folder] * len(details)
        columns["item"] += details
        columns["score"] += [np.nan if d.resolved is None else float(d.resolved) for d in details.values()]
        columns["cluster"] += map(repository, details)
        columns["date"] += [result.date] * len(details)
        columns["cost"] += [d.cost for d in details.values()]
        columns["api_calls"] += [d.api_calls for d in details.values()]
    if not columns["item"]:
        raise DataError(f"{source.path}: board {board.name} publishes no per-item results")
    arrays = {name: np.array(column, dtype=object) for name, column in columns.items()}
    return [
        Batch(
            file=source.file(f"swebench-site ({board.name})"),
            columns=arrays | {"score": arrays["score"].astype(np.float64)},
            names={result.folder: result.name for result in board.results if result.name},
            published={r.folder: r.resolved / 100 for r in board.results if r.resolved is not None},
            unpublished=[result.folder for result in board.results if not result.per_instance_details],
            renamed={"repository": "cluster"},
        )
    ]


READERS = (
    Reader(
        name="swebench-site",
        title="SWE-bench site: leaderboards.json",
        recognised='.json that begins with {"leaderboards":',
        entry="folder (names repeat); the name is shown",
        item="key of per_instance_details",
        sample="one",
        score="resolved",
        failed="not told apart",
        absent="an item without details; entries without any are listed with dashes",
        claims=_claims,
        read=_read,
    ),
)
