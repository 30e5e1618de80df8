"""What a plan refuses, with the reason."""

from __future__ import annotations

import math
from collections.abc import Sequence

from deadheat.errors import MethodError


def chances(power: float, alpha: float) -> None:
    """Refuse a power that no test needs items for, and what is no probability."""
    if not 0 < alpha < 1:
        raise MethodError(f"alpha {alpha} was asked for; the size of a test lies strictly between 0 and 1")
    if not power < 1:
        raise MethodError(f"power {power} was asked for; no finite number of items makes a test certain")
    if not power > alpha:
        raise MethodError(
            f"power {power} was asked for at alpha {alpha}; a test rejects with probability alpha even where "
            "there is no difference, so ask for more power than alpha"
        )


def rate(value: float) -> None:
    """Refuse a rate that is certain: it has no variance to plan with."""
    if not 0 < value < 1:
        raise MethodError(f"a rate of {value} was given; a rate to plan with lies strictly between 0 and 1")


def some_items(value: float) -> None:
    """Refuse fewer than one item."""
    if not (math.isfinite(value) and value >= 1 and value == int(value)):
        raise MethodError(f"{value} items were given; a number of items is whole and at least 1")


def positive(name: str, value: float) -> None:
    """Refuse what is not a positive number."""
    if not (math.isfinite(value) and value > 0):
        raise MethodError(f"{name} {value} was given; it must be a number above 0")


def share(name: str, value: float) -> None:
    """Refuse what is not a share."""
    if not 0 <= value <= 1:
        raise MethodError(f"{name} {value} was given; it is a share, from 0 to 1")


def correlation(value: float, discordance: float, rates: tuple[float, float]) -> None:
    """Refuse a correlation of 0/1 scores that these rates do not allow."""
    first, second = rates
    least, most = abs(first - second), min(first + second, 2 - first - second)
    if least * (1 - 1e-12) <= discordance <= most * (1 + 1e-12) and discordance > 0:
        return
    apart = first * (1 - second) + second * (1 - first)
    spread = 2 * math.sqrt(first * (1 - first) * second * (1 - second))
    low, high = (apart - most) / spread, (apart - least) / spread
    raise MethodError(
        f"a correlation of {value:g} was given; right and wrong at rates {first:g} and {second:g} are "
        f"correlated by {low:.4g} to {high:.4g}" + (", and below 1 in a plan" if least == 0 else "")
    )


def discordance(value: float, difference: float, rates: Sequence[float] | None) -> None:
    """Refuse a share of discordant items that no two entries with these rates can have."""
    share("discordance", value)
    if value < abs(difference) * (1 - 1e-12) or value == 0:
        raise MethodError(
            f"a discordance of {value:g} was given with a difference of {difference:g}; entries that differ "
            f"by that much differ on at least {max(abs(difference), 0.0):g} of the items, and on more than "
            "none"
        )
    if rates is not None:
        most = min(sum(rates), 2 - sum(rates))
        if value > most * (1 + 1e-12):
            raise MethodError(
                f"a discordance of {value:g} was given; entries at rates {rates[0]:g} and {rates[1]:g} "
                f"differ on at most {most:g} of the items"
            )
