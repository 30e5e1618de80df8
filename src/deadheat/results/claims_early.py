"""Claims about looking early and about records; `results.claims` lists them with the others."""

from __future__ import annotations

from typing import Literal

from deadheat.results.claim import Claim


class StopsEarly(Claim, frozen=True, kw_only=True):
    """Looked at after every unit, this share of all orders of the units stops: the e-value reaches 1/alpha.

    `median`: units after which half of all orders have stopped; null where fewer than half do. `orders`: how
    many orders were drawn; null where all were counted.
    """

    a: str
    b: str
    units: Literal["items", "clusters"]
    of: int
    median: int | None
    share: float
    orders: int | None
    alpha: float


class StoppedAt(Claim, frozen=True, kw_only=True):
    """Along the order of a column the e-value first reached 1/alpha at this unit; null: it never did."""

    a: str
    b: str
    order: str
    units: Literal["items", "clusters"]
    of: int
    at: int | None
    difference: float | None
    alpha: float


class Watched(Claim, frozen=True, kw_only=True):
    """What looks at items, as they came, decided about a and b after so many; null: nothing.

    `difference`: of the items up to the look that decided, or of all.
    """

    a: str
    b: str
    stop: Literal["separated", "equivalent", "margin"]
    outcome: Literal["a", "b", "equivalent", "non-inferior", "inferior", "superior"] | None
    items: int
    difference: float
    margin: float | None = None
    alpha: float


class RecordsStand(Claim, frozen=True, kw_only=True):
    """Of the records after the first entry, these stand by selective p-values that Holm adjusts."""

    records: int
    stand: tuple[str, ...]
    dates: tuple[str, ...]
    start: str
    alpha: float
