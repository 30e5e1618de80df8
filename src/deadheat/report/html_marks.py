"""Places of marks in a picture of a page, in per cent of its width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deadheat.report.figures import Axis
from deadheat.report.pictures import Ends

INSET = 3.0
"""Per cent of a picture's width that stays free at either side."""

BESIDE = 2.8
"""Per cent of the width that the sign of a fallen point takes."""


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
