"""A whole board planned: how likely its order comes out right, and the items it takes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from deadheat.errors import MethodError
from deadheat.planning import refusals
from deadheat.planning.plan_design import Layout
from deadheat.planning.plan_record import plan
from deadheat.results import Note, Plan, claims
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.search import Ints, smallest_whole
from deadheat.stats.power.effects import least_items
from deadheat.stats.power.power_board import board_probabilities, board_probabilities_exact
from deadheat.stats.power.power_paired import discordance

ORDER, BEST = 0, 1
MOST_SEARCHED = 5_000  # items up to which every size near the answer is summed: a second


def board(
    rates: Sequence[float],
    items: int | None = None,
    *,
    probability: float | None = None,
    correlation: float | None = None,
    layout: Layout | None = None,
) -> Plan:
    """Compute how likely a board comes out in its true order, or how many items make it so.

    Parameters
    ----------
    rates : sequence of float
        True rates of the entries, best first, no two alike.
    items : int or None
        Items: the answer is then two probabilities.
    probability : float or None
        Probability wanted: the answer is then the items that reach it. Give one of the two.
    correlation : float or None
        Correlation of any two entries' outcomes at one item, 0 or more: they share their items. None: each
        entry has its own.
    layout : Layout or None
        Samples of an item, and clusters.

    Returns
    -------
    Plan
        ``order`` (all entries in the right order) and ``best`` (the best alone on top), or ``items_order``
        and ``items_best``; by the normal approximation, and as ``..._exact`` for entries with items of their
        own.

    Raises
    ------
    MethodError
        A request that nothing can meet, or that says too little.
    """
    true = _checked(rates, correlation)
    layout = layout or Layout()
    if (items is None) == (probability is None):
        raise MethodError("give items, to have the probabilities, or a probability, to have the items")

    def normal(number: float) -> tuple[float, float]:
        errors = np.sqrt(true * (1 - true) * layout.factor / number)
        return board_probabilities(true, errors, correlation or 0.0)

    exactly = correlation is None and layout.plain
    assumptions: dict[str, Any] = {
        "rates": true.tolist(),
        "design": "separate items" if correlation is None else "shared items",
        **({} if correlation is None else {"correlation": correlation}),
        **layout.assumptions(),
        "formula": "normal scores, one shared factor",
    }
    if items is not None:
        refusals.some_items(items)
        order, best = normal(items)
        exact = board_probabilities_exact(true, items) if exactly else None
        answer: dict[str, Any] = {
            "order": order,
            "order_exact": exact[ORDER] if exact else None,
            "best": best,
            "best_exact": exact[BEST] if exact else None,
        }
        order, best = exact or (order, best)
        chances = claims.TrueOrder(entries=true.size, items=items, order=order, best=best)
        return plan("board", assumptions | {"items": items}, answer, (chances,), _notes(exactly, answer))
    assert probability is not None
    if not 0 < probability < 1:
        raise MethodError(f"a probability of {probability} was asked for; it lies strictly between 0 and 1")
    answer = {}
    for name, part in (("order", ORDER), ("best", BEST)):
        raw = least_items(_part(normal, part), probability, 1.0)
        if not math.isfinite(raw):
            raise MethodError(
                "no number of items reaches this probability: some rates are too close to each other"
            )
        answer[f"items_{name}"] = math.ceil(raw - 1e-9)
        answer[f"items_{name}_exact"] = _exact(true, part, probability, raw) if exactly else None
    need = {name: answer[f"items_{name}_exact"] or answer[f"items_{name}"] for name in ("order", "best")}
    claimed = claims.TrueOrderItems(
        entries=true.size, order=need["order"], best=need["best"], probability=probability
    )
    given = assumptions | {"probability": probability}
    return plan("board", given, answer, (claimed,), _notes(exactly, answer))


def _part(normal: Callable[[float], tuple[float, float]], part: int) -> Callable[[float], float]:
    return lambda number: normal(number)[part]


def _exact(true: Floats, part: int, probability: float, guess: float) -> int | None:
    if guess > MOST_SEARCHED:
        return None

    def value(n: Ints) -> Floats:
        return np.array([board_probabilities_exact(true, int(size))[part] for size in n])

    return smallest_whole(value, probability, guess)


def _checked(rates: Sequence[float], correlation: float | None) -> Floats:
    if len(rates) < 2:
        raise MethodError(f"{len(rates)} rates were given; a board has at least two entries")
    for value in rates:
        refusals.rate(value)
    for better, worse in itertools.pairwise(rates):
        if better <= worse:
            raise MethodError(
                f"rates {better:g} and {worse:g} were given in this order; rates go from the best down, and "
                "two that are alike have no order to come out in"
            )
    if correlation is not None:
        if not 0 <= correlation < 1:
            raise MethodError(
                f"a correlation of {correlation} was given; on a board it is at least 0 and below 1"
            )
        first, last = rates[0], rates[-1]
        if discordance(first, last, correlation) < first - last:
            raise MethodError(
                f"a correlation of {correlation} was given; outcomes at rates {first:g} and {last:g} cannot "
                "be correlated that much"
            )
    return np.asarray(rates, dtype=np.float64)


def _notes(exactly: bool, answer: dict[str, Any]) -> list[Note]:
    if None not in answer.values():
        return []
    text = (
        "too many items for an exact sum; the approximation is close there"
        if exactly
        else "an exact sum exists only for single attempts at separate, independent items"
    )
    return [Note(code="not-summed", text=text)]
