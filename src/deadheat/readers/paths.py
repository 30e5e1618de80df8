"""Paths into documents: how they are written, the type that decodes what they name, what lies along them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, reduce
from operator import attrgetter, or_
from typing import Any, NamedTuple, cast

import msgspec

from deadheat.errors import MalformedFile

# What a path may say of its value, after a colon.
LEAVES: dict[str, Any] = {"bool": bool, "int": int, "str": str, "float": float, "id": int | str}
LEAVES |= {f"{name}?": kind | None for name, kind in LEAVES.items()}
_STEP = re.compile(
    r'"(?P<quoted>[^"]+)"|\[(?P<at>\d+)\]|\[\{(?P<place>\w+)\}\]|\[(?P<by>\w+)\]|(?P<each>\[\])'
    r'|\{(?P<key>\w+)\}|(?P<any>\*)(?=[.\[]|$)|(?P<name>[^.\[\]{}"]+)'
)
_KINDS = {"quoted": "key", "name": "key", "place": "list", "each": "list", "key": "map", "any": "map"}

Step = tuple[str, str]


class Path(NamedTuple):
    """A parsed path.

    Parameters
    ----------
    steps : tuple of (kind, text)
        ``key`` NAME; ``at`` N; ``list`` or ``map`` for every element, with the name that its place or key
        gets; ``by`` FIELD for the elements of a list, each known by that field.
    top : bool
        From the top of the document rather than from the row.
    leaf : str
        One of `LEAVES`, or empty.
    """

    steps: tuple[Step, ...] = ()
    top: bool = False
    leaf: str = ""

    def head(self) -> tuple[str, ...]:
        """The path as the outline of a document's first bytes has it."""
        parts = {"list": "[]", "by": "[]", "at": "[]", "map": "*"}
        return tuple(parts.get(kind, text) for kind, text in self.steps)

    def split(self, *kinds: str) -> tuple[tuple[Step, ...], Step | None, tuple[Step, ...]]:
        """Part the path at its first step of these kinds: before, the step, after."""
        at = next((at for at, (kind, _) in enumerate(self.steps) if kind in kinds), len(self.steps))
        return self.steps[:at], (*self.steps, None)[at], self.steps[at + 1 :]


@cache
def parse(text: str) -> Path:
    """Parse a path: ``$.run.model``, ``eval.{item}[{sample}].status``, ``scores.*.value``, ``passed:bool``.

    Raises
    ------
    MalformedFile
        Where it is none.
    """
    rest, top = (text[1:].removeprefix("."), True) if text.startswith("$") else (text, False)
    body, colon, leaf = rest.rpartition(":")
    rest, leaf = (body, leaf) if colon and leaf in LEAVES else (rest, "")
    steps: list[Step] = []
    at = 0
    while at < len(rest) and rest != ".":
        at += bool(steps) and rest[at] == "."
        found = _STEP.match(rest, at)
        if found is None or found.lastgroup is None:
            raise MalformedFile(f"{text!r} is no path: {rest[at:]!r} is not understood")
        name, value = found.lastgroup, found.group(found.lastgroup)
        steps.append((_KINDS.get(name, name), "" if name in ("each", "any") else value))
        at = found.end()
    return Path(tuple(steps), top, leaf)


class Node:
    """A place in a document, with the places below it that some path goes through."""

    def __init__(self) -> None:
        self.below: dict[Step, Node] = {}
        self.leaf: str | None = None  # where a path ends here: what its value is, as far as it says
        self.required = False

    def add(self, steps: Sequence[Step], leaf: str = "", *, free: int = -1) -> None:
        """Let a path go through here, of which all but the first `free` steps are required; none if -1."""
        if not steps:
            self.leaf = leaf or self.leaf or ""
            return
        kind, text = steps[0]
        step = ("map", "") if kind == "map" else ("list", "") if kind in ("list", "by") else (kind, text)
        child = self.below.setdefault(step, Node())
        child.required |= free == 0
        if kind == "by":
            child.add([("key", text)])
        child.add(steps[1:], leaf, free=max(free - 1, min(free, 0)))

    def type(self) -> Any:
        """Make the type that decodes what lies here; what no path requires may be missing or null."""
        kinds, lists, maps = {kind for kind, _ in self.below}, cast(Any, list), cast(Any, dict)
        if not kinds:
            return LEAVES.get(self.leaf or "", Any)
        if len(kinds) > 1 or "at" in kinds or self.leaf is not None:
            return Any
        if "list" in kinds:
            kind = self.below["list", ""].type()
            record = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
            return lists[kind | None if record else kind]
        if "map" in kinds:
            return maps[str, _or_scalars(self.below["map", ""].type())]
        fields: list[Any] = []
        for (_, key), child in self.below.items():
            kind = child.type()
            free = kind if kind is Any or child.leaf else kind | None
            fields.append((attribute(key), kind) if child.required else (attribute(key), free, None))
        names = {attribute(key): key for _, key in self.below}
        return msgspec.defstruct("Object", fields, rename=names, kw_only=True, gc=False)


def attribute(key: str) -> str:
    """Name of a type's field that holds the value of a key."""
    return f"f_{key}" if key.isidentifier() and key.isascii() else f"f{key.encode().hex()}"


def _or_scalars(type: Any) -> Any:
    """A value of a map that is none of the expected: told later, not refused."""
    wider = type if type is Any else reduce(or_, (bool, int, float, str, None), type)
    try:
        msgspec.json.Decoder(wider)
    except TypeError:
        return type
    return wider


def follow(column: list[Any], steps: Sequence[Step]) -> list[Any]:
    """Follow keys and places from each of some values; None where they lead nowhere."""
    for kind, text in steps:
        if kind == "at":
            at = int(text)
            column = [x[at] if isinstance(x, list | tuple) and len(x) > at else None for x in column]
            continue
        name, types = attribute(text), set(map(type, column))
        if len(types) == 1 and issubclass(next(iter(types)), msgspec.Struct):
            try:
                column = list(map(attrgetter(name), column))
                continue
            except AttributeError:
                pass
        column = [x.get(text) if type(x) is dict else getattr(x, name, None) for x in column]
    return column


class Traversal:
    """Rows that lie along a path from each of some documents.

    Parameters
    ----------
    documents : list
    steps : sequence of Step
    without : collection of str
        Keys of maps that are no rows.
    """

    def __init__(self, documents: list[Any], steps: Sequence[Step], without: Sequence[str] = ()) -> None:
        self.rows = documents
        self.origin = list(range(len(documents)))  # of each row: the number of its document
        self.captures: dict[str, list[Any]] = {}
        self.astray: list[int] = []  # numbers of documents in which the path leads nowhere
        for at, (kind, text) in enumerate(steps):
            if kind in ("key", "at"):
                self.rows = follow(self.rows, [(kind, text)])
            else:
                self._spread(text, kind == "map", set(without), last=at == len(steps) - 1)

    def _spread(self, capture: str, keyed: bool, without: set[str], *, last: bool) -> None:
        """Go to every element of each row; an item whose list is empty keeps one row without anything."""
        rows: list[Any] = []
        places: list[Any] = []
        parents: list[int] = []
        for parent, row in enumerate(self.rows):
            pairs: Any = ()
            if keyed and type(row) is dict:
                pairs = [(k, v) for k, v in row.items() if k not in without] if without else row.items()
            elif not keyed and isinstance(row, list):
                pairs = enumerate(row, 1)
            else:
                self.astray.append(self.origin[parent])
            before = len(rows)
            for place, value in pairs:
                places.append(place)
                rows.append(value)
            if len(rows) == before and last and self.captures:
                places.append(None)
                rows.append(None)
            parents += [parent] * (len(rows) - before)
        self.rows = rows
        self.origin = [self.origin[parent] for parent in parents]
        self.captures = {name: [col[p] for p in parents] for name, col in self.captures.items()}
        if capture:
            self.captures[capture] = places
