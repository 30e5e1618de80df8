"""Which items to label next: a sheet of answers with the probability with which each was drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.data.panel import panel
from deadheat.data.people import labels_of
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.fitted import observed
from deadheat.evidence.judged import LEAST, people_of
from deadheat.planning.plan_record import plan
from deadheat.results import Methods, Note, Plan, claims
from deadheat.seeds import stream
from deadheat.stats.judged.label_draws import FLOOR, probabilities, systematic, unexplained


@dataclass(frozen=True, eq=False)
class LabelSheet:
    """What people are to label, and the labels that are there.

    Parameters
    ----------
    plan : Plan
        How it was drawn, and what it is expected to give.
    rows : tuple of (entry, item, label or None, inclusion)
        As a file of labels, with the label as its score.
    """

    plan: Plan
    rows: tuple[tuple[str, str, float | None, float], ...]


def label_sheet(table: Table, number: int, estimand: Estimand | None = None, *, seed: int = 0) -> LabelSheet:
    """Draw the items that people should label next, rather those whose labels would tell most.

    Parameters
    ----------
    table : Table
        A judge's scores, with labels of people of some items or of none.
    number : int
        Items to label.
    estimand : Estimand or None
    seed : int

    Returns
    -------
    LabelSheet
        An item is drawn with a probability that is half the same for all and half in proportion to the
        standard deviation of its label about the judge's score, over entries; the labels there are, taken as
        drawn at random, say how large that is for each verdict. Without labels all items count alike.

    Raises
    ------
    DataError
        Labels that were drawn with known probabilities before, or fewer items without a label than asked.
    MethodError
        No item asked for.

    References
    ----------
    Zrnic & Candes (2024), "Active statistical inference", arXiv:2403.03208.
    """
    if number < 1:
        raise MethodError(f"a sheet has one item or more; found {number}")
    estimand = estimand or Estimand()
    seen = panel(table, observed(estimand))
    held = labels_of(table)
    if held is not None and held.inclusion is not None:
        raise DataError(
            "these labels were drawn with known probabilities before, and those of the items that were not "
            "drawn are not known here: draw all labels of one sheet at once"
        )
    shape = seen.values.shape
    people, labelled = (np.zeros(shape), np.zeros(shape, bool)) if held is None else people_of(table, seen)
    has, ran = np.asarray(labelled.any(axis=0)), np.asarray(seen.present.any(axis=0))
    pool = ran & ~has
    if number > pool.sum():
        raise DataError(
            f"{int(pool.sum()):,} items have no label yet; found --next {number:,}: ask for fewer"
        )
    some = np.flatnonzero(seen.present.any(axis=1))
    known = bool((labelled[some].sum(axis=1) >= LEAST).all())
    variance, spread = np.zeros(shape), np.zeros(shape[0])
    for row in some[: len(some) * known]:
        judge, on = seen.values[row].astype(np.float64), labelled[row]
        variance[row], spread[row] = unexplained(judge, people[row], on), people[row, on].var()
    of_item = np.where(seen.present, variance, 0.0).sum(axis=0) / np.maximum(seen.present.sum(axis=0), 1)
    chance = probabilities(np.sqrt(of_item), number, pool)
    drawn = pool.copy()
    drawn[pool] = systematic(chance[pool], stream(seed, "plan", "label sheet"))
    first = float(has.sum() / ran.sum())  # with which the labels that are there were drawn
    inclusion = first + (1 - first) * chance
    alike = first + (1 - first) * number / pool.sum()
    own = float(spread[some].mean())
    errors = [own + float((of_item * (1 / p - 1))[ran].mean()) for p in (inclusion, np.full(len(ran), alike))]
    claimed = claims.LabelSheet(
        items=number,
        pool=int(pool.sum()),
        labelled=int(has.sum()),
        low=float(inclusion[ran].min()),
        high=float(inclusion[ran].max()),
        ratio=float(np.sqrt(errors[0] / errors[1])) if known and errors[1] > 0 else None,
    )
    return LabelSheet(
        _plan(table, estimand, claimed, seed),
        tuple(
            (entry, item, float(people[row, at]) if labelled[row, at] else None, float(inclusion[at]))
            for at, item in enumerate(seen.items)
            if has[at] or drawn[at]
            for row, entry in enumerate(seen.entries)
            if seen.present[row, at] and (labelled[row, at] or drawn[at])
        ),
    )


def _plan(table: Table, estimand: Estimand, claimed: claims.LabelSheet, seed: int) -> Plan:
    text = (
        "the labels that are there are taken as drawn at random from all items"
        if claimed.labelled
        else "no entry's answers have a label yet, so all items are drawn with the same probability"
    )
    if claimed.labelled and claimed.ratio is None:
        text = f"{text}; they are fewer than {LEAST} of some entry, so the others are drawn alike"
    notes = (
        Note(code="labels-at-random", text=text),
        Note(
            code="label-all-drawn",
            text="every answer of the sheet needs its label, and keeps its inclusion: one that is left "
            "out because it is hard makes the scores wrong",
        ),
    )
    return plan(
        "label sheet",
        {"seed": seed, "equal_share": FLOOR},
        {
            "items": claimed.items,
            "inclusion_low": claimed.low,
            "inclusion_high": claimed.high,
            "error_ratio": claimed.ratio,
        },
        (claimed,),
        notes,
        methods=Methods(seed=seed),
        estimand=estimand,
        provenance=table.provenance(),
    )
