"""The records of a board by date: each newcomer that is ahead against the holder of its day."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError, listed
from deadheat.estimand import GeneralisesTo
from deadheat.evidence.pair_evidence import Evidence, Methods, pairs_of, weigh
from deadheat.methods import choose_pair
from deadheat.results.history import Start, Step
from deadheat.stats.anytime.history import lord, selective_p
from deadheat.stats.multiple.adjustment import holm

DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)-?(0[1-9]|1[0-2])-?(0[1-9]|[12]\d|3[01])(?!\d)")
NAMES, COLUMN = "name", "date"  # the entries' names, and the column that is taken where none is named


class Dates(NamedTuple):
    """What dates came from, and the date of each entry, year-month-day."""

    source: str
    of: dict[str, str]


def dates(table: Table, column: str | None) -> Dates | None:
    """Date every entry: by a column that says one thing of each entry, or by the date in its name.

    Parameters
    ----------
    table : Table
    column : str or None
        A column, or ``name``; None takes the column ``date``, else the names, else gives None.

    Raises
    ------
    MethodError
        The column does not exist, says several things of one entry, or a value that is not a date.
    """
    if column is None and table.has(COLUMN):
        column = COLUMN
    if column is None or (column == NAMES and not table.has(NAMES)):
        read = {entry: _date(entry) for entry in table.entries}
        if column is None and None in read.values():
            return None
        column = NAMES
    else:
        read = {entry: _date(value) for entry, value in table.of_entries(column).items()}
    without = [entry for entry, date in read.items() if date is None]
    if without:
        raise MethodError(
            f"--date {column}: no date (year-month-day) for {len(without):,} of {len(read):,} entries: "
            f"{listed(sorted(without))}"
        )
    return Dates(column, {entry: date for entry, date in read.items() if date is not None})


def _date(value: object) -> str | None:
    found = DATE.search(str(value))
    return None if found is None else "-".join(found.groups())


@dataclass(frozen=True, eq=False)
class History:
    """The records of a panel: who held first, what followed, and the test of each step."""

    start: Start
    steps: tuple[Step, ...]
    test: str
    days: int


def history(
    panel: Panel, dated: Dates, generalises_to: GeneralisesTo = "items", *, alpha: float = 0.05
) -> History:
    """Follow the record through the days of a board.

    On each day the newcomer that is furthest ahead of the holder, on the items that both have, takes the
    record.

    Parameters
    ----------
    panel : Panel
        The entries that take part.
    dated : Dates
    generalises_to : str
    alpha : float

    Raises
    ------
    DataError
        Fewer than two entries.
    """
    if len(panel.entries) < 2:
        raise DataError(f"a record is one of at least two entries; found {len(panel.entries)}")
    days: dict[str, list[int]] = {}
    for row in sorted(range(len(panel.entries)), key=lambda row: dated.of[panel.entries[row]]):
        days.setdefault(dated.of[panel.entries[row]], []).append(row)
    (first, rows), *later = days.items()
    holder = min(rows)  # rows come best first
    test, interval = choose_pair(panel.shape(generalises_to), None, None)
    methods = Methods(test, interval, alpha=alpha)
    start = Start(date=first, entry=panel.entries[holder], value=_value(panel, holder))
    made: list[_Raw] = []
    for date, rows in later:
        found = weigh(panel, pairs_of(panel, rows, holder), methods)
        lead = np.where(np.isnan(found.lead), -np.inf, found.lead)
        if lead.max() <= 0:
            continue
        at = int(np.argmax(lead))
        made.append(_Raw(date, rows[at], holder, _p(found, at), len(rows), int((lead > 0).sum()), found, at))
        holder = rows[at]
    return History(start, _steps(panel, made, alpha), test, len(days))


class _Raw(NamedTuple):
    """A step before the history as a whole is adjusted."""

    date: str
    row: int
    holder: int
    p: float
    entrants: int
    ahead: int
    found: Evidence
    at: int


def _p(found: Evidence, at: int) -> float:
    """The p of a newcomer that is ahead: exact for 0/1 scores, else p of both tails: one over a half."""
    if found.cells is not None and found.methods.test == "mcnemar":
        b, c = found.better_only()
        return float(selective_p(b[at], c[at]))
    p = float(found.found.p[at])
    return 1.0 if np.isnan(p) else p


def _steps(panel: Panel, made: list[_Raw], alpha: float) -> tuple[Step, ...]:
    picked = np.array([min(1.0, raw.p * raw.ahead) for raw in made])
    adjusted, online = holm(picked), lord(picked, alpha)
    return tuple(
        Step(
            date=raw.date,
            entry=panel.entries[raw.row],
            value=_value(panel, raw.row),
            holder=panel.entries[raw.holder],
            holder_value=_value(panel, raw.holder),
            items=int(raw.found.pairs.shared[raw.at]),
            difference=float(raw.found.difference[raw.at]),
            a_only=None if raw.found.cells is None else int(raw.found.cells.a_only[raw.at]),
            b_only=None if raw.found.cells is None else int(raw.found.cells.b_only[raw.at]),
            p=max(raw.p, 5e-324),
            entrants=raw.entrants,
            ahead=raw.ahead,
            p_picked=max(float(picked[at]), 5e-324),
            p_adjusted=max(float(adjusted[at]), 5e-324),
            online_level=float(online.levels[at]),
            online=bool(online.rejected[at]),
            stands=bool(adjusted[at] < alpha),
        )
        for at, raw in enumerate(made)
    )


def _value(panel: Panel, row: int) -> float:
    """Score of an entry over its own items."""
    weight = panel.present[row] * (1.0 if panel.weights is None else panel.weights)
    return float((panel.values[row].astype(np.float64) * weight).sum() / weight.sum())


def same_day(steps: Sequence[Step]) -> int:
    """Count the records of a day on which several entries were ahead of the holder."""
    return sum(step.ahead > 1 for step in steps)
