"""Labels that are likely the same: they differ in case, blanks or the form of a number only."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from deadheat.results import Note

if TYPE_CHECKING:
    import duckdb

    from deadheat.data.cells import Cells

SHOWN = 3  # groups of labels that a note names
OPTION = "--join-labels takes them for one"
Groups = list[tuple[str, ...]]


def folded(label: str) -> str:
    """Give the form in which likely twins are equal: ``GPT 4`` and ``gpt  4``, ``07`` and ``7.0``."""
    return re.sub(r"^0*(\d+)(\.0+)?$", r"\1", re.sub(r"\s+", " ", label).strip().lower())


def folded_sql(label: str) -> str:
    """SQL of `folded`."""
    spaced = f"lower(trim(regexp_replace({label}, '\\s+', ' ', 'g')))"
    return f"regexp_replace({spaced}, '^0*(\\d+)(\\.0+)?$', '\\1')"


def groups_of(labels: Iterable[str]) -> Groups:
    """Labels that share a form, where several do."""
    alike = defaultdict(list)
    for label in sorted(labels):
        alike[folded(label)].append(label)
    return sorted(tuple(found) for found in alike.values() if len(found) > 1)


def groups_in(connection: duckdb.DuckDBPyConnection, table: str) -> Groups:
    """The same for the column ``label`` of a table."""
    rows = connection.execute(
        f"SELECT list_sort(list(DISTINCT label)) AS labels FROM {table} GROUP BY {folded_sql('label')} "
        "HAVING count(DISTINCT label) > 1 ORDER BY labels"
    ).fetchall()
    return [tuple(row[0]) for row in rows]


def notes(entries: Groups, items: Groups, labels: Sequence[str], cells: Cells) -> list[Note]:
    """Name entries, and items of different entries, that are likely the same.

    Parameters
    ----------
    entries, items : list of tuple of str
        Labels that share a form.
    labels : sequence of str
        All items, in order.
    cells : Cells
    """
    found = []
    if entries:
        text = f"entries that are likely the same by their names: {_named(entries)}; {OPTION}"
        found.append(Note(code="entry-twins", text=text))
    if apart := _apart(items, labels, cells):
        text = (
            f"{len(apart):,} items that are likely the same by their ids, spelled differently by different "
            f"entries and so not compared: {_named(apart)}; {OPTION}"
        )
        found.append(Note(code="item-twins", text=text))
    return found


def _apart(items: Groups, labels: Sequence[str], cells: Cells) -> Groups:
    """Groups of which no entry has two: an entry that has both tells them apart itself."""
    if not items:
        return []
    at = {label: place for place, label in enumerate(labels)}
    group = np.full(len(labels), -1, dtype=np.int64)
    for number, found in enumerate(items):
        group[[at[label] for label in found]] = number
    mine = group[cells.item]
    key = mine[mine >= 0] + cells.entry[mine >= 0] * np.int64(len(items))
    keys, count = np.unique(key, return_counts=True)
    both = set((keys[count > 1] % len(items)).tolist())
    return [found for number, found in enumerate(items) if number not in both]


def _named(groups: Groups) -> str:
    shown = [" and ".join(map(repr, group)) for group in groups[:SHOWN]]
    more = f"; and {len(groups) - SHOWN:,} more" if len(groups) > SHOWN else ""
    return "; ".join(shown) + more
