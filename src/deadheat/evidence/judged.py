"""A panel whose scores a judge gave and people labelled in part: corrected, or the labels alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.data.content_order import by_content
from deadheat.data.panel import Panel, Truth
from deadheat.data.people import labels_of
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from deadheat.results import Note
from deadheat.stats.judged import prediction_powered as ppi

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
LEAST = 10  # labels of each entry without which its score is not corrected
RARE = 2.6  # standard errors by which labelled items hardly differ from others by chance
SLIGHT = 0.05  # weight of a judge that adds next to nothing to the labels


@dataclass(frozen=True, eq=False)
class JudgedPanel:
    """What is ranked or compared, and what the judge and people say.

    Parameters
    ----------
    panel : Panel
        Of the scores that the estimand asks for.
    estimand : Estimand
        With the judge's part decided.
    source : Panel or None
        The judge's own scores, in the rows of `panel`; None where labels play no part.
    people : (E, M) float64 or None
        Labels, 0 where there is none.
    labelled : (E, M) bool or None
    tuning : (E,) float64 or None
        Weight of the judge in each corrected score.
    notes : tuple of Note
    """

    panel: Panel
    estimand: Estimand
    source: Panel | None = None
    people: Floats | None = None
    labelled: Mask | None = None
    tuning: Floats | None = None
    notes: tuple[Note, ...] = ()

    def stated(self, estimand: Estimand) -> Estimand:
        """Say in an estimand which part the judge has."""
        return msgspec.structs.replace(estimand, judge=self.estimand.judge)


def judged(table: Table, seen: Panel, estimand: Estimand, *, parted: bool = False) -> JudgedPanel:
    """See scores of a judge through labels of people, where there are any.

    Parameters
    ----------
    table, seen, estimand
        The results, their panel of the judge's scores, and what is asked.
    parted : bool
        Items are parted into categories, each with a board of its own.

    Raises
    ------
    DataError
        A correction, or labels, asked for where there are none or too few.
    MethodError
        A correction of weighted items, of categories that count alike, or of another metric than the mean.
    """
    found, asked = labels_of(table), estimand.judge
    if found is None:
        if asked in ("corrected", "labels"):
            raise DataError(
                f"--judge {asked} needs labels of people; found none: a column human, or --labels FILE"
            )
        return JudgedPanel(seen, estimand)
    if asked == "raw":
        return JudgedPanel(seen, estimand)
    people, labelled = _placed(table, seen, found.value)
    short = _obstacle(seen, estimand, labelled)
    if parted:
        short = "--judge corrected has no boards by category; use --judge raw or labels"
    if asked is None and short is not None:
        text = f"labels of people are there and not used: {short}; scores are those of the judge"
        note = Note(code="labels-unused", text=text)
        return JudgedPanel(seen, msgspec.structs.replace(estimand, judge="raw"), notes=(note,))
    if asked == "labels":
        if not labelled.any():
            raise DataError("--judge labels needs labels of people; found none of these entries")
        return _of_labels(seen, estimand, people, labelled)
    if short is not None:
        raise (MethodError if short.startswith("--") else DataError)(short)
    return _corrected(seen, msgspec.structs.replace(estimand, judge="corrected"), people, labelled)


def _ordered(made: JudgedPanel) -> JudgedPanel:
    """Put the rows in the order of a panel again: best first, then by content."""
    panel = made.panel
    order = by_content(panel.values, panel.present, panel.weights, panel.sign)
    assert made.source is not None
    assert made.people is not None
    assert made.labelled is not None
    return replace(
        made,
        panel=panel.rows(order),
        source=made.source.rows(order),
        people=made.people[order],
        labelled=made.labelled[order],
        tuning=None if made.tuning is None else made.tuning[order],
    )


def _of_labels(seen: Panel, estimand: Estimand, people: Floats, labelled: Mask) -> JudgedPanel:
    """Take the labels alone."""
    binary = bool(np.isin(people[labelled], (0.0, 1.0)).all())
    made = replace(
        seen,
        values=people.astype(np.float32) if binary else people,
        present=labelled,
        samples=None,
        right=None,
        within=None,
        binary=binary,
    )
    return _ordered(JudgedPanel(made, estimand, seen, people, labelled))


def _placed(table: Table, seen: Panel, value: Floats) -> tuple[Floats, Mask]:
    """Labels in the rows and columns of a panel."""
    dense = np.full((len(table.entries), len(table.items)), np.nan)
    dense[table.cells.entry, table.cells.item] = value
    row = {name: at for at, name in enumerate(table.entries)}
    column = {name: at for at, name in enumerate(table.items)}
    people = dense[[row[name] for name in seen.entries]][:, [column[name] for name in seen.items]]
    labelled = np.isfinite(people) & seen.present
    return np.where(labelled, people, 0.0), labelled


def _obstacle(seen: Panel, estimand: Estimand, labelled: Mask) -> str | None:
    """Say what keeps scores from being corrected."""
    if estimand.metric != "mean" or estimand.absent == "fitted" or estimand.generalises_to == "reruns":
        return "--judge corrected is of mean scores over comparable items; use --judge raw or labels"
    if seen.weights is not None or seen.stratum is not None:
        return "--judge corrected takes items that count alike; use --judge raw or labels"
    counts, rest = labelled.sum(axis=1), (seen.present & ~labelled).sum(axis=1)
    some = np.flatnonzero(seen.present.any(axis=1))
    for at in some[counts[some] < LEAST]:
        return f"each entry needs {LEAST} labels; found {int(counts[at])} of {seen.entries[at]}"
    for at in some[rest[some] < 2]:
        return f"nearly every item of {seen.entries[at]} has a label: use --judge labels"
    return None


def _corrected(seen: Panel, estimand: Estimand, people: Floats, labelled: Mask) -> JudgedPanel:
    """Correct the judge's scores, in two strata where all entries have labels on the same items."""
    found = ppi.corrected(seen.values, people, seen.present, labelled)
    of_item = labelled.any(axis=0)
    alike = bool((labelled == (seen.present & of_item)).all())
    truth = Truth(found.value, found.se, found.careful, labelled.sum(axis=1))
    made = replace(
        seen,
        values=2 * found.parts if alike else found.values,
        stratum=np.asarray(of_item, dtype=np.int32) if alike else None,
        samples=None,
        right=None,
        within=None,
        binary=False,
        truth=None if seen.cluster is not None else truth,
    )
    notes = [_assumption(seen, labelled)]
    if not alike:
        text = (
            "entries have labels on different items: p-values treat the labelled part as large, so that with "
            "few labels small ones are too small"
        )
        notes.append(Note(code="labels-on-different-items", text=text))
    slight = [name for name, weight in zip(seen.entries, found.tuning, strict=True) if weight < SLIGHT]
    if slight:
        text = (
            f"the judge says next to nothing about the labels of {len(slight)} of {len(seen.entries)} "
            "entries: their scores are in effect those of the labels alone"
        )
        notes.append(Note(code="judge-adds-nothing", text=text))
    return _ordered(JudgedPanel(made, estimand, seen, people, labelled, found.tuning, tuple(notes)))


def _assumption(seen: Panel, labelled: Mask) -> Note:
    """Say what the correction takes for granted, and how the labelled items look beside the others."""
    rest = seen.present & ~labelled
    on, off = (float(seen.values[where].mean(dtype=np.float64)) for where in (labelled, rest))
    shown = [f"{100 * x:.1f} %" if seen.rates else f"{x:.4g}" for x in (on, off)]
    text = (
        "the correction takes the labelled items as drawn at random from all: the judge's mean score is "
        f"{shown[0]} on them and {shown[1]} on the others"
    )
    score = np.where(seen.present, seen.values, 0).sum(axis=0) / np.maximum(seen.present.sum(axis=0), 1)
    parts = score[labelled.any(axis=0)], score[~labelled.any(axis=0)]
    if min(map(len, parts)) > 1:
        error = np.sqrt(sum(float(part.var(ddof=1)) / len(part) for part in parts))
        if error > 0 and abs(parts[0].mean() - parts[1].mean()) > RARE * error:
            text += (
                f", a difference beyond {RARE:g} standard errors: if items were picked for labelling by "
                "their outcome, the correction is wrong"
            )
    return Note(code="labels-at-random", text=text)
