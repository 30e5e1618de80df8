"""The shape of a JSON file told from its first bytes, even where these end in the middle of a value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_DEEPEST = 6  # levels of nesting whose keys are kept
_MOST = 6_000  # tokens looked at
_KINDS = {b"{": "object", b"[": "list", b'"': "string", b"t": "bool", b"f": "bool", b"n": "null"}


@dataclass(frozen=True)
class Outline:
    """Keys at the head of a JSON document.

    Parameters
    ----------
    kind : str
        Kind of the first value: object, list, other; empty when this is no JSON.
    keys : dict
        Path of each key seen in the first value -> kind of its value; elements of a list are ``[]``.
    second : frozenset of str or None
        Top-level keys of a second value, as JSON Lines have; None without one.
    """

    kind: str
    keys: dict[tuple[str, ...], str]
    second: frozenset[str] | None = None

    def has(self, *paths: str) -> bool:
        """Whether every path was seen: parts joined by dots, ``*`` for any key, ``[]`` for an element."""
        return all(self.at(tuple(path.split("."))) for path in paths)

    def at(self, wanted: tuple[str, ...]) -> set[str]:
        """Kinds of the values at a path, of which ``*`` is any key and ``a|b`` is either."""
        if wanted in self.keys:
            return {self.keys[wanted]}
        if not any("*" in part or "|" in part for part in wanted):
            return set()
        either = [part.split("|") for part in wanted]
        return {
            kind
            for path, kind in self.keys.items()
            if len(path) == len(either)
            and all("*" in names or part in names for names, part in zip(either, path, strict=True))
        }

    def under(self, *path: str) -> dict[str, str]:
        """Keys directly under a path, with the kind of each value."""
        return {
            key[-1]: kind for key, kind in self.keys.items() if len(key) == len(path) + 1 and key[:-1] == path
        }


@lru_cache(maxsize=4)
def outline(head: bytes) -> Outline:
    """Read the keys at the head of a document.

    Parameters
    ----------
    head : bytes
        First bytes of a file, decompressed.
    """
    if head.lstrip()[:1] not in (b"{", b"["):
        return Outline("", {})
    keys: dict[tuple[str, ...], str] = {}
    second: set[str] | None = None
    path: list[str] = []  # of the value that comes next; its last part is the key or []
    inside: list[bytes] = []  # brackets that are open
    values, key, after_colon = 0, b"", False
    for number, match in enumerate(_TOKEN.finditer(head)):
        token = match.group()
        if number > _MOST:
            break
        if token == b":":
            if not inside or inside[-1] == b"[":
                break  # no JSON after all
            after_colon = True
            path[-1] = key[1:-1].decode(errors="replace")
        elif token == b",":
            after_colon = False
        elif token in b"}]":
            if not inside:
                break
            inside.pop()
            path.pop()
            values += not inside
        else:
            is_value = after_colon or not inside or inside[-1] == b"["
            if not inside and values == 1:
                second = set() if second is None else second
            if not inside and values == 2:
                break
            if is_value and inside:
                _record(keys, second, path, values, _KINDS.get(token[:1], "number"))
            if token in b"{[":
                inside.append(token)
                path.append("[]" if token == b"[" else "")
                after_colon = False
            elif is_value:
                after_colon = False
            else:
                key = token
            values += not inside
    kind = "object" if head.lstrip()[:1] == b"{" else "list"
    return Outline(kind, keys, None if second is None else frozenset(second))


def _record(
    keys: dict[tuple[str, ...], str], second: set[str] | None, path: list[str], values: int, kind: str
) -> None:
    if values == 0 and len(path) <= _DEEPEST:
        keys.setdefault(tuple(path), kind)
    elif values == 1 and second is not None and len(path) == 1:
        second.add(path[0])
