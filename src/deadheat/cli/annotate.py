"""`deadheat annotate`: statistics for a site's own leaderboard document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Group, Parameter

from deadheat.cli.options import INFERENCE, OUTPUT, READING, Answer, Output, UsageError
from deadheat.cli.progress import busy
from deadheat.cli.sizes import size
from deadheat.cli.stdin import PIPE, unpiped

SHOWING = Group("What is shown", sort_key=2)


def annotate(
    document: Annotated[Path, Parameter(help="The site's leaderboard document; - reads standard input")],
    /,
    *,
    layout: Annotated[
        Path | None,
        Parameter(group=READING, help="A JSON file that says where the document keeps what"),
    ] = None,
    check: Annotated[
        bool,
        Parameter(
            group=READING, negative="", help="Only say what each field of the layout found in the document"
        ),
    ] = False,
    memory: Annotated[
        str, Parameter(group=READING, help="Bytes that the document may unpack to, such as 500MB or 8GB")
    ] = "2GB",
    emit: Annotated[
        Literal["document", "sidecar", "fragment"],
        Parameter(
            group=OUTPUT,
            help="The document with statistics added, the statistics alone, or HTML to paste into a page",
        ),
    ] = "document",
    sidecar: Annotated[bool, Parameter(group=OUTPUT, negative="", help="Short for --emit sidecar")] = False,
    html: Annotated[
        Path | None, Parameter(group=OUTPUT, help="Also write a page of the boards to this file")
    ] = None,
    output: Annotated[
        Path | None,
        Parameter(name=["--output", "-o"], group=OUTPUT, help="Write to this file, whole or not at all"),
    ] = None,
    key: Annotated[
        str, Parameter(group=OUTPUT, help="Key under which boards and entries carry their statistics")
    ] = "statistics",
    quiet: Annotated[
        bool,
        Parameter(name=["--quiet", "-q"], group=OUTPUT, negative="", help="Do not name withheld entries"),
    ] = False,
    board: Annotated[
        list[str] | None, Parameter(group=SHOWING, negative="", help="Boards that --html and fragments show")
    ] = None,
    always: Annotated[
        bool,
        Parameter(group=SHOWING, negative="", help="Show the columns even if the anchor is not at the top"),
    ] = False,
    alpha: Annotated[float, Parameter(group=INFERENCE, help="A pair is separated when p < alpha")] = 0.05,
    test: Annotated[
        str | None, Parameter(group=INFERENCE, help="Test of a pair; the default depends on the data")
    ] = None,
    fail_on: Annotated[
        Literal["finding"] | None, Parameter(group=OUTPUT, help="Exit with 3 if an entry is withheld")
    ] = None,
) -> Answer:
    """Add two honest columns to a site's leaderboard: the SE of each rate, and groups of entries that tie.

    The document is read, never changed. An entry gets numbers only if its per-item results agree with its
    published rate to within one item; the others are named on standard error.
    """
    if sidecar and emit != "document":
        raise UsageError(f"--sidecar and --emit {emit} ask for two things; give one")
    emit = "sidecar" if sidecar else emit
    with busy(f"annotating {document}", quiet=quiet):
        import msgspec

        from deadheat.annotating.site_layout import SWEBENCH, read_layout
        from deadheat.annotating.site_reader import read_site
        from deadheat.annotating.site_text import checked, written
        from deadheat.annotating.verb import annotate as verb
        from deadheat.cli.site_page import page

        piped = str(document) == PIPE
        found = Path(unpiped([str(document)])[0])
        site = read_site(found, read_layout(layout) if layout else SWEBENCH, size(memory))
        if check:
            return Answer([], Output(format="json", output=output, quiet=quiet), text=checked(site))
        if piped:
            site = replace(site, file=msgspec.structs.replace(site.file, path="-"))
        unknown = [name for name in board or () if name not in {part.name for part in site.boards}]
        if unknown:
            known = ", ".join(part.name for part in site.boards)
            raise UsageError(f"--board {unknown[0]}: no such board; there are {known}")
        annotation = verb(site, alpha=alpha, test=test, always=always)
        paged = page(site, annotation, board or (), test) if html else ""
    from deadheat.report import fragment, phrases

    shown = tuple(board or ())
    text: str | Iterable[str] | None = None
    if emit == "document":
        text = written(site, annotation, key) if output or not html else ""
    elif emit == "fragment":
        text = fragment.fragment(annotation, shown)
    statistics = {name: part.statistics for name, part in annotation.boards.items()}
    return Answer(
        documents=[annotation],
        output=Output(format="json", output=output, quiet=quiet),
        exit_code=3 if fail_on and any(part.withheld for part in statistics.values()) else 0,
        text=text,
        files={html: paged} if html else {},
        remarks=() if quiet else (*(note.text for note in site.notes), *phrases.remarks(statistics)),
    )
