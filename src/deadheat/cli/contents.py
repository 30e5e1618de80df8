"""What files hold, as `deadheat formats FILE…` says it: the reader that claims each, and what it gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from deadheat.errors import DeadheatError, MethodError

if TYPE_CHECKING:
    from deadheat.cli.reading import Reading
    from deadheat.data.table import Table
    from deadheat.readers.base import Reader, Source

MOST = 12  # keys that are listed
ENOUGH = 2  # keys that a reader must know to be called near


def contents(paths: Sequence[str], reading: Reading) -> Iterator[dict[str, str]]:
    """Say of each file which reader claims it and what it gives; or its keys, and the nearest reader.

    Parameters
    ----------
    paths : sequence of str
        Files or folders.
    reading : Reading
        How each is read.
    """
    from deadheat.readers import recognise
    from deadheat.readers.registry import named
    from deadheat.readers.walk import opened

    sources, notes = opened(paths, reading.options())
    for source in sources:
        try:
            reader = named(reading.read) if reading.read else recognise(source)
        except DeadheatError as error:
            yield {"file": str(source.path), "refused": str(error), **_keys(source)}
            continue
        if reader is None:
            yield {"file": str(source.path), "read as": "nothing: no reader recognises it", **_keys(source)}
            continue
        yield {
            "file": str(source.path),
            "read as": f"{reader.name}: {reader.title}",
            **_given(source, reading),
        }
    for note in notes:
        yield {"file": note.text}


def _given(source: Source, reading: Reading) -> dict[str, str]:
    """What reading one file by itself gives, or asks."""
    try:
        table = reading.table([str(source.path)])
    except MethodError as error:
        return {"asks": str(error)}
    except DeadheatError as error:
        goes_with = "nothing readable in" in str(error)
        return (
            {"goes with": "its neighbours, which are read with it"} if goes_with else {"refused": str(error)}
        )
    return described(table)


def described(table: Table) -> dict[str, str]:
    """What a table holds: entries, items, samples, attempts, scores, columns, notes."""
    counts, cells = table.provenance(), table.cells
    scored = int(cells.scored.sum())
    way = (
        ""
        if table.lower_is_better is None
        else f", {'lower' if table.lower_is_better else 'higher'} is better"
    )
    columns = ", ".join(f"{name} as {part}" for name, part in table.renamed.items())
    notes = "; ".join(note.text for note in table.notes)
    return {
        "entries": _some(table.entries),
        "items": _some(table.items),
        "samples": f"up to {int((cells.scored + cells.failed + cells.absent).max()):,} per item",
        "attempts": f"{counts.read:,}: {scored:,} scored, {counts.failed:,} failed, {counts.absent:,} absent",
        "scores": f"mean {float(cells.total.sum()) / scored:g}{way}" if scored else "none",
        **({"columns": columns} if columns else {}),
        **({"note": notes} if notes else {}),
    }


def _keys(source: Source) -> dict[str, str]:
    """The keys or columns of a file that nobody reads, and the reader that knows most of them."""
    from deadheat.readers import readers
    from deadheat.readers.outline import outline
    from deadheat.readers.table_head import columns_of

    found = list(
        dict.fromkeys(columns_of(source) or [key for path in outline(source.head).keys for key in path])
    )
    found = [key for key in found if key != "[]"]
    if not found:
        return {"keys": "none: neither JSON nor a table"}
    more = f" and {len(found) - MOST} more" if len(found) > MOST else ""
    known = {reader.name: _known(reader, found) for reader in readers().values()}
    best = max(known, key=lambda name: len(known[name]))
    keys = {"keys": f"{', '.join(found[:MOST])}{more}"}
    if len(known[best]) < ENOUGH:
        return keys
    return keys | {"nearest": f"{best}, which knows {', '.join(known[best])}: {readers()[best].recognised}"}


def _known(reader: Reader, keys: Sequence[str]) -> list[str]:
    said = " ".join((reader.recognised, reader.entry, reader.item, reader.sample, reader.score))
    words = set(re.findall(r"\w+", said))
    return [key for key in keys if len(key) > 2 and key in words]


def _some(labels: Sequence[str]) -> str:
    return f"{len(labels):,}: {', '.join(labels[:5])}{', …' if len(labels) > 5 else ''}"
