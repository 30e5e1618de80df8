"""The result on curves over k: two entries, their difference with a band, and where one leads."""

from __future__ import annotations

from typing import Literal

from deadheat.results.records import Record


class Stretch(Record, frozen=True, kw_only=True):
    """Values of k, first to last, over which the band excludes 0: `leader` scores better there."""

    first: int
    last: int
    leader: Literal["a", "b"]


class KCurve(Record, frozen=True, kw_only=True):
    """pass@k or pass^k of a and b for k = 1, 2, …, and their difference a - b.

    `low`, `high`: a band that holds for every k at once with confidence `level`. `leads`: where it excludes
    0. `crossings`: values of k between which the difference changes its sign.
    """

    metric: Literal["pass@k", "pass^k"]
    items: int
    a: tuple[float, ...]
    b: tuple[float, ...]
    difference: tuple[float, ...]
    low: tuple[float, ...] | None = None
    high: tuple[float, ...] | None = None
    critical: float | None = None
    level: float
    leads: tuple[Stretch, ...] = ()
    crossings: tuple[tuple[int, int], ...] = ()
