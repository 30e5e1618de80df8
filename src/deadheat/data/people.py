"""Labels of people beside the scores of a judge: a column `human`, or a file of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.data.costs import costs_of
from deadheat.data.roles import RIGHT, WRONG
from deadheat.data.table import Table
from deadheat.errors import DataError, listed
from deadheat.results import Note

Floats = NDArray[np.float64]
HUMAN = "human"
INCLUSION = ("inclusion", "inclusion_probability")
LABELS_UNUSED = "labels-unused"


class Truth(NamedTuple):
    """Scores of a judge corrected by labels of people, (E,); see `stats.judged.prediction_powered`."""

    value: Floats
    se: Floats
    careful: Floats
    labels: NDArray[np.intp]


class Labels(NamedTuple):
    """What people say of each cell of a table.

    Parameters
    ----------
    value : (cells,) float64
        Mean label of the attempts of a cell; NaN where there is none.
    attempts : int
        Labelled attempts.
    inclusion : (cells,) float64 or None
        With what probability each cell was labelled, where that was known beforehand.
    """

    value: Floats
    attempts: int
    inclusion: Floats | None = None


def labels_of(table: Table) -> Labels | None:
    """Take the labels of people that a table carries; None where there are none.

    Raises
    ------
    DataError
        A label that is not a number, or labels on another scale than the scores.
    """
    if table.people is not None:
        there = int(np.isfinite(table.people).sum())
        return _checked(table, Labels(table.people, there, table.inclusion))
    attempts = table.attempts
    if attempts is None or HUMAN not in attempts.columns:
        return None
    text = f"lower(trim({HUMAN}))"
    words = {word: value for group, value in ((RIGHT, 1.0), (WRONG, 0.0)) for word in group}
    cases = " ".join(f"WHEN '{word}' THEN {value}" for word, value in words.items())
    number = f"CASE {text} {cases} ELSE TRY_CAST({text} AS DOUBLE) END"
    query = attempts.connection.execute
    strange = f"{text} <> '' AND ({number} IS NULL OR NOT isfinite({number}))"
    bad = query(f"SELECT DISTINCT {text} FROM attempts WHERE {strange} ORDER BY 1 LIMIT 4").fetchall()
    if bad:
        raise DataError(
            f"the column {HUMAN} holds labels of people, which are numbers or words such as yes and no; "
            f"found {listed([repr(word) for (word,) in bad], 3)}; leave it empty where there is none"
        )
    found = query(
        f"SELECT e.code AS entry, i.code AS item, avg({number}) AS label, count({number}) AS labelled "
        "FROM attempts JOIN entry_codes e USING (entry) JOIN item_codes i USING (item) "
        "GROUP BY e.code, i.code"
    ).fetchnumpy()
    value = np.full(len(table.cells.entry), np.nan)
    items = np.int64(len(table.items))
    key = table.cells.entry * items + table.cells.item
    at = np.searchsorted(key, found["entry"] * items + found["item"])
    value[at] = np.ma.filled(np.ma.asarray(found["label"], dtype=np.float64), np.nan)
    labelled = int(found["labelled"].sum())
    return _checked(table, Labels(value, labelled, _inclusion(table))) if labelled else None


def unused(table: Table) -> tuple[Note, ...]:
    """Say that scores are those of the judge, where labels of people are there."""
    if labels_of(table) is None:
        return ()
    text = "labels of people are there and not used: scores are those of the judge"
    return (Note(code=LABELS_UNUSED, text=text),)


def with_labels(table: Table, other: Table) -> Table:
    """Put labels that were read from a file of their own beside the scores that they belong to.

    Parameters
    ----------
    table : Table
    other : Table
        A row per label: entry, item, and the label as its score.

    Raises
    ------
    DataError
        A label of an attempt that is not in the table, or a drawn answer that was left blank.
    """
    entry, item = ({name: at for at, name in enumerate(names)} for names in (table.entries, table.items))
    cells, items = other.cells, np.int64(len(table.items))
    unknown = [name for name in other.entries if name not in entry]
    strange = [name for name in other.items if name not in item]
    if unknown or strange:
        what, which = ("entry", unknown) if unknown else ("item", strange)
        raise DataError(
            f"labels are of attempts that the results hold; found the {what} {listed(which, 3)} among the "
            f"labels alone: the results have {listed(table.entries if unknown else table.items, 3)}"
        )
    to_entry = np.array([entry[name] for name in other.entries], dtype=np.int64)
    to_item = np.array([item[name] for name in other.items], dtype=np.int64)
    some = cells.scored > 0
    wanted = to_entry[cells.entry[some]] * items + to_item[cells.item[some]]
    key = table.cells.entry * items + table.cells.item
    at = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
    if np.any(key[at] != wanted):
        lost = int(np.flatnonzero(key[at] != wanted)[0])
        pair = other.entries[cells.entry[some][lost]], other.items[cells.item[some][lost]]
        raise DataError(f"a label is of entry {pair[0]} at item {pair[1]}, an attempt that the results lack")
    value = np.full(len(key), np.nan)
    value[at] = cells.total[some] / cells.scored[some]
    chances, inclusion = _inclusion(other), None
    if chances is not None:
        blank = int((np.isfinite(chances) & ~some).sum())
        if blank:
            raise DataError(
                f"{blank:,} of {len(chances):,} answers of these labels have an inclusion and no label: fill "
                "them in, because without those that were drawn the others stand for too many answers"
            )
        inclusion = np.full(len(key), np.nan)
        inclusion[at] = chances[some]
    return replace(table, people=value, inclusion=inclusion)


def _inclusion(table: Table) -> Floats | None:
    """Mean inclusion probability of each cell, NaN where there is none; None without such a column."""
    columns = [] if table.attempts is None else table.attempts.columns
    column = next((name for name in INCLUSION if name in columns), None)
    if column is None:
        return None
    found = costs_of(table, column, "inclusion probabilities")
    return np.where(found.known > 0, found.total / np.maximum(found.known, 1), np.nan)


def _checked(table: Table, labels: Labels) -> Labels:
    known = labels.value[np.isfinite(labels.value)]
    if table.rates and known.size and (known.min() < 0 or known.max() > 1):
        raise DataError(
            "scores are between 0 and 1, so labels are too; found labels from "
            f"{known.min():g} to {known.max():g}: divide them by their scale"
        )
    if labels.inclusion is not None:
        chance = labels.inclusion[np.isfinite(labels.value)]
        if not np.all((chance > 0) & (chance <= 1)):
            raise DataError(
                "every label needs the probability with which it was drawn, above 0 and at most 1; found "
                f"{int(np.isnan(chance).sum())} labels without one, and {int((chance > 1).sum())} above 1, "
                f"{int((chance <= 0).sum())} of 0 or less"
            )
    return labels
