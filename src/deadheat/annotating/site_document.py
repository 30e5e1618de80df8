"""A site's leaderboard document: its boards and entries, and where they stand in the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from deadheat.annotating.json_text import Place
from deadheat.annotating.outcomes import Outcomes
from deadheat.annotating.site_layout import Layout
from deadheat.results import File, Note


@dataclass(frozen=True)
class Line:
    """One entry of a board.

    Parameters
    ----------
    entry, name : str
        What identifies it, and what readers see (None if that is not said).
    published : float or None
        Its published rate as it stands in the document.
    decimals : int
        Digits behind the point of `published`.
    outcomes : Outcomes or None
        Its per-item results; None if it publishes none.
    repeated : tuple of str
        Items that occur more than once.
    place : Place
        Where the entry stands in the text.
    """

    entry: str
    name: str | None
    published: float | None
    decimals: int
    outcomes: Outcomes | None
    repeated: tuple[str, ...]
    place: Place


@dataclass(frozen=True)
class Part:
    """One board; `place` is None where it is a bare list of entries."""

    name: str
    lines: tuple[Line, ...]
    place: Place | None


@dataclass(frozen=True)
class Met:
    """How often each field of a layout led to something, and how many boards, entries, results there are."""

    times: Mapping[str, int] = field(default_factory=dict)
    boards: int = 0
    entries: int = 0
    results: int = 0


@dataclass(frozen=True)
class Site:
    """A document: its text after `prefix` (a byte order mark or nothing), and the boards in it."""

    text: str
    prefix: str
    boards: tuple[Part, ...]
    layout: Layout
    file: File
    met: Met = Met()
    notes: tuple[Note, ...] = ()
