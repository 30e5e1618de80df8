"""Several runs of one entry are told apart: refused, or the latest taken when that was asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from deadheat.data.batch import Batch
from deadheat.errors import DataError, DuplicateAttempt
from deadheat.readers.base import Options, Reader, Source
from deadheat.results import Note

SHOWN = 5


def check_aligned(batches: Sequence[Batch]) -> None:
    """Refuse files whose items are matched by position but do not stand in one order.

    Raises
    ------
    DataError
        Naming the first two files that differ.
    """
    first: dict[str, Batch] = {}
    for batch in batches:
        for what, fingerprint in batch.aligned.items():
            before = first.setdefault(what, batch)
            if before.aligned[what] != fingerprint:
                raise DataError(
                    f"{before.file.path} and {batch.file.path} cannot be matched: their {what} "
                    "differs; read files of one version of the benchmark"
                )


def together(batches: Sequence[Batch], makers: Sequence[Reader], sources: Sequence[Source]) -> list[Batch]:
    """Let each reader that wants to look at all of its batches at once."""
    found = list(batches)
    for reader in dict.fromkeys(makers):
        mine = [at for at, maker in enumerate(makers) if maker is reader]
        if reader.together is not None:
            joined = reader.together([batches[at] for at in mine], sources[0].connection)
            for at, batch in zip(mine, joined, strict=True):
                found[at] = batch
    return found


def settle(batches: Sequence[Batch], options: Options) -> list[Batch]:
    """Leave one run of each entry and task, and drop published rates that are of a part only.

    Parameters
    ----------
    batches : sequence of Batch
        Those that state what was run and when have `task` and `time`.
    options : Options

    Raises
    ------
    DuplicateAttempt
        If an entry ran a task more than once and `options.latest` is off.
    """
    runs: dict[tuple[str, str], list[int]] = defaultdict(list)
    parts: dict[str, int] = defaultdict(int)
    for index, batch in enumerate(batches):
        for entry in entries(batch):
            parts[entry] += 1
            if batch.time:
                runs[entry, batch.task].append(index)
    dropped: set[int] = set()
    notes: list[Note] = []
    for (entry, task), indices in runs.items():
        if len(indices) < 2:
            continue
        ordered = sorted(indices, key=lambda index: batches[index].time)
        listed = "; ".join(f"{batches[i].file.path} of {batches[i].time}" for i in ordered[-SHOWN:])
        last, before = batches[ordered[-1]], batches[ordered[-2]]
        if not options.latest or last.time == before.time:
            raise DuplicateAttempt(
                f"{entry} ran {task} {len(indices)} times: {listed}; name the runs apart (name=PATH), "
                "read one of them, or ask for the latest (--latest)"
            )
        dropped.update(ordered[:-1])
        text = f"{entry} ran {task} {len(indices)} times: took the latest, {last.file.path} of {last.time}"
        notes.append(Note(code="latest-run", text=text))
        parts[entry] -= len(indices) - 1
    notes += _parts_without_items(batches)
    kept = [
        replace(batch, published={e: rate for e, rate in batch.published.items() if parts.get(e, 1) == 1})
        for index, batch in enumerate(batches)
        if index not in dropped
    ]
    if notes:
        kept[0] = replace(kept[0], notes=[*kept[0].notes, *notes])
    return kept


def _parts_without_items(batches: Sequence[Batch]) -> list[Note]:
    """Name files without results by item of entries that have some in other files."""
    elsewhere = set().union(*map(entries, batches))
    return [
        Note(code="file-without-items", text=f"{batch.file.path}: no results by item of {entry}")
        for batch in batches
        for entry in batch.unpublished
        if entry in elsewhere
    ]


def entries(batch: Batch) -> set[str]:
    """Entries of a batch, as far as they are known without running its query."""
    if batch.columns is not None:
        return {str(entry) for entry in batch.columns["entry"]}
    return {batch.entry} if batch.entry else set()
