"""Geometry shared by all pictures: axes with round ticks, lanes for tie lines, places of marks on a page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Ends = tuple[float, float]
INSET = 3.0
"""Per cent of a picture's width that stays free at either side."""

BESIDE = 2.8
"""Per cent of the width that the sign of a fallen point takes."""


@dataclass(frozen=True)
class Axis:
    """A linear axis from ``low`` to ``high`` with ticks at round numbers inside it."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def place(self, value: float) -> float:
        """Give the place of a value, 0 at the low end and 1 at the high end; outside values exceed that."""
        return (value - self.low) / (self.high - self.low)


def axis(spans: Sequence[tuple[float, float]], ticks: int = 5) -> Axis:
    """Choose the axis that shows most of some spans well.

    It covers all spans, unless the best three quarters of them need less than two thirds of the room:
    then it covers those, and the rest is clipped at the low end (and to be marked there).

    Parameters
    ----------
    spans : sequence of (float, float)
        Low and high end of every row, best row first.
    ticks : int
        About how many ticks there should be.
    """
    if not spans:
        return Axis(0.0, 1.0, (0.0, 1.0))
    best = spans[: max(math.ceil(0.75 * len(spans)), min(len(spans), 4))]
    low, high = _ends(spans)
    best_low, _ = _ends(best)
    if (high - best_low) * 1.5 < high - low:
        low = best_low
    if high - low <= 0:
        room = abs(high) * 0.1 or 0.1
        low, high = low - room, high + room
    step = _step((high - low) / ticks)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    if (low - first * step) > 0.5 * step:
        first += 1
    if (last * step - high) > 0.5 * step:
        last -= 1
    marks = tuple(round(index * step, 12) for index in range(first, last + 1))
    return Axis(min(low, marks[0]), max(high, marks[-1]), marks)


def around(spans: Sequence[tuple[float, float]]) -> Axis:
    """Choose an axis of differences that shows the half of the rows nearest to 0, at least eight, well.

    It covers all spans unless they need more than one and a half times that room; pages choose the same axis
    for another anchor (``axis.js``).

    Parameters
    ----------
    spans : sequence of (float, float)
        Low and high end of every row.
    """
    near = sorted(spans, key=lambda span: abs(span[0] + span[1]))[: max(8, math.ceil(len(spans) / 2))]
    low, high = _ends([*near, (0.0, 0.0)])
    least, most = _ends([*spans, (0.0, 0.0)])
    if most - least <= 1.5 * (high - low):
        low, high = least, most
    if low == high:
        low, high = -0.01, 0.01
    step = _step((high - low) / 5)
    ticks = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return Axis(low, high, tuple(round(index * step, 12) for index in ticks))


def _ends(spans: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return min(low for low, _ in spans), max(high for _, high in spans)


def _step(raw: float) -> float:
    """Round a step up to 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(raw))
    return next((power * lead for lead in (1, 2, 5) if raw <= power * lead * (1 + 1e-9)), 10 * power)


@dataclass(frozen=True)
class Line:
    """A tie line: rows from ``first`` to ``last`` (both included) drawn in a lane of its own."""

    first: int
    last: int
    lane: int


def lanes(tie_lines: Sequence[Sequence[str]], order: Sequence[str]) -> tuple[Line, ...]:
    """Lay tie lines side by side, each in the first lane that is free.

    Parameters
    ----------
    tie_lines : sequence of sequences of str
        Entries of every line; lines of one entry are not drawn.
    order : sequence of str
        Entries in the order of the rows.
    """
    row = {entry: index for index, entry in enumerate(order)}
    spans = sorted(
        (min(rows), max(rows)) for line in tie_lines if len(rows := [row[entry] for entry in line]) > 1
    )
    ends: list[int] = []
    drawn = []
    for first, last in spans:
        lane = next((index for index, end in enumerate(ends) if end < first), len(ends))
        if lane == len(ends):
            ends.append(last)
        ends[lane] = last
        drawn.append(Line(first, last, lane))
    return tuple(drawn)


@dataclass(frozen=True)
class Mark:
    """An interval and its point in one row; `beyond`: the side that it fell off, `zone`: a shaded stretch."""

    low: float | None = None
    high: float | None = None
    point: float | None = None
    hollow: bool = False
    beyond: str = ""
    zone: tuple[float, float] | None = None


def place(axis: Axis, value: float) -> float:
    """Give the place of a value in per cent of the picture's width.

    Parameters
    ----------
    axis : Axis
        The axis that all rows share.
    value : float
        Anywhere on it or beyond.
    """
    return round(INSET + axis.place(value) * (100 - 2 * INSET), 2)


def mark(axis: Axis, point: float | None, ends: Ends | None, zone: float | None = None) -> Mark:
    """Place an interval and its point, cut at the sides of the picture.

    Parameters
    ----------
    axis : Axis
        The axis that all rows share.
    point : float or None
        The estimate; without ends it is drawn hollow.
    ends : (float, float) or None
        The interval.
    zone : float or None
        Shade from minus this to plus this.
    """
    shade = None
    if zone is not None:
        left, right = max(place(axis, -zone), 0.0), min(place(axis, zone), 100.0)
        shade = (left, round(right - left, 2))
    low, high = ends if ends else (point, point)
    if low is None or high is None:
        return Mark(zone=shade)
    centre = (low + high) / 2 if point is None else point
    beyond = "low" if axis.place(centre) < 0 else "high" if axis.place(centre) > 1 else ""
    if axis.place(high) < 0 or axis.place(low) > 1:
        return Mark(beyond=beyond, hollow=ends is None, zone=shade)
    # What is left of a bar whose point fell off stands beside the sign of that.
    first, last = (BESIDE if beyond == "low" else 0.0), (100 - BESIDE if beyond == "high" else 100.0)
    return Mark(
        low=max(place(axis, low), first) if ends else None,
        high=min(place(axis, high), last) if ends else None,
        point=place(axis, point) if point is not None and not beyond else None,
        hollow=ends is None,
        beyond=beyond,
        zone=shade,
    )


def background(ticks: Sequence[float], line: float | None) -> str:
    """Write the declarations that draw ticks, and one dotted line, behind every row of a picture.

    Parameters
    ----------
    ticks : sequence of float
        Places in per cent.
    line : float or None
        Place of the anchor, or of no difference.
    """
    first = [] if line is None else [("var(--dh-anchor)", line)]
    drawn = [*first, *(("var(--dh-tick)", x) for x in ticks)]
    images = ",".join(image for image, _ in drawn) or "none"
    places = ",".join(f"{x}% 0" for _, x in drawn) or "0 0"
    return f"--dh-images:{images};--dh-places:{places}"
