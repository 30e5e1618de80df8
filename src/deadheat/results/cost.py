"""The results on what entries cost: score against cost, the frontier, and the ratio of two costs."""

from __future__ import annotations

from typing import Literal

from deadheat.results.records import Interval, Record


class CostLine(Record, frozen=True, kw_only=True):
    """What one entry cost per item, and whether it may be on the frontier of score and cost.

    `value_se`, `se`: standard errors of score and cost. `items`, `without`: items whose cost is known, and is
    not. `total`: over all their attempts. `correlation`: of cost with score over items. `possible`: at the
    costs that were paid; `possible_with_error`: where costs, too, have an error. `p`: of being off the
    frontier at the costs paid, for all entries together; `rival`: the entry that costs no more and is shown
    to score higher.
    """

    entry: str
    value: float | None = None
    value_se: float | None = None
    cost: float | None = None
    se: float | None = None
    total: float | None = None
    items: int = 0
    without: int = 0
    correlation: float | None = None
    observed: bool = False
    possible: bool = False
    possible_with_error: bool = False
    p: float | None = None
    rival: str | None = None


class Costs(Record, frozen=True, kw_only=True):
    """Score against cost: the frontier as observed, and the entries that may be on it.

    `possible`: at the costs that were paid; `possible_with_error`: where costs, too, have an error.
    `unknown`: entries whose cost is not known, which are on neither.
    """

    column: str
    lines: tuple[CostLine, ...]
    observed: tuple[str, ...]
    possible: tuple[str, ...]
    possible_with_error: tuple[str, ...]
    unknown: tuple[str, ...] = ()


class PairCost(Record, frozen=True, kw_only=True):
    """What a and b cost per shared item: `ratio` is a / b.

    `verdict`: ``cheaper`` and ``dearer`` where the ratio is shown to be below or above 1.
    """

    column: str
    items: int
    a: float | None = None
    b: float | None = None
    ratio: float | None = None
    interval: Interval | None = None
    p: float | None = None
    verdict: Literal["cheaper", "dearer", "not separated"] | None = None
