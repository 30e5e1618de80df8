"""Claims about costs; `results.claims` lists them with the others."""

from __future__ import annotations

from typing import Literal

from deadheat.results.claim import Claim


class CostFrontier(Claim, frozen=True, kw_only=True):
    """The frontier of score and cost as observed, and the entries that may be on it, all taken together.

    Every other entry of known cost scores lower than one that costs no more, with family-wise error alpha.
    """

    column: str
    of: int
    observed: tuple[str, ...]
    possible: tuple[str, ...]
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
