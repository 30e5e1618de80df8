"""JSON Lines decoded by blocks into typed records, so that texts are never kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from deadheat.errors import MalformedFile
from deadheat.readers.base import BOM, Source, broken, damage, decode, too_large

SHARE = 8  # part of the memory that one line may fill
BLOCK = 2**22  # bytes that are decoded at once


def json_lines(source: Source, type: Any) -> Iterator[tuple[int, Any]]:
    """Decode each line that is not blank.

    Parameters
    ----------
    source : Source
    type : msgspec type
        What a line holds; keys that it does not name are skipped without being built.

    Yields
    ------
    (int, type)
        Number of the line, from 1, and its record.

    Raises
    ------
    MalformedFile
        Naming the line.
    """
    longest = source.memory // SHARE
    decoder = msgspec.json.Decoder(type)
    number, held = 1, b""
    try:
        with source.open() as stream:
            while True:
                part = stream.read(min(BLOCK, longest))
                block = held + part
                cut = block.rfind(b"\n") + 1 if part else len(block)
                if number == 1:
                    block, cut = block.removeprefix(BOM), cut - len(BOM) * block.startswith(BOM)
                if part and not cut and len(block) >= longest:
                    raise MalformedFile(f"{source.path}: line {number} {too_large(longest)}")
                whole, held = block[:cut], block[cut:]
                lines = whole.count(b"\n") + (not whole.endswith(b"\n") and bool(whole))
                yield from _decoded(whole, decoder, type, number, lines, str(source.path))
                number += lines
                if not part:
                    return
    except damage() as error:
        raise MalformedFile(f"{source.path}: {broken(error)}") from error


def _decoded(
    block: bytes, decoder: msgspec.json.Decoder[Any], type: Any, first: int, lines: int, where: str
) -> Iterable[tuple[int, Any]]:
    """Decode whole lines at once, or one by one where one of them is blank or is no plain JSON."""
    try:
        rows = decoder.decode_lines(block)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        rows = []
    if len(rows) == lines:
        return zip(range(first, first + lines), rows, strict=True)
    return _one_by_one(block, decoder, type, first, where)


def _one_by_one(
    block: bytes, decoder: msgspec.json.Decoder[Any], type: Any, first: int, where: str
) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(block.split(b"\n"), first):
        try:
            yield number, decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            if line.strip():
                yield number, decode(line, type, f"{where}: line {number}")
