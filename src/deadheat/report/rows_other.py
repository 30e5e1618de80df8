"""Plans, coverage curves, studies and audits as grids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deadheat.report import numbers, words
from deadheat.report.grid import Column, Grid, Sheet
from deadheat.report.names import clean
from deadheat.results import Audit, Coverage, Document, Plan, Study

CURVE_ROWS = 11


def plan(document: Plan) -> Sheet:
    """Put a plan into words: the answer, then what it assumes.

    Parameters
    ----------
    document : Plan
        The result of planning.
    """
    grids = (facts(document.answer, "Answer"), facts(document.assumptions, "Assumptions"))
    return _sheet(document, grids)


def coverage(document: Coverage) -> Sheet:
    """Put a coverage curve into words: its worst places, and some of its points evenly apart.

    Parameters
    ----------
    document : Coverage
        The result of covering; the whole curve is in the CSV and the JSON.
    """
    worst = [
        ("lowest on the grid", *(numbers.plain(document.minimum.get(key)) for key in ("p", "coverage"))),
        ("infimum", *(numbers.plain(document.infimum.get(key)) for key in ("p", "coverage"))),
    ]
    some = thin(document.curve, CURVE_ROWS)
    columns = (
        Column("where", "Coverage", right=False),
        Column("p", "True rate"),
        Column("coverage", "Coverage"),
    )
    title = f"{words.method(document.method)}, {words.plural(document.items, 'item')}"
    grids = (
        Grid(columns, tuple(worst), title),
        Grid(columns[1:], tuple((numbers.plain(p), numbers.plain(c)) for p, c in some)),
    )
    return _sheet(document, grids)


def thin(rows: Sequence[Any], most: int) -> Sequence[Any]:
    """Take at most so many rows, evenly apart, the first and the last among them."""
    if len(rows) <= most:
        return rows
    return [rows[round(index * (len(rows) - 1) / (most - 1))] for index in range(most)]


def study(document: Study) -> Sheet:
    """Put a simulation study into words: a line a cell.

    Parameters
    ----------
    document : Study
        The result of simulating.
    """
    title = f"{clean(document.study)}, {words.plural(document.replicates, 'replicate')}"
    return _sheet(document, (table(document.rows, title),))


def audit(document: Audit) -> Sheet:
    """Put an audit into words: a line a finding, errors first.

    Parameters
    ----------
    document : Audit
        The result of auditing.
    """
    order = ("error", "warning", "info")
    found = sorted(document.findings, key=lambda finding: order.index(finding.severity))
    columns = (
        Column("severity", "Severity", right=False),
        Column("code", "Code", right=False, priority=2),
        Column("entry", "Entry", right=False),
        Column("item", "Item", right=False, priority=1),
        Column("text", "Finding", right=False),
    )
    rows = tuple(
        (
            f.severity,
            clean(f.code),
            clean(f.entry) if f.entry else "",
            clean(f.item) if f.item else "",
            clean(f.text),
        )
        for f in found
    )
    full = Grid(columns, rows)
    kept = tuple(c for c in columns if c.key not in ("entry", "item") or any(full.column(c.key)))
    return _sheet(document, (full.only(kept),) if rows else ())


def facts(values: Mapping[str, Any], title: str) -> Grid:
    """List named values, a line each."""
    rows = tuple(
        (clean(str(key)).replace("_", " "), clean(numbers.plain(value))) for key, value in values.items()
    )
    return Grid((Column("fact", title, right=False), Column("value", "")), rows)


def table(rows: Sequence[Mapping[str, Any]], title: str | None = None) -> Grid:
    """Build a table of dicts; a column for every key, in order of appearance."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    right = {key: all(isinstance(row.get(key), (int, float, type(None))) for row in rows) for key in keys}
    columns = tuple(Column(key, clean(key).replace("_", " "), right=right[key]) for key in keys)
    return Grid(
        columns, tuple(tuple(clean(numbers.plain(row.get(key))) for key in keys) for row in rows), title
    )


def _sheet(document: Document, grids: tuple[Grid, ...]) -> Sheet:
    doubts = dict.fromkeys(clean(note.text) for note in document.notes)
    return Sheet(clean(document.summary), grids, tuple(doubts), words.methods(document))
