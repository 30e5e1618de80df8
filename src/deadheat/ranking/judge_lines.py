"""What a board says of the judge that gave its scores: a claim, doubts, and a line per entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.evidence.judged import JudgedPanel
from deadheat.ranking.part import Part
from deadheat.results import Interval, Note, claims
from deadheat.results.claim import Claim
from deadheat.results.judge import Judged
from deadheat.stats.judged import prediction_powered as ppi
from deadheat.stats.judged.agreement_of_raters import Agreed, agreement
from deadheat.stats.numerics.bounds import defined

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
LEVEL = 0.95  # of intervals of agreement


class Told(NamedTuple):
    """Claims of the board with that of its judge, doubts about the judge, and the judge against people."""

    claims: tuple[Claim, ...]
    notes: tuple[Note, ...] = ()
    lines: tuple[Judged, ...] | None = None


def with_judge(whole: Part, judging: JudgedPanel) -> Told:
    """Add what labels of people say of the judge.

    Parameters
    ----------
    whole : Part
        The board.
    judging : JudgedPanel
        Where its scores came from.
    """
    value = {score.entry: score.value for score in whole.entries}
    lines = records(judging, value, {score.entry: score.place for score in whole.entries})
    asked = judging.estimand.judge
    if not lines or asked not in ("corrected", "labels"):
        return Told(whole.claims, judging.notes)
    claim = claims.Judged(
        scores="corrected" if asked == "corrected" else "labels",
        low=min(line.labels for line in lines),
        high=max(line.labels for line in lines),
        first_by_judge=tuple(sorted(line.entry for line in lines if line.place_judge == 1)),
    )
    errs = unlike(judging)
    return Told(
        judging.claimed((*whole.claims, claim)), (*judging.notes, *(() if errs is None else (errs,))), lines
    )


def records(
    made: JudgedPanel, value: Mapping[str, float | None], places: Mapping[str, int | None]
) -> tuple[Judged, ...] | None:
    """Set the judge against people, entry by entry, in the order of the board; None without labels.

    Parameters
    ----------
    made : JudgedPanel
    value, places : mapping
        Entry -> score, and place, on the board; in its order.
    """
    if made.source is None or made.people is None or made.labelled is None:
        return None
    source, out = made.source, []
    ran = np.maximum(source.present.sum(axis=1), 1)
    judge = np.where(source.present, source.values, 0).sum(axis=1, dtype=np.float64) / ran
    better = source.sign * (judge[:, None] - judge[None, :]) < -1e-12
    for row, entry in enumerate(source.entries):
        has = made.labelled[row]
        if not has.any():
            continue
        f, y = source.values[row, has].astype(np.float64), made.people[row, has]
        cluster = None if source.cluster is None else source.cluster[has]
        raters = agreement(f, y, cluster=cluster)
        out.append(
            Judged(
                entry=entry,
                labels=int(has.sum()),
                judge=float(judge[row]),
                people=float(y.mean()),
                people_se=defined(float(y.std(ddof=1) / np.sqrt(len(y)))) if len(y) > 1 else None,
                corrected=value.get(entry) if made.tuning is not None else None,
                tuning=None if made.tuning is None else float(made.tuning[row]),
                place_judge=1 + int(better[row].sum()),
                place=places.get(entry),
                kappa=defined(raters.value.kappa),
                kappa_interval=_interval(raters, "kappa"),
                alpha=defined(raters.value.alpha),
                alpha_interval=_interval(raters, "alpha"),
                ac1=defined(raters.value.ac1),
                ac1_interval=_interval(raters, "ac1"),
            )
        )
        if source.binary and np.isin(y, (0.0, 1.0)).all():
            out[-1] = _counted(out[-1], f > 0, y > 0, float(judge[row]), int(ran[row]))
    order = list(value)
    return tuple(sorted(out, key=lambda line: order.index(line.entry)))


def _interval(raters: Agreed, name: str) -> Interval | None:
    """Give the interval of one coefficient; None where it has none."""
    low, high = float(getattr(raters.low, name)), float(getattr(raters.high, name))
    return Interval(low=low, high=high, level=LEVEL, method="jackknife t") if low < high else None


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


def unlike(made: JudgedPanel) -> Note | None:
    """Test that the judge errs alike at all entries, for 0/1 scores; None where it may."""
    if made.source is None or made.people is None or made.labelled is None or not made.source.binary:
        return None
    truth = [made.labelled & (made.people == value) for value in (0.0, 1.0)]
    wrong = [(where & (made.source.values != value)).sum(axis=1) for value, where in enumerate(truth)]
    p = ppi.homogeneity(np.array(wrong), np.array([where.sum(axis=1) for where in truth]))
    if not p < 0.05:
        return None
    shown = "p < .001" if p < 0.001 else f"p = {p:.3f}".replace("0.", ".")
    text = (
        f"the judge errs more at some entries than at others (chi-squared test of homogeneity, {shown}): "
        "one correction for all would move their differences, so each entry has its own"
    )
    return Note(code="judge-errors-differ", text=text)
