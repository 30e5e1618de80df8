"""Statistics put into a site's own text: every other character stays as it was."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator

import msgspec

from deadheat.annotating.json_text import Place, pieces
from deadheat.annotating.site_document import Site
from deadheat.errors import DataError
from deadheat.results.annotation import Annotation, BoardStatistics, EntryStatistics

KEY = "statistics"


def written(site: Site, annotation: Annotation, key: str = KEY) -> Iterator[str]:
    """Return the document's text with the statistics put in, piece by piece.

    Parameters
    ----------
    site : Site
    annotation : Annotation
        Of this site.
    key : str
        Key under which each board and entry carries its statistics; replaced where they stand already.

    Raises
    ------
    DataError
        If the document has a key of this name that means something else.
    """
    edits = []
    for part in site.boards:
        board = annotation.boards[part.name]
        if part.place is not None:
            edits.append(_edit(site, part.place, key, board.statistics, f"board {part.name}"))
        for line in part.lines:
            said = board.entries[line.entry]
            own = EntryStatistics(**{name: getattr(said, name) for name in EntryStatistics.__struct_fields__})
            edits.append(_edit(site, line.place, key, own, f"entry {line.entry}"))
    return itertools.chain([site.prefix], pieces(site.text, edits))


def checked(site: Site) -> str:
    """Say what each field of a layout found, a line each."""
    met, layout = site.met, site.layout
    names = ", ".join(part.name for part in site.boards)
    boards, entries = f"{met.boards:,} boards", f"{met.entries:,} entries"
    times = {field: f"{count:,}" for field, count in met.times.items()}
    found = {
        "boards": f"{boards}: {names}",
        "board": f"the name of {times.get('board', '0')} of {boards}",
        "entries": f"{entries} in all",
        "entry": f"the key of {entries}",
        "name": f"{times.get('name', '0')} of {entries}",
        "published": f"{times.get('published', '0')} of {entries}, taken as a {layout.scale}",
        "file": f"files of {times.get('file', '0')} of {entries}",
        "items": f"{times.get('items', '0')} of {entries}, {met.results:,} results",
        "item": f"{times.get('item', '0')} of {met.results:,} results",
        "score": f"{times.get('score', '0')} of {met.results:,} results",
    }
    shown = {field: "null" if (key := getattr(layout, field)) is None else key or '""' for field in found}
    width = max(map(len, shown.values()))
    return "".join(f"{field:<9}  {shown[field]:<{width}}  {what}\n" for field, what in found.items())


def _edit(
    site: Site, place: Place, key: str, record: BoardStatistics | EntryStatistics, where: str
) -> tuple[int, int, str]:
    """Write a record in the manner of the document: its separators, and ASCII if the text is."""
    if key in place.spans:
        found = json.loads(site.text[slice(*place.spans[key])])
        if not isinstance(found, dict) or not set(record.__struct_fields__) <= set(found):
            raise DataError(
                f"{site.file.path}: {where} has a key {key!r} of its own; --key NAME chooses another for the "
                "statistics"
            )
    text = json.dumps(
        msgspec.to_builtins(record),
        ensure_ascii=site.text.isascii(),
        separators=(",", ":") if place.colon == ":" else (", ", ": "),
        allow_nan=False,
    )
    return place.put(key, text)
