"""The smallest results: the base of all records, a note, an interval."""

from __future__ import annotations

import msgspec

EVERY_ITEM, EVERY_CATEGORY, COMPOSITE = "Every item alike", "Every category alike", "Composite"
"""What the boards of all items are called, by what counts alike in them."""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Base of every result."""


class Note(Record, frozen=True, kw_only=True):
    """A doubt that travels with a number."""

    code: str
    text: str


class Interval(Record, frozen=True, kw_only=True):
    """An interval with the level it claims and the method that made it."""

    low: float
    high: float
    level: float
    method: str
