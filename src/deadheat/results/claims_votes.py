"""Claims on votes."""

from __future__ import annotations

from typing import Literal

from deadheat.results.claim import Claim


class PlacedByVotes(Claim, frozen=True, kw_only=True):
    """The other claims are about `entries` of the `of` entries: votes give the others no finite strength.

    `undefeated`, `winless`: they won or lost every vote. `unconnected`: no wins and losses lead from them to
    the entries with a strength and back.
    """

    entries: int
    of: int
    undefeated: tuple[str, ...]
    winless: tuple[str, ...]
    unconnected: tuple[str, ...]


class NotSeparatedByVotes(Claim, frozen=True, kw_only=True):
    """The entries that votes do not separate from one entry, each pair by itself; empty: all are separated.

    `tested`: how many of the `of` other entries have a p against it.
    `clusters`: how many voters and prompts the errors respect; empty where votes are taken as independent.
    """

    entry: str
    others: tuple[str, ...]
    tested: int
    of: int
    votes: int
    clusters: dict[str, int]
    adjusted: bool = False


class VotePreference(Claim, frozen=True, kw_only=True):
    """How likely `a` is to win a decided vote against `b`; `direct` of the votes are between the two."""

    a: str
    b: str
    win_probability: float | None
    low: float | None = None
    high: float | None = None
    level: float | None = None
    p: float | None = None
    adjusted: bool = False
    alpha: float
    verdict: Literal["a", "b", "not separated"] | None
    votes: int
    direct: int


class VotesNeeded(Claim, frozen=True, kw_only=True):
    """Votes between two entries that detect a lead with the stated power, by the normal formula."""

    votes: int
    elo: float
    win_probability: float
    power: float
    alpha: float
    ties: float
