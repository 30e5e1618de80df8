"""A panel whose scores a judge gave and people labelled in part: corrected, or the labels alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.data.content_order import by_content
from deadheat.data.panel import Panel, Truth
from deadheat.data.people import LABELS_UNUSED, labels_of
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.labelled_items import assumption, contrast, picked
from deadheat.results import Note, claims
from deadheat.results.claim import Claim
from deadheat.stats.judged import prediction_powered as ppi

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Codes = NDArray[np.int32]
LEAST = 10  # labels of each entry without which its score is not corrected
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
    picked : LabelsPicked or None
        Where the labelled items differ from the others more than by chance.
    """

    panel: Panel
    estimand: Estimand
    source: Panel | None = None
    people: Floats | None = None
    labelled: Mask | None = None
    tuning: Floats | None = None
    notes: tuple[Note, ...] = ()
    picked: claims.LabelsPicked | None = None

    def claimed(self, made: tuple[Claim, ...]) -> tuple[Claim, ...]:
        """Put first what makes all other claims doubtful."""
        return made if self.picked is None else (self.picked, *made)

    def stated(self, estimand: Estimand) -> Estimand:
        """Say in an estimand which part the judge has."""
        return msgspec.structs.replace(estimand, judge=self.estimand.judge)


def judged(table: Table, seen: Panel, estimand: Estimand, *, parted: bool = False) -> JudgedPanel:
    """See scores of a judge through labels of people, where there are any.

    Where nothing is asked, labels alone count if all items have one; otherwise they correct the scores if
    each entry has enough.

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
    asked = estimand.judge
    found = None if asked == "raw" else labels_of(table)
    if found is None:
        if asked in ("corrected", "labels"):
            raise DataError(
                f"--judge {asked} needs labels of people; found none: a column human, or --labels FILE"
            )
        return JudgedPanel(seen, estimand)
    people, labelled = _placed(table, seen, found.value)
    if asked is None and not parted and _of_means(estimand) and (labelled == seen.present).all():
        return _of_labels(seen, msgspec.structs.replace(estimand, judge="labels"), people, labelled)
    short = _obstacle(seen, estimand, labelled)
    if parted:
        short = "--judge corrected has no boards by category; use --judge raw or labels"
    if asked is None and short is not None:
        text = f"labels of people are there and not used: {short}; scores are those of the judge"
        note = Note(code=LABELS_UNUSED, text=text)
        return JudgedPanel(seen, msgspec.structs.replace(estimand, judge="raw"), notes=(note,))
    if asked == "labels":
        if not labelled.any():
            raise DataError("--judge labels needs labels of people; found none of these entries")
        return _of_labels(seen, estimand, people, labelled)
    if short is not None:
        raise (MethodError if short.startswith("--") else DataError)(short)
    estimand = msgspec.structs.replace(estimand, judge="corrected")
    if found.inclusion is not None:
        inclusion = _placed(table, seen, found.inclusion)[0]
        return _weighted(seen, estimand, people, labelled, inclusion)
    return _corrected(seen, estimand, people, labelled)


def _of_labels(seen: Panel, estimand: Estimand, people: Floats, labelled: Mask) -> JudgedPanel:
    """Take the labels alone, over the items that have any."""
    if not _of_means(estimand):
        raise MethodError("--judge labels takes the mean label over comparable items; use --judge raw")
    binary = bool(np.isin(people[labelled], (0.0, 1.0)).all())
    some = np.asarray(labelled.any(axis=0))
    made = replace(
        seen,
        values=people.astype(np.float32) if binary else people,
        present=labelled,
        samples=None,
        right=None,
        within=None,
        binary=binary,
    ).select(some)
    without = int((~some).sum())
    text = (
        f"{without} of {len(some)} items have no label and are left out: scores are over the labelled items"
    )
    notes = (Note(code="items-without-label", text=text),) if without else ()
    row = {name: at for at, name in enumerate(seen.entries)}
    order = [row[name] for name in made.entries]
    return JudgedPanel(made, estimand, seen.rows(order), people[order], labelled[order], notes=notes)


def _of_means(estimand: Estimand) -> bool:
    """Whether mean scores over comparable items are asked for, of which labels can speak."""
    return estimand.metric == "mean" and estimand.absent != "fitted" and estimand.generalises_to != "reruns"


def _placed(table: Table, seen: Panel, value: Floats) -> tuple[Floats, Mask]:
    """Labels in the rows and columns of a panel."""
    dense = np.full((len(table.entries), len(table.items)), np.nan)
    dense[table.cells.entry, table.cells.item] = value
    row = {name: at for at, name in enumerate(table.entries)}
    column = {name: at for at, name in enumerate(table.items)}
    people = dense[[row[name] for name in seen.entries]][:, [column[name] for name in seen.items]]
    labelled = np.isfinite(people) & seen.present
    return np.where(labelled, people, 0.0), labelled


def people_of(table: Table, seen: Panel) -> tuple[Floats, Mask]:
    """Labels of people in the rows and columns of a panel, and where there are any.

    Raises
    ------
    DataError
        There are none.
    """
    found = labels_of(table)
    if found is None:
        raise DataError("no labels of people here; they are in a column human, or in a file: --labels FILE")
    return _placed(table, seen, found.value)


def _obstacle(seen: Panel, estimand: Estimand, labelled: Mask) -> str | None:
    """Say what keeps scores from being corrected."""
    if not _of_means(estimand):
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
    some = np.asarray(seen.present.any(axis=1))
    found = ppi.Corrected(*_spread(some, ppi.corrected(*_rows(some, seen, people, labelled))))
    of_item = labelled.any(axis=0)
    alike = bool((labelled == (seen.present & of_item)).all())
    truth = Truth(found.value, found.se, found.careful, labelled.sum(axis=1))
    stratum = np.asarray(of_item, dtype=np.int32) if alike else None
    made = _unsampled(seen, 2 * found.parts if alike else found.values, truth, stratum)
    apart = contrast(seen, labelled)
    notes = [assumption(apart, rates=seen.rates)]
    if not alike:
        text = (
            "entries have labels on different items: p-values treat the labelled part as large, so that with "
            "few labels small ones are too small"
        )
        notes.append(Note(code="labels-on-different-items", text=text))
    text = "smallest differences and numbers of items suppose that the same share of the items is labelled"
    notes.append(Note(code="labels-in-step", text=text))
    slight = [name for name, weight in zip(seen.entries, found.tuning, strict=True) if weight < SLIGHT]
    if slight:
        text = (
            f"the judge says next to nothing about the labels of {len(slight)} of {len(seen.entries)} "
            "entries: their scores are in effect those of the labels alone"
        )
        notes.append(Note(code="judge-adds-nothing", text=text))
    whole = _ordered(made, estimand, seen, people, labelled, found.tuning, tuple(notes))
    return replace(whole, picked=picked(apart))


def _rows(some: Mask, seen: Panel, people: Floats, labelled: Mask) -> tuple[Floats, Floats, Mask, Mask]:
    """The entries that have any score, as the correction takes them."""
    return seen.values[some], people[some], seen.present[some], labelled[some]


def _spread(some: Mask, found: tuple[Floats, ...]) -> list[Floats]:
    """Put the entries without any score back: their score is unknown, and they have no items."""
    if some.all():
        return list(found)
    made = [np.full((len(some), *x.shape[1:]), np.nan if x.ndim == 1 else 0.0) for x in found]
    for whole, x in zip(made, found, strict=True):
        whole[some] = x
    return made


def _ordered(
    made: Panel,
    estimand: Estimand,
    seen: Panel,
    people: Floats,
    labelled: Mask,
    tuning: Floats,
    notes: tuple[Note, ...],
) -> JudgedPanel:
    """Put the rows in the order of the corrected scores."""
    order = by_content(made.values, made.present, made.weights, made.sign)
    rows = made.rows(order), estimand, seen.rows(order), people[order], labelled[order], tuning[order]
    return JudgedPanel(*rows, notes)


def _weighted(
    seen: Panel, estimand: Estimand, people: Floats, labelled: Mask, inclusion: Floats
) -> JudgedPanel:
    """Correct the judge's scores by labels that were drawn with known probabilities."""
    some = np.asarray(seen.present.any(axis=1))
    rows = _rows(some, seen, people, labelled)
    found = ppi.Weighted(*_spread(some, ppi.weighted(*rows, inclusion[some])))
    truth = Truth(found.value, found.se, found.se, labelled.sum(axis=1))
    made = _unsampled(seen, found.values, truth)
    chance = inclusion[labelled]
    text = (
        f"labels were drawn with probabilities of {chance.min():.3g} to {chance.max():.3g}, and each counts "
        "by the inverse of its own; items are taken as drawn independently of one another"
    )
    notes = (Note(code="labels-by-known-probabilities", text=text),)
    return _ordered(made, estimand, seen, people, labelled, found.tuning, notes)


def _unsampled(seen: Panel, values: Floats, truth: Truth, stratum: Codes | None = None) -> Panel:
    """Put pseudo-values in the place of a judge's scores."""
    return replace(
        seen, values=values, stratum=stratum, samples=None, right=None, within=None, binary=False, truth=truth
    )
