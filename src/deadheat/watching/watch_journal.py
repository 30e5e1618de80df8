"""The journal of a watch: what was asked, then the items of each look, on disk before the look is told."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deadheat.errors import MalformedFile, MethodError, ReadError

Batch = tuple[Sequence[str], Sequence[float], Sequence[float]]
KIND = "deadheat/watch-journal@1"
NOT_ONE = "not the journal of a watch; --journal takes a file that watch wrote, or a new one"


class WatchJournal:
    """Looks that were taken, so that a watch that was killed goes on instead of beginning anew.

    Parameters
    ----------
    path : Path or None
        None keeps nothing.
    asked : mapping
        What decides the looks: entries, stop, margin, alpha.

    Raises
    ------
    MethodError
        A journal of another question: its looks have spent error that this one cannot take over.
    MalformedFile
        Not a journal; a last line that was cut off is passed over.
    """

    def __init__(self, path: Path | None, asked: Mapping[str, Any]) -> None:
        self.path = path
        self.batches: list[Batch] = []
        if path is None:
            return
        text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        if not whole:
            if text.strip() and not json.dumps({"journal": KIND}).startswith(text[:20]):
                raise MalformedFile(
                    f"{path}: not a journal of a watch; --journal takes a file that watch wrote"
                )
            self._write([{"journal": KIND, **asked}], "w")
            return
        records = [self._record(line, number) for number, line in enumerate(whole.splitlines(), 1)]
        self._same(records[0], asked)
        self.batches = [(r["items"], r["a"], r["b"]) for r in records[1:]]
        if whole != text:
            path.write_text(whole, encoding="utf-8")

    def _record(self, line: str, number: int) -> dict[str, Any]:
        try:
            record = json.loads(line)
            if number == 1:
                assert record["journal"] == KIND
            else:
                assert len(record["items"]) == len(record["a"]) == len(record["b"])
        except (ValueError, TypeError, KeyError, AssertionError) as error:
            raise MalformedFile(f"{self.path}: line {number}: {NOT_ONE}") from error
        return dict(record)

    def _same(self, found: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
        other = [
            f"{key} {found.get(key)!r} (now {value!r})"
            for key, value in asked.items()
            if found.get(key) != value
        ]
        if other:
            raise MethodError(
                f"{self.path}: this journal is of a watch with {', '.join(other)}; its looks have spent "
                "error that another question cannot take over: name another --journal, or ask the same "
                "question"
            )

    def add(self, batch: Batch) -> None:
        """Add the items of a look; they are on disk when this returns."""
        if self.path is not None:
            items, a, b = batch
            self._write([{"items": list(items), "a": list(map(float, a)), "b": list(map(float, b))}], "a")

    def _write(self, records: Sequence[Mapping[str, Any]], mode: str) -> None:
        assert self.path is not None
        try:
            with self.path.open(mode, encoding="utf-8") as file:
                file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise ReadError(f"{self.path}: cannot be written ({error.strerror})") from error
