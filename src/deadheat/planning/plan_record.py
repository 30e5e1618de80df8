"""What all comparisons of a plan share: the design that was asked about, and how an answer is put down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deadheat.errors import MethodError
from deadheat.planning.claim_power import Goal, formula, test_of
from deadheat.planning.observed import Observed
from deadheat.planning.plan_design import Claim, Design, Layout, design
from deadheat.planning.writing import plan, points
from deadheat.results import Curve, Methods, Note, Plan


def compared(
    rates: Sequence[float] | None,
    difference: float | None,
    discordance: float | None,
    correlation: float | None,
    sd: float | None,
    sd_difference: float | None,
    observed: Observed | None,
    layout: Layout | None,
    claim: Claim = "difference",
) -> Design:
    """Build the design from what was given, or from real results."""
    if observed is None:
        return design(
            rates,
            difference=difference,
            discordance=discordance,
            correlation=correlation,
            sd=sd,
            sd_difference=sd_difference,
            layout=layout,
        )
    if any(value is not None for value in (rates, discordance, correlation, sd, sd_difference)):
        raise MethodError("real results were given, and variances beside them; give one or the other")
    if difference is None and claim != "difference":
        raise MethodError(f"{claim} from real results needs the true difference to plan for, usually 0")
    return observed.design(difference, layout)


def shows(made: Design, goal: Goal) -> str:
    """Say what is to be shown, for a sentence."""
    gap = points(abs(made.difference)) if made.binary else f"{abs(made.difference):.4g}"
    if goal.claim == "difference":
        return f"show a difference of {gap}"
    width = points(goal.margin or 0.0) if made.binary else f"{goal.margin:.4g}"
    return f"show {goal.claim} within {width} at a true difference of {gap}"


def not_summed() -> Note:
    """Say why an exact number is missing."""
    return Note(code="not-summed", text="too many items for an exact sum; the approximation is close there")


def written(
    question: str,
    made: Design,
    goal: Goal,
    given: dict[str, Any],
    answer: dict[str, Any],
    summary: str,
    notes: Sequence[Note],
    observed: Observed | None,
    curve: Curve | None = None,
) -> Plan:
    """Put the answer on record with everything that it stands on."""
    aim: dict[str, Any] = {"claim": goal.claim}
    if goal.margin is not None:
        aim["margin"] = goal.margin
    sides = "two-sided" if goal.claim == "difference" else "each bound one-sided"
    assumptions = {
        **aim,
        **given,
        "alpha": goal.alpha,
        "sides": sides,
        **made.assumptions(),
        "test": test_of(made, goal),
        "formula": formula(made, goal),
        **(observed.assumptions() if observed is not None else {}),
    }
    return plan(
        question,
        assumptions,
        answer,
        summary,
        notes,
        methods=Methods(
            test=test_of(made, goal), alpha=goal.alpha, level=None if observed is None else observed.level
        ),
        estimand=None if observed is None else observed.estimand,
        provenance=None if observed is None else observed.provenance,
        curve=curve,
    )
