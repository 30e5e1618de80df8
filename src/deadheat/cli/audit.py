"""`deadheat audit`: what is wrong with these results, or with what is published about them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Group, Parameter

from deadheat.cli.options import INFERENCE, READING, About, Answer, Output, Reading, UsageError
from deadheat.cli.progress import busy

CHECKING = Group("What is checked", sort_key=1)


def audit(
    *paths: Annotated[
        str, Parameter(help="Files or folders of results; NAME=PATH names an entry, - reads standard input")
    ],
    against: Annotated[
        list[str] | None,
        Parameter(group=CHECKING, negative="", help="The board that these results are to join: what changes"),
    ] = None,
    claims: Annotated[
        Path | None,
        Parameter(
            group=READING,
            help="A table of published figures: columns entry, rate, and any of se, n, right, wins, losses, "
            "draws, metric",
        ),
    ] = None,
    denominators: Annotated[
        bool,
        Parameter(group=CHECKING, negative="", help="Each rate with failed and missing items in and out"),
    ] = False,
    fail_on: Annotated[
        Literal["error", "finding"] | None,
        Parameter(group=CHECKING, help="Exit with 3 if there is an error; finding: or a warning"),
    ] = None,
    alpha: Annotated[float, Parameter(group=INFERENCE, help="A pair is separated when p < alpha")] = 0.05,
    level: Annotated[float, Parameter(group=INFERENCE, help="Level of intervals")] = 0.95,
    about: About | None = None,
    reading: Reading | None = None,
    output: Output | None = None,
) -> Answer:
    """Look for what contradicts what.

    Findings carry a code, a severity and an entry or item: rates against counts and items, standard errors
    against scores, duplicates, ids that do not line up, failed attempts hidden as zeros or left out,
    denominators, scales, identical entries, clusters that dominate.
    """
    about, reading, output = about or About(), reading or Reading(), output or Output()
    if not paths and claims is None:
        raise UsageError("no path given: name files or folders of results, or --claims FILE")
    if against and not paths:
        raise UsageError("--against needs new results to hold against the board")
    output.chosen()
    from deadheat.auditing.intake import intake
    from deadheat.auditing.printed_figures import read_stated
    from deadheat.auditing.verb import audit as verb
    from deadheat.auditing.verb import audit_against

    stated = read_stated(claims) if claims else ()
    with busy(f"reading {', '.join(paths)}", quiet=output.quiet) as told:
        found = reading.read_with(intake, paths, told) if paths else None
    if against and found is not None:
        with busy(f"reading {', '.join(against)}", quiet=output.quiet) as told:
            board = reading.table(against, told)
        document = audit_against(
            found, board, about.estimand(), stated=stated, denominators=denominators, alpha=alpha, level=level
        )
    else:
        document = verb(found, stated=stated, denominators=denominators)
    wrong = {"error": {"error"}, "finding": {"error", "warning"}, None: set()}[fail_on]
    failed = any(finding.severity in wrong for finding in document.findings)
    return Answer([document], output, exit_code=3 if failed else 0)
