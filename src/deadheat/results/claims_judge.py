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


class LabelsNeeded(Claim, frozen=True, kw_only=True):
    """Labels of people that give a judged score an interval of this half-width, and how many alone would.

    `labels`: null where labels of all the items do not reach it but `all_labelled`. `items`: null for as many
    as one likes. `best_labels`, `best_items`, `best_cost`: the cheapest mix at the prices given.
    """

    labels: int | None
    alone: int
    items: int | None
    half_width: float
    all_labelled: float | None
    level: float
    rates: bool
    best_labels: int | None
    best_items: int | None
    best_cost: float | None


class LabelSheet(Claim, frozen=True, kw_only=True):
    """Items that are drawn for labelling, of how many without a label, beside how many that have one.

    `low`, `high`: with what probability an item has a label then. `ratio`: the standard error to expect of a
    score, over that of as many labels drawn alike; null without labels to tell.
    """

    items: int
    pool: int
    labelled: int
    low: float
    high: float
    ratio: float | None


class LabelsForBudget(Claim, frozen=True, kw_only=True):
    """Labels and items that make the most of a budget, and the half-width that they give."""

    labels: int
    items: int
    half_width: float
    level: float
    budget: float
    rates: bool
