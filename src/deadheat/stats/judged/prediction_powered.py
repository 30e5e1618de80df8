"""Scores of a judge corrected by labels of people: prediction-powered inference with a tuned weight."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Corrected(NamedTuple):
    """Corrected scores.

    Parameters
    ----------
    value, se : (E,) float64
        Score, and its standard error by the formula of the source.
    tuning : (E,) float64
        Weight of the judge: 0 takes the labels alone, 1 the judge with its mean error taken off.
    careful : (E,) float64
        Standard error that allows for the tuning having been chosen on the same labels; for few labels.
    values : (E, M) float64
        Pseudo-values: their plain mean is the score, and their spread over items, also of differences of two
        entries, gives the careful error.
    parts : (E, M) float64
        The judge's weighted score where there is no label, and the label's excess over it where there is one:
        the score is the sum of their two means, and the spread of each gives its part of the careful error.
    """

    value: Floats
    se: Floats
    tuning: Floats
    careful: Floats
    values: Floats
    parts: Floats


def corrected(judge: NDArray[np.generic], people: Floats, present: Mask, labelled: Mask) -> Corrected:
    """Correct the mean score of each entry.

    Parameters
    ----------
    judge, people : (E, M)
        Scores of the judge, and labels of people; what is absent, or not labelled, is not read.
    present, labelled : (E, M) bool
        Labelled cells are present; every entry has two labelled items and two others.

    Returns
    -------
    Corrected

    References
    ----------
    Angelopoulos, Duchi & Zrnic (2023), "PPI++: Efficient prediction-powered inference", arXiv:2311.01453:
    theta = tuning * mean(judge | no label) + mean(label - tuning * judge | label), and the tuning that makes
    its variance least, kept in [0, 1].
    """
    rest = present & ~labelled
    n, m = labelled.sum(axis=1), rest.sum(axis=1)
    f, y = np.where(present, judge, 0).astype(np.float64), np.where(labelled, people, 0.0)
    mean_f, mean_y = _mean(f, labelled, n), _mean(y, labelled, n)
    every = n + m
    off_mean = np.where(present, f - _mean(f, present, every), 0.0)
    spread = (off_mean**2).sum(axis=1) / np.maximum(every - 1, 1)
    together = (np.where(labelled, (f - mean_f) * (y - mean_y), 0.0)).sum(axis=1) / n
    scale = ((1 + n / np.maximum(m, 1)) * np.where(spread > 1e-15, spread, np.inf))[:, None]
    tuning = np.clip(together[:, None] / scale, 0.0, 1.0)
    excess = np.where(labelled, y - tuning * f, 0.0)
    weighed = np.where(rest, tuning * f, 0.0)
    ours, theirs = _mean(excess, labelled, n), _mean(weighed, rest, m)
    value = (ours + theirs)[:, 0]
    apart = np.where(labelled, excess - ours, 0.0), np.where(rest, weighed - theirs, 0.0)
    se = np.sqrt((apart[0] ** 2).sum(axis=1) / n**2 + (apart[1] ** 2).sum(axis=1) / m**2)
    # The tuning fits the labels it was chosen on: each label's excess is taken by the tuning of the others.
    size = n[:, None]
    own = (f - mean_f) * (y - mean_y) * size / np.maximum(size - 1, 1)
    without = np.clip((size * together[:, None] - own) / np.maximum(size - 1, 1) / scale, 0.0, 1.0)
    honest = np.where(labelled, y - mean_y - without * (f - _mean(f, rest, m)), 0.0)
    honest = np.where(labelled, honest - _mean(honest, labelled, n), 0.0)
    variance = (honest**2).sum(axis=1) / (n * (n - 1)) + (apart[1] ** 2).sum(axis=1) / (m * (m - 1))
    # One number per item whose mean over all items is the score, and whose spread is its error.
    widen = np.sqrt(every * (every - 1))[:, None]
    spread_out = honest / np.sqrt(n * (n - 1))[:, None] + apart[1] / np.sqrt(m * (m - 1))[:, None]
    return Corrected(
        value=value,
        se=se,
        tuning=tuning[:, 0],
        careful=np.sqrt(variance),
        values=np.where(present, value[:, None] + widen * spread_out, 0.0),
        parts=np.where(labelled, ours + honest, weighed),
    )


def _mean(x: Floats, where: Mask, count: NDArray[np.integer]) -> Floats:
    """Mean of each row over some of its columns, as a column."""
    return np.asarray(np.where(where, x, 0.0).sum(axis=1) / np.maximum(count, 1))[:, None]


class Weighted(NamedTuple):
    """Corrected scores where items were labelled with known, unequal probabilities; see `Corrected`."""

    value: Floats
    se: Floats
    tuning: Floats
    values: Floats


def weighted(
    judge: NDArray[np.generic], people: Floats, present: Mask, labelled: Mask, inclusion: Floats
) -> Weighted:
    """Correct the mean score of each entry by labels that were drawn with known probabilities.

    Parameters
    ----------
    judge, people, present, labelled
        As for `corrected`.
    inclusion : (E, M) float64
        With what probability a cell was labelled, read where it was; independently of the others.

    Returns
    -------
    Weighted
        `values` are pseudo-values: the label's excess over a linear guess from the judge's score, divided by
        the probability, plus the guess. Their mean is the score and their spread over items its error.

    References
    ----------
    Horvitz & Thompson (1952), JASA 47, 663-685. Robins, Rotnitzky & Zhao (1994), JASA 89, 846-866, for the
    guess taken off. Zrnic & Candes (2024), "Active statistical inference", arXiv:2403.03208.
    """
    f = np.where(present, judge, 0).astype(np.float64)
    weight = np.where(labelled, 1 / np.where(labelled, inclusion, 1.0), 0.0)
    total = weight.sum(axis=1, keepdims=True)
    mean_f, mean_y = ((weight * x).sum(axis=1, keepdims=True) / total for x in (f, people))
    off = np.where(labelled, f - mean_f, 0.0)
    spread = (weight * off**2).sum(axis=1, keepdims=True)
    together = (weight * off * np.where(labelled, people - mean_y, 0.0)).sum(axis=1, keepdims=True)
    tuning = np.clip(together / np.where(spread > 1e-15, spread, np.inf), 0.0, 1.0)
    guess = np.where(present, mean_y + tuning * (f - mean_f), 0.0)
    values = np.where(present, guess + weight * np.where(labelled, people - guess, 0.0), 0.0)
    number = present.sum(axis=1)
    value = values.sum(axis=1) / number
    rest = np.where(present, values - value[:, None], 0.0)
    se = np.sqrt((rest**2).sum(axis=1) / (number * (number - 1)))
    return Weighted(value, se, tuning[:, 0], values)


class RoganGladen(NamedTuple):
    """A rate corrected by the judge's estimated error rates."""

    value: float
    se: float


def rogan_gladen(rate: float, n: int, q0: float, m0: int, q1: float, m1: int) -> RoganGladen:
    """Correct a judged rate by estimated error rates, whose own error is propagated.

    Parameters
    ----------
    rate : float
        Share of n items that the judge accepts.
    q0, m0 : float, int
        Specificity: the share of m0 wrong items that the judge rejects.
    q1, m1 : float, int
        Sensitivity: the share of m1 right items that the judge accepts.

    Returns
    -------
    RoganGladen
        Kept in [0, 1]; NaN where ``q0 + q1 <= 1``: such a judge says nothing.

    References
    ----------
    Rogan & Gladen (1978), "Estimating prevalence from the results of a screening test", Am. J. Epidemiol.
    107, 71-76. Lee et al. (2025), arXiv:2511.21140, for the variance.
    """
    skill = q0 + q1 - 1
    if skill <= 0 or min(n, m0, m1) < 1:
        return RoganGladen(np.nan, np.nan)
    value = min(max((rate + q0 - 1) / skill, 0.0), 1.0)
    variance = (
        rate * (1 - rate) / n + (1 - value) ** 2 * q0 * (1 - q0) / m0 + value**2 * q1 * (1 - q1) / m1
    ) / skill**2
    return RoganGladen(value, float(np.sqrt(variance)))


def homogeneity(wrong: NDArray[np.integer], n: NDArray[np.integer]) -> float:
    """Test that rates of error are the same in all groups, within each of several strata.

    Parameters
    ----------
    wrong, n : (S, G) int
        Errors, and cases, of each stratum and group.

    Returns
    -------
    float
        p; NaN where no stratum has counts that the test can be trusted with.

    References
    ----------
    Pearson's chi-squared test, summed over strata; Cochran (1954), Biometrics 10, 417-451, for the counts
    that it needs: none expected below 1, and at most a fifth below 5. Where the groups share their cases,
    whose errors then agree, it is conservative.
    """
    from scipy.special import chdtrc

    total, df = 0.0, 0
    for errors, cases in zip(wrong, n, strict=True):
        errors, cases = errors[cases > 0], cases[cases > 0]
        share = errors.sum() / max(int(cases.sum()), 1)
        expected = np.concatenate([cases * share, cases * (1 - share)])
        if len(cases) < 2 or expected.min() < 1 or np.mean(expected < 5) > 0.2:
            continue
        total += float(((errors - cases * share) ** 2 / (cases * share * (1 - share))).sum())
        df += len(cases) - 1
    return float(chdtrc(df, total)) if df else float("nan")
