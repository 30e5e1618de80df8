"""The results of a plan: how many items or samples, how much power, how small a difference."""

from __future__ import annotations

from typing import Any

from deadheat.results.records import Document, Record


class Curve(Record, frozen=True, kw_only=True):
    """Points of a curve with the names of what its two axes hold, for example items and power."""

    x: str
    y: str
    points: tuple[tuple[float, float], ...]


class Plan(Document, frozen=True, kw_only=True):
    """How many items or samples, how much power, how small a difference."""

    question: str
    assumptions: dict[str, Any]
    answer: dict[str, Any]
    curve: Curve | None = None
    schema: str = "deadheat/plan@1"
