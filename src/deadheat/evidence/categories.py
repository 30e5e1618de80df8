"""Items by category, and the test behind every first place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError
from deadheat.evidence.contrasts import against
from deadheat.evidence.order import Placing, Rule
from deadheat.evidence.pairwise import Pairwise
from deadheat.evidence.separation import some
from deadheat.results import Comparison, First, Note
from deadheat.stats.multiple import adjustment
from deadheat.stats.numerics.bounds import defined

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Division:
    """Items of a panel by category.

    Parameters
    ----------
    names : tuple of str
        Categories, in the order of the mapping or sorted.
    codes : (M,) int
        Category of each item; -1 for an item of none.
    notes : tuple of Note
    """

    names: tuple[str, ...]
    codes: NDArray[np.int32]
    notes: tuple[Note, ...] = ()

    def within(self) -> Division:
        """Leave out the items that belong to no category."""
        return replace(self, codes=self.codes[self.codes >= 0])

    def scored(self, present: Mask) -> Division:
        """Leave out the categories in which no entry has a score, and say which.

        Parameters
        ----------
        present : (E, M) bool
        """
        some = np.array([present[:, self.codes == code].any() for code in range(len(self.names))])
        if some.all():
            return self
        number = np.where(some, np.cumsum(some) - 1, -1).astype(np.int32)
        notes = tuple(
            Note(code="no-scores", text=f"{name}: no scores, so it has no board and counts nowhere")
            for name, known in zip(self.names, some, strict=True)
            if not known
        )
        names = tuple(name for name, known in zip(self.names, some, strict=True) if known)
        return Division(names, np.where(self.codes >= 0, number[self.codes], -1), (*self.notes, *notes))


def part_of(table: Table, panel: Panel, columns: Mask) -> Panel:
    """Cut a panel to some of its items, with the attempts counted at those items alone.

    Parameters
    ----------
    table : Table
        Where the panel came from.
    panel : Panel
    columns : (M,) bool
        Items to keep.
    """
    part = _plain(panel.select(columns))
    cells, inside = table.cells, set(part.items)
    kept = np.array([item in inside for item in table.items])
    row = {entry: at for at, entry in enumerate(table.entries)}
    order = np.array([row[entry] for entry in part.entries])
    here = kept[cells.item]

    def count(column: NDArray[Any]) -> Any:
        found = np.bincount(cells.entry[here], column[here], len(row))
        return found.astype(np.int64)[order]

    unseen = len(part.items) - count(np.ones_like(cells.entry))
    return replace(
        part, scored=count(cells.scored), failed=count(cells.failed), absent=count(cells.absent) + unseen
    )


def _plain(part: Panel) -> Panel:
    """See that these items carry single 0/1 attempts, even where those of the whole do not."""
    if part.binary or (part.samples is not None and (part.samples > 1).any()):
        return part
    single = replace(part, samples=None, right=None, within=None)
    if not ((part.values == 0) | (part.values == 1)).all():
        return single
    return replace(single, values=part.values.astype(np.float32), binary=True)


def divide(table: Table, by: str, mapping: Mapping[str, Sequence[str]] | None = None) -> Division:
    """Divide the items of a table.

    Parameters
    ----------
    table : Table
    by : str
        An item column.
    mapping : mapping of str to sequence of str, or None
        Category -> values of the column that belong to it; None takes the values as categories.

    Raises
    ------
    MethodError
        No such column, or a value that belongs to two categories.
    DataError
        A category without any item.
    """
    labels = table.attribute(by)
    owner = _owners(labels, mapping)
    names = tuple(mapping) if mapping is not None else tuple(sorted(set(owner.values())))
    number = {name: code for code, name in enumerate(names)}
    codes = np.array([number[owner[v]] if v in owner else -1 for v in labels], dtype=np.int32)
    empty = [name for name in names if number[name] not in set(codes.tolist())]
    if empty or not names:
        values = some(sorted({str(v) for v in labels if v is not None})) or "nothing"
        raise DataError(
            f"no item belongs to {', '.join(map(repr, empty)) or 'any category'}; the column {by!r} "
            f"has {values}"
        )
    outside = int((codes < 0).sum())
    text = f"{outside} of {len(codes)} items belong to no category and are left out"
    return Division(names, codes, (Note(code="no-category", text=text),) if outside else ())


def _owners(labels: NDArray[np.object_], mapping: Mapping[str, Sequence[str]] | None) -> dict[str, str]:
    """Say of each value of the column which category it belongs to."""
    if mapping is None:
        return {value: str(value) for value in labels if value is not None}
    owner: dict[str, str] = {}
    for name, values in mapping.items():
        for value in values:
            if owner.setdefault(value, name) != name:
                raise MethodError(
                    f"{value!r} belongs to two categories, {owner[value]!r} and {name!r}; one would do"
                )
    return owner


def first_v_second(
    part: str, panel: Panel, pairs: Pairwise, placed: Placing, rule: Rule, *, level: float
) -> First:
    """Test the first place of a panel against the second.

    Parameters
    ----------
    part : str
        What the items are.
    panel, pairs, placed
        Their panel, the test of all pairs, and the places.
    rule : Rule
        How entries are told apart.
    level : float
        Level of the interval.
    """
    places = sorted({int(placed.place[row]) for row in placed.rows})
    first, second = (
        [row for row in placed.rows if places[at : at + 1] == [placed.place[row]]] for at in (0, 1)
    )
    rivals = first[1:] if len(first) > 1 else second
    items = int(panel.present.any(axis=0).sum())
    found = First(
        part=part,
        items=items,
        first=tuple(panel.entries[row] for row in first),
        second=tuple(panel.entries[row] for row in second),
        notes=_shared(first, second),
    )
    if not rivals:
        return found
    p = pairs.p if placed.adjusted is None else placed.adjusted
    rivals_p = p[first[0], rivals]
    undefined = bool(np.isnan(rivals_p).any())
    rival = rivals[int(np.argmax(np.where(np.isnan(rivals_p), np.inf, rivals_p)))]
    return msgspec.structs.replace(
        found,
        comparison=against(panel, pairs, [first[0]], rival, level=level, rule=rule)[0],
        strict=None if undefined else len(first) == 1 and bool((rivals_p < rule.alpha).all()),
    )


def every_first(firsts: Sequence[First]) -> list[First]:
    """Adjust the tests of several first places for their number, by Holm's rule."""
    p = [_p(first.comparison) for first in firsts]
    adjusted = adjustment.holm(p)
    return [
        msgspec.structs.replace(first, p_across=defined(q)) for first, q in zip(firsts, adjusted, strict=True)
    ]


def _p(comparison: Comparison | None) -> float:
    return np.nan if comparison is None or comparison.p is None else comparison.p


def _shared(first: Sequence[int], second: Sequence[int]) -> tuple[Note, ...]:
    if len(first) > 1:
        return (Note(code="shared-first", text=f"{len(first)} entries share the first place"),)
    if len(second) > 1:
        text = f"{len(second)} entries share the second place; the one separated least is tested"
        return (Note(code="shared-second", text=text),)
    return ()
