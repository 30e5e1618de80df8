"""What a board of one entry shows of its own accord: nothing here is compared."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.evidence.categories import Division, divide
from deadheat.results import Note

OF_SEVERAL = {"winner", "chances", "top"}
"""What can be asked of a board, but not of one entry."""


def without(asked: Collection[str]) -> tuple[Note, ...]:
    """Say what was asked for that needs other entries."""
    named = [f"--{name}" for name in sorted(OF_SEVERAL.intersection(asked))]
    if not named:
        return ()
    text = f"{' and '.join(named)}: left out because only one entry takes part"
    return (Note(code="alone", text=text),)


def extras(seen: Panel) -> Iterator[str]:
    """Name the extras that need nobody else: what a rerun would give, and what failed attempts are worth."""
    if seen.within is not None and np.isfinite(seen.within[seen.present]).any():
        yield "both-errors"
    if seen.failed.any():
        yield "denominators"


def division(table: Table, seen: Panel) -> Division | None:
    """The items by category, where each has one and there are several."""
    if not table.has("category") or len(seen.items) < len(table.items):
        return None
    labels = table.attribute("category")
    if any(label is None for label in labels) or len(set(labels)) < 2:
        return None
    return divide(table, "category")
