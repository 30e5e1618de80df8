"""A file of finished blocks, so that an interrupted study goes on where it stopped."""

from __future__ import annotations

import json
from pathlib import Path

from deadheat.errors import MalformedFile, ReadError

Sums = list[list[float]]

BEGIN = '{"cell": "'


class Journal:
    """One JSON line a finished block: the fingerprint of its cell, its number, its replicates, its sums.

    Parameters
    ----------
    path : Path or None
        None keeps nothing.

    Raises
    ------
    MalformedFile
        A line that is no block; a last line that was cut off is passed over.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.blocks: dict[tuple[str, int, int], Sums] = {}
        if path is None or not path.exists():
            return
        text = path.read_text(encoding="utf-8", errors="replace")
        lines = text.split("\n")
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                self.blocks[record["cell"], record["block"], record["replicates"]] = record["sums"]
            except (ValueError, TypeError, KeyError) as error:
                if number == len(lines) and BEGIN.startswith(line[: len(BEGIN)]):
                    break  # cut off while it was being written
                raise MalformedFile(
                    f"{path}: line {number} is no block of a study; --resume takes a file that --resume wrote"
                ) from error
        if text and not text.endswith("\n"):
            path.write_text(text[: text.rfind("\n") + 1], encoding="utf-8")

    def found(self, cell: str, block: int, replicates: int) -> Sums | None:
        """The sums of a block, if it is here."""
        return self.blocks.get((cell, block, replicates))

    def write(self, cell: str, block: int, replicates: int, sums: Sums) -> None:
        """Add a finished block; it is on disk when this returns."""
        if self.path is None:
            return
        record = {"cell": cell, "block": block, "replicates": replicates, "sums": sums}
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
        except OSError as error:
            raise ReadError(f"{self.path}: cannot be written ({error.strerror})") from error
