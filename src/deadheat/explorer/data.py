"""The view *Your data*: the board of `rank` for files that were named or dropped in."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from deadheat.explorer.query import Query
from deadheat.pairwise import MCNEMAR
from deadheat.placing import ADJUSTMENTS
from deadheat.planning import Observed, ObservedScore, observe, observe_score
from deadheat.ranking import rank
from deadheat.results import Board
from deadheat.stats.intervals import INTERVALS
from deadheat.stats.paired import TESTS
from deadheat.table import Table

MOST_ENTRIES, MOST_CELLS = 300, 2_000_000


class Held:
    """The one table that the explorer shows; a dropped file takes the place of what was there."""

    def __init__(self, table: Table | None = None) -> None:
        self._lock = threading.Lock()
        self._table = table

    def drop(self, name: str, content: bytes) -> str:
        """Read a file that was dropped in, by its name and content.

        Parameters
        ----------
        name : str
            Only its last part is used.
        content : bytes

        Returns
        -------
        str
            What was read.
        """
        from deadheat.readers import read

        last = Path(name.replace("\\", "/")).name or "dropped"
        safe = "".join(letter if letter.isalnum() or letter in "-._" else "_" for letter in last)[-80:]
        with tempfile.TemporaryDirectory(prefix="deadheat-") as folder:
            path = Path(folder, safe.lstrip(".") or "dropped")
            path.write_bytes(content)
            table = read([str(path)])
        _small(table)
        files = tuple(msgspec.structs.replace(file, path=last) for file in table.files)
        with self._lock:
            self._table = _renamed(table, files)
        return f"{last}: {len(table.entries):,} entries, {len(table.items):,} items"

    def observed(self, query: Query, question: str) -> Observed | ObservedScore:
        """Take from what is held what a plan needs.

        Parameters
        ----------
        query : Query
            ``first`` and ``second`` (entries; the best where they are not named) and ``cluster``.
        question : str
            That of a ``margin`` is about one entry.
        """
        with self._lock:
            table = self._table
        first, second, cluster = query.text("first"), query.text("second"), query.text("cluster")
        if table is None:
            raise DataError("no data yet: drop a file of per-item results into the view of your data first")
        estimand = Estimand(cluster=None if cluster in (None, "none") else cluster)
        if question == "margin":
            return observe_score(table, first, estimand)
        return observe(table, first, second, estimand)

    def board(self, query: Query, *, every_pair: bool) -> Board:
        """Rank what is held.

        Parameters
        ----------
        query : Query
            ``level``, ``alpha``, ``test``, ``interval``, ``adjust``, ``cluster``, ``anchor``, as for
            the command.
        every_pair : bool
            Add what a page needs to take any anchor.
        """
        with self._lock:
            table = self._table
        level, alpha = query.real("level", 0.95, 0.5, 0.999), query.real("alpha", 0.05, 1e-6, 0.5)
        test = _or_none(query.choice("test", "default", ("default", *TESTS)))
        interval = _or_none(query.choice("interval", "default", ("default", *INTERVALS)))
        adjust = query.choice("adjust", "none", tuple(ADJUSTMENTS))
        cluster, anchor = query.text("cluster"), query.text("anchor")
        query.done()
        if table is None:
            raise DataError("no data yet: drop a file of per-item results here, or start with its path")
        _small(table)
        if test in MCNEMAR and cluster not in (None, "none"):
            raise MethodError(f"{test} takes items as independent; with clusters t would do")
        estimand = Estimand(cluster=None if cluster in (None, "none") else cluster)
        return rank(
            table,
            estimand,
            level=level,
            alpha=alpha,
            test=test,
            interval=interval,
            adjust=adjust,
            anchor=anchor,
            every_pair=every_pair,
        )


def opened(paths: Sequence[str]) -> Held:
    """Read the paths of the command line; none are no data."""
    if not paths:
        return Held()
    from deadheat.readers import read

    table = read(list(paths))
    _small(table)
    return Held(table)


def _renamed(table: Table, files: tuple[Any, ...]) -> Table:
    from dataclasses import replace

    return replace(table, files=files)


def _or_none(name: str) -> str | None:
    return None if name == "default" else name


def _small(table: Table) -> None:
    """Refuse what a page cannot show while one waits."""
    entries, items = len(table.entries), len(table.items)
    if entries > MOST_ENTRIES or entries * items > MOST_CELLS:
        raise DataError(
            f"{entries:,} entries on {items:,} items were found; the explorer shows up to "
            f"{MOST_ENTRIES} entries and {MOST_CELLS:,} results, and `deadheat rank` any number"
        )


def shown(board: Board) -> dict[str, Any]:
    """What the page says about a board that stands below it."""
    doubts = [note.text for note in board.notes]
    return {"summary": board.summary, "notes": doubts, "entries": [score.entry for score in board.entries]}
