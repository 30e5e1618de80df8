"""`deadheat formats`: what can be read, and how each format is recognised."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from deadheat.cli.options import known
from deadheat.cli.stdout import emit

if TYPE_CHECKING:
    from deadheat.readers.base import Reader

FIELDS = ("recognised", "entry", "item", "sample", "score", "failed", "absent")
WIDTH = 100


def formats(
    name: Annotated[str | None, Parameter(help="One format; else all of them")] = None,
    *,
    json: Annotated[bool, Parameter(negative="", help="As a JSON list")] = False,
) -> None:
    """List the formats of results that can be read: how each is recognised, and what is read as what."""
    from deadheat.readers import readers

    found = readers()
    known("NAME", name, found)
    chosen = [reader for reader in found.values() if name in (None, reader.name)]
    if json:
        import msgspec

        text = msgspec.json.format(msgspec.json.encode([_described(reader) for reader in chosen])).decode()
        emit(text + "\n", document=True)
        return
    emit("\n".join(map(_block, chosen)))


def _described(reader: Reader) -> dict[str, str]:
    fields = {name: getattr(reader, name) for name in ("name", "title", *FIELDS)}
    own = reader.read.__module__.startswith("deadheat.")
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
