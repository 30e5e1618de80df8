"""Attempts that were read twice: identical repeats are removed, all that contradicts itself is refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from deadheat.data.attempts import SHOWN, Attempts, normalised
from deadheat.data.batch import RATERS
from deadheat.data.cells import MIXED, REPEATED, UNKNOWN, Reduced
from deadheat.data.engine import frugally
from deadheat.errors import DuplicateAttempt

SAME = 20
"""Items from which on the same results in two formats are taken for one set, and not for chance."""
ROWS = 2**24  # that are grouped at once: many times more may find no room, in memory or on disk
KEYS = f"{normalised('entry')} AS entry_key, {normalised('item')} AS item_key"


def check(attempts: Attempts, formats: Sequence[str], made: Reduced) -> str:
    """Look for attempts that were read twice, as far as their reduction leaves it open, and remove them.

    Parameters
    ----------
    attempts : Attempts
    formats : sequence of str
        Format of each file.
    made : Reduced
        The same attempts, reduced.

    Returns
    -------
    str
        What was removed: the attempts are to be reduced and looked at again. Empty if nothing was.

    Raises
    ------
    DuplicateAttempt
    """
    cells = made.cells
    if not made.doubt & REPEATED and not np.any(cells.scored + cells.failed + cells.absent > 1):
        return ""
    if len(set(formats)) > 1 and (told := _one_origin(attempts, formats)):
        return told
    if made.doubt & MIXED:
        _check_labels(attempts)
    if made.doubt & REPEATED or (
        made.doubt & UNKNOWN and (made.respelled or _exist(attempts, sum(made.rows.values())))
    ):
        return _settle(attempts)
    return ""


def _one_origin(attempts: Attempts, formats: Sequence[str]) -> str:
    """Keep the results of one format where files of another hold the very same, and refuse all other overlap.

    Results are the same when at every entry and item that both formats hold, and at least `SAME` of them, the
    attempts are as many, with the same sum of scores, and as many of them absent. The format that tells more
    failed attempts from zeros is kept, the first by name of several.

    Parameters
    ----------
    attempts : Attempts
    formats : sequence of str
        Format of each file.

    Returns
    -------
    str
        What was removed.

    Raises
    ------
    DuplicateAttempt
    """
    query = attempts.connection.execute
    failed = dict.fromkeys(formats, 0)
    for index, count in query(
        f"SELECT file_index, count(*) FROM attempts WHERE {attempts.status} = 'failed' GROUP BY ALL"
    ).fetchall():
        failed[formats[index]] += count
    order = sorted(failed, key=lambda name: (-failed[name], name))
    listed = ", ".join(f"({i}, {order.index(name)})" for i, name in enumerate(formats))
    joined = f"attempts JOIN (VALUES {listed}) AS f(file_index, origin) USING (file_index)"
    points = "round(coalesce(sum(score), 0), 9) AS s"
    counted = f"count(*) AS n, {points}, count(*) FILTER ({attempts.status} = 'absent') AS a"
    query(
        "CREATE OR REPLACE TEMP VIEW overlap AS SELECT entry_key, item_key, min(origin) AS kept, "
        "count(DISTINCT (n, s, a)) AS outcomes, list_sort(flatten(list(files))) AS files "
        f"FROM (SELECT {KEYS}, origin, {counted}, list(DISTINCT file_index) AS files FROM {joined} "
        "GROUP BY ALL) GROUP BY entry_key, item_key HAVING count(*) > 1"
    )
    both, wrong = query("SELECT count(*), count(*) FILTER (outcomes > 1) FROM overlap").fetchall()[0]
    if not both:
        return ""
    if wrong or both < SAME:
        chosen = "outcomes > 1" if wrong else "true"
        raise DuplicateAttempt(
            "one entry's items were found in files of different formats, which are likely the same results "
            f"twice: {_first(attempts, f'SELECT entry_key, item_key, files FROM overlap WHERE {chosen}')}; "
            "name the files or folder of one format, or choose it with --read"
        )
    removed = _keep(
        attempts,
        f"SELECT attempts.* FROM {joined} LEFT JOIN overlap ON {normalised('entry')} = entry_key "
        f"AND {normalised('item')} = item_key WHERE coalesce(origin = kept, true)",
    )
    return (
        f"{removed:,} attempts at {both:,} (entry, item) pairs are there in {len(order)} formats "
        f"({', '.join(order)}) with the same results, and are read from {order[0]} alone"
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
    names = [attempts.files[i] for i in files]
    return " and ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")


def _exist(attempts: Attempts, rows: int) -> bool:
    """Whether some (entry, item, sample), spelled as read, occurs more than once; so many rows at a time."""
    keys = "entry, item, sample" if "sample" in attempts.columns else "entry, item"
    parts = -(-rows // ROWS)
    for part in range(parts):
        here = f"WHERE hash({keys}) % {parts} = {part} " if parts > 1 else ""
        query = f"SELECT 1 FROM attempts {here}GROUP BY {keys} HAVING count(*) > 1 LIMIT 1"
        if frugally(attempts.connection, query).fetchall():
            return True
    return False


def _keep(attempts: Attempts, wanted: str) -> int:
    """Let a query of the attempts take their place, and count how many fewer they are."""
    query = attempts.connection.execute
    before, tables = query(
        "SELECT (SELECT count(*) FROM attempts), count(*) FROM duckdb_tables()"
    ).fetchall()[0]
    query(f"CREATE TEMP TABLE kept_{tables} AS {wanted}")
    query(f"DROP {attempts.held_as} attempts")
    query(f"CREATE TEMP VIEW attempts AS FROM kept_{tables}")
    attempts.held_as = "VIEW"
    return int(before) - int(query("SELECT count(*) FROM attempts").fetchall()[0][0])


def _settle(attempts: Attempts) -> str:
    """Remove attempts that repeat another in every word, and refuse those that contradict it.

    A log that was resumed lists attempts again, with the same sample number and the same outcome; only
    a sample label tells such a repeat from a second attempt.

    Returns
    -------
    str
        What was removed.

    Raises
    ------
    DuplicateAttempt
        Several attempts with the same entry, item and sample.
    """
    sampled = "sample" in attempts.columns
    sample = "sample" if sampled else "NULL AS sample"
    found: list[Any] = frugally(
        attempts.connection,
        f"SELECT {KEYS}, {sample}, count(*), {FILES}, count(DISTINCT (score, {attempts.status})) "
        "FROM attempts GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL",
    ).fetchall()
    wrong = [row for row in found if row[-1] > 1 or row[2] is None]
    if not wrong:
        if found:
            keys = f"{normalised('entry')}, {normalised('item')}, sample"
            removed = _keep(attempts, f"SELECT DISTINCT ON ({keys}) * FROM attempts")
            return f"{removed} identical repeats removed: the same entry, item, sample and outcome again"
        return ""
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
    rater = next((name for name in attempts.columns if name.lower() in RATERS), None)
    if rater is not None and not sampled:
        remedy = f"if they are of several judges, say so: --columns sample={rater}; else {remedy}"
    what = "entry, item, sample" if sampled else "entry, item"
    raise DuplicateAttempt(f"each ({what}) may occur once; found {named}; {remedy}")
