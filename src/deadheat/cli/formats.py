"""`deadheat formats`: what can be read, and how each format is recognised."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from deadheat.cli.options import known
from deadheat.cli.reading import Reading
from deadheat.cli.stderr import say
from deadheat.cli.stdout import emit

if TYPE_CHECKING:
    from deadheat.readers.base import Reader

FIELDS = ("recognised", "entry", "item", "sample", "score", "failed", "absent")
WIDTH = 100
NO_OPTIONS = Reading()


def formats(
    *names: Annotated[str, Parameter(help="Formats; else all of them. With --check files to read")],
    check: Annotated[
        Path | None,
        Parameter(help="Check a description of a format (.toml), and what it makes of the files"),
    ] = None,
    reading: Reading = NO_OPTIONS,
    json: Annotated[bool, Parameter(negative="", help="As a JSON list")] = False,
) -> None:
    """List the formats of results that can be read: how each is recognised, and what is read as what."""
    from deadheat.readers import readers
    from deadheat.readers.registry import passed_over

    if check is not None:
        emit("\n".join(_checked(check, names, reading)))
        return
    found = readers()
    for why in passed_over():
        say(why)
    for name in names:
        known("NAME", name, found)
    chosen = [reader for reader in found.values() if not names or reader.name in names]
    if json:
        import msgspec

        text = msgspec.json.format(msgspec.json.encode([_described(reader) for reader in chosen])).decode()
        emit(text + "\n", document=True)
        return
    emit("\n".join(map(_block, chosen)))


def _checked(description: Path, files: Sequence[str], reading: Reading) -> Iterator[str]:
    """What a description says, and what it makes of each file: entries, items, samples, scores, notes."""
    from deadheat.readers import readers
    from deadheat.readers.described import from_file
    from deadheat.readers.registry import claimants

    reader = from_file(description)
    yield _block(reader)
    for file in files:
        table = replace(reading, read=str(description)).table([file])
        counts, cells = table.provenance(), table.cells
        samples = int((cells.scored + cells.failed + cells.absent).max())
        scored, lost = int(cells.scored.sum()), f"{counts.failed:,} failed, {counts.absent:,} absent"
        others = claimants(Path(file), readers().values())
        mine = claimants(Path(file), [reader])
        lines = {
            "recognised": ("by its marks" if mine else "not by its marks, so only with --read")
            + (f"; without --read it is read as {' or '.join(others)}" if others else ""),
            "entries": _some(table.entries),
            "items": _some(table.items),
            "samples": f"up to {samples:,} per item",
            "attempts": f"{counts.read:,}: {scored:,} scored, {lost}",
            "scores": f"mean {float(cells.total.sum()) / scored:g}" if scored else "none",
        }
        notes = [f"  note        {note.text}" for note in table.notes]
        yield "\n".join([file, *(f"  {name:<11} {text}" for name, text in lines.items()), *notes]) + "\n"
    known_as = [name for name in readers() if name == reader.name]
    if known_as:
        yield f"The name {reader.name} is that of a format that deadheat knows: give yours another one.\n"


def _some(labels: Sequence[str]) -> str:
    return f"{len(labels):,}: {', '.join(labels[:5])}{', …' if len(labels) > 5 else ''}"


def _described(reader: Reader) -> dict[str, str]:
    from deadheat.readers import readers

    fields = {name: getattr(reader, name) for name in ("name", "title", *FIELDS)}
    own = reader.read.__module__.startswith("deadheat.") and reader in readers().values()
    return fields | ({"page": f"docs/formats/{reader.name}.md"} if own else {})


def _block(reader: Reader) -> str:
    described = _described(reader)
    lines = [f"{described['name']}: {described['title']}"]
    for field in [name for name in (*FIELDS, "page") if name in described]:
        lines += textwrap.wrap(
            described[field],
            WIDTH,
            initial_indent=f"  {field:<11} ",
            subsequent_indent=" " * 14,
            break_on_hyphens=False,
        )
    return "\n".join(lines) + "\n"
