"""What a page looks up: pairs, outcomes and downloads, packed into one compressed text."""

from __future__ import annotations

import base64
import json
import sys
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from deadheat.report import numbers
from deadheat.report.numbers import Scale
from deadheat.results import Pairs

UNKNOWN = -(2**31)


class Packer:
    """Collects whole numbers as planes behind a JSON head; equal bytes side by side pack to nothing."""

    def __init__(self) -> None:
        self._planes: list[bytes] = []
        self._length = 0

    def add(self, values: Iterable[int]) -> dict[str, int]:
        """Keep a sequence of whole numbers below 2³¹; give where a page finds it."""
        held = array("i", values)
        if sys.byteorder == "big":
            held.byteswap()
        raw = held.tobytes()
        self._planes += [raw[byte::4] for byte in range(4)]
        where = {"at": self._length, "length": len(held)}
        self._length += len(raw)
        return where

    def pack(self, head: Mapping[str, Any]) -> str:
        """Write head and planes as base64 of a zlib stream: length of the head, head, planes.

        Parameters
        ----------
        head : mapping
            Anything that JSON can carry, among it what ``add`` gave.
        """
        text = json.dumps(head, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        raw = b"".join([len(text).to_bytes(4, "little"), text, *self._planes])
        return base64.b64encode(zlib.compress(raw, 6)).decode()


def pairs(packer: Packer, found: Pairs, scale: Scale, alpha: float | None) -> dict[str, Any]:
    """Pack the triangles of a board as they will be written: whole units and words, no unread decimals.

    Parameters
    ----------
    packer : Packer
        Receives the numbers.
    found : Pairs
        Lower triangles.
    scale : Scale
        How the page writes scores and differences.
    alpha : float or None
        Threshold that p-values keep their side of.
    """
    middle = [UNKNOWN if value is None else scale.units(value) for value in found.difference]
    head: dict[str, Any] = {
        "entries": len(found.entries),
        "difference": packer.add(middle),
        "low": packer.add(_reach(found.low, middle, scale, -1)),
        "high": packer.add(_reach(found.high, middle, scale, 1)),
        "p": _words(packer, found.p, found.log10_p, alpha),
        "adjusted": None,
        "items": found.items[0] if len(set(found.items)) == 1 else packer.add(found.items),
        "only": None,
    }
    if found.p_adjusted is not None:
        head["adjusted"] = _words(packer, found.p_adjusted, (None,) * len(found.p_adjusted), alpha)
    if found.row_only is not None and found.column_only is not None:
        head["only"] = [packer.add(found.row_only), packer.add(found.column_only)]
    return head


def _reach(ends: Sequence[float | None], middle: Sequence[int], scale: Scale, sign: int) -> list[int]:
    """How far an end lies from the difference: small numbers pack well."""
    return [
        UNKNOWN if end is None else sign * (scale.units(end) - unit)
        for end, unit in zip(ends, middle, strict=True)
    ]


def _words(
    packer: Packer, p: Sequence[float | None], log10_p: Sequence[float | None], alpha: float | None
) -> dict[str, Any]:
    """Pack p-values as places in a list of the words that they are written as, smallest first.

    No word lies across alpha, so the page knows the verdict from the place.
    """
    word_of: dict[tuple[float | None, float | None], str] = {}
    least: dict[str, tuple[float, float]] = {}
    for key in zip(p, log10_p, strict=True):
        if key not in word_of and (key[0] is not None or key[1] is not None):
            word = word_of[key] = numbers.p_value(*key, alpha)
            size = (key[0] or 0.0, key[1] if key[1] is not None else 0.0)
            least[word] = min(least.get(word, size), size)
    words = sorted(least, key=lambda word: least[word])
    place = {word: index for index, word in enumerate(words)}
    below = 0 if alpha is None else sum(least[word][0] < alpha for word in words)
    known = {key: place[word] for key, word in word_of.items()}
    return {
        "words": words,
        "below": below,
        "at": packer.add(known.get(key, -1) for key in zip(p, log10_p, strict=True)),
    }
