"""Items and power of a comparison of two entries: each the inverse of the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from deadheat.errors import MethodError
from deadheat.planning import refusals
from deadheat.planning.claim_power import Goal, exact_items, exact_power, items_for, power_of
from deadheat.planning.curves import over_items
from deadheat.planning.observed import Observed
from deadheat.planning.plan_design import Claim, Design, Layout
from deadheat.planning.plan_record import compared, not_summed, shows, written
from deadheat.planning.writing import percent
from deadheat.results import Note, Plan
from deadheat.stats.power.power_paired import paired_items_miettinen


def items(
    rates: Sequence[float] | None = None,
    *,
    difference: float | None = None,
    discordance: float | None = None,
    correlation: float | None = None,
    sd: float | None = None,
    sd_difference: float | None = None,
    observed: Observed | None = None,
    claim: Claim = "difference",
    margin: float | None = None,
    layout: Layout | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
) -> Plan:
    """Compute how many items a comparison of two entries needs.

    Parameters
    ----------
    rates : (float, float) or None
        True rates of two entries with 0/1 scores.
    difference : float or None
        True difference, first less second, where the rates are not known.
    discordance : float or None
        Share of shared items on which exactly one of the two is right. With it (or `correlation`) the entries
        share their items; without, each has its own.
    correlation : float or None
        Correlation of the two entries' scores at one item.
    sd, sd_difference : float or None
        For scores other than 0/1: standard deviation of one score, or of the difference at a shared item.
    observed : Observed or None
        Variances of real results, from `observe`, instead of all of the above but `difference`.
    claim, margin
        What is to be shown: a ``difference``, ``non-inferiority`` of the first entry or ``equivalence``,
        within a margin.
    layout : Layout or None
        Samples of an item, and clusters; None is one attempt at independent items.
    power : float
        Probability of success.
    alpha : float
        Size of the two-sided test, or of each one-sided test against a margin.

    Returns
    -------
    Plan
        ``items`` (of each entry, where they do not share them) by the formula that is named, and where a sum
        over all counts exists ``items_exact`` and ``power_exact``, the exact power at ``items``.

    Raises
    ------
    MethodError
        A request that nothing can meet, or that says too little; the message gives the reason.
    """
    refusals.chances(power, alpha)
    goal = Goal(claim, margin, alpha)
    made = compared(rates, difference, discordance, correlation, sd, sd_difference, observed, layout, claim)
    goal.check(made)
    raw = items_for(made, goal, power)
    if not math.isfinite(raw) or raw > 1e15:
        raise MethodError(f"more than 1e15 items would be needed for a difference of {made.difference:g}")
    number = max(math.ceil(raw - 1e-9), 1)
    answer: dict[str, Any] = {"items": number, "items_unrounded": raw}
    if made.layout.cluster_size > 1:
        answer["clusters"] = math.ceil(number / made.layout.cluster_size)
    notes: list[Note] = []
    if made.counts and claim == "difference":
        exact = exact_items(made, goal, power, raw)
        answer |= {"items_exact": exact, "power_exact": exact_power(made, goal, number)}
        if made.paired:
            miettinen = paired_items_miettinen(made.difference, made.null, power, alpha)
            answer["items_miettinen"] = math.ceil(miettinen - 1e-9)
        notes += _about_exact(made, number, exact, answer["power_exact"], power)
    if observed is not None:

        def again(each: Design) -> float:
            return items_for(each, goal, power)

        rises = False if claim == "difference" else None
        taken = difference is None
        ends = observed.taken(made, again, math.inf, rises) if taken else observed.given(made, again)
        answer["items_interval"] = [None if end is None else math.ceil(end - 1e-9) for end in ends]
        notes += observed.doubts(difference is None, ends)
    exactly = answer.get("items_exact")
    other = f"; {exactly:,} by exact calculation" if exactly is not None else ""
    each = "" if made.paired else " for each entry"
    summary = f"{number:,} items{each} {shows(made, goal)} with {percent(power)} power{other}."
    curve = over_items("power", lambda count: power_of(made, goal, count), number)
    return written("items", made, goal, {"power": power}, answer, summary, notes, observed, curve)


def power(
    items: int,
    rates: Sequence[float] | None = None,
    *,
    difference: float | None = None,
    discordance: float | None = None,
    correlation: float | None = None,
    sd: float | None = None,
    sd_difference: float | None = None,
    observed: Observed | None = None,
    claim: Claim = "difference",
    margin: float | None = None,
    layout: Layout | None = None,
    alpha: float = 0.05,
) -> Plan:
    """Compute the power of a comparison on so many items; other parameters as in `items`.

    Returns
    -------
    Plan
        ``power`` by the formula that is named, and ``power_exact`` where a sum over all counts exists. Power
        counts rejections on either side of zero.
    """
    refusals.some_items(items)
    refusals.chances(0.5 + alpha / 2, alpha)
    goal = Goal(claim, margin, alpha)
    made = compared(rates, difference, discordance, correlation, sd, sd_difference, observed, layout, claim)
    goal.check(made)
    found = power_of(made, goal, items)
    if math.isnan(found):
        raise MethodError(f"{items} items leave no degree of freedom to estimate a variance; more are needed")
    answer: dict[str, Any] = {"power": found}
    notes: list[Note] = []
    if made.counts and claim == "difference":
        answer["power_exact"] = exact_power(made, goal, items)
        if answer["power_exact"] is None:
            notes.append(not_summed())
    if observed is not None:

        def again(each: Design) -> float:
            return power_of(each, goal, items)

        rises = True if claim == "difference" else None
        taken = difference is None
        ends = observed.taken(made, again, rises=rises) if taken else observed.given(made, again)
        answer["power_interval"] = ends
        notes += observed.doubts(difference is None, ends)
    exactly = answer.get("power_exact")
    other = f" ({percent(exactly)} by exact calculation)" if exactly is not None else ""
    each = "" if made.paired else " for each entry"
    summary = f"{items:,} items{each} {shows(made, goal)} with {percent(found)} power{other}."
    curve = over_items("power", lambda count: power_of(made, goal, count), items)
    return written("power", made, goal, {"items": items}, answer, summary, notes, observed, curve)


def _about_exact(
    made: Design, number: int, exact: int | None, at_number: float | None, power: float
) -> list[Note]:
    if exact is None or at_number is None:
        return [not_summed()]
    if exact <= number:
        return []
    test = "exact McNemar test" if made.paired else "two-proportion z test"
    text = (
        f"the {test} has {percent(at_number)} power on {number:,} items; "
        f"it needs {exact:,} for {percent(power)}"
    )
    return [Note(code="exact-needs-more", text=text)]
