"""What all plans share: the design, the curve beside an answer, and the record of both."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Literal

from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.planning.claim_power import Goal, formula, test_of
from deadheat.planning.observed import Observed
from deadheat.planning.plan_design import Claim, Design, Layout, design
from deadheat.report.sentences import sentences
from deadheat.results import Curve, Methods, Note, Plan, Provenance, claims
from deadheat.version import VERSION

POINTS = 60  # of a curve


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


def not_summed() -> Note:
    """Say why an exact number is missing."""
    return Note(code="not-summed", text="too many items for an exact sum; the approximation is close there")


def written(
    question: str,
    made: Design,
    goal: Goal,
    given: dict[str, Any],
    answer: dict[str, Any],
    claimed: tuple[claims.Claim, ...],
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
        claimed,
        notes,
        methods=Methods(
            test=test_of(made, goal), alpha=goal.alpha, level=None if observed is None else observed.level
        ),
        estimand=None if observed is None else observed.estimand,
        provenance=None if observed is None else observed.provenance,
        curve=curve,
    )


def plan(
    question: str,
    assumptions: dict[str, Any],
    answer: dict[str, Any],
    claimed: tuple[claims.Claim, ...],
    notes: Sequence[Note] = (),
    *,
    methods: Methods | None = None,
    estimand: Estimand | None = None,
    provenance: Provenance | None = None,
    curve: Curve | None = None,
) -> Plan:
    """Put an answer on record."""
    return Plan(
        version=VERSION,
        estimand=estimand or Estimand(),
        methods=methods or Methods(),
        summary=sentences(claimed),
        claims=claimed,
        notes=tuple(notes),
        provenance=provenance or Provenance(),
        question=question,
        assumptions=assumptions,
        answer=answer,
        curve=curve,
    )


def over_items(y: str, value: Callable[[int], float], items: int) -> Curve:
    """Follow a value from few items to half as many again as planned; where it is undefined, no point."""
    last = max(math.ceil(1.5 * items), 10)
    numbers = sorted({max(round(last * step / POINTS), 1) for step in range(1, POINTS + 1)} | {items})
    points = [(float(number), value(number)) for number in numbers]
    return Curve(x="items", y=y, points=tuple(point for point in points if math.isfinite(point[1])))


def shows(
    asked: Literal["items", "power", "difference"],
    design: Design,
    goal: Goal,
    items: int,
    power: float,
    by_formula: float,
    *,
    exact: bool,
) -> claims.Shows:
    """Claim what a number of items shows; `by_formula` is what was asked by formula alone."""
    layout, given = design.layout, {"items": items, "power": power, "difference": design.difference}
    return claims.Shows(
        asked=asked,
        items=items,
        samples=layout.samples,
        paired=design.paired,
        goal=goal.claim,
        difference=design.difference,
        margin=goal.margin,
        power=power,
        alpha=goal.alpha,
        test=test_of(design, goal),
        formula=formula(design, goal),
        exact=exact,
        by_formula=by_formula if exact and by_formula != given[asked] else None,
        rates=design.unit,
    )
