"""Curves of a plan: what other numbers of items would give."""

from __future__ import annotations

import math
from collections.abc import Callable

from deadheat.results import Curve

POINTS = 60


def over_items(y: str, value: Callable[[int], float], items: int) -> Curve:
    """Follow a value from few items to half as many again as planned; where it is undefined, no point."""
    last = max(math.ceil(1.5 * items), 10)
    numbers = sorted({max(round(last * step / POINTS), 1) for step in range(1, POINTS + 1)} | {items})
    points = [(float(number), value(number)) for number in numbers]
    return Curve(x="items", y=y, points=tuple(point for point in points if math.isfinite(point[1])))
