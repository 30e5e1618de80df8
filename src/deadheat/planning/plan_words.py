"""A plan in words: shares, differences, items, what is shown and by which test."""

from __future__ import annotations

import math

from deadheat.planning.claim_power import Goal, formula, summed
from deadheat.planning.plan_design import Design, Layout

TESTS = {
    "Connor's unconditional normal": ("exact McNemar test", "Connor's formula"),
    "Fleiss' normal, no continuity correction": ("two-proportion z test, exact power", "Fleiss' formula"),
    "Nam's normal": ("Tango's score test, exact power", "Nam's formula"),
    "normal approximation with the true variance": ("", "normal formula"),
    "noncentral t distribution": ("", "t test"),
}


def percent(value: float) -> str:
    """Write a share as ``80 %``.

    What is not 0 or 1 never reads as if it were, and what is less than a whole per cent never reads as that:
    a power of 0.7997 is 79.97 %.
    """
    for digits in range(1, 6):
        text = f"{100 * value:.{digits}f}"
        shown = float(text)
        less = shown == round(shown) and shown > 100 * value + 1e-9
        if (0 < shown < 100 or value in (0, 1)) and not less:
            break
    return f"{text.rstrip('0').rstrip('.') if float(text) == round(float(text)) else text} %"


def points(value: float, *, up: bool = False) -> str:
    """Write a difference of rates as ``5 points``; `up`: one that has a power is not rounded down."""
    shown = math.ceil(1e4 * value - 1e-6) / 100 if up else 100 * value
    text = f"{shown:.2f}".rstrip("0").rstrip(".")
    if text in ("0", "-0") and value != 0:
        text = f"{100 * value:.2g}"
    return f"{text} {'point' if text == '1' else 'points'}"


def gap(design: Design, value: float, *, up: bool = False) -> str:
    """Write a difference or a margin in the unit of the scores."""
    return points(value, up=up) if design.unit else f"{value:.4g}"


def items_of(items: float, layout: Layout, *, paired: bool = True) -> str:
    """Write a number of items with their samples: ``395 items with 5 samples each``."""
    text = f"{items:,} item{'s' * (items != 1)}"
    if layout.samples > 1:
        text += f" with {layout.samples:,} samples each"
    return text if paired else f"{text} for each entry"


def shows(design: Design, goal: Goal) -> str:
    """Say what is shown."""
    if goal.claim == "difference":
        return f"show a difference of {gap(design, abs(design.difference))}"
    width = gap(design, goal.margin or 0.0)
    return f"show {goal.claim} within {width} at a true difference of {gap(design, design.difference)}"


def by_test(design: Design, goal: Goal, exact: float | None, other: str | None = None) -> str:
    """Name what a number was computed with, and what the formula gives where it is not the number itself."""
    test, approximation = TESTS[formula(design, goal)]
    if exact is None:
        return f"({approximation})" if not summed(design, goal) else f"(by {approximation})"
    return f"({test})" if other is None else f"({test}; {approximation}: {other})"
