"""The two ends of an interval, as a type."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Bounds(NamedTuple):
    """Lower and upper ends, arrays of one shape; NaN where an interval is undefined."""

    low: Floats
    high: Floats
