"""Values become scores: which of several is chosen, what its words mean, and lists that are samples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.data.roles import RIGHT, WRONG
from deadheat.errors import MalformedFile
from deadheat.readers.base import Options
from deadheat.readers.description import Description
from deadheat.readers.document import Data
from deadheat.readers.expressions import Column, Written, evaluate, rule, text
from deadheat.readers.paths import Step, follow, parse
from deadheat.readers.rows import Odd, agree, choose
from deadheat.results import Note

MOST_SAMPLES = 10**6  # of one item
WORDS = dict.fromkeys(RIGHT, 1.0) | dict.fromkeys(WRONG, 0.0)
NUMBERS = {int, float, bool, type(None)}


class Scores(NamedTuple):
    """Attempts: the row of each, its score or NaN, its place in a list of samples, why it has no score."""

    row: NDArray[np.intp]
    score: NDArray[np.float64]
    place: list[str | None] | None
    reason: list[str | None]
    chosen: str = ""


def scores(one: Description, data: Data, options: Options, odd: Odd) -> Scores:
    """Score the rows of a file, several times where a row holds several samples."""
    found: dict[str, Column] = {}
    if one.members:
        return _members(one, data)
    for name, written in one.scores().items():
        found |= _candidates(one, written, data, options, name) if written else {}
    name = _chosen(one, found, options, str(odd.path)) if found else ""
    column = found.get(name, [None] * data.size)
    score = _Scorer(one, data, odd)
    if one.of:
        return score.counted(column)
    listed = "[]" in str(one.score) and any(isinstance(value, list) for value in column)
    return (score.sampled(column) if listed else score.plain(column))._replace(chosen=name)


def _members(one: Description, data: Data) -> Scores:
    """An item of each list that names it: the score of that list; of several lists the last counts."""
    values = list(one.members.values())
    labels = [text(value) for value in evaluate(one.item, data, lambda _: None)]
    last = {label: row for row, label in enumerate(labels)}
    rows = np.array(sorted(last.values()), dtype=np.intp)
    said = [values[data.way[row]] for row in rows.tolist()]
    score = np.array([value if isinstance(value, float) else np.nan for value in said], dtype=np.float64)
    return Scores(rows, score, None, [None if isinstance(value, float) else value for value in said])


def _candidates(
    one: Description, written: Written, data: Data, options: Options, name: str = ""
) -> dict[str, Column]:
    """Values by the name of what they are; a path with ``*`` or ``[field]`` has as many as there are."""
    if isinstance(written, dict) and (parts := rule(written).all):
        columns = [_candidates(one, part, data, options)[""] for part in parts]
        return {name: [_least(one, row) for row in zip(*columns, strict=True)]}
    if not isinstance(written, str) or "{" in written:
        return {name: evaluate(written, data, options.choices.get)}
    before, step, after = parse(written).split("map", "by", "list")
    column = follow(data.rows, before)
    if step is None:
        return {name: column}
    if step[0] == "list":
        return {name: [_each(x, after) if isinstance(x, list) else x for x in column]}
    held = [_named(x, step) for x in column]
    names = sorted({key for x in held for key in x})
    found = {key: follow([x.get(key) for x in held], after) for key in names}
    for key in [key for key, values in found.items() if any(type(value) is dict for value in values)]:
        below = [value if type(value) is dict else {} for value in found.pop(key)]
        found |= {f"{key}/{k}": [x.get(k) for x in below] for k in sorted({k for x in below for k in x})}
    usable = {
        key: values
        for key, values in found.items()
        if re.search(one.metrics, key) and any(_number(one, value)[0] is not None for value in values)
    }
    return {(name or "*").replace("*", key): values for key, values in (usable or found).items()}


def _each(values: list[Any], after: Sequence[Step]) -> list[Any]:
    return follow(values, after) if after else values


def _named(value: Any, step: Step) -> Mapping[str, Any]:
    if step[0] == "map":
        return value if isinstance(value, dict) else {}
    keys = follow(value, [("key", step[1])]) if isinstance(value, list) else []
    return {str(key): x for key, x in zip(keys, value or [], strict=False) if key is not None}


def _least(one: Description, values: Sequence[Any]) -> Any:
    """The least of several scores, of lists one by one; none if one is missing and no other is 0."""
    if all(isinstance(value, list) for value in values):
        return [_least(one, row) for row in zip(*values, strict=False)]
    numbers = [_number(one, value)[0] for value in values]
    return 0.0 if 0.0 in numbers else None if None in numbers else min(n for n in numbers if n is not None)


def _chosen(one: Description, found: dict[str, Column], options: Options, where: str) -> str:
    """Name of the score that counts."""
    some = {
        name: column for name, column in found.items() if any(value is not None for value in column)
    } or found
    static = len(some) > 1 and not any(map(_several, one.scores().values()))
    asked = options.choices.get(one.question)
    if list(some) == [""] or (static and asked is None and _agree(one, some.values())):
        return next(iter(some))
    return (
        next(iter(some))
        if len(some) == 1 and asked is None
        else choose(options, one.question, list(some), where)
    )


def _several(written: Written) -> bool:
    """Whether a path leads to scores of several names."""
    return (
        isinstance(written, str) and "{" not in written and parse(written).split("map", "by")[1] is not None
    )


def _agree(one: Description, columns: Iterable[Column]) -> bool:
    """Whether all candidates say the same of every attempt."""
    flat = [
        [v for value in column for v in (value if isinstance(value, list) else [value])] for column in columns
    ]
    same = len(set(map(len, flat))) == 1
    return same and agree(
        zip(*([_number(one, value)[0] for value in column] for column in flat), strict=True)
    )


def _number(one: Description, value: Any) -> tuple[float | None, bool]:
    """A value as a number, and whether it is one at all."""
    if type(value) is float or type(value) is int or type(value) is bool:
        return (None, True) if value != value else (float(value), True)
    if isinstance(value, str):
        for word in (value, value.strip().lower()):
            if word in one.values:
                return one.values[word], True
        word = value.strip().lower()
        if not one.values and word in WORDS:
            return WORDS[word], True
        try:
            number = float(value)
        except ValueError:
            return None, not word
        return (None if number != number else number), True
    return None, value is None


class _Scorer:
    def __init__(self, one: Description, data: Data, odd: Odd) -> None:
        self.one, self.data, self.odd = one, data, odd
        self.missing = set(map(text, one.missing))

    def plain(self, column: Column) -> Scores:
        """A score a row."""
        score, reason = self._numbers(column, range(len(column)))
        return Scores(np.arange(len(column)), score, None, reason)

    def sampled(self, column: Column) -> Scores:
        """A list a row: its samples; an empty one is an item without any."""
        lists = [(value or [None]) if isinstance(value, list) else [value] for value in column]
        sizes = [len(values) for values in lists]
        row = np.repeat(np.arange(len(column)), sizes)
        score, reason = self._numbers([value for values in lists for value in values], row.tolist())
        place = [
            str(at) if value is not None or len(values) > 1 else None
            for values in lists
            for at, value in enumerate(values, 1)
        ]
        return Scores(row, score, place, reason)

    def counted(self, column: Column) -> Scores:
        """So many of so many samples right; where these are not given the row's own score counts."""
        right, of = (
            follow(self.data.rows, parse(self.one.right).steps),
            follow(self.data.rows, parse(self.one.of).steps),
        )
        rows: list[int] = []
        values: Column = []
        place: list[str | None] = []
        for at, (k, n, own) in enumerate(zip(right, of, column, strict=True)):
            if k is None or n is None:
                rows.append(at)
                values.append(own)
                place.append(None)
                continue
            whole = type(k) is int and type(n) is int
            if not whole or not 0 <= k <= n <= MOST_SAMPLES:
                raise MalformedFile(f"{self.odd.path}: {self.data.place(at)}: {k} of {n} right cannot be")
            rows += [at] * max(n, 1)
            values += [1.0] * k + [0.0] * (n - k) if n else [None]
            place += [str(sample) for sample in range(1, n + 1)] if n else [None]
        halves = [at for at, (k, n) in enumerate(zip(right, of, strict=True)) if (k is None) != (n is None)]
        if halves:
            what = f"{self.one.right} or {self.one.of} is missing, so the row is one attempt"
            example = f"for example {self.data.place(halves[0])}"
            text = f"{self.odd.path.name}: {len(halves):,} times {what}, {example}"
            self.odd.told.append(Note(code="counts-incomplete", text=text))
        score, reason = self._numbers(values, rows)
        return Scores(np.array(rows, dtype=np.intp), score, place, reason)

    def _numbers(self, column: Column, rows: Sequence[int]) -> tuple[NDArray[np.float64], list[str | None]]:
        reason: list[str | None] = [None] * len(column)
        if set(map(type, column)) <= NUMBERS:
            score = np.array(column, dtype=np.float64) if column else np.empty(0)
        else:
            score = np.empty(len(column))
            for at, value in enumerate(column):
                number, known = _number(self.one, value)
                if not known and text(value) not in self.missing:
                    _, reason[at] = self.odd.number(value, self.data.place(rows[at]), self._allowed())
                score[at] = np.nan if number is None else number
        for at, value in enumerate(column) if self.missing else ():
            if text(value) in self.missing:
                score[at], reason[at] = np.nan, "no rating"
        score *= self.one.scale
        if self.one.range is not None:
            low, high = self.one.range
            outside = np.flatnonzero((score < low) | (score > high))
            if len(outside):
                first = int(outside[0])
                self.odd.strange(len(outside), f"{self.data.place(rows[first])}: {score[first]:g}", low, high)
        return score, reason

    def _allowed(self) -> str:
        return ", ".join(self.one.values) if self.one.values else "a number or a word for right or wrong"
