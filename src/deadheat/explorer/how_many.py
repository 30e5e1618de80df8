"""The view *How many?*: every question of the verb `plan`, with its curve."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from deadheat import planning
from deadheat.errors import MethodError
from deadheat.explorer.query import Query
from deadheat.results import Plan

MOST = 20_000  # items; beyond them exact sums take too long for a page
LEAST_GAP = 0.004  # a smaller difference needs more items than are summed while one waits
SAMPLES = 12


def how_many(query: Query) -> dict[str, Any]:
    """Plan.

    Parameters
    ----------
    query : Query
        ``question`` and what that one takes; see `QUESTIONS`.
    """
    question = query.choice("question", "items", tuple(QUESTIONS))
    plan, curves = QUESTIONS[question](query)
    built: dict[str, Any] = msgspec.to_builtins(plan)
    own = [] if plan.curve is None else [msgspec.to_builtins(plan.curve)]
    return {"plan": built, "curves": own + curves, "summary": plan.summary}


def _layout(query: Query) -> planning.Layout:
    samples = query.whole("samples", 1, 1, 1000)
    noise = query.number("noise", None, 0, 1)
    size = query.real("cluster_size", 1.0, 1, 10_000)
    return planning.Layout(samples, noise, size, query.real("icc", 0.0, -1, 1))


def _rates(query: Query) -> tuple[float, float]:
    pair = query.numbers("rates", "0.65 0.60", 0, 1, 2)
    if len(pair) != 2:
        raise MethodError(f"rates {pair} were given; a comparison has two")
    if abs(pair[0] - pair[1]) < LEAST_GAP * (1 - 1e-9):
        raise MethodError(
            f"rates {pair[0]:g} and {pair[1]:g} were given; the explorer plans for differences of "
            f"{LEAST_GAP:g} or more, the command `deadheat plan` for any"
        )
    return pair[0], pair[1]


def _given(query: Query) -> dict[str, Any]:
    return {
        "discordance": query.number("discordance", None, 0, 1),
        "correlation": query.number("correlation", None, -1, 1),
        "alpha": query.real("alpha", 0.05, 1e-6, 0.5),
    }


def _margin(query: Query) -> tuple[Plan, list[Any]]:
    width = query.real("half_width", 0.03, 0.0005, 0.5)
    rate, level = query.real("rate", 0.5, 0, 1), query.real("level", 0.95, 0.5, 0.999)
    layout = _layout(query)
    query.done()
    return planning.margin(width, rate, layout=layout, level=level), []


def _items(query: Query) -> tuple[Plan, list[Any]]:
    rates, given, layout = _rates(query), _given(query), _layout(query)
    power = query.real("power", 0.8, 0, 1)
    query.done()
    found = planning.items(rates, power=power, layout=layout, **given)
    return found, _over_samples(found.answer["items"], rates, given, layout)


def _power(query: Query) -> tuple[Plan, list[Any]]:
    rates, given, layout = _rates(query), _given(query), _layout(query)
    items = query.whole("items", 500, 1, MOST)
    query.done()
    return planning.power(items, rates, layout=layout, **given), _over_samples(items, rates, given, layout)


def _over_samples(items: int, rates: Any, given: dict[str, Any], layout: planning.Layout) -> list[Any]:
    """Power on these items against the samples of each; known where the noise is."""
    if layout.noise is None or layout.noise == 0:
        return []
    points = []
    for samples in range(2, SAMPLES + 1):
        arranged = planning.Layout(samples, layout.noise, layout.cluster_size, layout.icc)
        points.append([samples, planning.power(items, rates, layout=arranged, **given).answer["power"]])
    return [{"x": f"samples of each of {items:,} items", "y": "power", "points": points}]


def _mde(query: Query) -> tuple[Plan, list[Any]]:
    given, layout = _given(query), _layout(query)
    items, rate = query.whole("items", 500, 1, 2000), query.real("rate", 0.68, 0, 1)
    power = query.real("power", 0.8, 0, 1)
    query.done()
    return planning.mde(items, rate, power=power, layout=layout, **given), []


def _samples(query: Query) -> tuple[Plan, list[Any]]:
    rates, given = _rates(query), _given(query)
    found = planning.samples(
        rates,
        **given,
        noise=query.real("noise", 0.3, 0, 1),
        cluster_size=query.real("cluster_size", 1.0, 1, 10_000),
        icc=query.real("icc", 0.0, -1, 1),
        item_cost=query.real("item_cost", 5.0, 0, 1e9),
        sample_cost=query.real("sample_cost", 1.0, 1e-6, 1e9),
        budget=query.number("budget", None, 0, 1e12),
        power=query.real("power", 0.8, 0, 1),
    )
    query.done()
    return found, []


def _board(query: Query) -> tuple[Plan, list[Any]]:
    rates = query.numbers("rates", "0.65 0.60 0.55", 0, 1, 12)
    items = query.whole("items", 500, 1, MOST)
    correlation = query.number("correlation", None, 0, 1)
    layout = _layout(query)
    query.done()
    return planning.board(rates, items, correlation=correlation, layout=layout), []


QUESTIONS: dict[str, Callable[[Query], tuple[Plan, list[Any]]]] = {
    "margin": _margin,
    "items": _items,
    "power": _power,
    "mde": _mde,
    "samples": _samples,
    "board": _board,
}
