"""Entries scored in per cent beside others in fractions, whose differences mean nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deadheat.errors import DataError
from deadheat.panel import Panel


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
    fractions = np.flatnonzero((top > 0) & (top <= 1) & (low >= 0))
    percents = np.flatnonzero((top > 20) & (top <= 100) & (low >= 0))
    if fractions.size and percents.size:
        small, large = int(fractions[0]), int(percents[0])
        raise DataError(
            f"the scales differ: {seen.entries[rows[small]]} scores in [0, {top[small]:g}] and "
            f"{seen.entries[rows[large]]} in [0, {top[large]:g}]; one looks like fractions and the other "
            "like per cent: bring both to one scale"
        )
