"""Documents as strict JSON: the contract, in declared key order, without NaN or Infinity."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import msgspec

from deadheat.errors import DataError
from deadheat.report.style import Style
from deadheat.results import Document


def render(documents: tuple[Document, ...], style: Style) -> str:
    """Write one document as an object, several as an array.

    Parameters
    ----------
    documents : tuple of Document
        Results in order.
    style : Style
        Not used: JSON looks the same everywhere.

    Raises
    ------
    DataError
        When a number is NaN or infinite: it should have been withheld, with a note.
    """
    built = msgspec.to_builtins(documents[0] if len(documents) == 1 else documents)
    lost = next(not_finite(built), None)
    if lost is not None:
        raise DataError(
            f"JSON has no word for NaN or Infinity; found one at {lost}: it has to be null with a note"
        )
    return msgspec.json.format(msgspec.json.encode(built), indent=2).decode() + "\n"


def not_finite(value: Any, path: str = "$") -> Iterator[str]:
    """Yield the places of all floats that are not finite."""
    if isinstance(value, float):
        if not math.isfinite(value):
            yield path
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from not_finite(item, f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            if not isinstance(item, (str, int, type(None))) and not (
                isinstance(item, float) and math.isfinite(item)
            ):
                yield from not_finite(item, f"{path}[{index}]")
