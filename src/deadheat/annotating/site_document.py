"""A site's leaderboard document: its boards and entries, and where they stand in the text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from deadheat.annotating.json_text import Place, Text
from deadheat.annotating.site_layout import SWEBENCH, Layout, reach
from deadheat.data.columns import parse_scores
from deadheat.errors import DataError, MalformedFile
from deadheat.readers.base import BOM, open_bytes, sha256
from deadheat.results import File


@dataclass(frozen=True)
class Line:
    """One entry of a board.

    Parameters
    ----------
    entry, name : str
        What identifies it, and what readers see (None if that is not said).
    published : float or None
        Its published rate as it stands in the document.
    decimals : int
        Digits behind the point of `published`.
    scores : mapping of str to float, or None
        Item -> score, NaN where there is none; None if it publishes no per-item results.
    repeated : tuple of str
        Items that occur more than once.
    place : Place
        Where the entry stands in the text.
    """

    entry: str
    name: str | None
    published: float | None
    decimals: int
    scores: Mapping[str, float] | None
    repeated: tuple[str, ...]
    place: Place


@dataclass(frozen=True)
class Part:
    """One board; `place` is None where it is a bare list of entries."""

    name: str
    lines: tuple[Line, ...]
    place: Place | None


@dataclass(frozen=True)
class Site:
    """A document: its text after `prefix` (a byte order mark or nothing), and the boards in it."""

    text: str
    prefix: str
    boards: tuple[Part, ...]
    layout: Layout
    file: File


def read_site(path: Path, layout: Layout = SWEBENCH) -> Site:
    """Read a leaderboard document.

    Parameters
    ----------
    path : Path
        JSON, plain or compressed.
    layout : Layout
        Where it keeps what.

    Raises
    ------
    ReadError
        A file that cannot be opened, is no JSON, or is not laid out as `layout` says.
    """
    with open_bytes(path) as stream:
        data = stream.read()
    marked = data.startswith(BOM)
    try:
        text = Text(data.removeprefix(BOM).decode())
        boards = _Reader(text, layout, path).document()
    except UnicodeDecodeError as error:
        raise MalformedFile(f"{path}: not UTF-8 text (byte {error.start}); save the file as UTF-8") from error
    except (json.JSONDecodeError, RecursionError) as error:
        raise MalformedFile(f"{path}: not valid JSON: {error}") from error
    rows = sum(len(line.scores or ()) for board in boards for line in board.lines)
    file = File(path=str(path), sha256=sha256(path), format="leaderboard", rows=rows)
    return Site(text.text, "\ufeff" if marked else "", tuple(boards), layout, file)


class _Reader:
    """Walks a document as its layout says."""

    def __init__(self, text: Text, layout: Layout, path: Path) -> None:
        self.text, self.layout, self.path = text, layout, path
        self.boards: list[Part] = []

    def document(self) -> list[Part]:
        """Return all boards."""
        start, layout = self.text.skip(0), self.layout
        if layout.boards is None:
            end = self._board(start)
        else:
            end = self._within(start, layout.boards, lambda at: self.text.array(at, self._board))
        if self.text.skip(end) != len(self.text.text):
            raise json.JSONDecodeError("something follows the document", self.text.text, end)
        if not self.boards:
            asked = f"under {layout.boards!r} " if layout.boards else ""
            raise MalformedFile(
                f"{self.path}: no boards found {asked}as the layout says; --layout FILE tells where they are"
            )
        names = [board.name for board in self.boards]
        if len(set(names)) < len(names):
            raise MalformedFile(f"{self.path}: a board's name occurs twice among {', '.join(names)}")
        return self.boards

    def _within(self, at: int, path: str, visit: Any) -> int:
        """Visit what a path leads to, and return where the value that began here ends."""
        if not path:
            return int(visit(at))
        if self.text.text[at : at + 1] != "{":
            return self.text.decode(at)[1]
        head, _, rest = path.partition(".")
        return self.text.object(at, lambda key, value: self._member(key, value, head, rest, visit)).end

    def _member(self, key: str, value: int, head: str, rest: str, visit: Any) -> int:
        return self._within(value, rest, visit) if key == head else self.text.decode(value)[1]

    def _board(self, at: int) -> int:
        """Read one board."""
        lines: list[Line] = []
        said: dict[str, Any] = {}
        head, _, rest = self.layout.entries.partition(".")

        def member(key: str, value: int) -> int:
            if key == head:
                return self._within(value, rest, lambda here: self._entries(here, lines))
            said[key], end = self.text.decode(value)
            return end

        if head:
            place: Place | None = self.text.object(at, member)
            end = place.end if place else at
        else:
            place, end = None, self._entries(at, lines)
        name = reach(said, self.layout.board) if self.layout.board else None
        name = str(name) if name is not None else f"board {len(self.boards) + 1}"
        keys = [line.entry for line in lines]
        twice = sorted({key for key in keys if keys.count(key) > 1}) if len(set(keys)) < len(keys) else []
        if twice:
            raise MalformedFile(
                f"{self.path}: board {name}: {self.layout.entry} occurs more than once: "
                f"{', '.join(twice[:5])}; an entry needs a key of its own (--layout FILE names another)"
            )
        self.boards.append(Part(name, tuple(lines), place))
        return end

    def _entries(self, at: int, lines: list[Line]) -> int:
        if self.text.text[at : at + 1] == "{":
            return self.text.object(at, lambda key, value: self._entry(value, lines, key)).end
        return self.text.array(at, lambda here: self._entry(here, lines, None))

    def _entry(self, at: int, lines: list[Line], outer: str | None) -> int:
        """Read one entry; `outer` is its key where entries are an object's members."""
        said: dict[str, Any] = {}
        repeated: list[str] = []
        own = self.layout.items.partition(".")[0] if self.layout.file is None else ""

        def member(key: str, value: int) -> int:
            said[key], end = self.text.decode(value)
            if key == own:
                repeated.extend(self.text.repeated)
            return end

        place = self.text.object(at, member)
        entry = outer if self.layout.entry is None else reach(said, self.layout.entry)
        where = f"{self.path}: entry {len(lines) + 1}"
        if not isinstance(entry, str | int) or isinstance(entry, bool):
            raise MalformedFile(
                f"{where} has no {self.layout.entry!r} to identify it; --layout FILE names the key to use"
            )
        where = f"{where} ({entry})"
        name = reach(said, self.layout.name) if self.layout.name else None
        published = _number(reach(said, self.layout.published) if self.layout.published else None, where)
        found = reach(said if self.layout.file is None else self._beside(said, where), self.layout.items)
        scores, twice = _scores(found, self.layout, where)
        lines.append(
            Line(
                entry=str(entry),
                name=None if name is None else str(name),
                published=published,
                decimals=self._decimals(place),
                scores=scores or None,
                repeated=tuple(dict.fromkeys([*repeated, *twice])),
                place=place,
            )
        )
        return place.end

    def _decimals(self, place: Place) -> int:
        """Digits behind the point of a published rate, as it is written."""
        start, end = place.spans.get((self.layout.published or "").partition(".")[0], (0, 0))
        found = self.text.text[start:end]
        written = None if "{" in found else re.search(r"\.(\d+)", found)
        return len(written[1]) if written else 0

    def _beside(self, said: Mapping[str, Any], where: str) -> Any:
        """Read an entry's own file of per-item results, if there is one inside the document's folder."""
        words = {key: value for key, value in said.items() if isinstance(value, str | int)}
        folder = self.path.resolve().parent
        try:
            path = (folder / str(self.layout.file).format_map(words)).resolve()
        except (KeyError, ValueError, IndexError, AttributeError) as error:
            raise MalformedFile(
                f"{where}: its file {self.layout.file!r} asks for {error}, not found"
            ) from error
        if folder not in path.parents:
            raise MalformedFile(f"{where}: its file {path} lies outside the document's folder")
        if not path.is_file():
            return None
        with open_bytes(path) as stream:
            return json.loads(stream.read().removeprefix(BOM))


def _number(value: Any, where: str) -> float | None:
    if value is None:
        return None
    try:
        number = float(str(value).strip().removesuffix("%")) if not isinstance(value, bool) else np.nan
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise MalformedFile(f"{where}: a published rate is a number; found {value!r}")
    return number


def _scores(found: Any, layout: Layout, where: str) -> tuple[dict[str, float], list[str]]:
    """Take item -> score out of per-item results, and the items that occur twice."""
    if found is None:
        return {}, []
    if isinstance(found, dict):
        ids, results = list(found), list(found.values())
    elif isinstance(found, list) and layout.item is not None:
        ids, results = [str(reach(result, layout.item)) for result in found], found
    else:
        raise MalformedFile(
            f"{where}: per-item results are an object keyed by item, or a list with `item` in the layout"
        )
    outcomes = results if layout.score is None else [reach(result, layout.score) for result in results]
    try:
        values = [float(o) if isinstance(o, bool) else o for o in outcomes]
        if not all(type(value) is float for value in values):
            values = parse_scores(None if v != v else v for v in values).tolist()
    except DataError as error:
        raise MalformedFile(f"{where}: {error}") from error
    scores = dict(zip(ids, values, strict=True))
    twice = sorted({i for i in ids if ids.count(i) > 1}) if len(scores) < len(ids) else []
    return scores, twice
