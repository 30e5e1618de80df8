"""The result on an interval method: its exact coverage."""

from __future__ import annotations

from typing import Any

from deadheat.results.records import Document


class Coverage(Document, frozen=True, kw_only=True):
    """Exact coverage of an interval method; `curve` and `width` (expected width) are [true rate, value]."""

    method: str
    items: int
    curve: tuple[tuple[float, float], ...]
    minimum: dict[str, Any]
    infimum: dict[str, Any]
    mean: float | None = None
    width: tuple[tuple[float, float], ...] = ()
    schema: str = "deadheat/coverage@1"
