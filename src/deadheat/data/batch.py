"""What a reader hands over: the attempts of one file, and what reading it decided."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from deadheat.data.publication import Stated
from deadheat.results import File, Note

# The canonical columns and their types; any other column is carried along as an item attribute.
DATES = ("date", "time", "timestamp", "created_at", "started_at")
"""Columns that say when an attempt was made."""
RATERS = ("judge", "judge_model", "judge_name", "rater", "annotator", "grader", "evaluator", "reviewer")
"""Columns that say which of several judges gave a score."""
COLUMNS = {
    "entry": "VARCHAR",
    "item": "VARCHAR",
    "sample": "VARCHAR",
    "score": "DOUBLE",
    "status": "VARCHAR",
    "cluster": "VARCHAR",
    "category": "VARCHAR",
    "weight": "DOUBLE",
    "answer": "VARCHAR",
    "human": "VARCHAR",
}
STATUSES = ("scored", "failed", "absent")


@dataclass(frozen=True)
class Batch:
    """What a reader makes of one file.

    Parameters
    ----------
    file : File
        Path, hash, format and number of rows (-1 until counted).
    query : str or None
        SQL that selects canonical columns (and extras) straight from the file.
    columns : mapping or None
        Or the columns themselves, as arrays of one length; NaN marks a missing score.
    renamed : mapping
        Column names as found -> canonical names, where they differ.
    names, published : mapping
        Entry -> display name; entry -> published rate in [0, 1].
    stated : sequence of Stated
        Rates with their errors as the file states them, for whoever checks them.
    unpublished : sequence of str
        Entries that the file lists without per-item results.
    unfinished : sequence of str
        Entries whose run did not finish, by the file's own word.
    notes : sequence of Note
        What the reader had to decide.
    task, time : str
        What was run and when (text that sorts by time), empty if unknown: tells runs of one entry apart.
    entry : str
        The only entry of a query, where the reader knows it.
    lower_is_better : bool or None
        The direction of the score, where the file or the name of its metric tells it.
    aligned : mapping
        What the items' positions rest on -> a fingerprint, where items are matched by position: files read
        together must agree.
    sha256 : callable or None
        Waits for the hash of a large file, which is made while the file is scanned.
    """

    file: File
    query: str | None = None
    columns: Mapping[str, NDArray[Any]] | None = None
    renamed: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    published: Mapping[str, float] = field(default_factory=dict)
    unpublished: Sequence[str] = ()
    unfinished: Sequence[str] = ()
    stated: Sequence[Stated] = ()
    notes: Sequence[Note] = ()
    task: str = ""
    time: str = ""
    entry: str = ""
    lower_is_better: bool | None = None
    aligned: Mapping[str, str] = field(default_factory=dict)
    sha256: Callable[[], str] | None = None


def quoted(name: str) -> str:
    """Quote an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Quote an SQL string."""
    return "'" + text.replace("'", "''") + "'"
