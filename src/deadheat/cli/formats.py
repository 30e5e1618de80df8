"""`deadheat formats`: what can be read, and how each format is recognised."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import Parameter

from deadheat.cli.contents import contents, described
from deadheat.cli.options import known
from deadheat.cli.reading import Reading
from deadheat.cli.stderr import say
from deadheat.cli.stdin import unpiped
from deadheat.cli.stdout import emit

if TYPE_CHECKING:
    from deadheat.readers.base import Reader

FIELDS = ("recognised", "entry", "item", "sample", "score", "failed", "absent")
WIDTH = 100
NO_OPTIONS = Reading()


def formats(
    *names: Annotated[
        str, Parameter(help="Formats (default: all of them), or files and folders: what each would give")
    ],
    check: Annotated[
        Path | None,
        Parameter(help="Check a description of a format (.toml), and what it makes of the files"),
    ] = None,
    reading: Reading = NO_OPTIONS,
    json: Annotated[bool, Parameter(negative="", help="As a JSON list")] = False,
) -> None:
    """List the formats of results that can be read: how each is recognised, and what is read as what.

    Of files it says which reader claims each and what it gives: entries, items, samples, scores, questions;
    of a file that nobody reads, its keys and the nearest reader.
    """
    from deadheat.readers import readers
    from deadheat.readers.registry import passed_over

    if check is not None:
        emit("\n".join(_checked(check, names, reading)))
        return
    found = readers()
    for why in passed_over():
        say(why)
    if any(Path(path).exists() for path in unpiped(names) if path not in found):
        held = list(contents(unpiped(names), reading))
        if json:
            emit(msgspec.json.format(msgspec.json.encode(held)).decode() + "\n", document=True)
        else:
            emit("\n".join(map(_lines, held)))
        return
    for name in names:
        known("NAME", name, found)
    chosen = [reader for reader in found.values() if not names or reader.name in names]
    if json:
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
        others = claimants(Path(file), readers().values())
        mine = claimants(Path(file), [reader])
        lines = {
            "recognised": ("by its marks" if mine else "not by its marks, so only with --read")
            + (f"; without --read it is read as {' or '.join(others)}" if others else ""),
            **described(replace(reading, read=str(description)).table([file])),
        }
        yield _lines({"file": file, **lines})
    known_as = [name for name in readers() if name == reader.name]
    if known_as:
        yield f"The name {reader.name} is that of a format that deadheat knows: give yours another one.\n"


def _lines(said: dict[str, str]) -> str:
    """The name of a file, and under it what is said of it."""
    lines = [said["file"]]
    for field, text in list(said.items())[1:]:
        lines += _wrapped(field, text)
    return "\n".join(lines) + "\n"


def _wrapped(field: str, text: str) -> list[str]:
    first, rest = f"  {field:<11} ", " " * 14
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
        break_long_words=False,
    )


def _described(reader: Reader) -> dict[str, str]:
    from deadheat.readers import readers

    fields = {name: getattr(reader, name) for name in ("name", "title", *FIELDS)}
    own = reader.read.__module__.startswith("deadheat.") and reader in readers().values()
    return fields | ({"page": f"docs/formats/{reader.name}.md"} if own else {})


def _block(reader: Reader) -> str:
    described = _described(reader)
    lines = [f"{described['name']}: {described['title']}"]
    for field in [name for name in (*FIELDS, "page") if name in described]:
        lines += _wrapped(field, described[field])
    return "\n".join(lines) + "\n"
