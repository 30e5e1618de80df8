"""A site's document read as its layout says, with a check that every part of the layout leads somewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from deadheat.annotating.json_text import Place, Text
from deadheat.annotating.outcomes import Ledger, number, parsed
from deadheat.annotating.site_document import Line, Met, Part, Site
from deadheat.annotating.site_layout import SWEBENCH, Layout, reach
from deadheat.errors import DataError, MalformedFile, listed
from deadheat.readers.base import BOM, MEMORY, damage, open_bytes, sha256, too_large
from deadheat.results import File, Note

ABSENT = object()
HINTS = 12  # keys that are named where one of a layout does not occur
# Field of a layout -> whose key it is.
OF = {
    "board": "board",
    "name": "entry",
    "published": "entry",
    "file": "entry",
    "items": "entry",
    "item": "result",
    "score": "result",
}
MAY_BE_NULL = ("board", "name", "published", "item", "score", "file")


def read_site(path: Path, layout: Layout = SWEBENCH, memory: int = MEMORY) -> Site:
    """Read a leaderboard document.

    Parameters
    ----------
    path : Path
        JSON, plain or compressed.
    layout : Layout
        Where it keeps what. What it names must occur, unless the SWE-bench site names it alike.
    memory : int
        Bytes that the document may unpack to.

    Raises
    ------
    ReadError
        A file that cannot be opened, is not JSON, or is not laid out as `layout` says.
    """
    try:
        text = Text(_content(path, memory).decode())
        marked = text.text.startswith("\ufeff")
        text.text = text.text.removeprefix("\ufeff")
        reader = _Reader(text, layout, path, memory)
        boards = reader.document()
    except DataError:
        raise
    except UnicodeDecodeError as error:
        raise MalformedFile(f"{path}: not UTF-8 text (byte {error.start}); save the file as UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise MalformedFile(f"{path}: not valid JSON: {error}") from error
    rows = sum(len(line.outcomes or ()) for board in boards for line in board.lines)
    file = File(path=str(path), sha256=sha256(path), format="leaderboard", rows=rows)
    met = Met(reader.times, len(boards), reader.entries, reader.results)
    notes = tuple(reader.notes)
    return Site(text.text, "\ufeff" if marked else "", tuple(boards), layout, file, met, notes)


def _content(path: Path, memory: int) -> bytes:
    try:
        with open_bytes(path) as stream:
            data = stream.read(memory + 1)
    except damage() as error:
        raise MalformedFile(f"{path}: the compressed file is truncated or corrupt ({error})") from error
    if len(data) > memory:
        raise MalformedFile(f"{path}: {too_large(memory)}")
    return data


class _Reader:
    """Walks a document as its layout says."""

    def __init__(self, text: Text, layout: Layout, path: Path, memory: int) -> None:
        self.text, self.layout, self.path, self.memory = text, layout, path, memory
        self.boards: list[Part] = []
        self.notes: list[Note] = []
        self.ledger = Ledger()
        self.times: Counter[str] = Counter()
        self.keys: dict[str, dict[str, None]] = {"board": {}, "entry": {}, "result": {}}
        self.entries = self.results = 0

    def document(self) -> list[Part]:
        """Return all boards."""
        start, layout = self.text.skip(0), self.layout
        if layout.boards is None:
            end = self._board(start)
        else:
            end = self._within(start, layout.boards, lambda at: self.text.array(at, self._board))
        if self.text.skip(end) != len(self.text.text):
            raise ValueError(f"something follows the document at character {end}")
        if not self.boards:
            asked = f"under {layout.boards!r:.60} " if layout.boards else ""
            raise MalformedFile(
                f"{self.path}: no boards found {asked}as the layout says; --layout FILE tells where they are"
            )
        twice = [name for name, times in Counter(board.name for board in self.boards).items() if times > 1]
        if twice:
            raise MalformedFile(f"{self.path}: a board's name occurs twice: {listed(twice)}")
        self._check()
        return self.boards

    def _check(self) -> None:
        """Refuse a layout with a part that never occurs: a misspelt key would pass for an absent one."""
        if not self.times["entries"]:
            raise MalformedFile(
                f"{self.path}: no board has {self.layout.entries!r:.60}, which the layout names as its "
                f"entries; boards have {_some(self.keys['board'])}"
            )
        for field, owner in OF.items():
            key, there = getattr(self.layout, field), self.entries if owner == "entry" else self.results
            # Without one of these two, no rate is checked, or no result has an outcome.
            asked = key != getattr(SWEBENCH, field) or (field in ("published", "score") and self.results)
            if key is None or self.times[field] or not asked or (owner != "board" and not there):
                continue
            keys = _some(self.keys[owner])
            what = "no such file was found" if field == "file" else f"no {owner} has it; there are {keys}"
            null = ", or write null if there is none" if field in MAY_BE_NULL else ""
            raise MalformedFile(
                f"{self.path}: the layout's {field!r} is {key!r:.60}, but {what}; correct it{null} "
                "(--layout FILE)"
            )

    def _take(self, said: Mapping[str, Any], field: str) -> Any:
        """Follow a field of the layout, and count whether it leads somewhere."""
        path = getattr(self.layout, field)
        found = ABSENT if path is None else reach(said, path, ABSENT)
        self.times[field] += found is not ABSENT
        return None if found is ABSENT else found

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
        """Read one board, and those that it holds."""
        lines: list[Line] = []
        said: dict[str, Any] = {}
        head, _, rest = self.layout.entries.partition(".")
        inner = (self.layout.boards or "").rpartition(".")[2]
        first, reached = len(self.boards), self.times["entries"]

        def member(key: str, value: int) -> int:
            self._saw("board", key)
            if key == head:
                return self._within(value, rest, lambda here: self._entries(here, lines))
            if key == inner and re.match(r"\[\s*\{", self.text.text[value : value + 100]):
                return self.text.array(value, self._board)
            said[key], end = self.text.decode(value)
            return end

        if head:
            place: Place | None = self.text.object(at, member)
            end = place.end if place else at
        else:
            place, end = None, self._entries(at, lines)
        name = self._take(said, "board")
        name = str(name) if name is not None else f"board {len(self.boards) + 1}"
        twice = [key for key, times in Counter(line.entry for line in lines).items() if times > 1]
        if twice:
            raise MalformedFile(
                f"{self.path}: board {name}: {self.layout.entry} occurs more than once: "
                f"{listed(sorted(twice))}; an entry needs a key of its own (--layout FILE names another)"
            )
        inside = self.boards[first:]
        self.boards[first:] = [replace(part, name=f"{name} / {part.name}") for part in inside]
        if lines or not inside:
            self.boards.insert(first, Part(name, tuple(lines), place))
        if self.times["entries"] == reached:
            text = f"board {name} has no {self.layout.entries!r:.60}, so nothing is said of it"
            self.notes.append(Note(code="board-without-entries", text=text))
        return end

    def _entries(self, at: int, lines: list[Line]) -> int:
        self.times["entries"] += 1
        if self.text.text[at : at + 1] == "{":
            return self.text.object(at, lambda key, value: self._entry(value, lines, key)).end
        return self.text.array(at, lambda here: self._entry(here, lines, None))

    def _entry(self, at: int, lines: list[Line], outer: str | None) -> int:
        """Read one entry; `outer` is its key where entries are an object's members."""
        said: dict[str, Any] = {}
        repeated: list[str] = []
        own = self.layout.items.partition(".")[0] if self.layout.file is None else ""

        def member(key: str, value: int) -> int:
            self._saw("entry", key)
            said[key], end = self.text.decode(value)
            if key == own:
                repeated.extend(self.text.repeated)
            return end

        place = self.text.object(at, member)
        self.entries += 1
        entry = outer if self.layout.entry is None else reach(said, self.layout.entry)
        where = f"{self.path}: entry {len(lines) + 1}"
        if not isinstance(entry, str | int) or isinstance(entry, bool):
            raise MalformedFile(
                f"{where} has no {self.layout.entry!r:.60} to identify it; --layout FILE names the key to use"
            )
        where = f"{where} ({entry!s:.60})"
        name = self._take(said, "name")
        published = number(self._take(said, "published"), where)
        log, twice = (said, []) if self.layout.file is None else self._beside(said, where)
        repeated += twice
        scores, twice = self._scores(self._take(log, "items"), where)
        lines.append(
            Line(
                entry=str(entry),
                name=None if name is None else str(name),
                published=published,
                decimals=self._decimals(place),
                outcomes=self.ledger.outcomes(scores) if scores else None,
                repeated=tuple(dict.fromkeys([*repeated, *twice])),
                place=place,
            )
        )
        return place.end

    def _saw(self, owner: str, key: str) -> None:
        if len(self.keys[owner]) < HINTS:
            self.keys[owner].setdefault(key)

    def _decimals(self, place: Place) -> int:
        """Digits behind the point of a published rate, as it is written."""
        start, end = place.spans.get((self.layout.published or "").partition(".")[0], (0, 0))
        found = self.text.text[start:end]
        written = None if "{" in found else re.search(r"\.(\d+)", found)
        return len(written[1]) if written else 0

    def _beside(self, said: Mapping[str, Any], where: str) -> tuple[Any, list[str]]:
        """Read an entry's own file of per-item results, if there is one inside the document's folder."""
        words = {key: value for key, value in said.items() if isinstance(value, str | int)}
        folder = self.path.resolve().parent
        try:
            path = (folder / str(self.layout.file).format_map(words)).resolve()
            there = path.is_file()
        except (KeyError, ValueError, IndexError, AttributeError, OSError) as error:
            raise MalformedFile(
                f"{where}: its file {self.layout.file!r:.60} asks for {error!s:.60}, not found"
            ) from error
        if folder not in path.parents:
            raise MalformedFile(f"{where}: its file {path!s:.200} lies outside the document's folder")
        if not there:
            return {}, []
        self.times["file"] += 1
        try:
            text = Text(_content(path, self.memory).removeprefix(BOM).decode())
            found, _ = text.decode(text.skip(0))
        except (ValueError, RecursionError) as error:
            raise MalformedFile(f"{where}: its file {path} is not valid JSON: {error}") from error
        return found, text.repeated

    def _scores(self, found: Any, where: str) -> tuple[dict[str, float], list[str]]:
        """Take item -> score out of per-item results, and the items that occur twice."""
        if found is None:
            return {}, []
        if isinstance(found, dict):
            ids, results = list(found), list(found.values())
        elif isinstance(found, list) and self.layout.item is not None:
            ids, results = [str(self._take(result, "item")) for result in found], found
        else:
            raise MalformedFile(
                f"{where}: per-item results are an object keyed by item, or a list with `item` in the layout"
            )
        self.results += len(results)
        for key in results[0] if results and isinstance(results[0], dict) else ():
            self._saw("result", str(key))
        outcomes = results if self.layout.score is None else [self._take(each, "score") for each in results]
        values = parsed(outcomes, where)
        scores = dict(zip(ids, values, strict=True))
        if len(scores) == len(ids):
            return scores, []
        return scores, sorted(item for item, times in Counter(ids).items() if times > 1)


def _some(keys: Mapping[str, None]) -> str:
    return ", ".join(f"{key!r:.60}" for key in keys) or "no keys"
