"""Curves over k as tables, and as pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deadheat.report import numbers
from deadheat.report.figures import Axis, axis
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
    """Draw both curves of each pair, and their difference with its band."""
    able = [pair for pair in pairs if pair.curve is not None and len(pair.curve.difference) > 1]
    return [picture for pair in able for picture in (_picture(pair), _difference(pair))]


def _picture(pair: Comparison) -> Curves:
    made = pair.curve
    assert made is not None
    upward = axis([(min(*made.a, *made.b), max(*made.a, *made.b))])
    lines = [(clean(pair.a), made.a), (clean(pair.b), made.b)]
    curves = tuple(_line(upward, name, values, lambda x: f"{RATES.value(x)} %") for name, values in lines)
    return _box(f"{made.metric} over k", "score %", curves, upward, RATES.value, len(made.a))


def _difference(pair: Comparison) -> Curves:
    made = pair.curve
    assert made is not None
    low, high = made.low or made.difference, made.high or made.difference
    upward = axis([(min(0.0, *low), max(0.0, *high))])
    name = f"{clean(pair.a)} − {clean(pair.b)}"
    curves = [_line(upward, name, made.difference, lambda x: f"{RATES.difference(x)} points")]
    if made.low is not None:
        there, back = (_line(upward, "", side, RATES.difference).path.split() for side in (low, high))
        path = " ".join([*there, *reversed(back), there[0]])
        curves.append(Curve(f"{numbers.level(made.level)} band for every k at once", path, ()))
    nothing = round(100 * (1 - upward.place(0.0)), 2), "no difference"
    title = f"Difference in {made.metric}, with its band"
    return _box(title, "points", tuple(curves), upward, RATES.difference, len(low), (nothing,))


def _line(upward: Axis, name: str, values: Sequence[float], said: Callable[[float], str]) -> Curve:
    """Lay a curve of k = 1, 2, … into the box."""
    most = max(len(values) - 1, 1)
    spots = [(at / most, 1 - upward.place(value)) for at, value in enumerate(values)]
    words = [f"{name}, k = {at + 1}: {said(value)}" for at, value in enumerate(values)]
    points = tuple(
        (round(100 * x, 2), round(100 * y, 2), text) for (x, y), text in zip(spots, words, strict=True)
    )
    return Curve(name, " ".join(f"{BOX * x:.5g},{BOX * y:.5g}" for x, y in spots), points)


def _box(
    title: str,
    y: str,
    curves: tuple[Curve, ...],
    upward: Axis,
    said: Callable[[float], str],
    most: int,
    levels: tuple[tuple[float, str], ...] = (),
) -> Curves:
    """Put curves over k = 1 ... most into their box."""
    ticks = sorted({1, most, *(k for k in (2, 5, 10, 20, 50, 100) if k < most)})
    across = tuple((round(100 * (k - 1) / (most - 1), 2), str(k)) for k in ticks)
    heights = tuple((round(100 * (1 - upward.place(tick)), 2), said(tick)) for tick in upward.ticks)
    return Curves(title, "k", y, curves, across, heights, levels)
