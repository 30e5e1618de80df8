"""The map of a board's items: what every entry made of each, packed for a picture."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import msgspec

from deadheat.report.names import clean
from deadheat.results.items import Items


def picture(document: Items) -> dict[str, Any] | None:
    """Give what the map is drawn from: items hardest first, entries best first; None without outcomes.

    Parameters
    ----------
    document : Items
    """
    held = document.outcomes
    if held is None or len(held.items) < 2:
        return None
    column = {item: at for at, item in enumerate(held.items)}
    order = itemgetter(*(column[line.item] for line in document.items))
    return {
        "items": [clean(line.item) for line in document.items],
        "entries": [clean(entry) for entry in held.entries],
        "marks": ["".join(order(marks)) for marks in held.entries.values()],
    }


def bare(document: Items) -> Items:
    """Give the document without the outcomes, which only the picture needs."""
    return msgspec.structs.replace(document, outcomes=None)
