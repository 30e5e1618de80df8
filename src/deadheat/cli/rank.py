"""`deadheat rank`: the board."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from deadheat.cli.options import INFERENCE, About, Answer, Inference, Output, Reading, known, some
from deadheat.cli.progress import busy


def rank(
    *paths: Annotated[
        str, Parameter(help="Files or folders of results; NAME=PATH names an entry, - reads standard input")
    ],
    anchor: Annotated[
        str | None, Parameter(group=INFERENCE, help="The entry that anchors group 1; else the best")
    ] = None,
    ranks: Annotated[
        Literal["simultaneous", "marginal"],
        Parameter(group=INFERENCE, help="Rank intervals that hold all together, or each by itself"),
    ] = "simultaneous",
    about: About | None = None,
    inference: Inference | None = None,
    reading: Reading | None = None,
    output: Output | None = None,
) -> Answer:
    """Rank entries and say which of their gaps the data support.

    The board shows for each entry its score, standard error and interval, the ranks it may hold, and
    its group: the anchor and every entry that the test cannot separate from it.
    """
    about, inference = about or About(), inference or Inference()
    reading, output = reading or Reading(), output or Output()
    some(paths)
    output.chosen()
    with busy(f"reading {', '.join(paths)}", quiet=output.quiet):
        table = reading.table(paths)
    from deadheat.placing import ADJUSTMENTS
    from deadheat.ranking import rank as verb

    known("--adjust", inference.adjust, ADJUSTMENTS)

    with busy(f"ranking {len(table.entries)} entries", quiet=output.quiet):
        board = verb(
            table,
            about.estimand(),
            interval=inference.interval,
            test=inference.test,
            adjust=inference.adjust or "none",
            ranks=ranks,
            anchor=anchor,
            alpha=inference.alpha,
            level=inference.level,
            draws=inference.draws,
            seed=inference.seed,
        )
    return Answer([board], output)
