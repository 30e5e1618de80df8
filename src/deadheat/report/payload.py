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
from deadheat.report.figures import Mark
from deadheat.report.numbers import Scale
from deadheat.results import Pairs

UNKNOWN = -(2**31)
EXACT = 2**53  # from here on numbers of a page are not whole


class Packer:
    """Collects whole numbers as planes behind a JSON head; equal bytes side by side pack to nothing."""

    def __init__(self) -> None:
        self._planes: list[bytes] = []
        self._length = 0

    def add(self, values: Iterable[int]) -> dict[str, int | list[int]]:
        """Keep whole numbers in as few bytes each as their span needs; give where a page finds them.

        Numbers that a page would not hold exactly stand in the head.
        """
        held = list(values)
        base = min(held, default=0)
        if max(max(held, default=0), -base) >= EXACT:
            return {"list": held, "length": len(held)}
        width = max(1, -(-(max(held, default=0) - base).bit_length() // 8))
        raw = array("Q", (value - base for value in held))
        if sys.byteorder == "big":
            raw.byteswap()
        text = raw.tobytes()
        self._planes += [text[byte::8] for byte in range(width)]
        where: dict[str, int | list[int]] = {
            "at": self._length,
            "length": len(held),
            "bytes": width,
            "base": base,
        }
        self._length += width * len(held)
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
        return base64.b64encode(zlib.compress(raw, 9)).decode()


def pairs(packer: Packer, found: Pairs, scale: Scale, alpha: float | None) -> dict[str, Any]:
    """Pack the triangles of a board as they will be written: whole units and words, no unread decimals.

    Where everything that is written follows from the two counts of discordant items, only these are packed
    for every pair, and the rest once for every pair of counts.

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
    p_words, p_at, p_below = _words(found.p, found.log10_p, alpha)
    columns = {
        "difference": middle,
        "low": _reach(found.low, middle, scale, -1),
        "high": _reach(found.high, middle, scale, 1),
        "p": p_at,
    }
    head: dict[str, Any] = {"p": {"words": p_words, "below": p_below}, "adjusted": None}
    if found.p_adjusted is not None:
        words, columns["adjusted"], below = _words(found.p_adjusted, (None,) * len(middle), alpha)
        head["adjusted"] = {"words": words, "below": below}
    if found.smallest_visible is not None:
        columns["visible"] = [UNKNOWN if v is None else scale.units(v) for v in found.smallest_visible]
    one = len(set(found.items)) == 1
    head["items"] = found.items[0] if one else packer.add(found.items)
    if found.row_only is not None and found.column_only is not None:
        head["only"] = _counts(packer, found.row_only, found.column_only, len(found.entries))
        keys = list(zip(found.items, found.row_only, found.column_only, strict=True))
        known: dict[tuple[int, int, int], tuple[int, ...]] = {}
        rows = zip(keys, zip(*columns.values(), strict=True), strict=True)
        if all(known.setdefault(key, row) == row for key, row in rows):
            order = sorted(known)
            head["keys"] = [packer.add(key[at] for key in order) for at in range(3)]
            columns = {name: [known[key][at] for key in order] for at, name in enumerate(columns)}
    head["columns"] = {name: packer.add(values) for name, values in columns.items()}
    return head


def _counts(packer: Packer, row: Sequence[int], column: Sequence[int], entries: int) -> dict[str, Any]:
    """Pack discordant counts; on complete boards the second follows from the first and the scores."""
    right = [0] * entries
    for i in range(1, entries):
        k = i * (i - 1) // 2
        right[i] = row[k] - column[k]
    pair = ((i, j) for i in range(entries) for j in range(i))
    rest = [c - b + right[i] - right[j] for (i, j), b, c in zip(pair, row, column, strict=True)]
    return {"row": packer.add(row), "right": packer.add(right), "rest": packer.add(rest)}


def _reach(ends: Sequence[float | None], middle: Sequence[int], scale: Scale, sign: int) -> list[int]:
    """How far an end lies from the difference: small numbers pack well."""
    return [
        UNKNOWN if end is None else sign * (scale.units(end) - unit)
        for end, unit in zip(ends, middle, strict=True)
    ]


def _words(
    p: Sequence[float | None], log10_p: Sequence[float | None], alpha: float | None
) -> tuple[list[str], list[int], int]:
    """Give p-values as places in a list of the words that they are written as, smallest first.

    No word lies across alpha, so the page knows the verdict from the place: it is below the third value.
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
    return words, [known.get(key, -1) for key in zip(p, log10_p, strict=True)], below


def marks(packer: Packer, found: Sequence[Mark]) -> dict[str, Any]:
    """Pack the places of marks in hundredths of a per cent, and the sides that they fell off."""

    def places(key: str) -> dict[str, int | list[int]]:
        values = (getattr(mark, key) for mark in found)
        return packer.add(-1 if value is None else round(100 * value) for value in values)

    sides = {"": 0, "low": 1, "high": 2}
    return {
        "beyond": packer.add(sides[mark.beyond] for mark in found),
        **{key: places(key) for key in ("low", "high", "point")},
    }
