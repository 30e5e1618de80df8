"""Every pair and every outcome of a board, compact: what a page needs to take any entry as the anchor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.evidence.order import Rule
from deadheat.evidence.pairwise import CLOSED, CLUSTERED, SMALLEST, Pairwise, intervals
from deadheat.results import Outcomes, Pairs
from deadheat.stats.numerics.bounds import whole
from deadheat.stats.paired.visible import items_for_mean, items_for_rates, visible_mean, visible_rates
from deadheat.stats.power.power_paired import MCNEMAR

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]
BLOCK = 100_000
T_TESTS = (*CLUSTERED, "rerun-t")


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
        Its alpha separates a pair; its draws and seed are those of a test that draws.
    """
    order = np.asarray(rows, dtype=np.intp)
    below = np.tril_indices(len(order), -1)
    first, second = order[below[0]], order[below[1]]
    if pairs.interval not in CLOSED:
        from deadheat.evidence import any_test

        low, high = any_test.ends(panel, pairs.interval, first, second, level=level, rule=rule)
    else:
        low, high = _closed(pairs, first, second, level, 1.0 if panel.rates else np.inf)
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
        smallest_visible=_listed(_visible(panel, pairs, (first, second), rule.alpha)),
        items_to_separate=_first_two(pairs, order, rule.alpha),
        row_only=None if only is None else tuple(only[first, second].tolist()),
        column_only=None if only is None else tuple(only[second, first].tolist()),
    )


def _closed(
    pairs: Pairwise, first: NDArray[np.intp], second: NDArray[np.intp], level: float, edge: float
) -> tuple[Floats, Floats]:
    """Intervals that need no draws, a block of pairs at a time, cut at the edge; NaN where without width."""
    low, high = np.empty(len(first)), np.empty(len(first))
    for start in range(0, len(first), BLOCK):
        block = slice(start, start + BLOCK)
        method, bounds = intervals(pairs, first[block], second[block], level)
        known = method == "tango" or pairs.se[first[block], second[block]] > 0
        low[block], high[block] = (np.where(known, end, np.nan) for end in bounds)
    return np.maximum(low, -edge), np.minimum(high, edge)


def _visible(panel: Panel, pairs: Pairwise, at: tuple[Rows, Rows], alpha: float) -> Floats:
    """Smallest difference of each pair that the test detects with 80 % power; NaN where no formula has it."""
    shared, test = pairs.shared[at], pairs.test
    if pairs.a_only is not None and test in MCNEMAR:
        discordant = pairs.a_only[at] + pairs.a_only[at[::-1]]
        distinct, where = np.unique(np.stack([shared, discordant]), axis=1, return_inverse=True)
        return visible_rates(distinct[0], distinct[1], alpha, test)[where.reshape(-1)]
    if pairs.df is None or test not in T_TESTS:
        return np.full(len(shared), np.nan)
    se = pairs.se if pairs.test_se is None else pairs.test_se
    found = visible_mean(se[at], pairs.df[at], alpha)
    values = panel.values[panel.present]
    in_unit = values.min(initial=0) >= 0 and values.max(initial=0) <= 1
    return np.where(in_unit & (found > 1), np.nan, found)


def _first_two(pairs: Pairwise, order: Rows, alpha: float) -> int | None:
    """Items on which the test would separate the first two with 80 % power if their gap is the true one."""
    if len(order) < 2 or not pairs.p[order[0], order[1]] >= alpha:
        return None
    at = order[:1], order[1:2]
    if pairs.a_only is not None and pairs.test in MCNEMAR:
        needed = items_for_rates(
            pairs.shared[at], pairs.a_only[at], pairs.a_only[at[::-1]], alpha, pairs.test
        )
    elif pairs.df is not None and pairs.test in T_TESTS:
        se = pairs.se if pairs.test_se is None else pairs.test_se
        needed = items_for_mean(pairs.shared[at], pairs.difference[at], se[at], pairs.df[at], alpha)
    else:
        return None
    return whole(needed[0])


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
