"""Two-sided p-values as a type, with the logarithm that survives where p itself underflows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

LN10 = float(np.log(10.0))


class PValues(NamedTuple):
    """p and log10 p, arrays of one shape; p is 0.0 only where it lies below the smallest double."""

    p: Floats
    log10_p: Floats


def from_log(log_p: Floats) -> PValues:
    """Make both forms of natural logarithms of p, capped at p = 1."""
    log_p = np.minimum(log_p, 0.0)
    return PValues(np.exp(log_p), log_p / LN10)


def undefined_unless(defined: ArrayLike, result: PValues) -> PValues:
    """Put NaN wherever `defined` is false, for example where two entries share no item."""
    mask = np.asarray(defined, dtype=bool)
    return PValues(*(np.where(mask, part, np.nan) for part in result))
