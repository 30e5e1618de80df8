"""`deadheat items`: what the items of a board do."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from deadheat.cli.options import INFERENCE, About, Answer, Output, Reading, some
from deadheat.cli.progress import busy


def items(
    *paths: Annotated[
        str, Parameter(help="Files or folders of results; NAME=PATH names an entry, - reads standard input")
    ],
    alpha: Annotated[
        float, Parameter(group=INFERENCE, help="False discovery rate of items that run backwards")
    ] = 0.05,
    level: Annotated[float, Parameter(group=INFERENCE, help="Level of the intervals")] = 0.95,
    draws: Annotated[
        int, Parameter(group=INFERENCE, help="Permutations of an item whose p is small")
    ] = 10_000,
    seed: Annotated[int, Parameter(group=INFERENCE, help="Seed of the permutations and splits")] = 0,
    about: About | None = None,
    reading: Reading | None = None,
    output: Output | None = None,
) -> Answer:
    """Say which items separate nobody, run backwards or have one response pattern, and what fewer would keep.

    CSV and JSON have a row per item; the terminal shows those that stand out, a page a map of all.
    """
    some(paths)
    about, reading, output = about or About(), reading or Reading(), output or Output()
    whole = output.chosen() == "html"
    with busy(f"reading {', '.join(paths)}", quiet=output.quiet) as told:
        table = reading.table(paths, told)
    from deadheat.itemising.verb import items as verb

    made = verb(
        table, about.estimand(), alpha=alpha, level=level, draws=draws, seed=seed, every_outcome=whole
    )
    return Answer([made], output)
