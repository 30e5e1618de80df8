"""Documents as strict JSON: the contract, in declared key order, without NaN or Infinity."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import fields

from deadheat.errors import DataError, MalformedFile
from deadheat.report.schemas import DOCUMENTS
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


def read(text: bytes | str, origin: str) -> tuple[Document, ...]:
    """Take documents back from their JSON.

    Parameters
    ----------
    text : bytes or str
        One document as an object, or several as an array.
    origin : str
        The file, for messages.

    Raises
    ------
    MalformedFile
        Not JSON, or not a document of a kind and version that are known.
    """
    known = {field.default: kind for kind in DOCUMENTS for field in fields(kind) if field.name == "schema"}
    try:
        built = msgspec.json.decode(text)
        return tuple(
            msgspec.convert(each, known[each["schema"]])
            for each in (built if isinstance(built, list) else [built])
        )
    except (msgspec.MsgspecError, KeyError, TypeError) as error:
        raise MalformedFile(
            f"{origin}: not a result of deadheat as JSON ({error}); write one with --json, as in "
            "deadheat rank PATH --json -o board.json"
        ) from error


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
