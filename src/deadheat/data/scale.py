"""Entries scored in per cent beside others in fractions, whose differences mean nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.data.panel import Panel
from deadheat.errors import DataError

LEAST_PERCENT = 20.0
"""Best score from which scores of up to 100 look like per cent, and not like points of some small scale."""


def full_marks(low: ArrayLike, top: ArrayLike) -> NDArray[np.float64]:
    """Say what a full score seems to be, from the lowest and the highest score of an entry.

    Parameters
    ----------
    low, top : array_like
        Lowest and highest scores; they broadcast.

    Returns
    -------
    numpy.ndarray of float64
        1 for what looks like fractions, 100 for what looks like per cent, NaN where neither can be told.
    """
    lowest, highest = np.asarray(low, dtype=np.float64), np.asarray(top, dtype=np.float64)
    fractions = (lowest >= 0) & (highest > 0) & (highest <= 1)
    percents = (lowest >= 0) & (highest > LEAST_PERCENT) & (highest <= 100)
    return np.where(fractions, 1.0, np.where(percents, 100.0, np.nan))


def same_scale(seen: Panel, rows: Sequence[int]) -> None:
    """Refuse entries of which one is in per cent and another in fractions.

    Parameters
    ----------
    seen : Panel
    rows : sequence of int
        Rows of the panel that are to be compared with each other.

    Raises
    ------
    DataError
        Scores of one entry lie in [0, 1] and those of another reach from 0 or above to 20 to 100.
    """
    held = np.where(seen.present[list(rows)], seen.values[list(rows)], 0)
    top, low = held.max(axis=1, initial=0.0), held.min(axis=1, initial=0.0)
    full = full_marks(low, top)
    fractions, percents = np.flatnonzero(full == 1), np.flatnonzero(full == 100)
    if fractions.size and percents.size:
        small, large = int(fractions[0]), int(percents[0])
        raise DataError(
            f"the scales differ: {seen.entries[rows[small]]} scores in [0, {top[small]:g}] and "
            f"{seen.entries[rows[large]]} in [0, {top[large]:g}]; one looks like fractions and the other "
            "like per cent: bring both to one scale"
        )
