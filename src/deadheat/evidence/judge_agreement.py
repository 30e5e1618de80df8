"""A judge against people: how the two agree at each entry, and whether the judge errs alike everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.results import Interval, Note
from deadheat.results.judge import Judged
from deadheat.stats.judged import prediction_powered as ppi
from deadheat.stats.judged.agreement_of_raters import Agreed, agreement
from deadheat.stats.judged.drift import GroupMeans, equal_means
from deadheat.stats.numerics.bounds import defined

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Labelled(NamedTuple):
    """The judge's own scores, (E, M), and the labels of people in the same rows and columns."""

    source: Panel
    people: Floats
    labelled: Mask


def judge_lines(
    found: Labelled,
    level: float,
    value: Mapping[str, float | None] | None = None,
    places: Mapping[str, int | None] | None = None,
    tuning: Floats | None = None,
) -> tuple[Judged, ...]:
    """Set the judge against people, entry by entry; entries without a label have no line.

    Parameters
    ----------
    found : Labelled
    level : float
        Of the intervals of agreement.
    value, places : mapping, optional
        Entry -> score, and place, on a board of corrected scores or labels; lines come in its order.
    tuning : (E,) float64, optional
        Weight of the judge in each corrected score.
    """
    source, out = found.source, []
    ran = np.maximum(source.present.sum(axis=1), 1)
    judge = np.where(source.present, source.values, 0).sum(axis=1, dtype=np.float64) / ran
    better = source.sign * (judge[:, None] - judge[None, :]) < -1e-12
    for row, entry in enumerate(source.entries):
        has = found.labelled[row]
        if not has.any():
            continue
        f, y = source.values[row, has].astype(np.float64), found.people[row, has]
        cluster = None if source.cluster is None else source.cluster[has]
        raters = agreement(f, y, level, cluster)
        out.append(
            Judged(
                entry=entry,
                labels=int(has.sum()),
                judge=float(judge[row]),
                people=float(y.mean()),
                people_se=defined(float(y.std(ddof=1) / np.sqrt(len(y)))) if len(y) > 1 else None,
                corrected=None if tuning is None or value is None else value.get(entry),
                tuning=None if tuning is None else float(tuning[row]),
                place_judge=1 + int(better[row].sum()),
                place=None if places is None else places.get(entry),
                kappa=defined(raters.value.kappa),
                kappa_interval=_interval(raters, level, "kappa"),
                alpha=defined(raters.value.alpha),
                alpha_interval=_interval(raters, level, "alpha"),
                ac1=defined(raters.value.ac1),
                ac1_interval=_interval(raters, level, "ac1"),
            )
        )
        if source.binary and np.isin(y, (0.0, 1.0)).all():
            out[-1] = _counted(out[-1], f > 0, y > 0, float(judge[row]), int(ran[row]))
    order = list(value or source.entries)
    return tuple(sorted(out, key=lambda line: order.index(line.entry)))


def _interval(raters: Agreed, level: float, name: str) -> Interval | None:
    """Give the interval of one coefficient; None where it has none."""
    low, high = float(getattr(raters.low, name)), float(getattr(raters.high, name))
    return Interval(low=low, high=high, level=level, method="jackknife t") if low < high else None


def _counted(line: Judged, f: Mask, y: Mask, rate: float, items: int) -> Judged:
    """Add what counts of 0/1 scores and labels say, and the rate corrected by the judge's errors."""
    both, judge, people, neither = (int(x.sum()) for x in (f & y, f & ~y, ~f & y, ~f & ~y))
    right = both / (both + people) if both + people else np.nan
    wrong = neither / (neither + judge) if neither + judge else np.nan
    made = ppi.RoganGladen(np.nan, np.nan)
    if both + people and neither + judge:
        made = ppi.rogan_gladen(rate, items, wrong, neither + judge, right, both + people)
    return msgspec.structs.replace(
        line,
        agreement=(both + neither) / len(f),
        sensitivity=defined(right),
        specificity=defined(wrong),
        rogan_gladen=defined(made.value),
        rogan_gladen_se=defined(made.se),
        table=(both, judge, people, neither),
    )


def unlike(found: Labelled) -> Note | None:
    """Test that the judge errs alike at all entries, for 0/1 scores; None where it may."""
    if not found.source.binary:
        return None
    truth = [found.labelled & (found.people == value) for value in (0.0, 1.0)]
    wrong = [(where & (found.source.values != value)).sum(axis=1) for value, where in enumerate(truth)]
    p = ppi.homogeneity(np.array(wrong), np.array([where.sum(axis=1) for where in truth]))
    if not p < 0.05:
        return None
    shown = "p < .001" if p < 0.001 else f"p = {p:.3f}".replace("0.", ".")
    text = (
        f"the judge errs more at some entries than at others (chi-squared test of homogeneity, {shown}): "
        "one correction for all would move their differences, so each entry has its own"
    )
    return Note(code="judge-errors-differ", text=text)


def drift(found: Labelled, group: NDArray[np.integer]) -> GroupMeans | None:
    """Test that the judge leans alike in all groups of items, whatever it leans to.

    Parameters
    ----------
    found : Labelled
    group : (M,) int
        Group of each item, from 0; below 0 for none.

    Returns
    -------
    GroupMeans or None
        Mean of judge - people by group, items counting alike; None with fewer than two groups to test.
    """
    has = found.labelled
    gap = np.where(has, found.source.values - found.people, 0.0).sum(axis=0, dtype=np.float64)
    some = np.asarray(has.any(axis=0)) & (group >= 0)
    return equal_means(gap[some] / has.sum(axis=0)[some], group[some])
