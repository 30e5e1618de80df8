"""Small boards made of their patterns: how many items have which outcomes, entry by entry."""

from __future__ import annotations

from typing import Any

from deadheat import Table
from support import table_of


def patterns(counts: dict[str, int], names: str = "ABCDEFGH", **columns: Any) -> Table:
    """Make a board: ``{"110": 3}`` has three items that A and B get right and C does not."""
    items = [pattern for pattern, number in counts.items() for _ in range(number)]
    rows = {
        names[at]: [None if pattern[at] == "-" else int(pattern[at]) for pattern in items]
        for at in range(len(items[0]))
    }
    return table_of(rows, **columns)


def texts(notes: Any) -> str:
    return "\n".join(note.text for note in notes)
