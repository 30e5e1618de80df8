"""The smallest difference that a number of items shows: power inverted, by formula and exactly."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from deadheat.errors import MethodError
from deadheat.planning import refusals
from deadheat.planning.claim_power import Goal, exact_power, items_for
from deadheat.planning.observed import Observed
from deadheat.planning.plan_design import Design, Layout
from deadheat.planning.plan_record import compared, not_summed, shows, written
from deadheat.report.numbers import percent, points
from deadheat.results import Note, Plan
from deadheat.stats.numerics.search import bisect, crossing, double

MOST_SEARCHED = 200_000  # items up to which the exact power is inverted: about half a second


def mde(
    items: int,
    rate: float | None = None,
    *,
    discordance: float | None = None,
    correlation: float | None = None,
    sd: float | None = None,
    sd_difference: float | None = None,
    observed: Observed | None = None,
    layout: Layout | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
) -> Plan:
    """Compute the smallest difference that this many items show with the power wanted.

    Parameters
    ----------
    items : int
        Items, of each entry where they do not share them.
    rate : float or None
        For 0/1 scores: the two rates lie evenly about it.
    discordance, correlation, sd, sd_difference, observed, layout, power, alpha
        As in `items`.

    Returns
    -------
    Plan
        ``difference`` by formula, and ``difference_exact`` where a sum over all counts exists.
    """
    refusals.some_items(items)
    refusals.chances(power, alpha)
    if rate is not None:
        refusals.rate(rate)
    goal = Goal(alpha=alpha)

    def at(size: float) -> Design:
        pair = None if rate is None else (rate + size / 2, rate - size / 2)
        alone = size if pair is None else None
        return compared(pair, alone, discordance, correlation, sd, sd_difference, observed, layout)

    least = smallest(at, goal, items, power)
    design = at(least)
    answer: dict[str, Any] = {"difference": least}
    notes: list[Note] = []
    exact = smallest_exact(at, goal, items, power, least)
    if design.counts:
        answer["difference_exact"] = exact
        if exact is None:
            notes.append(not_summed())
    if observed is not None:
        answer["difference_interval"] = _gap_ends(observed, design.layout, goal, items, power)
        notes += observed.doubts(False, answer["difference_interval"])
    stated = design if exact is None else at(exact)
    claimed = (shows("difference", stated, goal, items, power, least, exact=exact is not None),)
    given = {"items": items, "power": power}
    return written("mde", design, goal, given, answer, claimed, notes, observed)


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
        No possible difference is detected with this power.
    """

    def reached(gap: float) -> bool:
        return items_for(at(gap), goal, power) <= items

    if not at(0.0).unit:
        wide = double(reached, 1.0)
        if wide is None:
            raise MethodError(
                f"{items} items leave no degree of freedom to estimate a variance; more are needed"
            )
        return bisect(reached, 0.0, wide, relative=1e-12)
    top = _widest(at)
    if not reached(top):
        raise MethodError(
            f"{items} items show no difference with {percent(power)} power, not even the largest possible, "
            f"{points(top)}; use more items"
        )
    return bisect(reached, 0.0, top, relative=1e-12)


def smallest_exact(
    at: Callable[[float], Design], goal: Goal, items: int, power: float, guess: float
) -> float | None:
    """Find the difference whose exact power reaches `power`; None where it is not summed, or none does."""
    if items > MOST_SEARCHED or not at(0.0).counts:
        return None

    def value(gap: float) -> float:
        found = exact_power(at(gap), goal, items)
        return -math.inf if found is None else found

    return crossing(value, power, guess, _widest(at))


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


def _gap_ends(observed: Observed, layout: Layout, goal: Goal, items: int, power: float) -> list[float | None]:
    """The smallest difference at both ends of the interval of the variance; None where there is none."""
    found: list[float | None] = []
    for square, single in observed.ends(layout):

        def at(gap: float, square: float = square, single: float = single) -> Design:
            return observed.at(gap, layout, square, single)

        try:
            least = smallest(at, goal, items, power)
            found.append(smallest_exact(at, goal, items, power, least) or least)
        except MethodError:
            found.append(None)
    return found
