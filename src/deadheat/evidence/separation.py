"""Who is separated above whom: the order of a board whose entries ran different items, and its anchor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.errors import MethodError
from deadheat.evidence.pairwise import Pairwise
from deadheat.results import Note
from deadheat.stats.multiple import ragged_order

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Separation:
    """Who is separated above whom, and what follows for the order, the anchors and the groups of a board.

    Parameters
    ----------
    order : Order
        Rows with a score in board order, and their circles.
    above : (E, E) bool
        Whether the row entry is separated above the column entry.
    block : (E,) int64
        Blocks of entries between which no pair was tested, from 1; 0 for a row without a score.
    """

    order: ragged_order.Order
    above: NDArray[np.bool_]
    block: NDArray[np.int64]

    def anchor(self, panel: Panel, value: Floats, asked: str | None) -> tuple[int, tuple[Note, ...]]:
        """The row that anchors group 1: the one asked for if it has a score here, or the first that can.

        Raises
        ------
        MethodError
            An anchor that is not an entry.
        """
        rows = self.order.rows
        free = rows[(self.block[rows] == 1) & (self.order.circle[rows] == 0)]
        first = int(free[0] if free.size else rows[0])
        if asked is None:
            return first, ()
        if asked not in panel.entries:
            raise MethodError(f"no entry {asked!r} to anchor the board; found {some(panel.entries)}")
        row = panel.entries.index(asked)
        if not np.isnan(value[row]):
            return row, ()
        text = f"{asked} has no score on these items and cannot anchor them; {panel.entries[first]} does"
        return first, (Note(code="anchor-absent", text=text),)

    def groups(self, p: Floats, first: int, alpha: float) -> NDArray[np.int64]:
        """Group the rows of the anchor's block; a row that was tested against nobody has no group."""
        rows = self.order.rows[self.block[self.order.rows] == self.block[first]]
        rows = np.concatenate([[first], rows[rows != first]]) if len(rows) > 1 else rows[:0]
        return ragged_order.withheld_groups(p, self.order._replace(rows=rows), self.above, alpha)

    def notes(self, panel: Panel, pairs: Pairwise, by_score: NDArray[np.intp]) -> tuple[Note, ...]:
        """Say where the order is not that of the scores, where there is none, and what was not compared."""
        told, names = [], panel.entries
        for number in range(1, int(self.order.circle.max(initial=0)) + 1):
            who = some([names[row] for row in self.order.rows if self.order.circle[row] == number])
            text = f"{who}: each is separated above another of them in a circle, so they have no order"
            told.append(Note(code="order-circle", text=text))
        told += _overtaken(panel, pairs, self, by_score)
        if self.block.max() > 1:
            parts = [
                some([names[row] for row in self.order.rows if self.block[row] == number])
                for number in range(1, int(self.block.max()) + 1)
            ]
            text = (
                f"no pair could be tested between {len(parts)} blocks of entries ({some(parts, '; ')}): the "
                "order across blocks is that of scores on different items, and only the anchor's has groups"
            )
            told.append(Note(code="disjoint-blocks", text=text))
        return tuple(told)


def separation(p: Floats, difference: Floats, by_score: NDArray[np.intp], alpha: float) -> Separation:
    """See from the tests of all pairs who is separated above whom.

    Parameters
    ----------
    p, difference : (E, E) float64
        p-values that decide, and how much better the row is than the column on shared items.
    by_score : (R,) int
        Rows with a score, best first.
    alpha : float
        A pair is separated when p < alpha.
    """
    above = (p < alpha) & (difference > 0)  # False for NaN
    np.fill_diagonal(above, False)
    order = ragged_order.board_order(by_score, above)
    return Separation(order, above, ragged_order.blocks(~np.isnan(p), order.rows))


def _overtaken(panel: Panel, pairs: Pairwise, found: Separation, by_score: NDArray[np.intp]) -> list[Note]:
    """Name the pairs whose order by score is contradicted on the items that both have."""
    rank = np.empty(len(panel.entries), dtype=np.int64)
    rank[by_score] = np.arange(len(by_score))
    better, worse = np.nonzero(found.above & (rank[:, None] > rank) & (found.order.circle[:, None] == 0))
    if not better.size:
        return []
    at = np.lexsort((rank[worse], rank[better]))
    pair = [
        f"{panel.entries[better[i]]} is listed above {panel.entries[worse[i]]}, which has the better score, "
        "because it is separated above it on the "
        f"{int(pairs.shared[better[i], worse[i]]):,} items that both have"
        for i in at
    ]
    return [Note(code="order-by-pairs", text=some(pair, "; ", most=3))]


def some(names: Sequence[str], joint: str = ", ", most: int = 5) -> str:
    """List a few names, and count the rest."""
    return joint.join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
