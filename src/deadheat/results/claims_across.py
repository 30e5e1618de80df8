"""The claim about several benchmarks; `results.claims` lists it with the others."""

from __future__ import annotations

from typing import Literal

from deadheat.results.claim import Claim


class FirstAcross(Claim, frozen=True, kw_only=True):
    """Who is first over several benchmarks, who may be, and who would be under some weights.

    `may`: entries whose ranks reach 1, with confidence `level` for all together; null where ranks are
    withheld. `drawn`: for new benchmarks like these, not for new items of these. `moved`: weight that has to
    move until `rival` is level with the first; null where none does.
    """

    method: Literal["win-rate", "borda", "mean", "z", "weights"]
    benchmarks: int
    of: int
    first: str
    may: tuple[str, ...] | None
    can_lead: tuple[str, ...]
    rival: str | None
    moved: float | None
    drawn: bool
    missing: int
    level: float
