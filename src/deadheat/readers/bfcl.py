"""Berkeley Function Calling Leaderboard: score files that list only the failures; the rest passed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from deadheat.data.batch import Batch
from deadheat.errors import MalformedFile
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.lines import json_lines
from deadheat.readers.outline import outline
from deadheat.readers.rows import Rows, folder_name


class _Line(msgspec.Struct):
    """The header, or one failure."""

    accuracy: float | None = None
    correct_count: int | None = None
    total_count: int | None = None
    id: int | str | None = None
    valid: bool | None = None
    error_type: str | None = None


class _Result(msgspec.Struct):
    id: int | str


def _claims(source: Source) -> bool:
    found = outline(source.head)
    score = source.stem.endswith("_score") and found.has("accuracy", "correct_count", "total_count")
    return score or (source.stem.endswith("_result") and found.has("id", "result"))


def _read(source: Source, options: Options) -> Sequence[Batch]:
    if source.stem.endswith("_result"):
        return []
    (_, header), *rest = json_lines(source, _Line)
    total, correct = header.total_count, header.correct_count
    if total is None or correct is None:
        raise MalformedFile(f"{source.path}: line 1: no total_count or no correct_count")
    failures: dict[str, str | None] = {}
    for number, line in rest:
        if line.id is None or line.valid is not False:
            raise MalformedFile(f"{source.path}: line {number}: not a failure: no id, or valid is not false")
        failures[str(line.id)] = line.error_type
    if total - len(failures) != correct:
        raise MalformedFile(
            f"{source.path}: the header counts {correct} of {total} right, "
            f"but {len(failures)} failures are listed"
        )
    category = re.sub(
        r"^(BFCL_v\d+_|gorilla_openfunctions_v\d+_test_)", "", source.stem.removesuffix("_score")
    )
    entry = _folder(source)
    rows = Rows("category")
    for id in _universe(source, category, list(failures), total):
        score, reason = (0.0, failures[id] or "wrong") if id in failures else (1.0, None)
        rows.add(entry, f"{category}/{id}", score, None, None, reason, [category])
    published = {} if header.accuracy is None else {entry: header.accuracy}
    return [replace(rows.batch(source, "bfcl"), published=published, task=category)]


def _folder(source: Source) -> str:
    """Folder of the model: the one right below `score`, else the one the file lies in."""
    names = [folder.name for folder in source.path.parents]
    at = names.index("score") if "score" in names else 1
    return names[at - 1] or folder_name(source)


def _universe(source: Source, category: str, failed: list[str], total: int) -> list[str]:
    """Every id of the category: from the file of results, else counted up as the ids of failures are."""
    parts = list(source.path.parts)
    if "score" in parts:
        at = len(parts) - 1 - parts[::-1].index("score")
        name = source.path.name.replace("_score.", "_result.")
        results = source.path.__class__(*parts[:at], "result", *parts[at + 1 : -1], name)
        if results.exists():
            ids = [str(line.id) for _, line in json_lines(replace(source, path=results), _Result)]
            if len(set(ids)) != total or not set(failed) <= set(ids):
                raise MalformedFile(
                    f"{source.path}: {results} holds {len(set(ids))} other ids than the {total} here"
                )
            return ids
    prefix = f"{category}_" if source.stem.startswith("BFCL_") else ""
    counted = re.fullmatch(r"([A-Za-z_]+_|)\d+", failed[0]) if failed else None
    prefix = counted[1] if counted else prefix
    first = 0 if prefix else 1  # whole numbers count from 1, named ids from 0
    ids = [f"{prefix}{number}" for number in range(first, first + total)]
    strange = set(failed) - set(ids)
    if strange:
        raise MalformedFile(
            f"{source.path}: what passed is not listed and cannot be counted up from ids such as "
            f"{min(strange)!r}; keep the folder `result` beside `score`"
        )
    return ids


READERS = (
    Reader(
        name="bfcl",
        title="BFCL scores",
        recognised="…_score.json, JSON Lines that begin with accuracy, correct_count and total_count",
        entry="folder below `score`",
        item="category/id",
        sample="one",
        score="listed = 0, all others of the category = 1; the header's counts are checked",
        failed="not told apart: errors of decoding and inference are listed as failures",
        absent="a category without a file",
        claims=_claims,
        read=_read,
    ),
)
