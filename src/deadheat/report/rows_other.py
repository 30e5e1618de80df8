"""Plans and coverage curves as grids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from deadheat.report import numbers, words
from deadheat.report.grid import Column, Grid, Sheet
from deadheat.report.names import clean
from deadheat.results import Coverage, Document, Plan

CURVE_ROWS = 20
COVERAGE = numbers.Scale(True, 1)


def plan(document: Plan) -> Sheet:
    """Put a plan into words: the answer, then what it assumes.

    Parameters
    ----------
    document : Plan
        The result of planning.
    """
    grids = (facts(document.answer, "Answer"), facts(document.assumptions, "Assumptions"))
    return _sheet(document, grids)


def answers(document: Plan) -> list[tuple[float, str]]:
    """Give the place of the answer on the curve of a plan, and its words."""
    if document.curve is None:
        return []
    x = document.curve.x
    answer = document.answer.get(f"{x}_to_run", document.answer.get(x, document.assumptions.get(x)))
    return [(float(answer), words.plural(answer, "item"))] if isinstance(answer, int) else []


def coverage(document: Coverage) -> Sheet:
    """Put a coverage curve into words: its worst places, and the range of coverage along the true rate.

    Parameters
    ----------
    document : Coverage
        The result of covering; the whole curve is in the CSV and the JSON.
    """
    worst = [(f"lowest on the grid {document.minimum.get('grid')}", document.minimum)]
    worst.append(
        ("infimum, " + ("attained" if document.infimum.get("attained") else "approached"), document.infimum)
    )
    places = [(where, numbers.plain(at.get("p")), COVERAGE.value(at.get("coverage"))) for where, at in worst]
    if document.mean is not None:
        places.append(("average over all rates", "", COVERAGE.value(document.mean)))
    title = f"{words.method(document.method)}, {words.plural(document.items, 'item')}"
    heads = (Column("where", title, right=False), Column("p", "True rate"), Column("coverage", "Coverage %"))
    return _sheet(document, (Grid(heads, tuple(places)), _along(document)))


def _along(document: Coverage) -> Grid:
    """Coverage and expected width along the true rate; a row a stretch of the curve."""
    columns = [
        Column("p", "True rate", right=False),
        Column("low", "Lowest %"),
        Column("high", "Highest %"),
        Column("width", "Mean width, points", priority=2),
    ]
    width = dict(document.width)
    rows = []
    for part in stretches(document.curve):
        first, last = part[0][0], part[-1][0]
        values = [value for _, value in part]
        widths = [width[p] for p, _ in part if p in width]
        rows.append(
            (
                f"{first:g}" if first == last else f"{first:g}–{last:g}",
                COVERAGE.value(min(values)),
                COVERAGE.value(max(values)),
                COVERAGE.size(sum(widths) / len(widths) if widths else None),
            )
        )
    kept = tuple(columns if document.width else columns[:-1])
    return Grid(kept, tuple(row[: len(kept)] for row in rows), "Coverage along the true rate")


def stretches(curve: Sequence[tuple[float, float]]) -> list[Sequence[tuple[float, float]]]:
    """Cut a curve into at most `CURVE_ROWS` pieces of about the same number of points.

    Parameters
    ----------
    curve : sequence of (float, float)
        True rates and coverage.
    """
    parts = min(CURVE_ROWS, len(curve))
    cuts = [round(index * len(curve) / parts) for index in range(parts + 1)] if parts else []
    return [curve[a:b] for a, b in pairwise(cuts)]


def facts(values: Mapping[str, Any], title: str) -> Grid:
    """List named values, a line each; what is to be run comes first, and a power is in per cent."""
    ordered = sorted(values.items(), key=lambda pair: not str(pair[0]).endswith("_to_run"))
    rows = tuple((_label(str(key)), clean(_fact(str(key), value))) for key, value in ordered)
    return Grid((Column("fact", title, right=False), Column("value", "")), rows)


def _label(key: str) -> str:
    words_ = clean(key).replace("_", " ")
    return words_[:1].upper() + words_[1:]


def _fact(key: str, value: Any) -> str:
    if key.partition("_")[0] == "power" and isinstance(value, float) and 0 <= value <= 1:
        return numbers.share(value)
    return numbers.plain(value)


def _sheet(document: Document, grids: tuple[Grid, ...]) -> Sheet:
    doubts = dict.fromkeys(clean(note.text) for note in document.notes)
    return Sheet(clean(document.summary), grids, tuple(doubts), words.methods(document))
