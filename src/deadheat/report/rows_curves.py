"""Curves over k as tables, and as pictures."""

from __future__ import annotations

from collections.abc import Sequence

from deadheat.report import numbers
from deadheat.report.figures import axis
from deadheat.report.grid import Column, Grid
from deadheat.report.html_studies import Curve, Curves
from deadheat.report.names import clean
from deadheat.report.numbers import Scale
from deadheat.results import Comparison

BOX = 1000  # width and height of the picture in its own unit
RATES = Scale(True, 1)


def grids(pairs: Sequence[Comparison]) -> tuple[Grid, ...]:
    """Write a table per pair: both curves, their difference and its band."""
    return tuple(_grid(pair) for pair in pairs if pair.curve is not None)


def _grid(pair: Comparison) -> Grid:
    made = pair.curve
    assert made is not None
    columns = (
        Column("k", "k"),
        Column("a", "A %"),
        Column("b", "B %"),
        Column("difference", "A − B, points"),
        Column("band", f"{numbers.level(made.level)} band, all k"),
        Column("leader", "Leads", right=False),
    )
    leader = {k: part.leader.upper() for part in made.leads for k in range(part.first, part.last + 1)}
    rows = []
    for at, gap in enumerate(made.difference):
        band = numbers.DASH
        if made.low is not None and made.high is not None:
            band = f"{RATES.difference(made.low[at])} to {RATES.difference(made.high[at])}"
        who = leader.get(at + 1, "not separated")
        rows.append(
            (str(at + 1), RATES.value(made.a[at]), RATES.value(made.b[at]), RATES.difference(gap), band, who)
        )
    title = f"{made.metric} over k on {made.items:,} items; A: {clean(pair.a)} · B: {clean(pair.b)}"
    return Grid(columns, tuple(rows), title)


def pictures(pairs: Sequence[Comparison]) -> list[Curves]:
    """Draw both curves of each pair."""
    return [_picture(pair) for pair in pairs if pair.curve is not None and len(pair.curve.difference) > 1]


def _picture(pair: Comparison) -> Curves:
    made = pair.curve
    assert made is not None
    most = len(made.a)
    upward = axis([(min(*made.a, *made.b), max(*made.a, *made.b))])

    def line(name: str, values: Sequence[float]) -> Curve:
        spots = [(at / (most - 1), 1 - upward.place(value), value) for at, value in enumerate(values)]
        words = [f"{name}, k = {at + 1}: {RATES.value(value)} %" for at, value in enumerate(values)]
        points = tuple(
            (round(100 * x, 2), round(100 * y, 2), text) for (x, y, _), text in zip(spots, words, strict=True)
        )
        return Curve(name, " ".join(f"{BOX * x:.5g},{BOX * y:.5g}" for x, y, _ in spots), points)

    ticks = sorted({1, most, *(k for k in (2, 5, 10, 20, 50, 100) if k < most)})
    return Curves(
        f"{made.metric} over k",
        "k",
        "score %",
        (line(clean(pair.a), made.a), line(clean(pair.b), made.b)),
        tuple((round(100 * (k - 1) / (most - 1), 2), str(k)) for k in ticks),
        tuple((round(100 * (1 - upward.place(tick)), 2), RATES.value(tick)) for tick in upward.ticks),
        (),
    )
