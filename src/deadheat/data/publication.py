"""What is published about an entry, as printed or as a log states it, with the digits it was given."""

from __future__ import annotations

from dataclasses import dataclass

EXACT = 17  # digits of a number that was not rounded


@dataclass(frozen=True)
class Number:
    """A number as printed: its value, and how many digits stand behind its point."""

    value: float
    decimals: int


@dataclass(frozen=True)
class Stated:
    """What is published about one entry.

    Parameters
    ----------
    entry : str
    rate : Number or None
        In [0, 1].
    se : Number or None
        Standard error, in the unit of the rate.
    n, right : int or None
        Items, and items right.
    wins, losses, draws : int or None
        Games, where the rate is a win rate.
    k : int or None
        Samples that a published pass@k speaks of; None for a plain mean.
    hat : bool
        The metric is pass^k.
    """

    entry: str
    rate: Number | None = None
    se: Number | None = None
    n: int | None = None
    right: int | None = None
    wins: int | None = None
    losses: int | None = None
    draws: int | None = None
    k: int | None = None
    hat: bool = False

    @classmethod
    def unrounded(cls, entry: str, rate: float, se: float | None = None, k: int | None = None) -> Stated:
        """What a log states in full precision."""
        error = None if se is None else Number(se, EXACT)
        return cls(entry, rate=Number(rate, EXACT), se=error, k=k)
