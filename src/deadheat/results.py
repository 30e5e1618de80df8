"""The answers: frozen records whose fields are the keys of the JSON contract; they compute nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from deadheat.contrast import AgainstMargin, Common, Gate, Own, Published, SelfCheck
from deadheat.estimand import Estimand
from deadheat.records import Interval as Interval
from deadheat.records import Note as Note
from deadheat.records import Record as Record
from deadheat.standing import Chance, Top
from deadheat.standing import Winner as Winner
from deadheat.uncertainty import BothErrors, Denominators, Variance


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


class Flips(Record, frozen=True, kw_only=True):
    """The items of one cluster on which the two differ; for other than 0/1 scores, where either is higher."""

    cluster: str
    items: int
    a_only: int
    b_only: int
    a_only_items: tuple[str, ...] = ()
    b_only_items: tuple[str, ...] = ()


class Comparison(Record, frozen=True, kw_only=True):
    """Two entries on the same items, `difference` = a - b; null where undefined, with a note."""

    a: str
    b: str
    items: int
    value_a: float | None = None
    value_b: float | None = None
    difference: float | None = None
    se: float | None = None
    interval: Interval | None = None
    p: float | None = None
    log10_p: float | None = None
    p_adjusted: float | None = None
    test: str | None = None
    a_only: int | None = None
    b_only: int | None = None
    correlation: float | None = None
    se_unpaired: float | None = None
    smallest_visible: float | None = None
    items_to_separate: int | None = None
    verdict: Literal["a", "b", "not separated"] | None = None
    margin: float | None = None
    equivalence: Literal["equivalent", "non-inferior", "inferior", "inconclusive"] | None = None
    df: float | None = None
    clusters: int | None = None
    probability_better: float | None = None
    own: Own | None = None
    common: Common | None = None
    against_margin: AgainstMargin | None = None
    published: Published | None = None
    flips: tuple[Flips, ...] | None = None
    notes: tuple[Note, ...] = ()


class Score(Record, frozen=True, kw_only=True):
    """One entry's line on a board."""

    entry: str
    name: str | None = None
    value: float | None = None
    se: float | None = None
    interval: Interval | None = None
    items: int = 0
    samples: int = 0
    failed: int = 0
    absent: int = 0
    published: float | None = None
    place: int | None = None
    rank: tuple[int, int] | None = None
    group: int | None = None
    letters: str | None = None
    vs_anchor: Comparison | None = None
    notes: tuple[Note, ...] = ()


class Group(Record, frozen=True, kw_only=True):
    """An anchor and the entries that the test cannot separate from it."""

    group: int
    anchor: str
    members: tuple[str, ...]


class First(Record, frozen=True, kw_only=True):
    """The first place of a part of the items against the second.

    Several names where a place is shared; the comparison is then of the pair that is separated least.
    `strict`: one entry holds the first place and is separated from every entry on the second.
    `p_across`: adjusted by Holm's rule for the number of categories looked at.
    """

    part: str
    items: int
    first: tuple[str, ...]
    second: tuple[str, ...]
    comparison: Comparison | None = None
    strict: bool | None = None
    p_across: float | None = None
    notes: tuple[Note, ...] = ()


class Document(Record, frozen=True, kw_only=True):
    """What every JSON document carries."""

    schema: str
    version: str
    estimand: Estimand
    methods: Methods
    summary: str
    notes: tuple[Note, ...] = ()
    provenance: Provenance = Provenance()

    if TYPE_CHECKING:

        def plot(self, kind: str | None = None, ax: Any = None) -> Any:
            """Draw it by matplotlib; given to results by ``deadheat.report.notebook``, which knows how."""


class Pairs(Record, frozen=True, kw_only=True):
    """All pairs of a board's scored entries, as lower triangles row by row: (1, 0), (2, 0), (2, 1), ….

    A number is about the row entry against the column entry; `difference`, `low`, `high` are row - column.
    """

    entries: tuple[str, ...]
    items: tuple[int, ...]
    difference: tuple[float | None, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]
    p: tuple[float | None, ...]
    log10_p: tuple[float | None, ...]
    p_adjusted: tuple[float | None, ...] | None = None
    row_only: tuple[int, ...] | None = None
    column_only: tuple[int, ...] | None = None


class Outcomes(Record, frozen=True, kw_only=True):
    """What every entry made of every item: one character an item, ``1``, ``0``, or ``-`` for none."""

    items: tuple[str, ...]
    entries: dict[str, str]


class Category(Record, frozen=True, kw_only=True):
    """A board of one category's items, or of all items weighted in another way."""

    entries: tuple[Score, ...]
    groups: tuple[Group, ...]
    tie_lines: tuple[tuple[str, ...], ...]
    summary: str
    test: str | None = None
    notes: tuple[Note, ...] = ()
    pairs: Pairs | None = None
    outcomes: Outcomes | None = None


class Board(Document, frozen=True, kw_only=True):
    """Entries in board order with what the data say of their order.

    `flat` holds for each entry the keys that other tools put into their own reports, as ``score_ci95_low``.
    """

    entries: tuple[Score, ...]
    groups: tuple[Group, ...]
    tie_lines: tuple[tuple[str, ...], ...]
    winner: Winner | None = None
    top: Top | None = None
    chances: tuple[Chance, ...] | None = None
    firsts: tuple[First, ...] = ()
    categories: dict[str, Category] | None = None
    micro: Category | None = None
    macro: Category | None = None
    composite: Category | None = None
    pairs: Pairs | None = None
    outcomes: Outcomes | None = None
    both_errors: tuple[BothErrors, ...] | None = None
    denominators: tuple[Denominators, ...] | None = None
    variance: Variance | None = None
    flat: dict[str, dict[str, float | None]] | None = None
    schema: str = "deadheat/board@1"


class Comparisons(Document, frozen=True, kw_only=True):
    """Comparisons of pairs, of all items and on request of each category; a gate; an A/A check."""

    comparisons: tuple[Comparison, ...]
    categories: dict[str, tuple[Comparison, ...]] | None = None
    gate: Gate | None = None
    self_checks: tuple[SelfCheck, ...] | None = None
    schema: str = "deadheat/comparison@1"


class Curve(Record, frozen=True, kw_only=True):
    """Points of a curve with the names of what its two axes hold, for example items and power."""

    x: str
    y: str
    points: tuple[tuple[float, float], ...]


class Plan(Document, frozen=True, kw_only=True):
    """How many items or samples, how much power, how small a difference."""

    question: str
    assumptions: dict[str, Any]
    answer: dict[str, Any]
    curve: Curve | None = None
    schema: str = "deadheat/plan@1"


class Coverage(Document, frozen=True, kw_only=True):
    """Exact coverage of an interval method; `curve` and `width` (expected width) are [true rate, value]."""

    method: str
    items: int
    curve: tuple[tuple[float, float], ...]
    minimum: dict[str, Any]
    infimum: dict[str, Any]
    mean: float | None = None
    width: tuple[tuple[float, float], ...] = ()
    schema: str = "deadheat/coverage@1"


class Study(Document, frozen=True, kw_only=True):
    """A simulation study: one row a cell."""

    study: str
    rows: tuple[dict[str, Any], ...]
    replicates: int
    schema: str = "deadheat/study@1"
