"""What looking early saves, and costs: stopping times beside the fixed-size number of items."""

from __future__ import annotations

from typing import Any

from deadheat.errors import MethodError
from deadheat.planning.claim_power import Goal
from deadheat.planning.plan_design import Design
from deadheat.results import Note, claims
from deadheat.stats.anytime.stopping import stopping
from deadheat.stats.numerics.bounds import defined

SHARE = 0.9


def looking_early(
    design: Design, goal: Goal, items: int
) -> tuple[dict[str, Any], tuple[claims.StopsAfter, ...], Note]:
    """Give the stopping times of a comparison that is looked at after every item.

    Parameters
    ----------
    design, goal
        What is to be shown.
    items : int
        Of the fixed-size test.

    Returns
    -------
    (answer, claims, note)
        No claim where the time to stop has no mean.

    Raises
    ------
    MethodError
        Another design than single 0/1 attempts at shared items, or another claim than a difference.
    """
    if not (design.counts and design.paired and goal.claim == "difference" and design.discordance):
        raise MethodError(
            "stopping times are summed for single 0/1 attempts at shared items and a difference; found "
            "another design: `simulate anytime` has stopping times for samples, clusters and margins"
        )
    if design.difference == 0:
        raise MethodError("with a difference of 0 nothing stops early; found a difference of 0")
    found = stopping(design.difference, design.discordance, goal.alpha, items, SHARE)
    mean = defined(found.mean)
    answer = {
        "anytime_mean_items": mean,
        "anytime_items_90": found.most,
        "anytime_power": found.power,
        "anytime_mean_items_at_budget": found.mean_at_budget,
    }
    claimed = (
        ()
        if mean is None
        else (claims.StopsAfter(mean=mean, most=found.most, share=SHARE, alpha=goal.alpha),)
    )
    text = (
        f"with a budget of {items:,} items a comparison that may stop at any item has "
        f"{100 * found.power:.1f} % power and takes "
        f"{found.mean_at_budget:,.0f} items on average; exact, by all paths of discordant items"
    )
    return answer, claimed, Note(code="anytime", text=text)
