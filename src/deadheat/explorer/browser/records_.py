"""Records as plain as they can be, in the place of those that carry the JSON contract."""

from __future__ import annotations

from typing import Any


class Record:
    """Fields by name."""

    def __init__(self, **fields: Any) -> None:
        for name in fields:
            setattr(self, name, fields[name])


class Curve(Record):
    """A curve of a plan."""


class Estimand(Record):
    """What a number is about."""


class Interval(Record):
    """Two ends."""


class Methods(Record):
    """The methods that ran."""


class Note(Record):
    """A doubt."""


class Plan(Record):
    """A plan."""


class Provenance(Record):
    """Where numbers come from."""


class _Claims:
    """A record for every name that is asked for."""

    def __getattr__(self, name: str) -> Any:
        made = type(name, (Record,), {})
        setattr(self, name, made)
        return made


claims = _Claims()
