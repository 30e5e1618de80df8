"""Attempts that were read twice: identical repeats are removed, all that contradicts itself is refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from deadheat.attempts import SHOWN, Attempts, normalised
from deadheat.batch import literal
from deadheat.cells import MIXED, REPEATED, UNKNOWN, Reduced
from deadheat.errors import DuplicateAttempt

KEYS = f"{normalised('entry')} AS entry_key, {normalised('item')} AS item_key"


def check(attempts: Attempts, formats: Sequence[str], made: Reduced) -> int:
    """Look for attempts that were read twice, as far as their reduction leaves it open.

    Parameters
    ----------
    attempts : Attempts
    formats : sequence of str
        Format of each file.
    made : Reduced
        The same attempts, reduced.

    Returns
    -------
    int
        Rows that repeated another in every word and are removed: the attempts are to be reduced again.

    Raises
    ------
    DuplicateAttempt
    """
    cells = made.cells
    if not made.doubt & REPEATED and not np.any(cells.scored + cells.failed + cells.absent > 1):
        return 0
    _check_origins(attempts, formats)
    if made.doubt & MIXED:
        _check_labels(attempts)
    if made.doubt & REPEATED or (made.doubt & UNKNOWN and (made.respelled or _exist(attempts))):
        return _settle(attempts)
    return 0


def _check_origins(attempts: Attempts, formats: Sequence[str]) -> None:
    """Refuse an entry whose items come from files of two formats: the same results, read twice.

    Parameters
    ----------
    attempts : Attempts
    formats : sequence of str
        Format of each file.

    Raises
    ------
    DuplicateAttempt
    """
    if len(set(formats)) < 2:
        return
    listed = ", ".join(f"({i}, {literal(name)})" for i, name in enumerate(formats))
    found = _first(
        attempts,
        f"SELECT {KEYS}, {FILES} FROM attempts JOIN (VALUES {listed}) AS f(file_index, format) "
        "USING (file_index) GROUP BY entry_key, item_key HAVING count(DISTINCT format) > 1",
    )
    if found:
        raise DuplicateAttempt(
            "one entry's items were found in files of different formats, which are likely the same results "
            f"twice: {found}; name the files or folder of one format, or choose it with --read"
        )


def _check_labels(attempts: Attempts) -> None:
    """Refuse an entry's item with attempts of which some carry a sample label and others do not.

    Whether an attempt without a label repeats one of the others cannot be known. An entry, or an item of an
    entry, all of whose attempts are without a label is another matter.

    Raises
    ------
    DuplicateAttempt
    """
    if "sample" not in attempts.columns:
        return
    found = _first(
        attempts,
        f"SELECT {KEYS}, {FILES} FROM attempts GROUP BY entry_key, item_key "
        "HAVING count(sample) BETWEEN 1 AND count(*) - 1",
    )
    if found:
        raise DuplicateAttempt(
            "attempts with and without a sample label were found at the same entry and item, which are "
            f"likely the same results twice: {found}; read one of the files only, or label every attempt"
        )


FILES = "list_sort(list(DISTINCT file_index))"


def _first(attempts: Attempts, query: str) -> str:
    """Name the first few (entry, item, files) of a query."""
    rows = attempts.connection.execute(f"{query} ORDER BY ALL LIMIT {SHOWN}").fetchall()
    return "; ".join(f"({entry}, {item}) in {_named(attempts, files)}" for entry, item, files in rows)


def _named(attempts: Attempts, files: Iterable[int]) -> str:
    return " and ".join(attempts.files[i] for i in files)


def _exist(attempts: Attempts) -> bool:
    """Whether some (entry, item, sample), spelled as read, occurs more than once."""
    keys = "entry, item, sample" if "sample" in attempts.columns else "entry, item"
    query = f"SELECT 1 FROM attempts GROUP BY {keys} HAVING count(*) > 1 LIMIT 1"
    return bool(attempts.connection.execute(query).fetchall())


def _settle(attempts: Attempts) -> int:
    """Remove attempts that repeat another in every word, and refuse those that contradict it.

    A log that was resumed lists attempts again, with the same sample number and the same outcome; only
    a sample label tells such a repeat from a second attempt.

    Returns
    -------
    int
        Rows removed.

    Raises
    ------
    DuplicateAttempt
        Several attempts with the same entry, item and sample.
    """
    sampled = "sample" in attempts.columns
    sample = "sample" if sampled else "NULL AS sample"
    found: list[Any] = attempts.connection.execute(
        f"SELECT {KEYS}, {sample}, count(*), {FILES}, count(DISTINCT (score, {attempts.status})) "
        "FROM attempts GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL"
    ).fetchall()
    wrong = [row for row in found if row[-1] > 1 or row[2] is None]
    if not wrong:
        removed = sum(int(row[3]) - 1 for row in found)
        if removed:
            query = attempts.connection.execute
            keys = f"{normalised('entry')}, {normalised('item')}, sample"
            query(f"CREATE TEMP TABLE once AS SELECT DISTINCT ON ({keys}) * FROM attempts")
            query(f"DROP {attempts.held_as} attempts")
            query("CREATE TEMP VIEW attempts AS FROM once")
        return removed
    named = "; ".join(
        f"({', '.join(str(k) for k in key if k is not None)}) {count} times"
        f"{' with different scores' if outcomes > 1 else ''} in {_named(attempts, files)}"
        for *key, count, files, outcomes in wrong[:SHOWN]
    )
    remedy = (
        "give each attempt its own sample number"
        if sampled
        else "add a column `sample` that numbers the attempts, or read one file only"
    )
    what = "entry, item, sample" if sampled else "entry, item"
    raise DuplicateAttempt(f"each ({what}) may occur once; found {named}; {remedy}")
