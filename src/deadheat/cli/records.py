"""`deadheat records`: which records of a board stand."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from deadheat.cli.options import INFERENCE, About, Answer, Output, Reading, some
from deadheat.cli.progress import busy


def records(
    *paths: Annotated[
        str, Parameter(help="Files or folders of results; NAME=PATH names an entry, - reads standard input")
    ],
    date: Annotated[
        str | None,
        Parameter(
            group=INFERENCE, help="Column with each entry's date, or `name` (default: date, otherwise names)"
        ),
    ] = None,
    alpha: Annotated[
        float, Parameter(group=INFERENCE, help="A record stands when p adjusted by Holm is below it")
    ] = 0.05,
    about: About | None = None,
    reading: Reading | None = None,
    output: Output | None = None,
) -> Answer:
    """Test each new record against the holder of its day on the same items, and say which records stand.

    A newcomer is tested only because it is ahead, so its p is selective; Holm adjusts over the whole history,
    and LORD++ gives the level that a board which goes on may spend on each record when it comes.
    """
    some(paths)
    about, reading, output = about or About(), reading or Reading(), output or Output()
    output.chosen()
    with busy(f"reading {', '.join(paths)}", quiet=output.quiet) as told:
        table = reading.table(paths, told)
    from deadheat.recording.verb import records as verb

    return Answer([verb(table, date, about.estimand(), alpha=alpha)], output)
