"""The claim about curves over k; `results.claims` lists it with the others."""

from __future__ import annotations

from typing import Literal

from deadheat.results.claim import Claim


class LeadsOverK(Claim, frozen=True, kw_only=True):
    """Where the simultaneous band of a - b over k = 1 ... most excludes 0: (first k, last k, leader)."""

    a: str
    b: str
    metric: Literal["pass@k", "pass^k"]
    items: int
    most: int
    leads: tuple[tuple[int, int, str], ...]
    level: float
