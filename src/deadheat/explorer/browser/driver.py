"""The calculators of a page opened from disk: a question comes as JSON and its answer leaves as JSON."""

from __future__ import annotations

import json
from typing import Any

from deadheat.errors import DeadheatError
from deadheat.explorer import plan_view as plans
from deadheat.explorer import tie_view as ties
from deadheat.explorer.plain_values import finite
from deadheat.explorer.query import Query
from deadheat.planning import board_plans, claim_power, smallest, widths
from deadheat.stats.power import power_paired

VIEWS: dict[str, Any] = {"tie": ties.tie, "plan": plans.how_many}
LEFT = "exact sums over so many items are left to the command deadheat plan: here they would take too long"
LATER = 300  # discordant items up to which McNemar's exact power is summed here: two seconds


def answer(question: str) -> str:
    """Answer a question.

    Parameters
    ----------
    question : str
        JSON: the name of a view, pairs of names and values as a form sends them, and whether exact sums are
        wanted too, which take longer.
    """
    view, pairs, exactly = json.loads(question)
    _in_a_page(exactly)
    try:
        found = VIEWS[view](Query([(name, value) for name, value in pairs]))
        for note in found.get("plan", {}).get("notes", []):
            if note["text"].startswith("too many items"):
                note["text"] = LEFT
        return json.dumps(finite(found))
    except DeadheatError as error:
        return json.dumps({"error": str(error)})


def _in_a_page(exactly: bool) -> None:
    """Leave out what takes too long here: most exact sums, and some points of curves."""
    claim_power.MOST_DISCORDANT = LATER if exactly else 0
    claim_power.MOST_ITEMS, power_paired.BLOCK = 0, 64
    smallest.MOST_SEARCHED = 10 * LATER if exactly else 0
    claim_power.MOST_SEPARATE = claim_power.MOST_SUMMED = board_plans.MOST_SEARCHED = 0
    widths.MOST_SEARCHED = 50_000
    ties.STEPS, ties.MOST_SUMMED, plans.BOARDS = 21, -1, 0
