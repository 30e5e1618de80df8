"""Items and power of a comparison of two entries: each the inverse of the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from deadheat.errors import MethodError
from deadheat.planning import refusals
from deadheat.planning.claim_power import (
    Goal,
    best_power,
    exact_items,
    exact_power,
    items_for,
    items_to_run,
    power_of,
    summed,
    whole,
)
from deadheat.planning.common_items import with_missing
from deadheat.planning.early import looking_early
from deadheat.planning.observed import Observed
from deadheat.planning.plan_design import Claim, Design, Layout
from deadheat.planning.plan_record import compared, not_summed, over_items, shows, written
from deadheat.report.numbers import percent
from deadheat.results import Note, Plan, claims
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
    anytime: bool = False,
    missing: float | None = None,
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
    anytime : bool
        Add when a comparison stops that is looked at after every item, beside the fixed size.
    missing : float or None
        Share of its items that each entry will lack at random: adds how many to give each.
    power : float
        Probability of success.
    alpha : float
        Size of the two-sided test, or of each one-sided test against a margin.

    Returns
    -------
    Plan
        ``items_to_run`` (of each entry, where they do not share them), for the test that will run; ``items``
        by the formula that is named, and where a sum over all counts exists ``items_exact`` and
        ``power_exact``, the exact power at ``items``.

    Raises
    ------
    MethodError
        A request that nothing can meet, or that says too little; the message gives the reason.
    """
    refusals.chances(power, alpha)
    goal = Goal(claim, margin, alpha)
    design = compared(rates, difference, discordance, correlation, sd, sd_difference, observed, layout, claim)
    goal.check(design)
    raw = items_for(design, goal, power)
    if not math.isfinite(raw) or raw > 1e15:
        raise MethodError(f"more than 1e15 items would be needed for a difference of {design.difference:g}")
    number, exact = int(whole(raw)), exact_items(design, goal, power)
    run = number if exact is None else exact
    answer: dict[str, Any] = {"items": number, "items_unrounded": raw}
    notes: list[Note] = []
    if design.layout.cluster_size > 1:
        answer["clusters"] = math.ceil(run / design.layout.cluster_size)
    if summed(design, goal):
        answer |= {"items_exact": exact, "power_exact": exact_power(design, goal, number)}
        if design.paired and claim == "difference":
            miettinen = paired_items_miettinen(design.difference, design.null, power, alpha)
            answer["items_miettinen"] = math.ceil(miettinen - 1e-9)
        notes += _about_exact(design, goal, number, exact, answer["power_exact"])
    answer["items_to_run"] = run
    if observed is not None:

        def again(each: Design) -> float:
            return items_to_run(each, goal, power)

        if difference is None:
            rises = False if claim == "difference" else None
            ends = observed.taken(design, lambda each: items_for(each, goal, power), again, math.inf, rises)
        else:
            ends = observed.given(design, again)
        answer["items_interval"] = [None if end is None else int(whole(end)) for end in ends]
        notes += observed.doubts(difference is None, ends)
    claimed: tuple[claims.Claim, ...] = (
        shows("items", design, goal, run, power, number, exact=exact is not None),
    )
    if anytime:
        more, said, note = looking_early(design, goal, run)
        answer, claimed, notes = answer | more, claimed + said, [*notes, note]
    if missing is not None:
        more, enough, note = with_missing(design, run, missing)
        answer, claimed, notes = answer | more, (*claimed, enough), [*notes, note]
    curve = over_items("power", lambda count: best_power(design, goal, count), run)
    given = {"power": power} if missing is None else {"power": power, "missing": missing}
    return written("items", design, goal, given, answer, claimed, notes, observed, curve)


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
    """Compute the power of a comparison with this many items; other parameters as in `items`.

    Returns
    -------
    Plan
        ``power`` by the formula that is named, and ``power_exact`` where a sum over all counts exists. Power
        counts rejections on either side of zero.
    """
    refusals.some_items(items)
    refusals.chances(0.5 + alpha / 2, alpha)
    goal = Goal(claim, margin, alpha)
    design = compared(rates, difference, discordance, correlation, sd, sd_difference, observed, layout, claim)
    goal.check(design)
    approximate = power_of(design, goal, items)
    if math.isnan(approximate):
        raise MethodError(f"{items} items leave no degree of freedom to estimate a variance; more are needed")
    answer: dict[str, Any] = {"power": approximate}
    notes: list[Note] = []
    exact = exact_power(design, goal, items)
    if summed(design, goal):
        answer["power_exact"] = exact
        if exact is None:
            notes.append(not_summed())
    if observed is not None:

        def again(each: Design) -> float:
            return best_power(each, goal, items)

        if difference is None:
            rises = True if claim == "difference" else None
            ends = observed.taken(design, lambda each: power_of(each, goal, items), again, rises=rises)
        else:
            ends = observed.given(design, again)
        answer["power_interval"] = ends
        notes += observed.doubts(difference is None, ends)
    stated = approximate if exact is None else exact
    claimed = (shows("power", design, goal, items, stated, approximate, exact=exact is not None),)
    curve = over_items("power", lambda count: best_power(design, goal, count), items)
    return written("power", design, goal, {"items": items}, answer, claimed, notes, observed, curve)


def _about_exact(
    design: Design, goal: Goal, number: int, exact: int | None, at_number: float | None
) -> list[Note]:
    if exact is None or at_number is None:
        return [not_summed()]
    if exact <= number:
        return []
    text = (
        f"the formula gives {number:,} items, on which the test that will run has {percent(at_number)} power"
    )
    return [Note(code="exact-needs-more", text=f"{text}; it needs {exact:,}")]
