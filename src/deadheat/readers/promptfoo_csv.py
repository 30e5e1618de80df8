"""promptfoo output as CSV: a row a test, a group of columns a provider and prompt, two decimals a score."""

from __future__ import annotations

import csv
import hashlib
import io
from collections import Counter, defaultdict
from collections.abc import Sequence

from deadheat.data.batch import Batch
from deadheat.errors import MalformedFile
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.rows import Rows, agree, choose, number, shown

VERDICTS = {"PASS": 1.0, "FAIL": 0.0, "ERROR": None}


def _claims(source: Source) -> bool:
    if source.suffix != ".csv" or b"Grader Reason" not in source.head:
        return False
    return bool(_groups(_lines(source.head.split(b"\n", 1)[0], str(source.path))[0]))


def _lines(data: bytes, where: str) -> list[list[str]]:
    try:
        return list(csv.reader(io.StringIO(data.decode(errors="replace"), newline=""))) or [[]]
    except csv.Error as error:
        raise MalformedFile(f"{where}: not valid CSV: {error}") from error


def _groups(header: list[str]) -> dict[str, int]:
    """Entry -> its first column, the one before ``Status`` and ``Score``."""
    return {
        header[at]: at
        for at in range(len(header) - 2)
        if header[at].startswith("[") and header[at + 1 : at + 3] == ["Status", "Score"]
    }


def _read(source: Source, options: Options) -> Sequence[Batch]:
    header, *lines = _lines(source.read(), str(source.path))
    groups = _groups(header)
    if not groups:
        raise MalformedFile(f"{source.path}: no column [provider] prompt with Status and Score beside it")
    inputs = min(groups.values())
    described = header[0] == "Description"
    meant: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for line in lines:
        meant[line[0] if line else ""].add(tuple(line[:inputs]))
    found: list[tuple[str, str, str, float | None, float | None]] = []
    seen: Counter[tuple[str, str]] = Counter()
    for place, line in enumerate(lines, 2):
        if len(line) != len(header):
            raise MalformedFile(
                f"{source.path}: row {place}: {len(line)} cells where the header names {len(header)}"
            )
        unique = described and line[0] and len(meant[line[0]]) == 1
        item = line[0] if unique else hashlib.sha256(repr(line[:inputs]).encode()).hexdigest()[:16]
        for entry, at in groups.items():
            if line[at + 1] not in VERDICTS:
                raise MalformedFile(f"{source.path}: row {place}: Status is {shown(line[at + 1])}")
            verdict = VERDICTS[line[at + 1]]
            score = number(line[at + 2] or None, f"{source.path}: row {place}: Score")
            seen[entry, item] += 1
            found.append((entry, item, str(seen[entry, item]), verdict, None if verdict is None else score))
    metric = "pass"
    if "metric" in options.choices or not agree((verdict, score) for *_, verdict, score in found):
        metric = choose(options, "metric", ["pass", "score"], str(source.path))
    rows = Rows()
    for entry, item, sample, verdict, score in found:
        failed = verdict is None
        value = verdict if metric == "pass" else score
        rows.add(entry, item, value, sample, "failed" if failed else None, "error" if failed else None)
    return [rows.batch(source, "promptfoo-csv")]


READERS = (
    Reader(
        name="promptfoo-csv",
        title="promptfoo output as CSV",
        recognised="CSV with columns [provider] prompt, Status, Score and Grader Reason",
        entry="[provider] prompt",
        item="Description where unique, else a hash of the input columns",
        sample="order among equal rows",
        score="metric=pass: Status PASS = 1, FAIL = 0; metric=score: Score, rounded to two decimals",
        failed="Status ERROR",
        absent="not recorded",
        claims=_claims,
        read=_read,
    ),
)
