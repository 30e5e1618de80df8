"""Several benchmarks as a table."""

from __future__ import annotations

from collections.abc import Callable

from deadheat.report import numbers
from deadheat.report.grid import Column, Grid
from deadheat.report.names import clean
from deadheat.report.numbers import DASH, Scale
from deadheat.report.sentences_across import NAMES
from deadheat.results.across import Across, AcrossLine


def _lacking(line: AcrossLine, word: Callable[[float | None], str]) -> str:
    """Say what an entry lacks, and between what its value lies."""
    some = ", ".join(map(clean, line.missing[:2])) + (
        f" and {len(line.missing) - 2} more" if line.missing[2:] else ""
    )
    told = f"lacks {some}"
    if line.bounds is not None:
        told += f": {word(line.bounds[0])} to {word(line.bounds[1])}"
    return told if line.fitted is None else f"{told}, fitted {word(line.fitted)}"


MOST = 8
"""Benchmarks with a column of their own; the JSON has all."""


def grid(made: Across, how: Scale, name: Callable[[str | None], str]) -> Grid:
    """Write the entries over all benchmarks, best first."""
    scores, shares = made.method in ("mean", "weights"), made.method == "win-rate"

    def word(value: float | None) -> str:
        if value is None:
            return DASH
        if scores:
            return how.value(value)
        return f"{100 * value:.1f}" if shares else numbers.coefficient(value)

    unit = f" {how.unit}".rstrip() if scores else " %" if shares else ""
    shown = list(made.weights)[:MOST]
    title = NAMES[made.method]
    columns = (
        Column("rank", "Rank"),
        Column("entry", "Entry", right=False),
        Column("value", f"{title[:1].upper()}{title[1:]}{unit}"),
        Column("se", "SE", priority=4),
        Column("can_lead", "First under some weights", right=False, priority=3),
        *(Column(f"part_{at}", clean(part), priority=5 + at) for at, part in enumerate(shown)),
    )
    rows = tuple(
        (
            numbers.ranks(line.rank),
            name(line.entry),
            word(line.value) if line.value is not None else _lacking(line, word),
            word(line.se),
            DASH if line.can_lead is None else "yes" if line.can_lead else "no",
            *(word(line.parts.get(part)) for part in shown),
        )
        for line in made.lines
    )
    note = f" ({made.note})" if made.note else ""
    kind = "benchmarks, as if drawn from many" if made.drawn else "benchmarks"
    return Grid(columns, rows, f"Over {len(made.weights):,} {kind}{note}")
