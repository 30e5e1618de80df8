"""How a document writes its numbers, counts its items and names its entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from typing import TYPE_CHECKING

from deadheat.report.names import clean
from deadheat.report.numbers import Scale

if TYPE_CHECKING:
    from deadheat.results import claims

PERCENT = Scale(True, 1)


@dataclass(frozen=True)
class Voice:
    """How a document writes its numbers and names its entries."""

    scale: Scale = PERCENT
    labels: Mapping[str, str] = field(default_factory=dict)
    lower_is_better: bool = False

    @property
    def better(self) -> str:
        """The side on which the better score is."""
        return "lower" if self.lower_is_better else "higher"

    def name(self, entry: str) -> str:
        """Write the name of an entry."""
        return self.labels.get(entry) or clean(entry)

    def names(self, entries: Sequence[str], most: int = 3, joint: str = "and") -> str:
        """Join a few names, and count the rest: ``A, B and 4 more``."""
        shown = [self.name(entry) for entry in entries[:most]]
        if len(entries) > most:
            return f"{', '.join(shown)} and {len(entries) - most:,} more"
        return f" {joint} ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)

    def least(self, size: float) -> str:
        """Write the size of a difference that has a stated power, which is not rounded down."""
        return f"{self.scale.least(size)} {self.scale.points}".rstrip()

    def gap(self, size: float) -> str:
        """Write the size of a difference with its unit: ``14.8 points``."""
        return f"{self.scale.size(abs(size))} {self.scale.points}".rstrip()


@singledispatch
def sentence(claim: claims.Claim, voice: Voice) -> str:
    """Put one claim into words; a function per code enters itself here."""
    raise NotImplementedError(f"no sentence says {type(claim).__name__}")


def items(number: int, kind: str = "") -> str:
    """Write a number of items: ``1 shared item``, ``2,294 shared items``."""
    return f"{number:,} {kind}item{'s' * (number != 1)}"


def shared_items(low: int, high: int, kind: str = "shared ") -> str:
    """Write how many items pairs share: one number, or from the fewest to the most."""
    return items(low, kind) if low == high else f"{low:,} to {high:,} {kind}items"
