"""Per-item results of many entries held small: ids told once for a document, a byte or a double a result."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.data.attempts import LARGEST
from deadheat.data.columns import parse_scores
from deadheat.errors import DataError, MalformedFile

Codes = NDArray[np.int32]
NONE = -1  # the byte of an item without a score


class Ids(Set[str]):
    """Some of a document's items: a set of texts that is kept as sorted numbers.

    Parameters
    ----------
    numbers : mapping of str to int
        Of all items of the document.
    names : sequence of str
        The items by their numbers.
    codes : (n,) int32
        The numbers of the set, ascending.
    """

    def __init__(self, numbers: dict[str, int], names: Sequence[str], codes: Codes) -> None:
        self._numbers, self._names, self.codes = numbers, names, codes

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> frozenset[Any]:
        return frozenset(it)

    def __len__(self) -> int:
        return len(self.codes)

    def __iter__(self) -> Iterator[str]:
        return map(self._names.__getitem__, self.codes)

    def __contains__(self, item: object) -> bool:
        code = self._numbers.get(item, NONE)  # type: ignore[call-overload]
        at = bisect_left(self.codes, code)
        return at < len(self.codes) and int(self.codes[at]) == code

    def __and__(self, other: Set[Any]) -> Set[str]:
        if isinstance(other, Ids) and other._numbers is self._numbers:
            shared = np.intersect1d(self.codes, other.codes, assume_unique=True)
            return Ids(self._numbers, self._names, shared)
        return super().__and__(other)


class Outcomes:
    """What an entry scored: `ids` in ascending order of their numbers, `values` with NaN where there is none.

    Parameters
    ----------
    ids : Ids
        Items listed.
    packed : (n,) int8 or float64
        A byte where every score is 0, 1 or none.
    """

    __slots__ = ("_known", "ids", "packed")

    def __init__(self, ids: Ids, packed: NDArray[Any], known: Ids) -> None:
        self.ids, self.packed, self._known = ids, packed, known

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def known(self) -> Ids:
        """Items that have a score."""
        return self._known

    @property
    def scores(self) -> NDArray[np.float64]:
        """Scores of the items that have one."""
        there = self.packed != NONE if self.packed.dtype == np.int8 else ~np.isnan(self.packed)
        return np.asarray(self.packed[there], dtype=np.float64)


class Ledger:
    """All items of a document, and the sets of them that occur: entries that ran the same items share one."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.names: list[str] = []
        self._sets: dict[int, list[Ids]] = {}

    def outcomes(self, scores: dict[str, float]) -> Outcomes:
        """Hold an entry's scores; NaN is none."""
        codes = np.fromiter(map(self._number, scores), dtype=np.int32, count=len(scores))
        values = np.fromiter(scores.values(), dtype=np.float64, count=len(scores))
        order = np.argsort(codes)
        codes, values = codes[order], values[order]
        none = np.isnan(values)
        if bool(np.all(none | (values == 0) | (values == 1))):
            values = np.where(none, NONE, values).astype(np.int8)
        ids = self._shared(codes)
        return Outcomes(ids, values, self._shared(codes[~none]) if none.any() else ids)

    def _number(self, item: str) -> int:
        number = self.numbers.get(item)
        if number is None:
            number = self.numbers[item] = len(self.names)
            self.names.append(item)
        return number

    def _shared(self, codes: Codes) -> Ids:
        alike = self._sets.setdefault(hash(codes.tobytes()), [])
        for ids in alike:
            if np.array_equal(ids.codes, codes):
                return ids
        alike.append(Ids(self.numbers, self.names, codes))
        return alike[-1]


def parsed(outcomes: Sequence[Any], where: str) -> list[float]:
    """Read outcomes as scores, NaN where there is none.

    Raises
    ------
    MalformedFile
    """
    try:
        values = [float(outcome) if isinstance(outcome, bool) else outcome for outcome in outcomes]
        if not all(type(value) is float for value in values):
            values = parse_scores(None if value != value else value for value in values).tolist()
    except (DataError, OverflowError) as error:
        raise MalformedFile(f"{where}: {error!s:.300}") from error
    if any(abs(value) > LARGEST for value in values):
        raise MalformedFile(f"{where}: a score is at most {LARGEST:g} in size; use another unit")
    return values


def number(value: Any, where: str) -> float | None:
    """Read a published rate, which may be a text with a per cent sign.

    Raises
    ------
    MalformedFile
    """
    if value is None:
        return None
    try:
        found = float(str(value).strip().removesuffix("%")) if not isinstance(value, bool) else np.nan
    except ValueError:
        found = np.nan
    if not abs(found) <= LARGEST:  # NaN too
        raise MalformedFile(f"{where}: a published rate is a number; found {value!r:.60}")
    return found
