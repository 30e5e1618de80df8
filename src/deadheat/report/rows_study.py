"""A simulation study as a grid: headings instead of keys, and no digit beyond its Monte Carlo error."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from deadheat.report import numbers, words
from deadheat.report.grid import Column, Grid, Sheet
from deadheat.report.names import clean
from deadheat.results import Study

TITLES = {
    "passk": "pass@k from samples",
    "variance": "Error of a score",
    "calibration": "Type I error",
    "power": "Power",
    "mde": "Smallest visible difference",
    "flips": "Order of entries",
    "contamination": "Memorised items",
    "clusters": "Items in clusters",
    "coverage": "Coverage of intervals",
    "votes": "Votes",
    "anytime": "Looking early",
    "ragged": "Entries with different items",
}
HEADS = {
    "mc_se": "Monte Carlo SE",
    "normal": "Normal formula",
    "rate": "True rate",
    "k": "k",
    "rho": "ρ",
    "a": "A",
    "b": "B",
    "known": "Which items",
    "missing": "Missing",
    "share": "Share",
    "equal_clusters": "Equal clusters",
}
MEASURED = ("simulated", "mc_se", "exact", "normal", "equal_clusters")
DUST = 1e-12
"""What is left of a difference of equal numbers."""


def title(study: str) -> str:
    """Name a study."""
    return TITLES.get(study, clean(study))


def head(key: str) -> str:
    """Name what stands under a key of a row."""
    words_ = clean(key).replace("_", " ")
    return HEADS.get(key, words_[:1].upper() + words_[1:])


def named(key: str, value: Any) -> str:
    """Write what a row says of its design: methods by the names that they have in the literature."""
    if key in ("test", "interval") and isinstance(value, str):
        told = words.method(value, "test" if key == "test" else "interval")
        return told.partition(",")[0].removesuffix(" test")
    return clean(numbers.plain(value))


def measured(value: float | None, error: float | None) -> str:
    """Write a number to the second digit of its Monte Carlo error, or to four digits."""
    if value is None or not isinstance(value, float):
        return numbers.plain(value)
    if error is None or error < DUST:
        return numbers.plain(0.0 if abs(value) < DUST else value)
    digits = min(max(1 - math.floor(math.log10(error)), 0), 6)
    return f"{round(value, digits) + 0.0:,.{digits}f}".replace("-", numbers.MINUS)


def sheet(document: Study) -> Sheet:
    """Put a simulation study into words: a line a cell.

    Parameters
    ----------
    document : Study
        The result of simulating.
    """
    rows = document.rows
    keys = list(dict.fromkeys(key for row in rows for key in row))
    columns = tuple(
        Column(key, head(key), all(_number(row.get(key)) for row in rows), _expendable(key, rows))
        for key in keys
    )
    cells = tuple(tuple(_cell(key, row) for key in keys) for row in rows)
    name = f"{title(document.study)}, {words.plural(document.replicates, 'replicate')}"
    notes = tuple(dict.fromkeys(clean(note.text) for note in document.notes))
    return Sheet(clean(document.summary), (Grid(columns, cells, name),), notes, words.methods(document))


def _cell(key: str, row: Mapping[str, Any]) -> str:
    value = row.get(key)
    return measured(value, row.get("mc_se")) if key in MEASURED else named(key, value)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float, type(None)))


def _expendable(key: str, rows: Sequence[Mapping[str, Any]]) -> int:
    """Where room is short an empty column goes first, then one that says the same in every row."""
    said = {row.get(key) for row in rows}
    if said == {None}:
        return 9
    if len(said) == 1 and len(rows) > 1:
        return 8
    return {"normal": 3, "mc_se": 2}.get(key, 0)
