"""Plans of what people are asked: labels beside a judge, and votes."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from deadheat.cli.options import About, Answer, Output, UsageError, asked
from deadheat.cli.planned import AIM, ITEMS, MANY, TRUTH, Ground
from deadheat.cli.reading import Reading
from deadheat.cli.vote_options import Voting


def labels(
    half_width: Annotated[
        float | None, Parameter(help="Half the width wanted; 0.03 is 3 points of a rate")
    ] = None,
    *,
    rate: Annotated[float | None, Parameter(group=TRUTH, help="True rate")] = None,
    sensitivity: Annotated[
        float | None, Parameter(group=TRUTH, help="Share of right answers that the judge accepts")
    ] = None,
    specificity: Annotated[
        float | None, Parameter(group=TRUTH, help="Share of wrong answers that the judge rejects")
    ] = None,
    number: Annotated[
        int | None,
        Parameter(name="--items", group=ITEMS, help="Items that the judge scores (default: those of --from)"),
    ] = None,
    label_cost: Annotated[float | None, Parameter(group=ITEMS, help="Price of a label")] = None,
    item_cost: Annotated[
        float | None, Parameter(group=ITEMS, help="Price of running and judging an item")
    ] = None,
    budget: Annotated[
        float | None, Parameter(group=AIM, help="Budget; the answer is the best mix of labels and items")
    ] = None,
    ground: Ground | None = None,
    about: About | None = None,
    reading: Reading | None = None,
    output: Output | None = None,
) -> Answer:
    """Labels of people that give a judge's corrected score an interval of a given half-width."""
    output, ground = ready(output), ground or Ground()
    observed = ground.labels(about, reading, quiet=output.quiet)
    from deadheat import planning

    with asked(observed is None):
        found = planning.labels(
            half_width,
            rate=rate,
            sensitivity=sensitivity,
            specificity=specificity,
            observed=observed,
            items=number,
            label_cost=label_cost,
            item_cost=item_cost,
            budget=budget,
            level=ground.level,
        )
    return Answer([found], output)


def votes(
    *,
    elo: Annotated[float | None, Parameter(group=TRUTH, help="True lead, in Elo points")] = None,
    tied: Annotated[float, Parameter(group=TRUTH, help="Share of votes that are ties")] = 0.0,
    design_effect: Annotated[
        float, Parameter(group=TRUTH, help="Variance by clusters of votes, over that of independent votes")
    ] = 1.0,
    paths: Annotated[
        list[str] | None,
        Parameter(name="--from", group=TRUTH, negative="", consume_multiple=True, help="Files of votes"),
    ] = None,
    entries: Annotated[list[str] | None, Parameter(group=TRUTH, help="The two entries", **MANY)] = None,
    power: Annotated[float, Parameter(group=AIM, help="Power wanted")] = 0.8,
    alpha: Annotated[float, Parameter(group=AIM, help="Size of the two-sided test")] = 0.05,
    voting: Voting | None = None,
    about: About | None = None,
    reading: Reading | None = None,
    output: Output | None = None,
) -> Answer:
    """Votes that separate two entries, and which pairs to ask next."""
    output, voting = ready(output), voting or Voting()
    if entries is not None and len(entries) != 2:
        raise UsageError(f"--entries takes two entries; found {len(entries)}")
    ballots = voting.ballots(reading or Reading(), paths) if paths else None
    from deadheat.voting.vote_plan import plan_votes

    with asked(ballots is None):
        found = plan_votes(
            elo,
            ballots=ballots,
            entries=None if entries is None else (entries[0], entries[1]),
            setting=voting.setting(about or About()),
            ties=tied,
            design_effect=design_effect,
            power=power,
            alpha=alpha,
        )
    return Answer([found], output)


def ready(output: Output | None) -> Output:
    """Refuse an unknown format before anything is computed."""
    output = output or Output()
    output.chosen()
    return output
