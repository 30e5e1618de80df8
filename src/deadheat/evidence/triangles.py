"""Every pair and every outcome of a board, compact: what a page needs to take any entry as the anchor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.evidence.order import Rule
from deadheat.evidence.pairwise import CLOSED, SMALLEST, Pairwise, intervals
from deadheat.results import Outcomes, Pairs

Floats = NDArray[np.float64]
BLOCK = 100_000


def triangles(
    panel: Panel, pairs: Pairwise, rows: Sequence[int], adjusted: Floats | None, *, level: float, rule: Rule
) -> Pairs:
    """Put the tests of all pairs into lower triangles, in board order.

    Parameters
    ----------
    panel : Panel
    pairs : Pairwise
        The test of all pairs of its rows.
    rows : sequence of int
        Rows in board order.
    adjusted : (E, E) float or None
        Adjusted p-values.
    level : float
        Level of the intervals.
    rule : Rule
        Draws and seed of a test that draws.
    """
    order = np.asarray(rows, dtype=np.intp)
    below = np.tril_indices(len(order), -1)
    first, second = order[below[0]], order[below[1]]
    if pairs.interval not in CLOSED:
        from deadheat.evidence import any_test

        low, high = any_test.ends(panel, pairs.interval, first, second, level=level, rule=rule)
    else:
        low, high = _closed(pairs, first, second, level)
    only = pairs.a_only
    return Pairs(
        entries=tuple(panel.entries[row] for row in rows),
        items=tuple(pairs.shared[first, second].tolist()),
        difference=_listed(pairs.difference[first, second]),
        low=_listed(low),
        high=_listed(high),
        p=_listed(np.maximum(pairs.p[first, second], SMALLEST)),
        log10_p=_listed(pairs.log10_p[first, second]),
        p_adjusted=None if adjusted is None else _listed(np.maximum(adjusted[first, second], SMALLEST)),
        row_only=None if only is None else tuple(only[first, second].tolist()),
        column_only=None if only is None else tuple(only[second, first].tolist()),
    )


def _closed(
    pairs: Pairwise, first: NDArray[np.intp], second: NDArray[np.intp], level: float
) -> tuple[Floats, Floats]:
    """Intervals that need no draws, a block of pairs at a time; NaN where they have no width."""
    low, high = np.empty(len(first)), np.empty(len(first))
    for start in range(0, len(first), BLOCK):
        block = slice(start, start + BLOCK)
        method, bounds = intervals(pairs, first[block], second[block], level)
        known = method == "tango" or pairs.se[first[block], second[block]] > 0
        low[block], high[block] = (np.where(known, end, np.nan) for end in bounds)
    return low, high


def outcomes(panel: Panel, rows: Sequence[int]) -> Outcomes | None:
    """Write what each entry made of each item, a character an item; None where outcomes are not 0 or 1.

    Parameters
    ----------
    panel : Panel
    rows : sequence of int
        Rows in board order.
    """
    if not panel.binary:
        return None
    marks = np.where(panel.present, np.where(panel.values > 0.5, ord("1"), ord("0")), ord("-")).astype(
        np.uint8
    )
    return Outcomes(
        items=panel.items, entries={panel.entries[row]: marks[row].tobytes().decode() for row in rows}
    )


def _listed(values: NDArray[Any]) -> tuple[float | None, ...]:
    """Turn NaN, a number that is not known, into None."""
    found: list[float | None] = values.tolist()
    for at in np.flatnonzero(np.isnan(values)):
        found[at] = None
    return tuple(found)
