"""The view *Your data*: the board of `rank` for files that were named or dropped in."""

from __future__ import annotations

import shutil
import tempfile
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from deadheat.data.table import Table
from deadheat.errors import DataError, DeadheatError, MethodError
from deadheat.estimand import CHOICES, NEEDS_K, Estimand
from deadheat.evidence.order import ADJUSTMENTS
from deadheat.evidence.pairwise import MCNEMAR
from deadheat.explorer.cost import affordable
from deadheat.explorer.query import Query
from deadheat.methods import SCORES, TESTS
from deadheat.output import scratch
from deadheat.planning import Observed, ObservedScore, observe, observe_score
from deadheat.ranking.verb import rank
from deadheat.results import Board

MOST_ENTRIES, MOST_CELLS = 300, 2_000_000


class Held:
    """The one table that the explorer shows; a dropped file takes the place of what was there."""

    def __init__(self, table: Table | None = None) -> None:
        self._lock = threading.Lock()
        self._table = table
        self._folder: str | None = None  # of the file that was dropped in last

    @contextmanager
    def incoming(self, name: str) -> Iterator[Path]:
        """Yield where a file that is dropped in may be written; it goes again unless `drop` takes it.

        Parameters
        ----------
        name : str
            Only its last part is used.
        """
        last = _last(name)
        safe = "".join(letter if letter.isalnum() or letter in "-._" else "_" for letter in last)[-80:]
        folder = tempfile.mkdtemp(dir=scratch())
        try:
            yield Path(folder, safe.lstrip(".") or "dropped")
        finally:
            with self._lock:
                kept = self._folder == folder
            if not kept:
                shutil.rmtree(folder, ignore_errors=True)

    def drop(self, path: Path, name: str) -> str:
        """Read a file that was dropped in.

        Parameters
        ----------
        path : Path
            From `incoming`.
        name : str
            What it was called; errors name it so.

        Returns
        -------
        str
            What was read.
        """
        from deadheat.readers import read

        last = _last(name)
        try:
            table = read([str(path)])
            _small(table)
        except DeadheatError as error:
            error.args = tuple(_called(arg, path, last) for arg in error.args)
            raise
        renamed = tuple(msgspec.structs.replace(file, path=last) for file in table.files)
        table = _renamed(table, renamed)
        # Columns are read from the file when they are asked for: it stays as long as the table.
        weakref.finalize(table, shutil.rmtree, str(path.parent), ignore_errors=True)
        with self._lock:
            self._table, self._folder = table, str(path.parent)
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

    def columns(self) -> list[str]:
        """Name the columns of items, by which they may be clustered or split."""
        with self._lock:
            table = self._table
        if table is None:
            return []
        there = set(table.attributes) | set(table.attempts.columns if table.attempts is not None else ())
        return sorted(there - {"entry", "item", "score", "sample", "status", "weight"})

    def board(self, query: Query, *, every_pair: bool) -> Board:
        """Rank what is held.

        Parameters
        ----------
        query : Query
            ``level``, ``alpha``, ``test``, ``interval``, ``adjust``, ``by``, ``anchor`` and what the
            estimand says, as for the command.
        every_pair : bool
            Add what a page needs to take any anchor.
        """
        with self._lock:
            table = self._table
        level, alpha = query.real("level", 0.95, 0.5, 0.999), query.real("alpha", 0.05, 1e-6, 0.5)
        test = _or_none(query.choice("test", "default", ("default", *TESTS)))
        interval = _or_none(query.choice("interval", "default", ("default", *SCORES)))
        adjust = query.choice("adjust", "none", tuple(ADJUSTMENTS))
        estimand, by, anchor = _estimand(query), query.text("by"), query.text("anchor")
        query.done()
        if table is None:
            raise DataError("no data yet: drop a file of per-item results here, or start with its path")
        boards = 1 + (len(set(table.attribute(by))) if by else 0)
        affordable(len(table.entries), len(table.items), boards, test, adjust)
        _small(table)
        if test in MCNEMAR and estimand.cluster is not None:
            raise MethodError(f"{test} takes items as independent; with clusters t would do")
        return rank(
            table,
            estimand,
            level=level,
            alpha=alpha,
            test=test,
            interval=interval,
            adjust=adjust,
            by=None if by in (None, "none") else by,
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


def shown(board: Board, columns: Sequence[str] = ()) -> dict[str, Any]:
    """What the page says about a board that stands below it, and what it can be asked to do otherwise.

    Parameters
    ----------
    board : Board
    columns : sequence of str
        Columns of items, by which they may be clustered or split.
    """
    return {
        "summary": board.summary,
        "notes": [note.text for note in board.notes],
        "entries": [score.entry for score in board.entries],
        "columns": list(columns),
    }


def _estimand(query: Query) -> Estimand:
    """What the scores are to be about."""
    given: dict[str, Any] = {
        name: query.choice(name, getattr(Estimand(), name), choices) for name, choices in CHOICES.items()
    }
    cluster, k = query.text("cluster"), query.whole("k", 0, 0, 1000) or None
    tau = query.number("tau", None, 0, 1)
    if given["metric"] not in NEEDS_K:
        k = None  # it stands in the form whatever the metric
    return Estimand(
        **given,
        k=k,
        tau=tau if given["metric"] == "g-pass@k" else None,
        cluster=None if cluster in (None, "none") else cluster,
    )


def _last(name: str) -> str:
    """The last part of a name."""
    return Path(name.replace("\\", "/")).name or "dropped"


def _called(text: object, path: Path, name: str) -> object:
    """Call a file by its name where its temporary path stands."""
    return text.replace(str(path), name) if isinstance(text, str) else text
