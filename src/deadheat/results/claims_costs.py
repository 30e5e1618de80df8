"""Claims about costs; `results.claims` lists them with the others."""

from __future__ import annotations

from typing import Literal

from deadheat.results.claim import Claim


class CostFrontier(Claim, frozen=True, kw_only=True):
    """The frontier of score and cost as observed, and the entries that may be on it, all taken together.

    Every other entry of known cost is shown to score lower than one that costs no more, with family-wise
    error alpha: at the costs paid (`possible`), or shown to cost no more, too (`possible_with_error`).
    """

    column: str
    of: int
    observed: tuple[str, ...]
    possible: tuple[str, ...]
    possible_with_error: tuple[str, ...]
    unknown: tuple[str, ...]
    alpha: float


class CostRatio(Claim, frozen=True, kw_only=True):
    """The ratio of the mean costs of a and b on the items for which both are known."""

    a: str
    b: str
    column: str
    items: int
    ratio: float
    low: float | None
    high: float | None
    level: float
    verdict: Literal["cheaper", "dearer", "not separated"]


class ScoreAndCost(Claim, frozen=True, kw_only=True):
    """Which of a and b is shown to score better, and which to cost less: the verdicts of both comparisons.

    `within`: a is shown to be worse than b by less than this margin; null where it is not, or none was given.
    """

    a: str
    b: str
    column: str
    better: str | None
    cheaper: str | None
    ratio: float
    within: float | None
