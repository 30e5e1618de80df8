"""What a board says of the judge that gave its scores: a claim, doubts, and a line per entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.evidence.judged import JudgedPanel
from deadheat.ranking.part import Part
from deadheat.results import Note, claims
from deadheat.results.claim import Claim
from deadheat.results.judge import Judged
from deadheat.stats.judged import prediction_powered as ppi
from deadheat.stats.numerics.bounds import defined

Floats = NDArray[np.float64]


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
        known = _against(f, y, float(judge[row]), int(ran[row])) if source.binary else {}
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
                agreement=known.get("agreement"),
                kappa=known.get("kappa"),
                sensitivity=known.get("sensitivity"),
                specificity=known.get("specificity"),
                rogan_gladen=known.get("rogan_gladen"),
                rogan_gladen_se=known.get("rogan_gladen_se"),
            )
        )
    order = list(value)
    return tuple(sorted(out, key=lambda line: order.index(line.entry)))


def _against(f: Floats, y: Floats, rate: float, items: int) -> dict[str, float | None]:
    """Agreement of 0/1 scores and labels, and the rate corrected by the judge's errors; None if unknown."""
    if not np.isin(y, (0.0, 1.0)).all():
        return {}
    no, yes = f[y == 0], f[y == 1]
    wrong, right = (1 - no.mean() if len(no) else np.nan), (yes.mean() if len(yes) else np.nan)
    made = ppi.RoganGladen(np.nan, np.nan)
    if len(no) and len(yes):
        made = ppi.rogan_gladen(rate, items, float(wrong), len(no), float(right), len(yes))
    found = {
        "agreement": (f == y).mean(),
        "kappa": ppi.kappa(f, y),
        "sensitivity": right,
        "specificity": wrong,
        "rogan_gladen": made.value,
        "rogan_gladen_se": made.se,
    }
    return {name: defined(float(value)) for name, value in found.items()}


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
