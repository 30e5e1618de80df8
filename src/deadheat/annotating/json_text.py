"""JSON as a text with places: what stands where, so that keys can be put in and nothing else moves."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True)
class Place:
    """Where an object stands in a text.

    Parameters
    ----------
    start, end : int
        Of its opening brace, and behind its closing one.
    last : int
        Behind the value of its last member; behind the brace where there is none.
    lead : str
        What stands before a member: a line break with its indentation, a space, or nothing.
    colon : str
        What stands between a key and its value.
    spans : dict
        Start and end of each member's value.
    """

    start: int
    end: int
    last: int
    lead: str
    colon: str
    spans: dict[str, tuple[int, int]]

    def put(self, key: str, value: str) -> tuple[int, int, str]:
        """Say which part of the text to replace, and with what, so that the object has this member."""
        if key in self.spans:
            return (*self.spans[key], value)
        comma = "," if self.spans else ""
        return self.last, self.last, f"{comma}{self.lead}{json.dumps(key)}{self.colon}{value}"


@dataclass
class Text:
    """A JSON text.

    Parameters
    ----------
    text : str
    repeated : list of str
        Keys that occurred twice in one object, of what was decoded last.
    """

    text: str
    repeated: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._scan = json.JSONDecoder(object_pairs_hook=self._object).raw_decode

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            self.repeated += sorted(
                key for key, times in Counter(key for key, _ in pairs).items() if times > 1
            )
        return made

    def decode(self, at: int) -> tuple[Any, int]:
        """Return the value that begins at a position, and where it ends.

        Raises
        ------
        ValueError
            Where there is no JSON value; its text names line and column.
        """
        self.repeated.clear()
        return self._scan(self.text, at)

    def skip(self, at: int) -> int:
        """Return the first position from here on that is not white space."""
        return SPACE.match(self.text, at).end()  # type: ignore[union-attr]

    def object(self, at: int, visit: Callable[[str, int], int]) -> Place:
        """Walk the members of an object.

        Parameters
        ----------
        at : int
            Where its brace stands.
        visit : callable
            Is given each key and where its value begins; returns where the value ends.

        Raises
        ------
        ValueError
            Where the text is not a JSON object, or has a key twice.
        """
        self._expect("{", at)
        spans: dict[str, tuple[int, int]] = {}
        leads: list[str] = []
        colon, last, here = "", at + 1, self.skip(at + 1)
        if self.text[here : here + 1] == "}":
            return Place(at, here + 1, last, "", ": ", spans)
        while True:
            leads.append(self.text[last:here].split(",", 1)[-1])
            key, after = self.decode(here)
            if not isinstance(key, str):
                raise json.JSONDecodeError("a key of an object must be a text", self.text, here)
            after = self.skip(after)
            self._expect(":", after)
            if key in spans:
                raise json.JSONDecodeError(f"the key {key!r:.60} stands twice in one object", self.text, here)
            value = self.skip(after + 1)
            colon = self.text[after:value]
            last = visit(key, value)
            spans[key] = (value, last)
            here = self.skip(last)
            if self.text[here : here + 1] == "}":
                break
            self._expect(",", here)
            here = self.skip(here + 1)
        lead = leads[0] if "\n" in leads[0] or len(leads) == 1 else leads[1]
        if len(leads) == 1 and "\n" not in lead and colon != ":":
            lead = " "
        return Place(at, here + 1, last, lead, colon, spans)

    def array(self, at: int, visit: Callable[[int], int]) -> int:
        """Walk the elements of an array and return where it ends; `visit` as for `object`, without a key."""
        self._expect("[", at)
        here = self.skip(at + 1)
        if self.text[here : here + 1] == "]":
            return here + 1
        while True:
            here = self.skip(visit(here))
            if self.text[here : here + 1] == "]":
                return here + 1
            self._expect(",", here)
            here = self.skip(here + 1)

    def _expect(self, sign: str, at: int) -> None:
        if self.text[at : at + 1] != sign:
            raise json.JSONDecodeError(f"expected {sign}", self.text, at)


def pieces(text: str, edits: Iterable[tuple[int, int, str]]) -> Iterator[str]:
    """Yield a text with parts replaced, given as start, end and what stands there afterwards."""
    done = 0
    for start, end, new in sorted(edits):
        yield text[done:start]
        yield new
        done = end
    yield text[done:]
