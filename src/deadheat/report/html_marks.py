"""Places of marks in a picture of a page, in per cent of its width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deadheat.report.figures import Axis
from deadheat.report.pictures import Ends

INSET = 3.0
"""Per cent of a picture's width that stays free at either side."""


@dataclass(frozen=True)
class Mark:
    """An interval and its point in one row; `beyond` is the side of the picture that it fell off."""

    low: float | None = None
    high: float | None = None
    point: float | None = None
    hollow: bool = False
    beyond: str = ""


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


def mark(axis: Axis, point: float | None, ends: Ends | None) -> Mark:
    """Place an interval and its point, cut at the sides of the picture.

    Parameters
    ----------
    axis : Axis
        The axis that all rows share.
    point : float or None
        The estimate; without ends it is drawn hollow.
    ends : (float, float) or None
        The interval.
    """
    low, high = ends if ends else (point, point)
    if low is None or high is None:
        return Mark()
    if axis.place(high) < 0 or axis.place(low) > 1:
        return Mark(beyond="low" if axis.place(high) < 0 else "high", hollow=ends is None)
    inside = point is not None and 0 <= axis.place(point) <= 1
    return Mark(
        low=max(place(axis, low), 0.0) if ends else None,
        high=min(place(axis, high), 100.0) if ends else None,
        point=place(axis, point) if inside and point is not None else None,
        hollow=ends is None,
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
