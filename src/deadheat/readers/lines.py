"""JSON Lines decoded one line at a time into a typed record, so that texts are never kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from deadheat.errors import MalformedFile
from deadheat.readers.base import BOM, Source, damage, decode, too_large

SHARE = 8  # part of the memory that one line may fill


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
    try:
        with source.open() as stream:
            number = 0
            while line := stream.readline(longest):
                number += 1
                if number == 1:
                    line = line.removeprefix(BOM)
                try:
                    yield number, decoder.decode(line)
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                    if len(line) == longest:
                        raise MalformedFile(f"{source.path}: line {number} {too_large(longest)}") from None
                    if line.strip():
                        yield number, decode(line, type, f"{source.path}: line {number}")
    except damage() as error:
        raise MalformedFile(
            f"{source.path}: the compressed file is truncated or corrupt ({error})"
        ) from error
