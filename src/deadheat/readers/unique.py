"""Keys that stand twice in an object of a JSON document, which decoders pass over in silence."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from deadheat.errors import MalformedFile

LARGEST = 2**24  # bytes up to which a document is searched
_SPACES = (b" :", b"\n:", b"\r:", b"\t:")
_SPACED = re.compile(rb'"\s+:')


def check_keys(data: bytes, where: str) -> None:
    """Refuse a document in which a key stands twice: one of its two values would be lost.

    Parameters
    ----------
    data : bytes
        A document that was decoded before.
    where : str

    Raises
    ------
    MalformedFile
        Naming the key.
    """
    if len(data) > LARGEST:
        return
    try:
        written = msgspec.json.encode(msgspec.json.decode(data))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        written = b""  # with a NaN, say: the slow way knows it
    # Each key has a colon; written anew, a key that stood twice has one.
    spaced = any(mark in data for mark in _SPACES) and len(_SPACED.findall(data))
    if data.count(b'":') + spaced == written.count(b'":'):
        return
    try:
        json.loads(data, object_pairs_hook=_Unique(where).check)
    except (ValueError, RecursionError):
        return


class _Unique:
    """Looks at the keys of each object as it is closed."""

    def __init__(self, where: str) -> None:
        self.where = where

    def check(self, pairs: list[tuple[str, Any]]) -> None:
        """Raise if a key stands twice."""
        if len({key for key, _ in pairs}) == len(pairs):
            return
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise MalformedFile(f"{self.where}: the key {key!r:.60} stands twice in one object")
            seen.add(key)
