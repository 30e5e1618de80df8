"""Claims of audits, annotations and exact coverage."""

from __future__ import annotations

from deadheat.results.claim import Claim


class Findings(Claim, frozen=True, kw_only=True):
    """What the checks of an audit object to, by severity."""

    errors: int
    warnings: int
    infos: int


class Joins(Claim, frozen=True, kw_only=True):
    """Where a new entry stands on a board; `best`: it is separated from every other one after correction."""

    entry: str
    place: int
    low: int
    high: int
    group: int | None
    best: bool


class Annotated(Claim, frozen=True, kw_only=True):
    """How many entries of a site's board have statistics, in how many groups; `top`: members of the first."""

    board: str
    entries: int
    annotated: int
    groups: int
    top: int
    withheld: int


class NothingAnnotated(Claim, frozen=True, kw_only=True):
    """No board of a site publishes per-item results."""

    boards: int


class LowestCoverage(Claim, frozen=True, kw_only=True):
    """The least probability with which an interval of a rate covers it: its infimum, reached or not at `at`.

    `grid_lowest`: the least on the rates `grid`, which many studies take for it.
    """

    method: str
    items: int
    level: float
    coverage: float
    at: float
    attained: bool
    grid_lowest: float
    grid: str
