"""The results on a board: its entries, groups, first places, categories, and who may be the best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from deadheat.results.across import Across
from deadheat.results.claims import AnyClaim
from deadheat.results.comparison import Comparison
from deadheat.results.cost import Costs
from deadheat.results.judge import Judged
from deadheat.results.records import Document, Interval, Note, Record, Unit
from deadheat.results.uncertainty import BothErrors, Denominators, Variance


class Score(Record, frozen=True, kw_only=True):
    """One entry's line on a board.

    Where absent outcomes are fitted, `value` is over all items, `own` over the entry's own, and `bounds` are
    the values if everything absent were wrong, or right.
    """

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
    own: float | None = None
    bounds: tuple[float, float] | None = None
    unit: Unit = "rate"
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


class Winner(Record, frozen=True, kw_only=True):
    """What can be said of the first place: who may hold it, and the top score corrected for being the top.

    `may_be_best` are the entries that cannot be excluded as the best, with confidence 1 - alpha, by draws;
    the claim ``possible-best`` takes none and is what is printed. `expected` is `value` less `optimism`, with
    the interval of the score moved as far: what is printed, because it has the smaller error. `value` is
    the entry's score as found; `corrected` and `interval` speak of its true score, given that it was picked
    for being the highest; `optimism` is the bootstrap's estimate of what the picking adds on average.
    """

    entry: str
    may_be_best: tuple[str, ...]
    method: str | None = None
    value: float | None = None
    corrected: float | None = None
    interval: Interval | None = None
    optimism: float | None = None
    expected: float | None = None
    expected_interval: Interval | None = None
    notes: tuple[Note, ...] = ()


class Top(Record, frozen=True, kw_only=True):
    """The first k places, by the rank intervals: who cannot be excluded from them, and who surely has one."""

    k: int
    may_be: tuple[str, ...]
    surely: tuple[str, ...]


class Chance(Record, frozen=True, kw_only=True):
    """Ranks of one entry in resamples of the items: a description of the board found, no p-value.

    `ranks` holds the share of resamples in which the entry takes rank 1, 2, ...; entries that tie in a
    resample share their ranks in equal parts.
    """

    entry: str
    first: float
    expected_rank: float
    ranks: tuple[float, ...]


class Pairs(Record, frozen=True, kw_only=True):
    """All pairs of a board's scored entries, as lower triangles row by row: (1, 0), (2, 0), (2, 1), ….

    A number is about the row entry against the column entry; `difference`, `low`, `high` are row - column.
    `smallest_visible`: the true difference that the test detects with 80 % power. `items_to_separate`: those
    that the first two would need for this power, if their difference is the true one.
    """

    entries: tuple[str, ...]
    items: tuple[int, ...]
    difference: tuple[float | None, ...]
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]
    p: tuple[float | None, ...]
    log10_p: tuple[float | None, ...]
    p_adjusted: tuple[float | None, ...] | None = None
    smallest_visible: tuple[float | None, ...] | None = None
    items_to_separate: int | None = None
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
    claims: tuple[AnyClaim, ...] = ()
    test: str | None = None
    notes: tuple[Note, ...] = ()
    pairs: Pairs | None = None
    outcomes: Outcomes | None = None


class Visible(Record, frozen=True, kw_only=True):
    """The smallest difference that would be detected where two runs' outcomes correlate so over items."""

    correlation: float
    difference: float | None = None


class Fit(Record, frozen=True, kw_only=True):
    """How absent outcomes were fitted: by which model, and what share of all outcomes they are."""

    model: Literal["rasch", "two-way"]
    missing: float
    items: int


class Resolution(Record, frozen=True, kw_only=True):
    """What the items of a run that stands alone could show against a run that is as good on average.

    `power` is the chance to detect the `visible` differences by the test of that name.
    """

    entry: str
    items: int
    test: str
    power: float
    visible: tuple[Visible, ...]
    notes: tuple[Note, ...] = ()


class Board(Document, frozen=True, kw_only=True):
    """Entries in board order with what the data say of their order; last those that are listed `apart`.

    `resolution` is of a board on which a single entry takes part.

    `flat` holds for each entry the keys that other tools put into their own reports, as ``score_ci95_low``.
    """

    entries: tuple[Score, ...]
    groups: tuple[Group, ...]
    tie_lines: tuple[tuple[str, ...], ...]
    apart: tuple[str, ...] = ()
    resolution: Resolution | None = None
    fit: Fit | None = None
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
    judged: tuple[Judged, ...] | None = None
    cost: Costs | None = None
    across: Across | None = None
    schema: str = "deadheat/board@1"

    if TYPE_CHECKING:

        def pairs_frame(self, library: str | None = None) -> Any:
            """Give all pairs as a dataframe; see ``deadheat.report.frames``."""
