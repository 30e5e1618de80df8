"""The smallest difference that a number of items shows: power inverted, by formula and exactly."""

from __future__ import annotations

from collections.abc import Callable

from deadheat.errors import MethodError
from deadheat.planning.claims import Goal, exact_power, items_for
from deadheat.planning.design import Design
from deadheat.planning.writing import percent, points
from deadheat.stats.search import bisect, double

MOST_SEARCHED = 20_000  # items up to which the exact power is inverted: about a second


def smallest(at: Callable[[float], Design], goal: Goal, items: int, power: float) -> float:
    """Find the difference at which the power by formula reaches `power`.

    Parameters
    ----------
    at : callable
        Gives the design at a true difference; refuses one that cannot be.
    goal : Goal
    items : int
    power : float

    Raises
    ------
    MethodError
        No difference that can be is seen with this power.
    """

    def reached(gap: float) -> bool:
        return items_for(at(gap), goal, power) <= items

    if not at(0.0).binary:
        wide = double(reached, 1.0)
        if wide is None:
            raise MethodError(
                f"{items} items leave no degree of freedom to estimate a variance; more are needed"
            )
        return bisect(reached, 0.0, wide, relative=1e-12)
    top = _widest(at)
    if not reached(top):
        raise MethodError(
            f"{items} items show no difference with {percent(power)} power: even the largest that there can "
            f"be, {points(top)}, would be missed more often; more items are needed"
        )
    return bisect(reached, 0.0, top, relative=1e-12)


def smallest_exact(at: Callable[[float], Design], goal: Goal, items: int, power: float) -> float | None:
    """Find the difference whose exact power reaches `power`; None where it is not summed, or none does."""
    top = _widest(at)

    def reached(gap: float) -> bool:
        found = exact_power(at(gap), goal, items)
        return found is not None and found >= power

    if items > MOST_SEARCHED or not reached(top):
        return None
    return bisect(reached, 0.0, top, relative=1e-12)


def _widest(at: Callable[[float], Design]) -> float:
    """The largest difference that can be: beyond it the design is refused."""

    def refused(gap: float) -> bool:
        try:
            at(gap)
        except MethodError:
            return True
        return False

    edge = bisect(refused, 0.0, 1.0)
    return edge * (1 - 1e-12)
