"""The best split of an effort between more items and more samples of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from deadheat.errors import MethodError
from deadheat.planning import refusals
from deadheat.planning.claim_power import (
    Goal,
    best_power,
    formula,
    items_for,
    items_to_run,
    power_of,
    test_of,
)
from deadheat.planning.observed import Observed
from deadheat.planning.plan_design import Design, Layout, design
from deadheat.planning.plan_record import plan
from deadheat.planning.sampled import Ends
from deadheat.results import Methods, Note, Plan, claims
from deadheat.stats.numerics.bounds import defined
from deadheat.stats.samples.sample_layout import best_samples


def samples(
    rates: Sequence[float] | None = None,
    *,
    difference: float | None = None,
    discordance: float | None = None,
    correlation: float | None = None,
    sd: float | None = None,
    sd_difference: float | None = None,
    observed: Observed | None = None,
    noise: float | None = None,
    cluster_size: float = 1.0,
    icc: float = 0.0,
    item_cost: float,
    sample_cost: float,
    budget: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
) -> Plan:
    """Compute how many samples of each item, and how many items, tell two entries apart at the least cost.

    Parameters
    ----------
    rates, difference, discordance, correlation, sd, sd_difference, observed
        The comparison, as in `deadheat.planning.items`.
    noise : float or None
        Share of the variance of single attempts that comes from rerunning; taken from `observed` if that is
        given.
    cluster_size, icc
        Clusters, as in `Layout`.
    item_cost : float
        What an item costs by itself, however often it is attempted; 0 or more.
    sample_cost : float
        What each attempt at it costs, of both entries together; above 0.
    budget : float or None
        What may be spent: the answer is then the power it buys. None asks for the least cost of `power`.
    power, alpha : float
        Power wanted, and size of the two-sided test.

    Returns
    -------
    Plan
        ``samples`` and ``items``, their ``cost`` and ``power``, and the same with one sample an item. With
        `observed` also ``samples_interval``, and at the samples that are the answer ``items_interval`` and
        ``cost_interval``, or with a budget ``power_interval``: how surely the plan is known.

    Raises
    ------
    MethodError
        A request that cannot be met, or that says too little.
    """
    refusals.chances(power, alpha)
    refusals.positive("the cost of a sample", sample_cost)
    if not (math.isfinite(item_cost) and item_cost >= 0):
        raise MethodError(f"the cost of an item was given as {item_cost}; it is 0 or more")
    goal = Goal(alpha=alpha)
    made = _single(
        rates, difference, discordance, correlation, sd, sd_difference, observed, noise, cluster_size, icc
    )
    goal.check(made)
    share = made.layout.noise or 0.0
    rest = 1 - share + (made.layout.cluster_size - 1) * made.layout.icc
    if rest <= 0:
        told = f"a noise of {share:g} leaves no variance between items, and the split rests on it"
        if observed is not None:
            low, high = np.nanquantile(observed.drawn.noise, observed.tails)
            told = (
                "reruns are estimated to make up all of the variance, a boundary "
                f"({100 * observed.level:.6g} % interval {low:.3g} to {high:.3g}), which leaves no split"
            )
        raise MethodError(f"{told}: give --noise below 1, or results with more items")
    number = best_samples(item_cost, sample_cost, share, rest)
    several = replace(made, layout=replace(made.layout, samples=number))
    answer: dict[str, Any] = {"samples": number}
    for suffix, layout, attempts in (("", several, number), ("_one_sample", made, 1)):
        price = item_cost + attempts * sample_cost
        count = _items(layout, goal, power) if budget is None else int(budget / price + 1e-9)
        if count < 2:
            raise MethodError(f"a budget of {budget} buys {count} items at {price:g} each; 2 are the least")
        found = best_power(layout, goal, count)
        answer |= {
            f"items{suffix}": count,
            f"cost{suffix}": count * price,
            f"power{suffix}": defined(found),
        }
    notes: list[Note] = []
    if observed is not None:
        answer["samples_interval"] = _samples_ends(observed, item_cost, sample_cost)
        if None in answer["samples_interval"]:
            text = "these results do not exclude that items are equally hard: the samples have no upper end"
            notes.append(Note(code="unbounded", text=text))
        if budget is None:
            wanted = _ends(
                observed,
                several,
                difference,
                lambda each: items_for(each, goal, power),
                lambda each: items_to_run(each, goal, power),
                math.inf,
            )
            counts = [None if end is None else max(math.ceil(end - 1e-9), 2) for end in wanted]
            price = item_cost + number * sample_cost
            answer["items_interval"] = counts
            answer["cost_interval"] = [None if count is None else count * price for count in counts]
        else:
            wanted = _ends(
                observed,
                several,
                difference,
                lambda each: power_of(each, goal, answer["items"]),
                lambda each: best_power(each, goal, answer["items"]),
            )
            answer["power_interval"] = wanted
        notes += observed.doubts(difference is None, wanted)
    claimed = claims.BestSplit(
        items=answer["items"],
        samples=answer["samples"],
        difference=abs(made.difference),
        power=answer["power"],
        cost=answer["cost"],
        budget=budget,
        items_one_sample=answer["items_one_sample"],
        cost_one_sample=answer["cost_one_sample"],
        rates=made.unit,
    )
    assumptions = {
        **made.assumptions(),
        "noise": share,
        "item_cost": item_cost,
        "sample_cost": sample_cost,
        **({"power": power} if budget is None else {"budget": budget}),
        "alpha": alpha,
        "test": test_of(several, goal),
        "formula": formula(several, goal),
        **(observed.assumptions() if observed is not None else {}),
    }
    methods = Methods(test=test_of(several, goal), alpha=alpha)
    where = None if observed is None else observed.provenance
    return plan("samples", assumptions, answer, (claimed,), notes, methods=methods, provenance=where)


def _samples_ends(observed: Observed, item_cost: float, sample_cost: float) -> list[int | None]:
    """Best samples at both ends of their interval; None where items may not differ at all."""
    noise, rest = observed.drawn.single, observed.drawn.clustered - observed.drawn.rerun
    some = rest > 0
    ratios = np.where(some, noise / np.where(some, rest, 1.0), np.inf)
    return [
        best_samples(item_cost, sample_cost, float(ratio), 1.0) if np.isfinite(ratio) else None
        for ratio in np.quantile(ratios, observed.tails, method="inverted_cdf")
    ]


def _ends(
    observed: Observed,
    made: Design,
    difference: float | None,
    answer: Callable[[Design], float],
    stated: Callable[[Design], float],
    flipped: float | None = None,
) -> Ends:
    """Interval of an answer, about the difference that was given or the observed one."""
    if difference is None:
        return observed.taken(made, answer, stated, flipped)
    return observed.given(made, stated)


def _items(made: Design, goal: Goal, power: float) -> int:
    return max(int(items_to_run(made, goal, power)), 2)


def _single(
    rates: Sequence[float] | None,
    difference: float | None,
    discordance: float | None,
    correlation: float | None,
    sd: float | None,
    sd_difference: float | None,
    observed: Observed | None,
    noise: float | None,
    cluster_size: float,
    icc: float,
) -> Design:
    """The comparison with one sample an item."""
    if observed is not None:
        if observed.noise is None:
            raise MethodError(
                "these results have one attempt of each item and do not tell what more would give; give "
                "results with several samples, or the noise itself"
            )
        return observed.design(difference, observed.layout(1))
    if noise is None:
        raise MethodError(
            "the split needs `noise`, the share of the variance that comes from rerunning, or results with "
            "several samples to take it from"
        )
    return design(
        rates,
        difference=difference,
        discordance=discordance,
        correlation=correlation,
        sd=sd,
        sd_difference=sd_difference,
        layout=Layout(1, noise, cluster_size, icc),
    )
