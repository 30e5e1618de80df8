"""The part of the module `itertools` that the engine's calculators use."""

from __future__ import annotations

from typing import Any


def pairwise(values: Any) -> list[Any]:
    """Neighbours."""
    found = list(values)
    return list(zip(found, found[1:]))  # noqa: B905, RUF007 - this is pairwise
