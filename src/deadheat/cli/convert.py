"""`deadheat convert`: any format to the canonical table, or to instance records of Every Eval Ever."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Group, Parameter

from deadheat.cli.apart import keep_apart
from deadheat.cli.options import Reading, UsageError, known, some
from deadheat.cli.progress import busy
from deadheat.cli.stderr import say
from deadheat.cli.stdout import emit, emit_file
from deadheat.output import scratch

WRITING = Group("Writing", sort_key=1)


def convert(
    *paths: Annotated[
        str, Parameter(help="Files or folders of results; NAME=PATH names an entry, - reads standard input")
    ],
    to: Annotated[
        str | None,
        Parameter(
            group=WRITING, help="csv, jsonl, parquet or every-eval-ever; else from the suffix of -o, or csv"
        ),
    ] = None,
    column: Annotated[
        list[str] | None,
        Parameter(
            group=WRITING, negative="", help="Carry this further column along (once for each of several)"
        ),
    ] = None,
    uncertainty: Annotated[
        bool,
        Parameter(
            group=WRITING,
            negative="",
            help="Write one Every Eval Ever aggregate record again, with the uncertainty of its instances",
        ),
    ] = False,
    output: Annotated[
        Path | None,
        Parameter(
            name=["--output", "-o"],
            group=WRITING,
            help="Write to this file, whole or not at all; else to standard output",
        ),
    ] = None,
    quiet: Annotated[
        bool, Parameter(name=["--quiet", "-q"], group=WRITING, negative="", help="Nothing on standard error")
    ] = False,
    reading: Reading | None = None,
) -> None:
    """Write results of any format as one canonical table: entry, item, sample, score, status and the like.

    Prompts, answers and other texts are never copied. Reading the table gives the same attempts again.
    """
    some(paths)
    if uncertainty:
        _uncertainty(paths, to, output, quiet=quiet)
        return
    from deadheat.readers.export import TARGETS, export

    known("--to", to, TARGETS)
    if output is None and to == "parquet" and sys.stdout is not None and sys.stdout.isatty():
        raise UsageError("a terminal cannot show parquet; name a file with -o")
    with busy(f"reading {', '.join(paths)}", quiet=quiet) as told:
        table = (reading or Reading()).table(paths, told)
    if output is not None:
        keep_apart(output, [Path(file.path) for file in table.files])
    with busy("writing" if output is None else f"writing {output.name}", quiet=quiet):
        if output is None:
            path = scratch() / "stdout.csv"
            rows = export(table, path, to, column or ())
            emit_file(str(path))
        else:
            rows = export(table, output, to, column or ())
    if not quiet:
        for note in table.notes:
            say(note.text)
        where = f" to {output}" if output else ""
        say(f"wrote {rows} attempts of {len(table.entries)} entries{where}")


def _uncertainty(paths: tuple[str, ...], to: str | None, output: Path | None, *, quiet: bool) -> None:
    """Fill in what an aggregate record says of its own precision."""
    if len(paths) != 1 or to is not None:
        raise UsageError("--uncertainty takes one aggregate record, and no --to")
    from deadheat.annotating.eee_uncertainty import with_uncertainty
    from deadheat.output import write_whole

    text, left = with_uncertainty(Path(paths[0]))
    if output is None:
        emit(text.decode(), document=True)
    else:
        write_whole(output, text)
    if not quiet:
        for line in left:
            say(line)
