"""`deadheat convert`: any format to the canonical table, or to instance records of Every Eval Ever."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Annotated

from cyclopts import Group, Parameter

from deadheat.cli.options import Reading, UsageError, known, some
from deadheat.cli.progress import busy
from deadheat.cli.stderr import inert, say

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
    if output is None and sys.stdout.isatty() and to == "parquet":
        raise UsageError("a terminal cannot show parquet; name a file with -o")
    with busy(f"reading {', '.join(paths)}", quiet=quiet) as told:
        table = (reading or Reading()).table(paths, told)
    with tempfile.TemporaryDirectory(prefix="deadheat-") as folder:
        path = output or Path(folder) / "stdout.csv"
        with busy(f"writing {path.name}", quiet=quiet):
            rows = export(table, path, to, column or ())
        if output is None:
            _to_stdout(path)
    if not quiet:
        for note in table.notes:
            say(note.text)
        where = f" to {output}" if output else ""
        say(f"wrote {rows} attempts of {len(table.entries)} entries{where}")


def _to_stdout(path: Path) -> None:
    """Copy a file as it is; on a terminal with names made inert."""
    with path.open("rb") as stream:
        if not sys.stdout.isatty():
            shutil.copyfileobj(stream, sys.stdout.buffer)
            return
        for line in stream:
            sys.stdout.write(inert(line.decode(), lines=True))


def _uncertainty(paths: tuple[str, ...], to: str | None, output: Path | None, *, quiet: bool) -> None:
    """Fill in what an aggregate record says of its own precision."""
    if len(paths) != 1 or to is not None:
        raise UsageError("--uncertainty takes one aggregate record, and no --to")
    path = Path(paths[0])
    if output is not None and output.exists() and output.samefile(path):
        raise UsageError(f"{output} is the record itself, which is never written to; name another file")
    from deadheat.annotating.eee_uncertainty import with_uncertainty
    from deadheat.output import write_whole

    text, left = with_uncertainty(path)
    if output is None:
        sys.stdout.write(text.decode())
    else:
        write_whole(output, text.decode())
    if not quiet:
        for line in left:
            say(line)
