"""The result over several benchmarks: one number per entry, its ranks, and what weights decide."""

from __future__ import annotations

from typing import Literal

from deadheat.results.records import Record

AcrossMethod = Literal["win-rate", "borda", "mean", "z", "weights"]


class AcrossLine(Record, frozen=True, kw_only=True):
    """One entry over all benchmarks.

    `rank`: ranks that it may hold, all entries together. `parts`: what each benchmark contributes.
    `can_lead`: first under some weights of the benchmarks. An entry that lacks a benchmark has no value:
    `missing` says which, `bounds` between which its value lies whatever it would have reached there, and
    `fitted` what it would be if benchmarks were as hard for it as for the others.
    """

    entry: str
    value: float | None = None
    se: float | None = None
    rank: tuple[int, int] | None = None
    parts: dict[str, float]
    can_lead: bool | None = None
    missing: tuple[str, ...] = ()
    bounds: tuple[float, float] | None = None
    fitted: float | None = None


class Across(Record, frozen=True, kw_only=True):
    """Entries over several benchmarks, best first.

    `weights`: of the benchmarks. `drawn`: SE and ranks are for new benchmarks like these. `moved`: least
    weight that has to move until `rival` is level with the first; null where no weights do that.
    `note`: why ranks, or ranks and SE, are withheld.
    """

    method: AcrossMethod
    column: str
    weights: dict[str, float]
    lines: tuple[AcrossLine, ...]
    first: str
    rival: str | None = None
    moved: float | None = None
    drawn: bool = False
    note: str | None = None
