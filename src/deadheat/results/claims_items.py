"""Claims about items; `results.claims` lists them with the others."""

from __future__ import annotations

from deadheat.results.claim import Claim


class ItemsSilent(Claim, frozen=True, kw_only=True):
    """Items on which all of the first entries have the same score: `counts` for each number in `first`."""

    of: int
    first: tuple[int, ...]
    counts: tuple[int, ...]


class ItemsBackwards(Claim, frozen=True, kw_only=True):
    """Items whose correlation with the rest is negative, and those for which chance does not explain it.

    `rejected`: adjusted p below alpha, by Benjamini and Hochberg over all items.
    """

    negative: int
    rejected: tuple[str, ...]
    tested: int
    alpha: float


class ItemsReliable(Claim, frozen=True, kw_only=True):
    """Cronbach's alpha of the items that every entry has: KR-20 where scores are 0 or 1."""

    name: str
    items: int
    value: float
    low: float
    high: float
    level: float


class ItemTwins(Claim, frozen=True, kw_only=True):
    """Response patterns that several items share, other than items that separate nobody."""

    patterns: int
    items: int
