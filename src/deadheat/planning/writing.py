"""A plan put on record: numbers as a sentence says them, assumptions, notes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deadheat.estimand import Estimand
from deadheat.results import Curve, Methods, Note, Plan, Provenance
from deadheat.version import VERSION


def percent(value: float) -> str:
    """Write a share as ``80 %``; one that is not 0 or 1 never reads as if it were."""
    for digits in range(1, 6):
        text = f"{100 * value:.{digits}f}"
        if 0 < float(text) < 100 or value in (0, 1):
            break
    return f"{text.removesuffix('.0')} %"


def points(value: float) -> str:
    """Write a difference of rates as ``5 points``."""
    text = f"{100 * value:.2f}".rstrip("0").rstrip(".")
    if text in ("0", "-0") and value != 0:
        text = f"{100 * value:.2g}"
    return f"{text} {'point' if text == '1' else 'points'}"


def plan(
    question: str,
    assumptions: dict[str, Any],
    answer: dict[str, Any],
    summary: str,
    notes: Sequence[Note] = (),
    *,
    methods: Methods | None = None,
    estimand: Estimand | None = None,
    provenance: Provenance | None = None,
    curve: Curve | None = None,
) -> Plan:
    """Put an answer on record."""
    return Plan(
        version=VERSION,
        estimand=estimand or Estimand(),
        methods=methods or Methods(),
        summary=summary,
        notes=tuple(notes),
        provenance=provenance or Provenance(),
        question=question,
        assumptions=assumptions,
        answer=answer,
        curve=curve,
    )
