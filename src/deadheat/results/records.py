"""What every result is made of: records, notes, intervals, methods, provenance, and the base of documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from deadheat.estimand import Estimand
from deadheat.results.claims import AnyClaim

EVERY_ITEM, EVERY_CATEGORY, COMPOSITE = "Every item alike", "Every category alike", "Composite"
"""What the boards of all items are called, by what counts alike in them."""


Unit = Literal["rate", "score"]
"""What a number is: a rate, written in per cent and its differences in points, or a score as it is."""


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


class Methods(Record, frozen=True, kw_only=True):
    """The methods that ran, with everything needed to run them again."""

    interval: str | None = None
    test: str | None = None
    adjust: str | None = None
    best_of: int | None = None
    alpha: float | None = None
    level: float | None = None
    seed: int | None = None
    draws: int | None = None
    quantile_rule: str | None = None
    rank: str | None = None
    min_share: float | None = None


class File(Record, frozen=True, kw_only=True):
    """A file that was read."""

    path: str
    sha256: str
    format: str
    rows: int


class Provenance(Record, frozen=True, kw_only=True):
    """Where the numbers come from: files and counts of attempts."""

    files: tuple[File, ...] = ()
    read: int = 0
    failed: int = 0
    absent: int = 0
    excluded: int = 0
    columns: dict[str, str] = msgspec.field(default_factory=dict)


class Document(Record, frozen=True, kw_only=True):
    """What every JSON document carries; `summary` is its claims in words."""

    schema: str
    version: str
    estimand: Estimand
    methods: Methods
    summary: str
    claims: tuple[AnyClaim, ...] = ()
    notes: tuple[Note, ...] = ()
    provenance: Provenance = Provenance()

    if TYPE_CHECKING:

        def plot(self, kind: str | None = None, ax: Any = None) -> Any:
            """Draw it by matplotlib; given to results by ``deadheat.report.notebook``, which knows how."""

        def to_dict(self) -> dict[str, Any]:
            """Give the keys and values of its JSON; see ``deadheat.report.frames``."""

        def to_frame(self, library: str | None = None) -> Any:
            """Give its main table as a dataframe; see ``deadheat.report.frames``."""
