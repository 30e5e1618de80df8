"""Several raters of the same answers: agreement of all, majorities, and what Dawid and Skene infer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.integer]
STEPS, CLOSE = 2000, 1e-10


def alpha(ratings: Floats) -> float:
    """Krippendorff's alpha of all raters, for interval data; for 0/1 ratings that of nominal data.

    Parameters
    ----------
    ratings : (U, R) float64
        Units by raters, NaN where one did not rate; units with one rating say nothing.

    Returns
    -------
    float
        NaN where all ratings are alike, or no unit has two.

    References
    ----------
    Krippendorff (2004), Content Analysis, ch. 11.
    """
    number = np.isfinite(ratings).sum(axis=1)
    x = np.where(np.isfinite(ratings), ratings, 0.0)[number > 1]
    number = number[number > 1]
    n = int(number.sum())
    square, total = (x**2).sum(axis=1), x.sum(axis=1)
    observed = float(((2 * number * square - 2 * total**2) / np.maximum(number - 1, 1)).sum())
    expected = float(2 * n * square.sum() - 2 * total.sum() ** 2)
    return 1 - (n - 1) * observed / expected if n and expected > 1e-12 else float("nan")


def majority_of_others(ratings: Floats) -> Floats:
    """What most of the other raters say of each unit, (U, R): 0, 1, or NaN where they are divided or none."""
    known = np.isfinite(ratings)
    x = np.where(known, ratings, 0.0)
    rest, right = known.sum(axis=1, keepdims=True) - known, x.sum(axis=1, keepdims=True) - x
    return np.where(2 * right > rest, 1.0, np.where(2 * right < rest, 0.0, np.nan))


class Inferred(NamedTuple):
    """Estimates without any label of people.

    Parameters
    ----------
    right : (U,) float64
        Probability that each answer is right.
    rate : (G,) float64
        Share of right answers of each group.
    sensitivity, specificity : (R,) float64
        Of each rater.
    """

    right: Floats
    rate: Floats
    sensitivity: Floats
    specificity: Floats


def dawid_skene(ratings: Floats, group: Codes) -> Inferred | None:
    """Infer from several raters of 0/1 answers which are right, and how often each rater errs.

    Parameters
    ----------
    ratings : (U, R) float64
        0, 1, or NaN where a rater did not rate.
    group : (U,) int
        Whose answers they are, from 0: each group has its own share of right answers.

    Returns
    -------
    Inferred or None
        Maximum likelihood by the EM algorithm, from majorities; None where it does not settle, or
        most raters would be wrong.

    References
    ----------
    Dawid & Skene (1979), "Maximum likelihood estimation of observer error-rates using the EM algorithm",
    Appl. Stat. 28, 20-28. Raters are taken to err independently of one another given the truth.
    """
    known = np.isfinite(ratings).astype(np.float64)
    yes = np.where(known > 0, ratings, 0.0)
    no = known - yes
    right = yes.sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    size = np.bincount(group)
    for _ in range(STEPS):
        wrong = 1 - right
        rate = np.bincount(group, right) / size
        sensitivity = _share(yes.T @ right, no.T @ right)
        specificity = _share(no.T @ wrong, yes.T @ wrong)
        odds = np.log(_inside(rate) / _inside(1 - rate))[group]
        odds += yes @ np.log(_inside(sensitivity) / _inside(1 - specificity))
        odds += no @ np.log(_inside(1 - sensitivity) / _inside(specificity))
        before, right = right, 1 / (1 + np.exp(-np.clip(odds, -700, 700)))
        if np.abs(right - before).max() < CLOSE:
            if (sensitivity + specificity).mean() < 1 - 1e-9:
                return None  # right and wrong have changed places: most raters are no better than chance
            return Inferred(right, rate, sensitivity, specificity)
    return None


def _share(part: Floats, rest: Floats) -> Floats:
    return np.asarray(part / np.maximum(part + rest, 1e-300))


def _inside(share: Floats) -> Floats:
    return np.maximum(share, 1e-12)
