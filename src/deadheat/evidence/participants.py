"""Who takes part in a board: runs that did not finish are set apart and change nothing for others."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.errors import MethodError
from deadheat.evidence.categories import part_of
from deadheat.results import Note
from deadheat.stats.multiple.ragged_order import usual_items

MIN_SHARE = 0.5


@dataclass(frozen=True, eq=False)
class Participants:
    """The entries of a panel that are ranked, and those that are listed apart.

    Parameters
    ----------
    panel : Panel
        The entries that take part, on the items that one of them was given.
    apart : Panel or None
        The others, on all items; None where everybody takes part.
    why : mapping
        Entry that is listed apart -> the reason.
    stopped : tuple of str
        Those whose run did not finish, by its own word.
    usual : int
        Items that entries of the board typically have.
    min_share : float
        The share of them that was asked for.
    """

    panel: Panel
    apart: Panel | None = None
    why: Mapping[str, Note] = field(default_factory=dict)
    stopped: tuple[str, ...] = ()
    usual: int = 0
    min_share: float = MIN_SHARE


def participants(table: Table, seen: Panel, min_share: float, out: Collection[str] = ()) -> Participants:
    """Set apart the entries whose run did not finish or that have far fewer items than the others.

    Parameters
    ----------
    table, seen
        Where the panel came from, and the panel.
    min_share : float
        Least share of the items that entries of the board typically have (`ragged_order.usual_items`).
    out : collection of str
        Entries that are apart already, for example on a board of which `seen` is one category.

    Raises
    ------
    MethodError
        A share outside [0, 1].
    """
    if not 0 <= min_share <= 1:
        raise MethodError(f"min-share is a share of the usual items, between 0 and 1; found {min_share:g}")
    counts = seen.present.sum(axis=1)
    whole = counts > 0
    stopped = np.array([entry in table.unfinished for entry in seen.entries])
    if min_share == 0 or (stopped | ~whole).all():  # where no run finished, that parts nobody
        stopped[:] = False
    given = np.array([entry in out for entry in seen.entries])
    usual = usual_items(counts[~stopped & ~given & whole])
    short = whole & (counts < min_share * usual)
    apart = stopped | given | short
    if not apart.any() or apart.all():
        return Participants(seen)
    why = {
        seen.entries[row]: _why(bool(stopped[row]), int(counts[row]), usual, min_share)
        for row in np.flatnonzero(apart)
    }
    kept = seen.rows(np.flatnonzero(~apart))
    return Participants(
        panel=_of_their_items(table, kept),
        apart=seen.rows(np.flatnonzero(apart)),
        why=why,
        stopped=tuple(seen.entries[row] for row in np.flatnonzero(stopped)),
        usual=usual,
        min_share=min_share,
    )


def _of_their_items(table: Table, kept: Panel) -> Panel:
    """Leave out the items that none of these entries was given, as if the others had never run."""
    known = set(kept.entries)
    mine = np.array([entry in known for entry in table.entries])
    given = np.zeros(len(table.items), dtype=bool)
    given[table.cells.item[mine[table.cells.entry]]] = True
    names = {item for item, here in zip(table.items, given, strict=True) if here}
    return part_of(table, kept, np.array([item in names for item in kept.items]))


def _why(stopped: bool, items: int, usual: int, min_share: float) -> Note:
    if stopped:
        return Note(code="listed-apart", text="listed apart because its run did not finish")
    text = (
        f"listed apart because it has {items:,} items, fewer than {100 * min_share:g} % of the {usual:,} "
        "that entries of this board typically have"
    )
    return Note(code="listed-apart", text=text)
