"""The result of looking at a board's items: which separate nobody, which run backwards, which are twins."""

from __future__ import annotations

from deadheat.results.board import Outcomes
from deadheat.results.records import Document, Interval, Record


class ItemLine(Record, frozen=True, kw_only=True):
    """One item.

    `score`: mean of the entries that have it. `difficulty`: on the logit scale of a Rasch model, drawn
    towards the others; null for other than single 0/1 attempts. `discrimination`: correlation with the
    entries' scores on their other items; null where one of the two does not vary. `p`: of running backwards,
    one-sided, by permutation where it is small; `p_adjusted`: by Benjamini and Hochberg over all items.
    `silent`: all entries have the same score. `twins`: number of its group of items with one response
    pattern. `kept`: its place in the nested sequence of smaller sets.
    """

    item: str
    entries: int
    score: float | None = None
    difficulty: float | None = None
    difficulty_se: float | None = None
    discrimination: float | None = None
    se: float | None = None
    interval: Interval | None = None
    p: float | None = None
    p_adjusted: float | None = None
    silent: bool
    twins: int | None = None
    cluster: str | None = None
    category: str | None = None
    kept: int | None = None


class Silent(Record, frozen=True, kw_only=True):
    """How many items separate nobody among the first entries of the board."""

    entries: int
    items: int


class Reliability(Record, frozen=True, kw_only=True):
    """Reliability of the score over the items that every entry has."""

    name: str
    entries: int
    items: int
    value: float | None = None
    interval: Interval | None = None


class ItemGroup(Record, frozen=True, kw_only=True):
    """The items of a cluster or category."""

    column: str
    name: str
    items: int
    silent: int
    negative: int
    score: float | None = None
    discrimination: float | None = None


class SmallerSet(Record, frozen=True, kw_only=True):
    """What the first `items` of the nested sequence keep, judged by entries that did not choose them.

    `order`: Spearman's correlation with the order on all items. `pairs`: share of the separated pairs that
    stay separated. Means over random halves of the entries, beside those of random sets of this size.
    """

    items: int
    order: float | None = None
    order_random: float | None = None
    pairs: float | None = None
    pairs_random: float | None = None


class Items(Document, frozen=True, kw_only=True):
    """The items of a board, hardest first."""

    entries: int
    items: tuple[ItemLine, ...]
    silent: tuple[Silent, ...]
    negative: int
    backwards: tuple[str, ...]
    reliability: tuple[Reliability, ...]
    twins: tuple[tuple[str, ...], ...]
    groups: tuple[ItemGroup, ...] = ()
    smaller: tuple[SmallerSet, ...] = ()
    outcomes: Outcomes | None = None
    schema: str = "deadheat/items@1"
