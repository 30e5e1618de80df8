"""The two ends of an interval, and numbers that are defined or None."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Bounds(NamedTuple):
    """Lower and upper ends, arrays of one shape; NaN where an interval is undefined."""

    low: Floats
    high: Floats


def defined(value: float) -> float | None:
    """A plain number, or None where it is NaN or infinite."""
    return float(value) if math.isfinite(value) else None


def whole(value: float) -> int | None:
    """A plain whole number, or None where it is NaN or infinite."""
    return int(value) if math.isfinite(value) else None
