"""Labels of people for a corrected score, or a corrected difference, of a given half-width."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from deadheat.errors import MethodError
from deadheat.planning import refusals
from deadheat.planning.observed_labels import ObservedLabels
from deadheat.planning.plan_record import plan
from deadheat.results import Curve, Methods, Note, Plan, claims
from deadheat.stats.judged.label_counts import Link, link_of_rates
from deadheat.stats.numerics.bounds import whole
from deadheat.stats.numerics.pvalues import critical_z


def labels(
    half_width: float | None = None,
    *,
    rate: float | None = None,
    sensitivity: float | None = None,
    specificity: float | None = None,
    observed: ObservedLabels | None = None,
    items: int | None = None,
    label_cost: float | None = None,
    item_cost: float | None = None,
    budget: float | None = None,
    level: float = 0.95,
) -> Plan:
    """Compute how many labels of people give a judged score's interval a half-width.

    Parameters
    ----------
    half_width : float or None
        Half the width wanted, in the unit of the score; None with a budget.
    rate, sensitivity, specificity : float or None
        True rate, and how often the judge accepts right and rejects wrong answers.
    observed : ObservedLabels or None
        What real results say of judge and people, from `observe_labels`, instead of these.
    items : int or None
        Items that the judge scores; None takes those of `observed`, or as many as one likes.
    label_cost, item_cost, budget : float or None
        Price of a label, and of running and judging an item: adds the cheapest mix for the half-width, or
        answers with the mix that makes the most of the budget.
    level : float
        Level of the interval.

    Returns
    -------
    Plan
        ``labels``, and ``labels_alone`` without a judge; with prices ``best_labels``, ``best_items`` and
        ``best_cost``; with `observed` also ``labels_interval``.

    Raises
    ------
    MethodError
        Half-widths, rates, items or prices that cannot be.
    """
    z = critical_z(level)
    link = _link(rate, sensitivity, specificity, observed)
    number = items if items is not None else (observed.items if observed is not None else None)
    if number is not None:
        refusals.some_items(number)
    prices = _prices(label_cost, item_cost, budget)
    if (half_width is None) == (budget is None):
        raise MethodError("a plan of labels takes a half-width, or a budget; found both or neither")
    assumptions: dict[str, Any] = {
        **({} if half_width is None else {"half_width": half_width}),
        **({} if rate is None else {"rate": rate, "sensitivity": sensitivity, "specificity": specificity}),
        "sd": link.sd,
        "correlation": link.correlation,
        "level": level,
        **({} if number is None else {"items": number}),
        **({} if prices is None else {"label_cost": prices[0], "item_cost": prices[1]}),
        **({} if budget is None else {"budget": budget}),
        "formula": "PPI++: sd² ((1 − r²) / labels + r² / items)",
        **({} if observed is None else {"from": list(observed.entries), "from_labels": observed.labels}),
    }
    rates = observed is None or observed.unit
    if budget is not None:
        assert prices is not None
        answer, claimed = _for_budget(link, prices, budget, z, level, rates=rates)
        curve = None
    else:
        assert half_width is not None
        refusals.positive("half-width", half_width)
        answer, claimed, curve = _for_width(link, half_width, number, prices, z, level, rates=rates)
    notes = [Note(code="labels-at-random", text="the items to label are taken as drawn at random from all")]
    if observed is not None and half_width is not None:
        far = Link(*observed.drawn.T).labels((half_width / z) ** 2, number or math.inf)
        low, high = (1 - observed.level) / 2, (1 + observed.level) / 2
        ends = np.quantile(far, [low, high], method="inverted_cdf")
        answer["labels_interval"] = [whole(end) for end in ends]
        if None in answer["labels_interval"]:
            text = "these labels do not exclude that even labels of all items are too few: an end is open"
            notes.append(Note(code="unbounded", text=text))
    return plan(
        "labels",
        assumptions,
        answer,
        (claimed,),
        notes,
        methods=Methods(level=level),
        estimand=None if observed is None else observed.estimand,
        provenance=None if observed is None else observed.provenance,
        curve=curve,
    )


def _link(
    rate: float | None, sensitivity: float | None, specificity: float | None, observed: ObservedLabels | None
) -> Link:
    given = (rate, sensitivity, specificity)
    if observed is not None:
        if any(value is not None for value in given):
            raise MethodError("real results were given, and rates beside them; give one or the other")
        return observed.link
    if rate is None or sensitivity is None or specificity is None:
        raise MethodError("a plan of labels takes --rate, --sensitivity and --specificity, or real results")
    refusals.rate(rate)
    refusals.share("a sensitivity of", sensitivity)
    refusals.share("a specificity of", specificity)
    if sensitivity + specificity < 1:
        raise MethodError(
            f"sensitivity and specificity add up to {sensitivity + specificity:g}, below 1: such a judge "
            "goes against people"
        )
    return link_of_rates(rate, sensitivity, specificity)


def _prices(
    label_cost: float | None, item_cost: float | None, budget: float | None
) -> tuple[float, float] | None:
    if label_cost is None and item_cost is None and budget is None:
        return None
    if label_cost is None or item_cost is None:
        raise MethodError("a mix of labels and items needs both prices: --label-cost and --item-cost")
    for name, value in (("label cost", label_cost), ("item cost", item_cost), ("budget", budget)):
        if value is not None:
            refusals.positive(name, value)
    return label_cost, item_cost


def _for_budget(
    link: Link, prices: tuple[float, float], budget: float, z: float, level: float, *, rates: bool
) -> tuple[dict[str, Any], claims.Claim]:
    many, items = (math.floor(x + 1e-9) for x in link.split(*prices, budget))
    if items < many:
        raise MethodError(f"a budget of {budget:g} buys fewer than 2 labels at these prices")
    half = z * math.sqrt(link.variance(many, items))
    answer = {
        "labels": many,
        "items": items,
        "half_width": half,
        "cost": many * prices[0] + items * prices[1],
    }
    claimed = claims.LabelsForBudget(
        labels=many, items=items, half_width=half, level=level, budget=budget, rates=rates
    )
    return answer, claimed


def _for_width(
    link: Link,
    half_width: float,
    items: int | None,
    prices: tuple[float, float] | None,
    z: float,
    level: float,
    *,
    rates: bool,
) -> tuple[dict[str, Any], claims.Claim, Curve]:
    variance, most = (half_width / z) ** 2, math.inf if items is None else items
    needed = whole(float(link.labels(variance, most)))
    alone = max(math.ceil(link.sd**2 / variance - 1e-9), 2)
    answer: dict[str, Any] = {"labels": needed, "labels_alone": alone, "items": items}
    least = z * math.sqrt(link.variance(most, most)) if items is not None else 0.0
    if needed is None:
        answer["half_width_all_labelled"] = least
    if prices is not None:
        many, number = (math.ceil(x - 1e-9) for x in link.cheapest(*prices, variance))
        answer |= {
            "best_labels": many,
            "best_items": number,
            "best_cost": many * prices[0] + number * prices[1],
        }
    claimed = claims.LabelsNeeded(
        labels=needed,
        alone=alone,
        items=items,
        half_width=half_width,
        all_labelled=least if needed is None else None,
        level=level,
        rates=rates,
        best_labels=answer.get("best_labels"),
        best_items=answer.get("best_items"),
        best_cost=answer.get("best_cost"),
    )
    end = int(min(most, 3 * (needed or alone)))
    points = sorted({max(round(x), 2) for x in np.linspace(2, max(end, 3), 60)})
    curve = Curve(
        x="labels",
        y="half-width",
        points=tuple((float(n), z * math.sqrt(link.variance(n, max(most, n)))) for n in points),
    )
    return answer, claimed, curve
