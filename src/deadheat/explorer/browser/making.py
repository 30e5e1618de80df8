"""Arrays of the stand-in for numpy that are made from nothing."""

from __future__ import annotations

import math
from typing import Any

from deadheat.explorer.browser.arrays import Array
from deadheat.explorer.browser.shapes import size_of


def zeros(shape: Any, dtype: Any = float) -> Array:
    """Nothing but 0."""
    return full(shape, dtype(0))


def ones(shape: Any, dtype: Any = float) -> Array:
    """Nothing but 1."""
    return full(shape, dtype(1))


empty = zeros


def full(shape: Any, value: Any, dtype: Any = None) -> Array:
    """Nothing but one value."""
    wanted = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    return Array([value if dtype is None else dtype(value)] * size_of(wanted), wanted)


def zeros_like(x: Any) -> Array:
    """0 in the same shape."""
    return full(x.shape, 0.0)


empty_like = zeros_like


def ones_like(x: Any) -> Array:
    """1 in the same shape."""
    return full(x.shape, 1.0)


def full_like(x: Any, value: Any) -> Array:
    """One value in the same shape."""
    return full(x.shape, value)


def arange(*ends: Any) -> Array:
    """Numbers from the first to below the last."""
    start, stop = (0, ends[0]) if len(ends) == 1 else (ends[0], ends[1])
    step = ends[2] if len(ends) == 3 else 1
    start, stop = [x.item() if isinstance(x, Array) else x for x in (start, stop)]
    many = max(math.ceil((stop - start) / step), 0)
    return Array([start + i * step for i in range(many)], (many,))


def linspace(start: float, stop: float, many: int) -> Array:
    """So many numbers evenly from one to the other."""
    step = (stop - start) / (many - 1)
    return Array([start + i * step for i in range(many - 1)] + [float(stop)], (many,))
