"""What readers of harness files share: attempts collected into a batch, and the choice among metrics."""

from __future__ import annotations

import hashlib
import math
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from deadheat.data.batch import Batch
from deadheat.errors import MalformedFile, MethodError
from deadheat.readers.base import Options, Source
from deadheat.results import Note


class Rows:
    """Attempts as a reader meets them.

    Parameters
    ----------
    extra : str
        Names of further columns, whose values `add` takes in this order.

    Notes
    -----
    The column ``reason`` says in the harness's own word why an attempt has no score (or is a special one).
    """

    def __init__(self, *extra: str) -> None:
        self.entries: list[str] = []
        self.items: list[str] = []
        self.samples: list[str | None] = []
        self.scores = array("d")
        self.statuses: list[str] = []
        self.reasons: list[str | None] = []
        self.extra: dict[str, list[str | None]] = {name: [] for name in extra}

    def __len__(self) -> int:
        return len(self.entries)

    def add(
        self,
        entry: str,
        item: str,
        score: float | None,
        sample: str | None = None,
        status: str | None = None,
        reason: str | None = None,
        extra: Sequence[str | None] = (),
    ) -> None:
        """Append an attempt; without a status it is scored if it has a score, else absent."""
        self.entries.append(entry)
        self.items.append(item)
        self.samples.append(sample)
        self.scores.append(math.nan if score is None else score)
        self.statuses.append(status or ("absent" if score is None else "scored"))
        self.reasons.append(reason)
        for column, value in zip(self.extra.values(), extra, strict=True):
            column.append(value)

    def columns(self) -> dict[str, Any]:
        """Return the attempts as arrays; columns without any value are left out."""
        texts: dict[str, Sequence[str | None]] = {
            "entry": self.entries,
            "item": self.items,
            "sample": self.samples,
            "status": self.statuses,
            "reason": self.reasons,
            **self.extra,
        }
        made: dict[str, Any] = {
            name: np.array(column, dtype=object)
            for name, column in texts.items()
            if name in ("entry", "item") or any(value is not None for value in column)
        }
        made["score"] = np.frombuffer(self.scores, dtype=np.float64) if len(self) else np.empty(0)
        return made

    def batch(self, source: Source, format: str) -> Batch:
        """Make the batch of one file."""
        return Batch(file=source.file(format), columns=self.columns())


def choose(options: Options, question: str, found: Sequence[str], where: str) -> str:
    """Choose among metrics, scorers, filters …: the only one, or the first named by the user that exists.

    Parameters
    ----------
    options : Options
        ``choices[question]`` is a name, or several joined by commas of which the first that exists counts.
    question : str
    found : sequence of str
        At least one.
    where : str
        The file, for the message.

    Raises
    ------
    MethodError
        If there are several and none was named.
    """
    if len(found) == 1:
        return found[0]
    asked = options.choices.get(question)
    if asked is not None:
        for name in (asked, *asked.split(",")):
            if name in found:
                return name
    wanted = f"no {question} {asked!r}" if asked else f"{len(found)} {question}s and none chosen"
    raise MethodError(
        f"{where}: {wanted}; choose with --choose {question}=NAME, one of {', '.join(sorted(found))}"
    )


def number(value: Any, where: str) -> float | None:
    """Turn a score as harnesses write it into a number; None, NaN as null, stays None.

    Raises
    ------
    MalformedFile
        For a list, an object or a text that is not a number.
    """
    if value is None:
        return None
    if isinstance(value, bool | int | float):
        return float(value)
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            pass
    raise MalformedFile(f"{where}: a score is a number, found {shown(value)}")


class Odd:
    """Values of one file that are no scores: left out and told, refused where no value is one.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.places: list[str] = []
        self.told: list[Note] = []

    def number(self, value: Any, where: str, allowed: str = "a number") -> tuple[float | None, str | None]:
        """Turn a value into a score, and say why there is none; one that is not allowed is kept in mind."""
        if type(value) is float or type(value) is int or type(value) is bool or value is None:
            return (None, None) if value is None or value != value else (float(value), None)
        if isinstance(value, str):
            try:
                score = float(value)
            except ValueError:
                pass
            else:
                return (None if score != score else score), None
        return None, self.missing(f"{where}: {shown(value)} is not {allowed}")

    def missing(self, what: str) -> str:
        """Keep in mind that an attempt has no score for a reason that is not the harness's own."""
        self.places.append(what)
        return "no score"

    def strange(self, number: int, example: str, low: float, high: float) -> None:
        """Keep in mind how many scores lie outside of what the format says."""
        scores = "1 score lies" if number == 1 else f"{number:,} scores lie"
        text = f"{self.path.name}: {scores} outside {low:g} to {high:g}, for example {example}"
        self.told.append(Note(code="scores-outside-range", text=text))

    def notes(self, *, scored: bool) -> list[Note]:
        """Say how many values were left out.

        Raises
        ------
        MalformedFile
            If all that there are were.
        """
        if not self.places:
            return self.told
        if not scored:
            raise MalformedFile(f"{self.path}: {self.places[0]}")
        number = len(self.places)
        values = "attempt has no score and is" if number == 1 else "attempts have no score and are"
        text = f"{self.path.name}: {number:,} {values} left out, for example {self.places[0]}"
        return [*self.told, Note(code="no-scores", text=text)]


def shown(value: Any) -> str:
    """Show a value in a message, cut short."""
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "…"


def agree(columns: Iterable[tuple[float | None, ...]]) -> bool:
    """Whether all candidates for the score say the same at every attempt, so that none need be chosen."""
    return all(len({value for value in values if value is not None}) <= 1 for values in columns)


def fingerprint(labels: Iterable[str]) -> str:
    """Tell one list of labels from another, order included."""
    return hashlib.sha256("\0".join(labels).encode()).hexdigest()


# File and folder names that say nothing of what was evaluated.
GENERIC = (
    "results",
    "result",
    "report",
    "reports",
    "final_report",
    "output",
    "outputs",
    "eval_results",
    "run",
    "samples",
)


def folder_name(source: Source, stem: str = "") -> str:
    """Name an entry after its path.

    Parameters
    ----------
    source : Source
    stem : str
        What the file's name says; empty for what tells the path from those of the other files read.

    Returns
    -------
    str
        The stem, or the nearest folder's name where the stem says nothing.
    """
    stem = stem or source.entry
    if stem and not set(stem.split("/")) <= set(GENERIC):
        return stem
    return next((folder.name for folder in source.path.parents if folder.name not in GENERIC), stem)
