"""The results on votes: strengths of entries, with the groups and rank intervals of any board."""

from __future__ import annotations

from typing import Literal

import msgspec

from deadheat.results.board import Group
from deadheat.results.records import Document, Interval, Note, Record


class Contests(Record, frozen=True, kw_only=True):
    """Votes between two entries, or of one entry: how many it won, tied and lost."""

    votes: int
    won: int
    tied: int
    lost: int


class Indirect(Record, frozen=True, kw_only=True):
    """What the votes of a pair alone say, beside what the votes of all others say of it.

    `share`: part of the evidence on the pair that is its own votes. `direct`, `indirect`: log odds. `p`: test
    that the two agree; a small one says that preferences are not transitive here.
    """

    share: float | None = None
    direct: float | None = None
    indirect: float | None = None
    p: float | None = None


class VotePair(Record, frozen=True, kw_only=True):
    """Two entries: `difference` is the log odds that a wins a decided vote; `elo` the same in Elo points."""

    a: str
    b: str
    difference: float | None = None
    se: float | None = None
    interval: Interval | None = None
    win_probability: float | None = None
    win_interval: Interval | None = None
    elo: float | None = None
    p: float | None = None
    log10_p: float | None = None
    p_adjusted: float | None = None
    verdict: Literal["a", "b", "not separated"] | None = None
    direct: Contests
    through: Indirect | None = None
    notes: tuple[Note, ...] = ()


class VoteScore(Record, frozen=True, kw_only=True):
    """One entry's line: `value` is its strength in log odds, which sum to 0 over the board."""

    entry: str
    value: float | None = None
    se: float | None = None
    contests: Contests
    opponents: int = 0
    place: int | None = None
    rank: tuple[int, int] | None = None
    group: int | None = None
    letters: str | None = None
    vs_anchor: VotePair | None = None
    notes: tuple[Note, ...] = ()


class Coefficient(Record, frozen=True, kw_only=True):
    """What a covariate, or the first place on the screen, adds to the log odds."""

    name: str
    value: float
    se: float | None = None
    p: float | None = None


class VoteBoard(Document, frozen=True, kw_only=True):
    """Entries by their strength in votes.

    `model`: what a tie is. `clusters`: how many voters and prompts errors are made from. `apart`: entries
    whose strength has no finite estimate, or that never met the others.
    """

    entries: tuple[VoteScore, ...]
    groups: tuple[Group, ...]
    tie_lines: tuple[tuple[str, ...], ...]
    apart: tuple[VoteScore, ...] = ()
    model: str
    tie: float | None = None
    penalty: float | None = None
    coefficients: tuple[Coefficient, ...] = ()
    clusters: dict[str, int] = msgspec.field(default_factory=dict)
    contests: Contests
    schema: str = "deadheat/votes@1"


class VoteComparisons(Document, frozen=True, kw_only=True):
    """Comparisons of pairs of entries by votes, direct and through the others."""

    comparisons: tuple[VotePair, ...]
    model: str
    clusters: dict[str, int] = msgspec.field(default_factory=dict)
    schema: str = "deadheat/vote-comparison@1"
