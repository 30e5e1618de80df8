"""The view *How many?*: every question of the verb `plan`, with its curve."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from deadheat import planning
from deadheat.errors import MethodError
from deadheat.explorer.query import Query
from deadheat.planning.claim_power import Goal, items_for, power_of
from deadheat.planning.plan_design import Design
from deadheat.planning.plan_record import compared
from deadheat.results import Plan

MOST = 20_000  # items; beyond them exact sums take too long for a page
LEAST_GAP = 0.004  # a smaller difference needs more items than are summed while one waits
SAMPLES = 12
GAPS = 20  # differences up to the one that is seen, and as many beyond
BOARDS = 12  # sizes of a board on its curve
CLAIMS = ("difference", "non-inferiority", "equivalence")
Found = tuple[Plan, list[Any]]
Ground = Any  # `planning.Observed`, for the question of a margin `planning.ObservedScore`, or None
Observe = Callable[[Query, str], Ground]


def how_many(query: Query, observe: Observe | None = None) -> dict[str, Any]:
    """Plan.

    Parameters
    ----------
    query : Query
        ``question`` and what that one takes, under the names of the command's options; ``from=data``
        takes the variances from the results that are held.
    observe : callable or None
        Takes from these results what a question needs.
    """
    question = query.choice("question", "items", tuple(QUESTIONS))
    observed = None
    if query.choice("from", "assumed", ("assumed", "data")) == "data":
        if observe is None or question == "board":
            raise MethodError("variances of real results were asked for; this question takes none")
        observed = observe(query, question)
    plan, curves = QUESTIONS[question](query, observed)
    own = [] if plan.curve is None else [plan.curve]
    return {
        "plan": {
            "question": plan.question,
            "answer": plan.answer,
            "assumptions": plan.assumptions,
            "notes": [{"code": note.code, "text": note.text} for note in plan.notes],
        },
        "curves": [{"x": curve.x, "y": curve.y, "points": curve.points} for curve in own] + curves,
        "summary": plan.summary,
    }


def _layout(query: Query, observed: Ground) -> planning.Layout:
    if observed is not None:
        arranged: planning.Layout = observed.layout(query.whole("samples", 0, 0, 1000) or None)
        return arranged
    samples = query.whole("samples", 1, 1, 1000)
    noise = query.number("noise", None, 0, 1)
    size = query.real("cluster_size", 1.0, 1, 10_000)
    return planning.Layout(samples, noise, size, query.real("icc", 0.0, -1, 1))


def _varies(query: Query) -> dict[str, Any]:
    """How scores vary, as far as it was said."""
    return {
        "discordance": query.number("discordance", None, 0, 1),
        "correlation": query.number("correlation", None, -1, 1),
        "sd": query.number("sd", None, 1e-9, 1e9),
        "sd_difference": query.number("sd_difference", None, 1e-9, 1e9),
    }


def _comparison(query: Query, observed: Ground) -> dict[str, Any]:
    """Two entries: by their rates, by their difference, or as they were observed."""
    gap = query.number("difference", None, -1e9, 1e9)
    varies = _varies(query)
    if observed is not None:
        return {"observed": observed, "difference": gap}
    scores = varies["sd"] is not None or varies["sd_difference"] is not None
    text = "" if scores or gap is not None else "0.65 0.60"
    pair = query.numbers("rates", text, 0, 1, 2) or None
    if pair is not None and len(pair) != 2:
        raise MethodError(f"rates {pair} were given; a comparison has two")
    return {"rates": pair, "difference": gap} | varies


def _design(given: dict[str, Any], layout: planning.Layout, claim: Any = "difference") -> Design:
    """The comparison that was described, on items arranged in another way."""
    return compared(
        given.get("rates"),
        given.get("difference"),
        given.get("discordance"),
        given.get("correlation"),
        given.get("sd"),
        given.get("sd_difference"),
        given.get("observed"),
        layout,
        claim,
    )


def _wide_enough(given: dict[str, Any], margin: float | None) -> None:
    """Refuse a gap whose exact sums take too long; scores without counts have none."""
    if given.get("sd") is not None or given.get("sd_difference") is not None or "observed" in given:
        return
    pair, gap = given["rates"], given["difference"]
    gap = abs(pair[0] - pair[1] if pair is not None else gap)
    if margin is None and gap < LEAST_GAP * (1 - 1e-9):
        raise MethodError(
            f"a difference of {gap:.4g} was given; the explorer plans for differences of "
            f"{LEAST_GAP:g} or more, the command `deadheat plan` for any"
        )


def _aim(query: Query) -> dict[str, Any]:
    claim = query.choice("claim", "difference", CLAIMS)
    margin = query.number("margin", None, 0, 1e9)
    return {"claim": claim, "margin": margin if claim != "difference" else None}


def _alpha(query: Query) -> float:
    return query.real("alpha", 0.05, 1e-6, 0.5)


def _margin(query: Query, observed: Ground) -> Found:
    width, sd = query.real("half_width", 0.03, 0.0005, 1e9), query.number("sd", None, 1e-9, 1e9)
    rate, level = query.number("rate", None, 0, 1), query.real("level", 0.95, 0.5, 0.999)
    layout = _layout(query, observed)
    query.done()
    ground = {"rate": rate, "sd": sd} if observed is None else {"observed": observed}
    return planning.margin(width, **(ground | {"layout": layout, "level": level})), []


def _items(query: Query, observed: Ground) -> Found:
    given, aim, alpha = _comparison(query, observed), _aim(query), _alpha(query)
    power, layout = query.real("power", 0.8, 0, 1), _layout(query, observed)
    query.done()
    _wide_enough(given, aim["margin"])
    found = planning.items(**(given | aim | {"layout": layout, "power": power, "alpha": alpha}))
    return found, _over_samples(found.answer["items"], given, aim, layout, alpha)


def _power(query: Query, observed: Ground) -> Found:
    given, aim, alpha = _comparison(query, observed), _aim(query), _alpha(query)
    items, layout = query.whole("items", 500, 1, MOST), _layout(query, observed)
    query.done()
    found = planning.power(items, **(given | aim | {"layout": layout, "alpha": alpha}))
    return found, _over_samples(items, given, aim, layout, alpha)


def _over_samples(
    items: int, given: dict[str, Any], aim: dict[str, Any], layout: planning.Layout, alpha: float
) -> list[Any]:
    """Power on these items against the samples of each; known where the noise is."""
    if not layout.noise:
        return []
    goal, points = Goal(aim["claim"], aim["margin"], alpha), []
    for samples in range(2, SAMPLES + 1):
        arranged = replace(layout, samples=samples)
        made = _design(given, arranged, aim["claim"])
        power = power_of(made, goal, items)
        if math.isfinite(power):
            points.append([samples, power])
    return [{"x": f"samples of each of {items:,} items", "y": "power", "points": points}]


def _mde(query: Query, observed: Ground) -> Found:
    varies, alpha = _varies(query), _alpha(query)
    items, power = query.whole("items", 500, 1, MOST), query.real("power", 0.8, 0, 1)
    scores = varies["sd"] is not None or varies["sd_difference"] is not None
    rate = query.number("rate", None if scores or varies["discordance"] is not None else 0.68, 0, 1)
    layout = _layout(query, observed)
    query.done()
    ground = varies | {"rate": rate} if observed is None else {"observed": observed}
    found = planning.mde(items, **(ground | {"layout": layout, "power": power, "alpha": alpha}))
    return found, _over_gaps(found.answer["difference"], items, ground, layout, alpha)


def _over_gaps(
    seen: float, items: int, ground: dict[str, Any], layout: planning.Layout, alpha: float
) -> list[Any]:
    """Power on these items against the true difference, up to twice the one that is seen."""
    rate, points = ground.get("rate"), []
    for step in range(1, 2 * GAPS + 1):
        gap = seen * step / GAPS
        pair = None if rate is None else (rate + gap / 2, rate - gap / 2)
        given = ground | {"rates": pair, "difference": gap if pair is None else None}
        try:
            made = _design(given, layout)
        except MethodError:  # no such difference can be
            break
        points.append([gap, power_of(made, Goal(alpha=alpha), items)])
    return [{"x": f"true difference on {items:,} items", "y": "power", "points": points}]


def _samples(query: Query, observed: Ground) -> Found:
    given, alpha = _comparison(query, observed), _alpha(query)
    layout = {
        "noise": query.number("noise", None if observed is not None else 0.3, 0, 1),
        "cluster_size": query.real("cluster_size", 1.0, 1, 10_000),
        "icc": query.real("icc", 0.0, -1, 1),
    }
    costs = {
        "item_cost": query.real("item_cost", 5.0, 0, 1e9),
        "sample_cost": query.real("sample_cost", 1.0, 1e-6, 1e9),
        "budget": query.number("budget", None, 0, 1e12),
        "power": query.real("power", 0.8, 0, 1),
        "alpha": alpha,
    }
    query.done()
    found = planning.samples(**(given | layout | costs))
    return found, _over_splits(found, given, layout, costs)


def _apart(most: int, among: int) -> list[int]:
    """Some whole numbers up to `most`, ever further apart, and one that must be among them."""
    return sorted({round(most ** (step / SAMPLES)) for step in range(SAMPLES + 1)} | {among})


def _over_splits(
    found: Plan, given: dict[str, Any], layout: dict[str, Any], costs: dict[str, Any]
) -> list[Any]:
    """What each number of samples costs with the power wanted, or the power that the budget buys with it."""
    observed, points = given.get("observed"), []
    goal, budget = Goal(alpha=costs["alpha"]), costs["budget"]
    best = found.answer["samples"]
    few = best <= 2 * SAMPLES
    numbers = range(1, max(SAMPLES, best + 2) + 1) if few else _apart(2 * best, best)
    for samples in numbers:
        arranged = observed.layout(samples) if observed is not None else planning.Layout(samples, **layout)
        made = _design(given, arranged)
        price = costs["item_cost"] + samples * costs["sample_cost"]
        if budget is None:
            points.append([samples, max(math.ceil(items_for(made, goal, costs["power"]) - 1e-9), 2) * price])
        elif budget / price >= 2:
            points.append([samples, power_of(made, goal, int(budget / price + 1e-9))])
    points = [point for point in points if math.isfinite(point[1])]
    return [{"x": "samples of each item", "y": "cost" if budget is None else "power", "points": points}]


def _board(query: Query, _: Ground) -> Found:
    rates = query.numbers("rates", "0.65 0.60 0.55", 0, 1, 12)
    probability = query.number("probability", None, 0, 1)
    given = query.whole("items", 500, 1, MOST)  # it stands in the form whatever is asked
    items = given if probability is None else None
    correlation = query.number("correlation", None, 0, 1)
    layout = _layout(query, None)
    query.done()
    found = planning.board(rates, items, probability=probability, correlation=correlation, layout=layout)
    most = 2 * (items or found.answer["items_order"])
    sizes = sorted({max(round(most * step / BOARDS), 1) for step in range(1, BOARDS + 1)}) if BOARDS else []
    chances = [planning.board(rates, size, correlation=correlation, layout=layout) for size in sizes]
    points = [[size, chance.answer["order"]] for size, chance in zip(sizes, chances, strict=True)]
    return found, [{"x": "items", "y": "probability of the true order", "points": points}] if points else []


QUESTIONS: dict[str, Callable[[Query, Ground], Found]] = {
    "margin": _margin,
    "items": _items,
    "power": _power,
    "mde": _mde,
    "samples": _samples,
    "board": _board,
}
