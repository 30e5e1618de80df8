"""The reader that takes a description: it finds the rows, reads each role as a column and tells the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path as FilePath
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from deadheat.data.batch import Batch
from deadheat.data.direction import lower_is_better
from deadheat.errors import MalformedFile
from deadheat.readers import xlsx
from deadheat.readers.base import Options, Reader, Source
from deadheat.readers.description import Description, columns_of_table, read_description
from deadheat.readers.document import Data, documents, table
from deadheat.readers.expressions import Column, Written, evaluate, text, texts
from deadheat.readers.glosses import gloss, says
from deadheat.readers.rows import Odd, folder_name
from deadheat.readers.scoring import Scores, scores
from deadheat.readers.table_head import header
from deadheat.results import Note

OBJECTS = ("reason", "sample")


class Format:
    """A format that a description tells, perhaps in several variants."""

    def __init__(self, variants: Sequence[Description]) -> None:
        self.variants = variants
        self.name = variants[0].name

    def reader(self) -> Reader:
        """The description as a reader."""
        first = self.variants[0]
        return Reader(
            name=first.name,
            title=first.title,
            claims=self.claims,
            read=self.read,
            general=first.general,
            asked=first.asked,
            **cast(Any, says(first)),
        )

    def claims(self, source: Source) -> bool:
        """Whether a file has the marks of a variant, or of a file that goes with it."""
        return not self.variants[0].asked and (self._variant(source) is not None or self._goes_along(source))

    def _variant(self, source: Source) -> Description | None:
        for one in self.variants:
            columns = _header(source) if one.table else []
            if bool(columns) == one.table and any(mark.fit(source, columns) for mark in one.recognise):
                return one
        return None

    def _goes_along(self, source: Source) -> bool:
        return any(mark.fit(source, []) for one in self.variants for mark in one.companions)

    def read(self, source: Source, options: Options) -> Sequence[Batch]:
        """Read one file."""
        one = self._variant(source)
        if one is None and self._goes_along(source):
            return []
        reading = _Reading(one or self.variants[0], source, options)
        return [] if reading.other_side() else [reading.batch()]


def from_file(path: FilePath) -> Reader:
    """Make a reader of a description that the user wrote."""
    return Format(read_description(path)).reader()


class _Reading:
    """One file being read."""

    def __init__(self, one: Description, source: Source, options: Options) -> None:
        self.one, self.source, self.options = one, source, options
        self.asked: Callable[[str], str | None] = options.choices.get
        names = {
            "file": folder_name(source),
            "stem": source.stem,
            "folder": source.path.parent.name,
            "path": source.path.as_posix(),
        }
        self.data: Data = table(one, source, names) if one.table else documents(one, source, names)
        for name, written in one.define.items():
            self.data.names[name] = self.column(written)
        self.odd = Odd(source.path)
        self.notes: list[Note] = [Note(code=code, text=text) for code, text in one.note.items()]

    def column(self, written: Written) -> Column:
        return evaluate(written, self.data, self.asked)

    def other_side(self) -> bool:
        """Whether another file of the same run is read instead; the first of them is told."""
        side = self.one.side
        mine = self._constant(side.of)[:1] if side else []
        if side is None or not mine:
            return False
        asked = self.asked(side.question)
        beside = self.source.path.with_name(self.source.path.name.replace(mine[0], side.first))
        if asked or not beside.exists():
            return bool(asked) and mine[0] != asked
        sides = list(self.source.path.parent.glob(self.source.path.name.replace(mine[0], "*")))
        if mine[0] == side.first and len(sides) > 1:
            text = f"{side.question}={side.first} is read; --choose {side.question}=NAME reads another"
            self.notes.append(Note(code="one-of-several", text=f"{self.source.path.name}: {text}"))
        return bool(mine[0] != side.first)

    def batch(self) -> Batch:
        one = self.one
        self._skip()
        for place in self.data.astray if self.data.size else ():
            self.odd.missing(f"{place}: nothing at {one.rows}")
        if self.data.astray and not self.data.size:
            text = f"{self.source.path.name}: nothing at {one.rows}, so no attempt is read from it"
            self.notes.append(Note(code="nothing-there", text=text))
        entry, item = self._labels(one.entry, "entry"), self._labels(one.item, "item")
        found = scores(one, self.data, self.options, self.odd)
        columns: dict[str, NDArray[Any]] = {"entry": entry[found.row], "item": item[found.row]}
        columns |= self._outcomes(found)
        if found.place is not None and found.chosen in one.parts:
            columns["cluster"] = columns["item"]
            labels = zip(columns["item"].tolist(), found.place, strict=True)
            columns["item"] = _column("item", [f"{item}/{place or 1}" for item, place in labels])
            found = found._replace(place=None)
        columns |= self._samples(found, columns)
        for name, written in self._extra().items():
            values = self.column(written)
            if any(value is not None for value in values):
                columns[name] = _column(name, values, self.source)[found.row]
        if one.combine:
            columns = _all_right(columns)
        scored = bool((columns["status"] == "scored").any())
        entries = list(dict.fromkeys(columns["entry"].tolist()))
        listed = [] if entries else sorted(set(map(str, self._constant(one.entry))))
        return Batch(
            file=self.source.file(one.name),
            columns=columns,
            renamed={name: column for column, name in one.names.items() if column in columns},
            published=self._published(entries or listed, found.chosen),
            unpublished=listed,
            notes=[*self.notes, *self.odd.notes(scored=scored)],
            lower_is_better=one.lower_is_better if found.chosen == "" else lower_is_better(found.chosen),
            task=self._first(one.task),
            time=self._first(one.time),
        )

    def _skip(self) -> None:
        """Leave out rows that are no attempts, and count them."""
        out = np.zeros(self.data.size, dtype=bool)
        for path, wanted in self.one.skip.items():
            here = self._matches(path, wanted)
            if here.any():
                what = (
                    {"*": "set", "!": "not set"}.get(wanted)
                    if isinstance(wanted, str)
                    else " or ".join(map(str, wanted))
                )
                text = (
                    f"{self.source.path.name}: {int(here.sum()):,} rows whose {path} is {what} are left out"
                )
                self.notes.append(Note(code="rows-left-out", text=text))
            out |= here
        if out.any():
            self.data.keep(np.flatnonzero(~out))

    def _matches(self, path: str, wanted: Any) -> NDArray[np.bool_]:
        values = self.column(path)
        if wanted in ("*", "!"):
            return np.array([bool(value) is (wanted == "*") for value in values], dtype=bool)
        known = {str(value) for value in (wanted if isinstance(wanted, list) else [wanted])}
        return np.array([value is not None and text(value) in known for value in values], dtype=bool)

    def _labels(self, written: Written, role: str) -> NDArray[Any]:
        values = texts(self.column(written))
        if None in values:
            place = self.data.place(values.index(None))
            raise MalformedFile(f"{self.source.path}: {place}: no {role}, which is {gloss(written)}")
        if role == "entry" and "{" in str(written):
            known = {value: folder_name(self.source, value) for value in set(values)}
            values = [known[value] for value in values]
        return _column(role, values)

    def _constant(self, written: Written) -> list[Any]:
        """What an entry is in a file without any attempt, as far as the file says it outside of its rows."""
        found = evaluate(written, self.data.top(), self.asked)
        return [value for value in map(text, found) if value is not None]

    def _first(self, written: Written) -> str:
        found = evaluate(written, self.data.top(), self.asked) if written else []
        return text(next((value for value in found if value is not None), "")) or ""

    def _outcomes(self, found: Scores) -> dict[str, NDArray[Any]]:
        """Score, status and reason of each attempt."""
        score, one = found.score.copy(), self.one
        reason: NDArray[Any] = np.array(found.reason, dtype=object)
        if reasons := one.told(found.chosen):
            told = _column("reason", texts(self.column(reasons)))[found.row]
            reason = np.where(reason == None, told, reason)  # noqa: E711
        status = np.where(np.isnan(score), "absent", "scored").astype(object)
        for rules, kind in ((one.failed, "failed"), (one.failed_unscored, "failed"), (one.absent, "absent")):
            for path, wanted in rules.items():
                here = self._matches(path, wanted)[found.row]
                if rules is one.failed_unscored:
                    here &= np.isnan(score)
                score[here], status[here] = np.nan, kind
                word = "error" if kind == "failed" else path if wanted == "*" else None
                unsaid = here & (reason == None)  # noqa: E711
                reason[unsaid] = (
                    word if word else np.array(self.column(path), dtype=object)[found.row][unsaid]
                )
        return {"score": score, "status": status} | ({"reason": reason} if (reason != None).any() else {})  # noqa: E711

    def _samples(self, found: Scores, columns: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        written = self.one.sample if isinstance(self.one.sample, list) else [self.one.sample]
        told = [way for way in written if way not in ("", "#")]
        labels = texts(self.column(told)) if told else [None] * self.data.size
        given = [labels[row] for row in found.row.tolist()]
        if "#" in written and None in given:
            seen, given = Counter[tuple[str, str]](), []
            for pair in zip(columns["entry"].tolist(), columns["item"].tolist(), strict=True):
                seen[pair] += 1
                given.append(str(seen[pair]))
        if found.place is not None:
            given = [
                place if first is None or place is None else f"{first}.{place}"
                for first, place in zip(given, found.place, strict=True)
            ]
        return {"sample": _column("sample", given)} if any(value is not None for value in given) else {}

    def _extra(self) -> dict[str, Written]:
        chosen = {}
        for column, offered in self.one.optional.items():
            for name in (self.asked(column) or "").split(","):
                if name in offered:
                    chosen[column] = offered[name]
        return self.one.columns | chosen

    def _published(self, entries: Sequence[str], chosen: str) -> dict[str, float]:
        stated = self.one.published
        if stated is None or len(entries) != 1:
            return {}
        if stated.beside is None:
            found = evaluate(stated.path.replace("{metric}", chosen), self.data.top(), self.asked)
        else:
            name = self.source.path.name.replace(*stated.beside)
            path = self.source.path.with_name(name)
            if path == self.source.path or not path.exists():
                return {}
            found = evaluate(stated.path, Data([self.source.beside(path).json(Any)], {}), self.asked)
        rate = found[0] if found else None
        if not isinstance(rate, int | float) or not 0 <= rate * stated.scale <= 1:
            return {}
        return {entries[0]: float(rate) * stated.scale}


def _header(source: Source) -> Sequence[str]:
    return list(columns_of_table(source)) if xlsx.is_workbook(source) else header(source)


def _column(name: str, values: Column, source: Source | None = None) -> NDArray[Any]:
    if name == "weight":
        strange = [value for value in values if value is not None and not isinstance(value, int | float)]
        if strange:
            where = "" if source is None else f"{source.path}: "
            raise MalformedFile(f"{where}a weight is a number; found {str(strange[0])[:60]!r}")
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    column = np.empty(len(values), dtype=object)
    column[:] = values if name in ("entry", "item", "sample") else texts(values)
    return column


def _all_right(columns: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """One attempt of all rows of an entry and item: the least of their scores, absent where one has none."""
    groups: dict[tuple[str, str], list[int]] = {}
    for at, pair in enumerate(zip(columns["entry"].tolist(), columns["item"].tolist(), strict=True)):
        groups.setdefault(pair, []).append(at)
    first = np.array([rows[0] for rows in groups.values()], dtype=np.intp)
    least = np.array([columns["score"][rows].min() for rows in groups.values()])
    made = {name: column[first] for name, column in columns.items() if name != "sample"}
    status = np.where(np.isnan(least), "absent", "scored").astype(object)
    return made | {"score": least, "status": status}
