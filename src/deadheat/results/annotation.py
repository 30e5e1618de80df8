"""What a site's leaderboard is annotated with; rates and errors are in percentage points, as sites are."""

from __future__ import annotations

from deadheat.results import Document, Group, Note, Record

SCHEMA = "deadheat/annotation@1"
HIDDEN = "hidden-statistics"
"""Code of the note that says why a board or an entry is shown without its statistics."""


class EntryStatistics(Record, frozen=True, kw_only=True):
    """What two columns can say of one entry, and why where they cannot.

    `se` is in percentage points; `n` counts the items with a result and `implied` is the rate over them in
    per cent. `group` counts from 1; `anchor` is the entry that anchors the group, `p` the paired test
    against it over `shared` items, of which `a_only` are right for this entry alone and `b_only` for the
    anchor alone. `code` and `reason` say why something is withheld.
    """

    se: float | None = None
    n: int = 0
    implied: float | None = None
    group: int | None = None
    anchor: str | None = None
    p: float | None = None
    log10_p: float | None = None
    a_only: int | None = None
    b_only: int | None = None
    shared: int | None = None
    code: str | None = None
    reason: str | None = None


class SiteLine(EntryStatistics, frozen=True, kw_only=True):
    """The same with what the site itself says of the entry; `published` is in per cent."""

    entry: str
    name: str | None = None
    published: float | None = None


class Withheld(Record, frozen=True, kw_only=True):
    """An entry whose per-item results are not used, and why."""

    entry: str
    name: str | None = None
    code: str
    reason: str


class BoardStatistics(Record, frozen=True, kw_only=True):
    """What holds for a whole board.

    `columns` says whether the two columns may be shown: where the anchor of group 1 is the entry at the top.
    `above_without_items` and `level_without_items` count the entries that rank above, or level with, that
    anchor and publish no per-item results, `above_withheld` those that do not rank below it and whose results
    contradict their rate. `doubts` are about items of the whole board. `note` is what a reader must be told,
    a sentence or two each.
    """

    anchor: str | None = None
    anchor_name: str | None = None
    alpha: float
    test: str | None = None
    entries: int
    with_items: int
    annotated: int
    groups: tuple[Group, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    doubts: tuple[Note, ...] = ()
    above_without_items: int = 0
    level_without_items: int = 0
    above_withheld: int = 0
    columns: bool = False
    note: tuple[str, ...] = ()


class SiteBoard(Record, frozen=True, kw_only=True):
    """One board of a site, entries in the order of its document."""

    statistics: BoardStatistics
    entries: dict[str, SiteLine]


class Annotation(Document, frozen=True, kw_only=True):
    """Statistics for every board of a site's document."""

    boards: dict[str, SiteBoard]
    schema: str = SCHEMA
