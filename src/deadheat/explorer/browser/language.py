"""What MicroPython's language lacks, under the names that translated files use."""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import Any

COMMA = ","


class _Data:
    """A record that is made from its fields in order, or by name."""

    _fields: tuple[str, ...] = ()

    def __init__(self, *values: Any, **named: Any) -> None:
        given = dict(zip(self._fields, values))  # noqa: B905 - fewer values leave the rest to their defaults
        given.update(named)
        for name in self._fields:
            if name in given:
                setattr(self, name, given[name])
            elif not hasattr(self, name):
                raise TypeError(f"{name} is missing")
        after = getattr(self, "__post_init__", None)
        if after is not None:
            after()

    def _asdict(self) -> Any:
        return {name: getattr(self, name) for name in self._fields}

    def _replace(self, **changed: Any) -> Any:
        return replace(self, **changed)


class _Row(_Data):
    """A record that can be unpacked."""

    def __iter__(self) -> Any:
        return iter([getattr(self, name) for name in self._fields])

    def __len__(self) -> int:
        return len(self._fields)

    def __getitem__(self, at: int) -> Any:
        return getattr(self, self._fields[at])


def replace(record: Any, **changed: Any) -> Any:
    """Copy a record with some fields changed."""
    given = {name: getattr(record, name) for name in record._fields}
    given.update(changed)
    return type(record)(**given)


def _cached(function: Any) -> Any:
    """Remember what a function gave."""
    known: dict[Any, Any] = {}

    def once(*given: Any) -> Any:
        if given not in known:
            known[given] = function(*given)
        return known[given]

    return once


def _lt(a: Any, b: Any) -> Any:
    return b > a if hasattr(b, "shape") else a < b


def _le(a: Any, b: Any) -> Any:
    return b >= a if hasattr(b, "shape") else a <= b


def _gt(a: Any, b: Any) -> Any:
    return b < a if hasattr(b, "shape") else a > b


def _ge(a: Any, b: Any) -> Any:
    return b <= a if hasattr(b, "shape") else a >= b


def _dict(*parts: Any) -> Any:
    """A dict that keeps its order, which MicroPython's own does not."""
    found: Any = OrderedDict()
    for part in parts:
        for key, value in part.items() if hasattr(part, "items") else part:
            found[key] = value
    return found


def _list(*parts: Any) -> list[Any]:
    found: list[Any] = []
    for part in parts:
        found.extend(list(part))
    return found


class _Slices:
    """Makes slices, which MicroPython lets nobody else do."""

    def __getitem__(self, key: Any) -> Any:
        return key


_slice = _Slices()


def _one(value: Any) -> Any:
    """The number that an array of one holds."""
    return value.item() if hasattr(value, "shape") else value


def _removesuffix(text: str, end: str) -> str:
    return text[: -len(end)] if end and text.endswith(end) else text


def _is_integer(value: float) -> bool:
    return math.isfinite(value) and value == math.floor(value)


def _shown(value: Any, form: str, raw: bool) -> str:
    """Format a value as an f-string does."""
    value = _one(value)
    if raw:
        return repr(value)
    if not form:
        return str(value)
    if COMMA not in form:
        return ("{:" + form + "}").format(value)
    text = ("{:" + form.replace(COMMA, "") + "}").format(value)
    at = text.find(".") if "." in text else len(text)
    while at > 3 and text[at - 4 : at - 3].isdigit():
        at -= 3
        text = text[:at] + COMMA + text[at:]
    return text
