"""A candidate and a baseline, each from a path of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from deadheat.cli.options import Reading, UsageError

if TYPE_CHECKING:
    from deadheat.cli.progress import Told
    from deadheat.data.table import Table
    from deadheat.results import Note

BASELINE = re.compile(
    r"(?i)(?<![a-z])(base(line)?|old|before|main|master|reference|ref|control|prev(ious)?)(?![a-z])"
)


def two(reading: Reading, paths: Sequence[str], told: Told | None = None) -> tuple[Table, str, str]:
    """Read a candidate and a baseline, each from a path of its own.

    Two runs of one entry are told apart by the names of their files or folders.
    """
    from deadheat.cli.stdin import unpiped
    from deadheat.errors import DuplicateAttempt

    paths = list(unpiped(paths))
    with suppress(DuplicateAttempt):  # mostly the entries differ, and once read is enough
        table = reading.table(paths, told)
        held = _held(table, paths)
        if [len(entries) for entries in held] == [1, 1] and held[0] != held[1]:
            return table, min(held[0]), min(held[1])
    first, second = (_only(reading.table([path], told).entries, path) for path in paths)
    if first != second:
        return reading.table(paths, told), first, second
    labels = apart(paths)
    if labels is None:
        raise DuplicateAttempt(
            f"{paths[0]} and {paths[1]} both hold the entry {first!r}; name them apart: new=PATH old=PATH"
        )
    named = [f"{label}={path}" for label, path in zip(labels, paths, strict=True)]
    return reading.table(named, told), *labels


def _held(table: Table, paths: Sequence[str]) -> list[set[str]]:
    """Entries that come from each path, as far as the table tells."""
    rows: list[tuple[str, int]] = []
    if table.attempts is not None:
        query = "SELECT DISTINCT entry, file_index FROM attempts"
        rows = table.attempts.connection.execute(query).fetchall()
    held = []
    for path in paths:
        given = Path(path if Path(path).exists() else path.partition("=")[2])
        under = {n for n, file in enumerate(table.files) if Path(file.path).is_relative_to(given)}
        held.append({entry for entry, file in rows if file in under})
    return held


def order(first: str, second: str) -> Note | None:
    """Doubt that the first of two is the candidate, where its name says baseline and the other's does not."""
    from deadheat.results import Note

    if not BASELINE.search(first) or BASELINE.search(second):
        return None
    text = (
        f"the first path is the candidate and the second the baseline, so {first} was taken as the "
        f"candidate: swap them, or say --against {first}, if it is the baseline"
    )
    return Note(code="order", text=text)


def _only(entries: Sequence[str], path: str) -> str:
    if len(entries) != 1:
        raise UsageError(
            f"{path} holds {len(entries)} entries ({', '.join(entries[:5])}): name the baseline with "
            "--against"
        )
    return entries[0]


def apart(paths: Sequence[str]) -> tuple[str, str] | None:
    """Find the last parts in which two paths differ: ``new`` and ``old`` for new/run.json, old/run.json."""
    if any("=" in path for path in paths):
        return None
    one, other = (Path(path) for path in paths)
    stems = [(one.stem, other.stem), *zip(reversed(one.parts[:-1]), reversed(other.parts[:-1]), strict=False)]
    return next((pair for pair in stems if pair[0] != pair[1]), None)
