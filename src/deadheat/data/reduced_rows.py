"""The rows that an engine reduced, checked and ordered as a Table."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.data import twins
from deadheat.data.attempts import LARGEST, SHOWN
from deadheat.data.batch import STATUSES
from deadheat.data.cells import Cells
from deadheat.data.table import Table
from deadheat.errors import DataError, DuplicateAttempt, MissingScore
from deadheat.results import File, Note

# Faults of a row -> what is said of them, and by which error.
FAULTS: Mapping[str, tuple[type[DataError], str]] = {
    "unnamed": (DataError, "every attempt needs an entry and an item; some have none"),
    "unfinished": (MissingScore, "scores are finite numbers; found an infinite one"),
    "unknown": (DataError, f"a status is one of {', '.join(STATUSES)}; found another"),
    "bare": (MissingScore, "an attempt of status scored has a score; found none"),
    "contradictory": (DataError, "an attempt that failed or is absent has no score; found one"),
    "huge": (DataError, f"a score is at most {LARGEST:g} in size; found a larger one; use another unit"),
}


def table_of(
    found: Mapping[str, NDArray[Any]], parts: Mapping[str, str], carried: Sequence[str], origin: str
) -> Table:
    """Check what came and order it."""
    if not len(found["entry"]):
        raise DataError(f"no attempt in {origin}")
    number = {name: found[name].astype(np.int64) for name in COUNTS}
    spelled = list(zip(found["entry"].tolist(), found["item"].tolist(), strict=True))
    for fault, (error, text) in FAULTS.items():
        if number[fault].any():
            raise error(f"{text}: {_first(spelled, number[fault] > 0)}")
    entry, entries, respelled_entries = _codes(found["entry"])
    item, items, respelled_items = _codes(found["item"])
    respelled = respelled_entries + respelled_items
    order = np.argsort(entry * np.int64(len(items)) + item, kind="stable")
    key = (entry * np.int64(len(items)) + item)[order]
    twice = np.zeros(len(key), dtype=bool)
    twice[order[1:]] = key[1:] == key[:-1]
    if twice.any():
        raise DuplicateAttempt(
            "one label was found in two Unicode forms at the same entry and item: "
            f"{_first(spelled, twice)}; bring ids to one form"
        )
    _check_repeats(spelled, number, "sample" in parts)
    total = found["total"].astype(np.float64)[order]
    binary = not number["graded"].any()
    cells = Cells(
        entry=entry[order].astype(np.int32),
        item=item[order].astype(np.int32),
        scored=number["scored"][order].astype(np.int32),
        failed=number["failed"][order].astype(np.int32),
        absent=(number["rows"] - number["scored"] - number["failed"])[order].astype(np.int32),
        total=total,
        squares=total if binary else found["squares"].astype(np.float64)[order],
    )
    notes = []
    if respelled:
        text = f"{respelled} ids matched after Unicode normalisation (composed characters)"
        notes.append(Note(code="ids-normalised", text=text))
    notes += twins.notes(twins.groups_of(entries), twins.groups_of(items), items, cells)
    attributes = {}
    for at, name in enumerate(carried):
        said = _attribute(found[f"of_{at}_low"], found[f"of_{at}_high"], item, len(items))
        if isinstance(said, int):
            text = f"the column {name} says several things of one item ({items[said]}), and is left out"
            notes.append(Note(code="column-left-out", text=text))
        else:
            attributes[name] = said
    return Table(
        entries=entries,
        items=items,
        cells=cells,
        binary=binary,
        rates=not number["outside"].any(),
        attributes=attributes,
        files=(File(path=origin, sha256="", format="reduced", rows=int(number["rows"].sum())),),
        renamed={name: part for part, name in parts.items() if name != part},
        notes=tuple(notes),
    )


COUNTS = ("rows", "scored", "failed", "labelled", "most", "graded", "outside", *FAULTS)


def _check_repeats(
    spelled: Sequence[tuple[str, str]], number: Mapping[str, NDArray[Any]], sampled: bool
) -> None:
    """Refuse attempts that occur twice, as far as labels can tell."""
    mixed = (number["labelled"] > 0) & (number["labelled"] < number["rows"])
    if mixed.any():
        raise DuplicateAttempt(
            "attempts with and without a sample label were found at the same entry and item, which are "
            f"likely the same results twice: {_first(spelled, mixed)}; label every attempt"
        )
    again = number["most"] > 1
    if again.any():
        what = "entry, item, sample" if sampled else "entry, item"
        remedy = "keep distinct rows only" if sampled else "add a column `sample` that numbers the attempts"
        raise DuplicateAttempt(
            f"each ({what}) may occur once; found {_first(spelled, again)} again; {remedy}"
        )


def _first(spelled: Sequence[tuple[str, str]], where: NDArray[np.bool_]) -> str:
    cells = sorted(spelled[at] for at in np.flatnonzero(where).tolist())[:SHOWN]
    return "; ".join(f"({entry or 'empty'}, {item or 'empty'})" for entry, item in cells)


def _codes(labels: NDArray[Any]) -> tuple[NDArray[np.int64], tuple[str, ...], int]:
    """Number labels in the sorted order of their composed forms; how many were spelled otherwise."""
    spelled = sorted(set(labels.tolist()))
    forms = {label: unicodedata.normalize("NFC", label) for label in spelled}
    distinct = sorted(set(forms.values()))
    code = {label: at for at, label in enumerate(distinct)}
    number = {label: code[form] for label, form in forms.items()}
    codes = np.fromiter((number[label] for label in labels.tolist()), dtype=np.int64, count=len(labels))
    return codes, tuple(distinct), sum(label != form for label, form in forms.items())


def _attribute(
    low: NDArray[Any], high: NDArray[Any], item: NDArray[np.int64], items: int
) -> NDArray[Any] | int:
    """What a column says of each item; or an item of which it says several things."""
    values = np.full(items, None, dtype=object)
    for at, least, most in zip(item.tolist(), low.tolist(), high.tolist(), strict=True):
        if least is None or least != least:
            continue
        if least != most or values[at] not in (None, least):
            return int(at)
        values[at] = least
    return values
