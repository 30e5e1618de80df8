"""The base of claims: a typed record whose code follows from its name."""

from __future__ import annotations

import re

import msgspec


def _code(name: str) -> str:
    """Name the code of a record: ``PossibleBest`` is ``possible-best``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Claim(msgspec.Struct, frozen=True, kw_only=True, tag_field="code", tag=_code):
    """Base of every claim."""
