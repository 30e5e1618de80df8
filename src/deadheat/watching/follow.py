"""Results that grow: files read again when they have changed, or standard input line by line."""

from __future__ import annotations

import csv
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from deadheat.data.columns import parse_scores
from deadheat.data.panel import panel
from deadheat.data.roles import canonical
from deadheat.data.table import Table
from deadheat.errors import DataError, MalformedFile, ReadError
from deadheat.estimand import Estimand
from deadheat.output import scratch
from deadheat.watching.watch_journal import Batch

LINES = {".jsonl", ".ndjson", ".csv", ".tsv"}  # files whose last line may be half written
Reads = Callable[[Sequence[str]], Table]
Pick = Callable[[Table], tuple[str, str] | None]


def follow(
    paths: Sequence[str],
    read: Reads,
    pick: Pick,
    estimand: Estimand,
    *,
    poll: float,
    wait: float,
    samples: int = 1,
) -> Iterator[Batch]:
    """Read files whenever they have changed, until nothing has changed for a while.

    Parameters
    ----------
    paths : sequence of str
        Files or folders, with or without a name before ``=``.
    read : callable
        Paths to a table.
    pick : callable
        The candidate and the baseline of a table; None while one of them is not there yet.
    estimand : Estimand
    poll, wait : float
        Seconds between two looks at the files, and without any change after which it ends.
    samples : int
        Samples of an item that both have before it counts.

    Raises
    ------
    ReadError, DataError
        What reading said, where it still says so at the end.
    """
    before, since, error = None, time.monotonic(), None
    while True:
        now = _state(paths)
        if now != before:
            before, since, error = now, time.monotonic(), None
            try:
                table = read(_copies(paths))
                names = pick(table)
            except (ReadError, DataError) as failed:
                names, error = None, failed  # a file that is being written may be whole at the next look
            if names is not None:
                yield _shared(table, names, estimand, samples)
        elif time.monotonic() - since >= wait:
            if error is not None:
                raise error
            return
        time.sleep(min(poll, max(wait - (time.monotonic() - since), 0.0)) if wait < poll else poll)


def _shared(table: Table, names: tuple[str, str], estimand: Estimand, samples: int) -> Batch:
    seen = panel(table, estimand)
    rows = [seen.entries.index(name) for name in names]
    ready = seen.present[rows].all(axis=0)
    if samples > 1:
        ready &= (np.ones(seen.present.shape) if seen.samples is None else seen.samples)[rows].min(
            axis=0
        ) >= samples
    at = np.flatnonzero(ready)
    a, b = (seen.values[row][at].astype(np.float64).tolist() for row in rows)
    return [seen.items[i] for i in at], a, b


def _parts(given: str) -> tuple[str, Path]:
    """The name before a path, with its sign of equality, and the path."""
    name, sign, path = given.partition("=")
    return (f"{name}{sign}", Path(path)) if sign and not Path(given).exists() else ("", Path(given))


def _files(path: Path) -> list[Path]:
    return (
        sorted(p for p in path.rglob("*") if p.is_file())
        if path.is_dir()
        else [path]
        if path.exists()
        else []
    )


def _state(paths: Iterable[str]) -> list[tuple[str, int, int]]:
    found = []
    for given in paths:
        for file in _files(_parts(given)[1]):
            try:
                stat = file.stat()
            except OSError:
                continue
            found.append((str(file), stat.st_size, stat.st_mtime_ns))
    return found


def _copies(paths: Sequence[str]) -> list[str]:
    """Copy files of lines up to their last whole line; what has no such file is read where it is."""
    made = []
    for number, given in enumerate(paths):
        name, path = _parts(given)
        files = _files(path)
        if not any(file.suffix.lower() in LINES for file in files):
            made.append(given)
            continue
        root = scratch() / "watch" / str(number)
        shutil.rmtree(root, ignore_errors=True)
        for file in files:
            target = root / (Path(path.name) / file.relative_to(path) if path.is_dir() else file.name)
            target.parent.mkdir(parents=True, exist_ok=True)
            content = file.read_bytes()
            if file.suffix.lower() in LINES:
                content = content[: content.rfind(b"\n") + 1]
            target.write_bytes(content)
        made.append(f"{name}{root / path.name}")
    return made


def lines(
    stream: Iterable[str],
    a: str | None,
    b: str,
    known: Mapping[str, float],
    named: Callable[[str], None] = lambda name: None,
) -> Iterator[Batch]:
    """Take results line by line: JSON objects, or CSV with a header; each item as soon as both have it.

    Parameters
    ----------
    stream : iterable of str
    a : str or None
        The candidate; None takes every entry but the baseline.
    b : str
        The baseline.
    known : mapping
        Scores of the baseline that are at hand: item -> score.
    named : callable
        Told the name of each candidate.

    Raises
    ------
    MalformedFile
        A line that is not a row, with its number.
    """
    scores: dict[str, dict[str, float]] = {"a": {}, "b": dict(known)}
    for number, row in _rows(stream):
        part = canonical(row)
        if "item" not in part or "score" not in part:
            raise MalformedFile(
                f"standard input: line {number} has no item or no score; found {', '.join(row)}: an item "
                "column and a score column are needed"
            )
        entry = str(row[part["entry"]]) if "entry" in part else a
        if a is not None and entry not in (a, b):
            continue
        try:
            score = float(parse_scores([row[part["score"]]])[0])
        except DataError as error:
            raise MalformedFile(f"standard input: line {number}: {error}") from error
        item = str(row[part["item"]])
        if np.isnan(score):
            continue
        if entry is not None and entry != b:
            named(entry)
        scores["b" if entry == b else "a"].setdefault(item, score)
        if item in scores["a"] and item in scores["b"]:
            yield [item], [scores["a"][item]], [scores["b"][item]]


def _rows(stream: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    numbered = ((number, line) for number, line in enumerate(stream, 1) if line.strip())
    header: list[str] | None = None
    for number, line in numbered:
        if header is None and line.lstrip().startswith("{"):
            try:
                row = msgspec.json.decode(line)
            except msgspec.DecodeError as error:
                raise MalformedFile(f"standard input: line {number} is not JSON: {error}") from error
            yield number, row
            continue
        cells = next(csv.reader([line]))
        if header is None:
            header = cells
        elif len(cells) != len(header):
            raise MalformedFile(
                f"standard input: line {number} has {len(cells)} cells and the header {len(header)}"
            )
        else:
            yield number, dict(zip(header, cells, strict=True))
