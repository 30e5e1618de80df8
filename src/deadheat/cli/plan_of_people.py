"""Plans of what people are asked: labels beside a judge, and votes."""

from __future__ import annotations

import csv
import io
from pathlib import Path
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
    following: Annotated[
        int | None,
        Parameter(
            name="--next",
            group=AIM,
            help="Draw so many items of --from for people to label, rather those whose labels tell most",
        ),
    ] = None,
    sheet: Annotated[
        Path | None, Parameter(group=AIM, help="CSV file of the answers to label, with their inclusion")
    ] = None,
    ground: Ground | None = None,
    about: About | None = None,
    reading: Reading | None = None,
    output: Output | None = None,
) -> Answer:
    """Labels of people that give a judge's corrected score an interval of a given half-width.

    With --next and --sheet: which items to label next. Fill in the column score of the sheet and give it to
    --labels; its column inclusion says with what probability each item was drawn.
    """
    output, ground = ready(output), ground or Ground()
    if following is not None or sheet is not None:
        if following is None or sheet is None or half_width is not None or budget is not None:
            raise UsageError(
                "a sheet takes --next, --sheet and --from, and neither a half-width nor a budget"
            )
        return _sheet(following, sheet, ground, about, reading, output)
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


def _sheet(
    number: int, path: Path, ground: Ground, about: About | None, reading: Reading | None, output: Output
) -> Answer:
    from deadheat.planning import label_sheet

    table = ground.table(reading, quiet=output.quiet)
    made = label_sheet(table, number, (about or About()).estimand(), seed=ground.seed)
    lines = io.StringIO()
    out = csv.writer(lines, lineterminator="\n")
    out.writerow(("entry", "item", "score", "inclusion"))
    out.writerows((e, i, "" if y is None else f"{y:.17g}", f"{p:.17g}") for e, i, y, p in made.rows)
    return Answer([made.plan], output, files={path: lines.getvalue()})


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
