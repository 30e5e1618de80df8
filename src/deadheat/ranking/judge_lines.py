"""What a board says of the judge that gave its scores: a claim, doubts, and a line per entry."""

from __future__ import annotations

from typing import NamedTuple

from deadheat.evidence.judge_agreement import Labelled, judge_lines, unlike
from deadheat.evidence.judged import JudgedPanel
from deadheat.ranking.part import Part
from deadheat.results import Note, claims
from deadheat.results.claim import Claim
from deadheat.results.judge import Judged


class Told(NamedTuple):
    """Claims of the board with that of its judge, doubts about the judge, and the judge against people."""

    claims: tuple[Claim, ...]
    notes: tuple[Note, ...] = ()
    lines: tuple[Judged, ...] | None = None


def with_judge(whole: Part, judging: JudgedPanel, level: float) -> Told:
    """Add what labels of people say of the judge.

    Parameters
    ----------
    whole : Part
        The board.
    judging : JudgedPanel
        Where its scores came from.
    level : float
        Of the intervals of agreement.
    """
    asked = judging.estimand.judge
    if judging.source is None or judging.people is None or judging.labelled is None:
        return Told(whole.claims, judging.notes)
    found = Labelled(judging.source, judging.people, judging.labelled)
    value = {score.entry: score.value for score in whole.entries}
    places = {score.entry: score.place for score in whole.entries}
    lines = judge_lines(found, level, value, places, judging.tuning)
    if not lines or asked not in ("corrected", "labels"):
        return Told(whole.claims, judging.notes)
    claim = claims.Judged(
        scores="corrected" if asked == "corrected" else "labels",
        low=min(line.labels for line in lines),
        high=max(line.labels for line in lines),
        first_by_judge=tuple(sorted(line.entry for line in lines if line.place_judge == 1)),
    )
    errs = unlike(found)
    return Told(
        judging.claimed((*whole.claims, claim)), (*judging.notes, *(() if errs is None else (errs,))), lines
    )
