"""Claims about a judge and labels of people; `results.claims` lists them with the others."""

from __future__ import annotations

from typing import Literal

from deadheat.results.claim import Claim


class Judged(Claim, frozen=True, kw_only=True):
    """Scores of a judge, by labels of people: ``corrected``, or the ``labels`` alone.

    `low`, `high`: labels of the entries. `first_by_judge`: entries that the judge alone puts first.
    """

    scores: Literal["corrected", "labels"]
    low: int
    high: int
    first_by_judge: tuple[str, ...]


class LabelsPicked(Claim, frozen=True, kw_only=True):
    """Labelled items differ from the others in the judge's scores, as if picked by their outcome.

    `labelled`, `others`: the judge's mean score. `errors`: how many standard errors they are apart.
    """

    labelled: float
    others: float
    errors: float
