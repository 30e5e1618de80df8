"""Claims of plans and of where a board's variance comes from."""

from __future__ import annotations

from typing import Literal

from deadheat.results.claim import Claim


class HalfWidth(Claim, frozen=True, kw_only=True):
    """So many items give a score's interval this half-width: at a true `rate`, or with one score's `sd`.

    `rates`: scores lie in [0, 1].
    """

    items: int
    samples: int = 1
    half_width: float
    level: float
    rate: float | None = None
    sd: float | None = None
    rates: bool


class Shows(Claim, frozen=True, kw_only=True):
    """So many items show `goal` with this power, by `test`; `asked` is what was computed from the rest.

    `exact`: power is summed over all counts. `by_formula`: what `formula` gives for `asked`, where it is
    another number. `rates`: scores lie in [0, 1].
    """

    asked: Literal["items", "power", "difference"]
    items: int
    samples: int = 1
    paired: bool = True
    goal: Literal["difference", "non-inferiority", "equivalence"] = "difference"
    difference: float
    margin: float | None = None
    power: float
    alpha: float
    test: str
    formula: str
    exact: bool
    by_formula: float | None = None
    rates: bool


class StopsAfter(Claim, frozen=True, kw_only=True):
    """Looked at after every item, a comparison stops after `mean` items on average.

    `most`: items by which it has stopped with probability `share`; null where that is not reached.
    """

    mean: float
    most: int | None
    share: float
    alpha: float


class CommonItems(Claim, frozen=True, kw_only=True):
    """Entries that are given `each` items and lack a share of them at random have `common` ones in common."""

    common: int
    each: int
    missing: float
    power: float


class TrueOrder(Claim, frozen=True, kw_only=True):
    """How likely entries come out in their true order, and the best of them alone on top."""

    entries: int
    items: int
    order: float
    best: float


class TrueOrderItems(Claim, frozen=True, kw_only=True):
    """Items with which entries come out in their true order, or the best alone on top, this likely."""

    entries: int
    order: int
    best: int
    probability: float


class BestSplit(Claim, frozen=True, kw_only=True):
    """The split into items and samples that shows a difference at the least cost, or most of a budget.

    `items_one_sample`, `cost_one_sample`: with one sample per item.
    """

    items: int
    samples: int
    difference: float
    power: float
    cost: float
    budget: float | None = None
    items_one_sample: int
    cost_one_sample: float
    rates: bool


class TopSpread(Claim, frozen=True, kw_only=True):
    """How far apart the first few entries of a board are, in units of their score, and what moves a score.

    `se_items`, `se_reruns`: standard errors over new items and over reruns of the same items, the median of
    these entries. `separated`: the first of them from the last; null without a p-value.
    """

    entries: int
    spread: float
    se_items: float | None
    se_reruns: float | None
    separated: bool | None


class NeighboursSeparated(Claim, frozen=True, kw_only=True):
    """How many of the pairs of neighbours on a board are separated."""

    pairs: int
    separated: int
