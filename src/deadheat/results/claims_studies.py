"""Claims of simulation studies: a number is the exact value where there is one, or else a simulated one.

`error` is the Monte Carlo standard error of a simulated number; null where the number is exact, or where all
replicates came out alike. `of`: the entry or true rate that it is about; null where a study has only one.
"""

from __future__ import annotations

from deadheat.results.claim import Claim


class PlugInBias(Claim, frozen=True, kw_only=True):
    """The bias of plug-in pass@k with the fewest samples; `unbiased`: the unbiased estimator takes part."""

    of: str | None = None
    k: int
    samples: int
    bias: float
    unbiased: bool


class ShareFromItems(Claim, frozen=True, kw_only=True):
    """The share of a score's variance that comes from the items, so that more samples cannot remove it."""

    of: str | None = None
    shares: tuple[tuple[int, float], ...]


class LargestSize(Claim, frozen=True, kw_only=True):
    """The test that separates two equal entries most often, of all cells of the study."""

    test: str
    size: float
    error: float | None
    items: int
    samples: int
    alpha: float
    tests: int


class LeastPower(Claim, frozen=True, kw_only=True):
    """The test and design with the least power, of all cells of the study."""

    test: str
    difference: float
    power: float
    error: float | None
    items: int
    samples: int


class SeparatesPair(Claim, frozen=True, kw_only=True):
    """What separates a pair: items at these samples, or samples on these items, or on reruns of them."""

    a: str
    b: str
    difference: float
    power: float
    samples: int
    items_needed: int | None
    samples_needed: int | None
    samples_needed_reruns: int | None


class LargestVisible(Claim, frozen=True, kw_only=True):
    """The design of the study that needs the largest difference for this power."""

    test: str
    difference: float
    power: float
    items: int
    samples: int


class OrderRight(Claim, frozen=True, kw_only=True):
    """How often the full order is right and the best on top, with the fewest items; ties broken at random."""

    entries: int
    items: int
    samples: int
    order: float
    best: float


class Inflation(Claim, frozen=True, kw_only=True):
    """What memorised items add to a score: share of the items, how they were taken, points."""

    of: str | None = None
    added: tuple[tuple[float, str, float], ...]


class EffectiveItems(Claim, frozen=True, kw_only=True):
    """How many independent items would tell as much as these in clusters: share in common, number."""

    of: str | None = None
    items: int
    samples: int
    effective: tuple[tuple[float, float], ...]


class LeastCoverage(Claim, frozen=True, kw_only=True):
    """The interval that covers the true rate least often, of all cells of the study."""

    interval: str
    coverage: float
    error: float | None
    level: float
    items: int
    samples: int


class VoteCoverage(Claim, frozen=True, kw_only=True):
    """How often two intervals of a difference of votes cover it, for the voters who are worst for one."""

    voters: str
    level: float
    independent: float
    by_voter: float


class JudgeCoverage(Claim, frozen=True, kw_only=True):
    """Coverage of a judge's own scores and of corrected ones, and how often each separates equal entries.

    `judge`: the kind of judge that separates them most often by itself.
    """

    judge: str
    labels: int
    level: float
    alpha: float
    own: float
    corrected: float
    own_size: float
    corrected_size: float


class FalseStops(Claim, frozen=True, kw_only=True):
    """How often two equal entries are separated by looking again and again: test, share."""

    looks: int
    alpha: float
    shares: tuple[tuple[str, float], ...]


class WrongFirst(Claim, frozen=True, kw_only=True):
    """How often a wrong entry is first where outcomes are missing, by the worst policy and by fits."""

    missing: str
    items: int
    policy: str
    share: float
    fitted: float | None
