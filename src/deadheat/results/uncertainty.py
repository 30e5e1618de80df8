"""The results on where a score's uncertainty comes from, and what failed attempts do to it."""

from __future__ import annotations

from deadheat.results.claims import AnyClaim
from deadheat.results.records import Interval, Note, Record


class Error(Record, frozen=True, kw_only=True):
    """A standard error and interval, of one of the two questions."""

    se: float | None = None
    interval: Interval | None = None
    notes: tuple[Note, ...] = ()


class BothErrors(Record, frozen=True, kw_only=True):
    """The two errors of one score, side by side: they answer two questions.

    `items`: how would it do on comparable items, drawn anew? `reruns`: what would these very items give if
    they were attempted again?
    """

    entry: str
    items: Error
    reruns: Error


class Denominators(Record, frozen=True, kw_only=True):
    """What the failed attempts of an entry are worth.

    `zero` counts them as zeros, `drop` leaves them out; `all_wrong` and `all_right` are what the score would
    have been had every one of them run and been wrong, or right.
    """

    entry: str
    attempts: int
    failed: int
    zero: float | None = None
    drop: float | None = None
    all_wrong: float | None = None
    all_right: float | None = None
    notes: tuple[Note, ...] = ()


class Components(Record, frozen=True, kw_only=True):
    """Variance components of the item values of one entry, or their means over a board's entries.

    Estimates without bias, below zero too; shares and correlations floor them. `total` = `items` + `reruns`:
    the variance between items' values, between their long-run values, and of a value under reruns.
    """

    entry: str | None = None
    total: float | None = None
    items: float | None = None
    reruns: float | None = None
    share_items: float | None = None
    icc: float | None = None
    clusters: float | None = None
    cluster_icc: float | None = None
    design_effect: float | None = None
    effective_items: float | None = None


class TopVariance(Record, frozen=True, kw_only=True):
    """How far apart the first few entries lie, beside the errors of their scores (medians)."""

    entries: int
    spread: float
    se_items: float | None = None
    se_reruns: float | None = None
    p_first_last: float | None = None
    separated: bool | None = None


class Variance(Record, frozen=True, kw_only=True):
    """Where the variance of a board's scores comes from, and whether its items can rank these entries."""

    summary: str
    claims: tuple[AnyClaim, ...] = ()
    board: Components
    entries: tuple[Components, ...]
    top: TopVariance | None = None
    neighbours: int = 0
    neighbours_separated: int = 0
    reliability_items: float | None = None
    reliability_reruns: float | None = None
    notes: tuple[Note, ...] = ()
