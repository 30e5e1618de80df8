"""A judge against people as a table: a line per entry, on a board and in an audit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deadheat.report import numbers
from deadheat.report.grid import Column, Grid
from deadheat.report.numbers import DASH, Scale, coefficient
from deadheat.results import Interval
from deadheat.results.judge import Judged

CELLS = (
    ("both_accept", "Both accept", "Right for the judge and for people."),
    ("only_judge", "Only the judge", "Right for the judge, wrong for people."),
    ("only_people", "Only people", "Wrong for the judge, right for people."),
    ("neither", "Neither", "Wrong for both."),
)


def scores(lines: Sequence[Judged], how: Scale, name: Callable[[str | None], str]) -> Grid:
    """Set the judge's scores against those of people, entry by entry.

    Parameters
    ----------
    lines : sequence of Judged
    how : Scale
        How scores are written.
    name : callable
        What an entry is called.
    """
    unit = f" {how.unit}".rstrip()
    columns = (
        Column("entry", "Entry", right=False),
        Column("place", "Place", tip="On the board."),
        Column("place_judge", "by the judge"),
        Column("labels", "Labels"),
        Column("people", f"People{unit}", tip="Mean of the labels."),
        Column("judge", f"Judge{unit}", tip="Of the judge over all items."),
        Column("corrected", f"Corrected{unit}"),
        Column("tuning", "Weight", priority=7, tip="Of the judge; 0 takes the labels alone."),
        Column("kappa", "κ", priority=3, tip="Cohen's kappa of judge and people; weighted if not 0/1."),
        Column("sensitivity", "Sensitivity", priority=4, tip="Right answers that the judge accepts."),
        Column("specificity", "Specificity", priority=4, tip="Wrong answers that the judge rejects."),
        Column("rogan_gladen", f"Rogan–Gladen{unit}", priority=5, tip="Judge corrected by these."),
        Column("rogan_gladen_se", "its SE", priority=6),
    )
    rows = tuple(_scores(line, how, name) for line in lines)
    return told(Grid(columns, rows, "Judge against people"))


def agreement(lines: Sequence[Judged], name: Callable[[str | None], str]) -> Grid:
    """Say how often judge and people agree, and how much of it is beyond chance."""
    level = next((line.kappa_interval.level for line in lines if line.kappa_interval is not None), 0.95)
    interval = f"{numbers.level(level)} CI"
    columns = (
        Column("entry", "Entry", right=False),
        Column("labels", "Labels"),
        *(Column(key, title, priority=3, tip=tip) for key, title, tip in CELLS),
        Column("agreement", "Agree", tip="Share of the labels with the judge's verdict."),
        Column("kappa", "κ", tip="Cohen's kappa; with quadratic weights if scores are not 0/1."),
        Column("kappa_interval", f"κ {interval}", priority=1),
        Column("ac1", "AC1", priority=4, tip="Gwet's, which rare answers do not lower."),
        Column("ac1_interval", f"AC1 {interval}", priority=5),
        Column("alpha", "α", priority=6, tip="Krippendorff's."),
        Column("alpha_interval", f"α {interval}", priority=7),
    )
    rows = tuple(
        (
            name(line.entry),
            numbers.count(line.labels),
            *(map(numbers.count, line.table or (None,) * len(CELLS))),
            numbers.share(line.agreement),
            coefficient(line.kappa),
            ends(line.kappa_interval),
            coefficient(line.ac1),
            ends(line.ac1_interval),
            coefficient(line.alpha),
            ends(line.alpha_interval),
        )
        for line in lines
    )
    return told(Grid(columns, rows, "Agreement of judge and people"))


def told(whole: Grid) -> Grid:
    """Leave out columns that say nothing."""
    first = whole.columns[0].key
    said = (one for one in whole.columns if one.key == first or {*whole.column(one.key)} != {DASH})
    return whole.only(tuple(said))


def _scores(line: Judged, how: Scale, name: Callable[[str | None], str]) -> tuple[str, ...]:
    return (
        name(line.entry),
        numbers.count(line.place),
        numbers.count(line.place_judge),
        numbers.count(line.labels),
        how.value(line.people),
        how.value(line.judge),
        how.value(line.corrected),
        coefficient(line.tuning),
        coefficient(line.kappa),
        numbers.share(line.sensitivity),
        numbers.share(line.specificity),
        how.value(line.rogan_gladen),
        how.size(line.rogan_gladen_se),
    )


def ends(interval: Interval | None) -> str:
    """Write the interval of a coefficient."""
    return DASH if interval is None else f"{coefficient(interval.low)} to {coefficient(interval.high)}"
