"""Questions for the calculators of pages from disk, and what the engine answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from deadheat.explorer.plain_values import finite
from deadheat.explorer.plan_view import how_many
from deadheat.explorer.query import Query
from deadheat.explorer.tie_view import tie

ALIKE = {"claim": "equivalence", "margin": 0.03}
NO_WORSE = {"claim": "non-inferiority", "margin": 1}
ASKED: list[tuple[str, dict[str, Any], bool]] = [
    ("tie", {}, False),
    ("tie", {"a": 10, "b": 3, "n": 20, "agree": 1}, False),
    ("tie", {"a": 0, "b": 0, "n": 7, "agree": 0}, False),
    ("tie", {"a": 60_123, "b": 59_000, "n": 100_000, "agree": 0.3}, False),
    ("tie", {"a": 501}, False),
    ("plan", {"question": "margin", "half_width": 0.05, "rate": 0.2}, False),
    ("plan", {"question": "margin", "half_width": 2, "sd": 15, "cluster_size": 4, "icc": 0.1}, False),
    ("plan", {"question": "items", "rates": "0.65 0.60"}, False),
    ("plan", {"question": "items", "rates": "0.65 0.60", "discordance": 0.2, "alpha": 0.01}, False),
    ("plan", {"question": "items", "rates": "0.6 0.6", "correlation": 0.5, **ALIKE}, False),
    ("plan", {"question": "items", "difference": 3, "sd_difference": 9}, False),
    ("plan", {"question": "power", "correlation": 0.3, "items": 400, "samples": 3, "noise": 0.4}, False),
    ("plan", {"question": "power", "difference": 2, "sd": 9, "items": 50, **NO_WORSE}, False),
    ("plan", {"question": "mde", "items": 500, "rate": 0.68}, False),
    ("plan", {"question": "mde", "items": 500, "rate": 0.68, "correlation": 0.5}, False),
    ("plan", {"question": "samples", "correlation": 0.3, "noise": 0.3, "budget": 5000}, False),
    ("plan", {"question": "board", "rates": "0.7 0.6 0.5", "items": 200, "samples": 2, "noise": 0.5}, False),
    ("plan", {"question": "items", "rates": "0.6 0.5999"}, False),
    ("plan", {"question": "items", "rates": "0.6"}, False),
    ("plan", {"question": "items", "rates": "0.8 0.7", "discordance": 0.25}, True),
    ("plan", {"question": "power", "rates": "0.8 0.7", "correlation": 0.4, "items": 300}, True),
    ("plan", {"question": "mde", "items": 300, "correlation": 0.4}, True),
]  # fmt: skip


def expected(view: str, pairs: list[tuple[str, str]], exactly: bool, patch: pytest.MonkeyPatch) -> Any:
    """Answer as the engine does, within the limits of a page."""
    patch.setattr("deadheat.explorer.tie_view.STEPS", 21)
    patch.setattr("deadheat.explorer.tie_view.MOST_SUMMED", -1)
    patch.setattr("deadheat.explorer.plan_view.BOARDS", 0)
    patch.setattr("deadheat.planning.board_plans.MOST_SEARCHED", 0)
    for name in ("MOST_SEPARATE", "MOST_SUMMED", "MOST_ITEMS"):
        patch.setattr(f"deadheat.planning.claim_power.{name}", 0)
    if not exactly:
        patch.setattr("deadheat.planning.smallest.MOST_SEARCHED", 0)
        patch.setattr("deadheat.planning.claim_power.MOST_DISCORDANT", 0)
    try:
        found = finite({"tie": tie, "plan": how_many}[view](Query(pairs)))
    except ValueError as error:
        found = {"error": str(error)}
    return without_words(json.loads(json.dumps(found)))


def without_words(answer: Any) -> Any:
    """Leave out the words of notes, some of which are a page's own."""
    for note in answer.get("plan", {}).get("notes", []):
        note["text"] = note["code"]
    return answer


def near(found: Any, wanted: Any, where: str = "") -> None:
    """The same structure in the same order, numbers to 1e-9."""
    if isinstance(wanted, dict):
        assert list(found) == list(wanted), where
        for key in wanted:
            near(found[key], wanted[key], f"{where}/{key}")
    elif isinstance(wanted, (list, tuple)):
        assert len(found) == len(wanted), where
        for at, each in enumerate(wanted):
            near(found[at], each, f"{where}/{at}")
    elif isinstance(wanted, (int, float)) and not isinstance(wanted, bool):
        assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9), where
    else:
        assert found == wanted, where
