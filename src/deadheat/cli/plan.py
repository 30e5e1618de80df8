"""`deadheat plan`: how many items, how much power, how small a difference, how many samples."""

from __future__ import annotations

from typing import Annotated

from cyclopts import App, Parameter

from deadheat.cli.options import About, Answer, Output, UsageError, asked
from deadheat.cli.plan_of_people import labels, ready, votes
from deadheat.cli.planned import AIM, ITEMS, MANY, TRUTH, Aim, Alpha, Ground, Items, Power, Truth, Variation
from deadheat.cli.reading import Reading

plan = App(name="plan", help="How many items, how much power, how small a difference")

Number = Annotated[
    int, Parameter(name="--items", group=ITEMS, help="Items, of each entry where they are separate")
]


@plan.command
def margin(
    half_width: Annotated[float, Parameter(help="Half the width wanted; 0.03 is 3 points of a rate")],
    *,
    rate: Annotated[
        float | None, Parameter(group=TRUTH, help="True rate; else 0.5, which needs the most items")
    ] = None,
    sd: Annotated[
        float | None, Parameter(group=TRUTH, help="Standard deviation of a score that is not 0/1")
    ] = None,
    layout: Items | None = None,
    ground: Ground | None = None,
    about: About | None = None,
    reading: Reading | None = None,
    output: Output | None = None,
) -> Answer:
    """Items for an interval of a given half-width."""
    output, ground = ready(output), ground or Ground()
    observed = ground.score(about, reading, quiet=output.quiet)
    from deadheat import planning

    with asked(observed is None):
        arranged = (layout or Items()).layout(observed)
        found = planning.margin(
            half_width, rate, sd=sd, observed=observed, layout=arranged, level=ground.level
        )
    return Answer([found], output)


@plan.command
def items(
    *,
    truth: Truth | None = None,
    variation: Variation | None = None,
    aim: Aim | None = None,
    anytime: Annotated[
        bool, Parameter(group=AIM, negative="", help="Add when a comparison looked at after each item stops")
    ] = False,
    missing: Annotated[
        float | None, Parameter(group=AIM, help="Share that each entry lacks: adds the items to give each")
    ] = None,
    power: Power = 0.8,
    alpha: Alpha = 0.05,
    layout: Items | None = None,
    ground: Ground | None = None,
    about: About | None = None,
    reading: Reading | None = None,
    output: Output | None = None,
) -> Answer:
    """Items that a comparison of two entries needs.

    With --discordance, --correlation or --sd-difference the entries share their items, else each has its own.
    """
    output = ready(output)
    truth, varies, aim = truth or Truth(), variation or Variation(), aim or Aim()
    observed = (ground or Ground()).observed(about, reading, quiet=output.quiet)
    from deadheat import planning

    with asked(observed is None):
        found = planning.items(
            truth.rates,
            difference=truth.difference,
            discordance=varies.discordance,
            correlation=varies.correlation,
            sd=varies.sd,
            sd_difference=varies.sd_difference,
            observed=observed,
            claim=aim.claim,
            margin=aim.margin,
            layout=(layout or Items()).layout(observed),
            anytime=anytime,
            missing=missing,
            power=power,
            alpha=alpha,
        )
    return Answer([found], output)


@plan.command
def power(
    *,
    number: Number,
    truth: Truth | None = None,
    variation: Variation | None = None,
    aim: Aim | None = None,
    alpha: Alpha = 0.05,
    layout: Items | None = None,
    ground: Ground | None = None,
    about: About | None = None,
    reading: Reading | None = None,
    output: Output | None = None,
) -> Answer:
    """Power of a comparison on so many items."""
    output = ready(output)
    truth, varies, aim = truth or Truth(), variation or Variation(), aim or Aim()
    observed = (ground or Ground()).observed(about, reading, quiet=output.quiet)
    from deadheat import planning

    with asked(observed is None):
        found = planning.power(
            number,
            truth.rates,
            difference=truth.difference,
            discordance=varies.discordance,
            correlation=varies.correlation,
            sd=varies.sd,
            sd_difference=varies.sd_difference,
            observed=observed,
            claim=aim.claim,
            margin=aim.margin,
            layout=(layout or Items()).layout(observed),
            alpha=alpha,
        )
    return Answer([found], output)


@plan.command
def mde(
    *,
    number: Number,
    rate: Annotated[
        float | None, Parameter(group=TRUTH, help="The two rates lie evenly about this one")
    ] = None,
    variation: Variation | None = None,
    power: Power = 0.8,
    alpha: Alpha = 0.05,
    layout: Items | None = None,
    ground: Ground | None = None,
    about: About | None = None,
    reading: Reading | None = None,
    output: Output | None = None,
) -> Answer:
    """Smallest difference that so many items show."""
    output, varies = ready(output), variation or Variation()
    observed = (ground or Ground()).observed(about, reading, quiet=output.quiet)
    from deadheat import planning

    with asked(observed is None):
        found = planning.mde(
            number,
            rate,
            discordance=varies.discordance,
            correlation=varies.correlation,
            sd=varies.sd,
            sd_difference=varies.sd_difference,
            observed=observed,
            layout=(layout or Items()).layout(observed),
            power=power,
            alpha=alpha,
        )
    return Answer([found], output)


@plan.command
def samples(
    *,
    item_cost: Annotated[float, Parameter(group=AIM, help="What an item costs by itself")],
    sample_cost: Annotated[float, Parameter(group=AIM, help="What each attempt costs, of both entries")],
    budget: Annotated[
        float | None, Parameter(group=AIM, help="What may be spent; else the least that gives --power")
    ] = None,
    truth: Truth | None = None,
    variation: Variation | None = None,
    power: Power = 0.8,
    alpha: Alpha = 0.05,
    layout: Items | None = None,
    ground: Ground | None = None,
    about: About | None = None,
    reading: Reading | None = None,
    output: Output | None = None,
) -> Answer:
    """Samples of each item, and items, that show a difference at the least cost."""
    output = ready(output)
    truth, varies, layout = truth or Truth(), variation or Variation(), layout or Items()
    if layout.samples is not None:
        raise UsageError("the number of samples is what `plan samples` finds; leave --samples out")
    observed = (ground or Ground()).observed(about, reading, quiet=output.quiet)
    from deadheat import planning

    with asked(observed is None):
        found = planning.samples(
            truth.rates,
            difference=truth.difference,
            discordance=varies.discordance,
            correlation=varies.correlation,
            sd=varies.sd,
            sd_difference=varies.sd_difference,
            observed=observed,
            noise=layout.noise,
            cluster_size=layout.cluster_size,
            icc=layout.icc,
            item_cost=item_cost,
            sample_cost=sample_cost,
            budget=budget,
            power=power,
            alpha=alpha,
        )
    return Answer([found], output)


@plan.command
def board(
    *,
    rates: Annotated[list[float], Parameter(group=TRUTH, help="True rates, best first", **MANY)],
    number: Annotated[
        int | None, Parameter(name="--items", group=ITEMS, help="Items; the answer is a probability")
    ] = None,
    probability: Annotated[
        float | None, Parameter(group=AIM, help="Probability wanted; the answer is items")
    ] = None,
    correlation: Annotated[
        float | None,
        Parameter(
            group=TRUTH, help="Correlation of two entries' outcomes at a shared item; else separate items"
        ),
    ] = None,
    layout: Items | None = None,
    output: Output | None = None,
) -> Answer:
    """Probability that a whole board comes out in its true order, or the items for it."""
    output = ready(output)
    from deadheat import planning

    with asked():
        arranged = (layout or Items()).layout(None)
        found = planning.board(
            rates, number, probability=probability, correlation=correlation, layout=arranged
        )
    return Answer([found], output)


plan.command(labels)
plan.command(votes)
