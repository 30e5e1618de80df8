"""What a description writes for entry, item, sample …: a path, a text with paths in braces, or a rule."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Container, Iterator
from typing import Any, Protocol

import msgspec

from deadheat.errors import MalformedFile
from deadheat.readers.paths import Path, parse

Column = list[Any]
_BRACES = re.compile(r"\{([^{}]+)\}")


class Values(Protocol):
    """Where values come from: the rows of one file."""

    size: int
    names: dict[str, Any]  # of the file's path, and captured along the way to the rows: a text or a column

    def column(self, path: Path) -> Column:
        """Values of a path, one a row."""
        ...


class Rule(msgspec.Struct, forbid_unknown_fields=True):
    """A value with what is done to it.

    Parameters
    ----------
    path : Written
        Where the value stands.
    match : str or None
        A regular expression: its group, or all it matches, is the value; none where it does not match.
    replace : list of [pattern, text]
        Regular expressions and what replaces them, in order.
    hash : bool
        16 digits of a hash of the value instead of it.
    default : str or None
        The value where there is none.
    choose : str or None
        Where the user says it: ``--choose NAME=VALUE``, else the path.
    equals : list of two Written
        1 if the two are equal, 0 if not.
    all : list of Written
        The least of several scores; none if one is missing.
    """

    path: Written = ""
    match: str | None = None
    replace: list[tuple[str, str]] = []
    hash: bool = False
    default: str | None = None
    choose: str | None = None
    equals: list[Written] = []
    all: list[Written] = []


Written = str | list[Any] | dict[str, Any]


def rule(written: Written) -> Rule:
    """Read a rule; the names of its fields are checked."""
    try:
        return msgspec.convert(written, Rule)
    except msgspec.ValidationError as error:
        raise MalformedFile(f"{written}: {error}") from error


def paths(written: Written, names: Container[str] = ()) -> Iterator[Path]:
    """Every path into the document that something written goes along."""
    if isinstance(written, list):
        for one in written:
            yield from paths(one, names)
    elif isinstance(written, dict):
        found = rule(written)
        yield from paths([*filter(None, [found.path]), *found.equals, *found.all], names)
    elif "{" in written:
        yield from (parse(part) for part in _BRACES.findall(written) if part not in names)
    else:
        yield parse(written)


def evaluate(written: Written, values: Values, asked: Callable[[str], str | None]) -> Column:
    """Values of something written, one a row.

    Parameters
    ----------
    written : str, list or dict
    values : Values
    asked : callable
        What the user chose for a question.
    """
    if isinstance(written, list):
        column = evaluate(written[0], values, asked)
        for other in written[1:]:
            if None not in column:
                break
            rest = evaluate(other, values, asked)
            column = [b if a is None else a for a, b in zip(column, rest, strict=True)]
        return column
    if isinstance(written, dict):
        return _ruled(rule(written), values, asked)
    parts = _BRACES.split(written)
    if len(parts) == 1:
        return values.column(parse(written))
    found = [
        [part] * values.size if at % 2 == 0 else texts(_part(part, values))
        for at, part in enumerate(parts)
        if part
    ]
    if len(found) == 1:
        return _part(parts[1], values)
    return [None if None in row else "".join(row) for row in zip(*found, strict=True)]


def _part(name: str, values: Values) -> Column:
    if name not in values.names:
        return values.column(parse(name))
    value = values.names[name]
    return value if isinstance(value, list) else [value] * values.size


def _ruled(found: Rule, values: Values, asked: Callable[[str], str | None]) -> Column:
    if found.choose and (said := asked(found.choose)):
        return [said] * values.size
    if found.equals:
        one, other = (evaluate(written, values, asked) for written in found.equals)
        return [None if b is None else float(a == b) for a, b in zip(one, other, strict=True)]
    column = evaluate(found.path, values, asked)
    if found.match or found.replace:
        column = texts(column)
        known = {value: None if value is None else _changed(value, found) for value in set(column)}
        column = [known[value] for value in column]
    if found.hash:
        column = [None if value is None else digest(value) for value in column]
    if found.default is not None:
        column = [found.default if value is None else value for value in column]
    return column


def _changed(value: str, found: Rule) -> str | None:
    if found.match:
        matched = re.search(found.match, value)
        if matched is None:
            return None
        value = next((group for group in matched.groups() if group is not None), matched[0])
    for pattern, new in found.replace:
        value = re.sub(pattern, new, value)
    return value


def texts(column: Column) -> Column:
    """Write each value as a label."""
    return column if set(map(type, column)) <= {str} else list(map(text, column))


def text(value: Any) -> str | None:
    """Write a value as a label; a whole number is the same whether it was written 7 or 7.0."""
    if type(value) is str or value is None:
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, bool):
        return str(value).lower()
    return (
        str(value) if isinstance(value, int | float) else msgspec.json.encode(value, order="sorted").decode()
    )


def digest(value: Any) -> str:
    """Hash a value, however its keys are ordered."""
    content = value.encode() if isinstance(value, str) else msgspec.json.encode(value, order="sorted")
    return hashlib.sha256(content).hexdigest()[:16]
