"""Do published figures agree with the counts behind them: rates, counts, standard errors, denominators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.errors import MethodError
from deadheat.stats.numerics.bounds import Bounds

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

GATE = 1.0  # whole items by which a published rate may miss the items behind it
SLACK = 1e-9  # in items: far above the rounding of published * n, far below any real gap
DIGIT = 1e-9  # of half a unit in the last digit, so that a rate exactly half way counts for both sides


def gap_in_items(published: ArrayLike, right: ArrayLike, n: ArrayLike) -> Floats:
    """Say by how many items a published rate misses the items behind it.

    Parameters
    ----------
    published : array_like
        Published rates in [0, 1].
    right, n : array_like
        Items right (or the sum of their scores), and items scored.

    Returns
    -------
    numpy.ndarray
        right - published * n: negative where the published rate claims more than the items show.

    Raises
    ------
    MethodError
        For an empty sample, which implies no rate at all.
    """
    n = np.asarray(n, dtype=np.float64)
    if np.any(n < 1):
        raise MethodError("a published rate was to be checked against no items; it takes at least one")
    gap: Floats = np.asarray(right, dtype=np.float64) - np.asarray(published, dtype=np.float64) * n
    return gap


def agrees(published: ArrayLike, right: ArrayLike, n: ArrayLike) -> NDArray[np.bool_]:
    """Decide whether published rates agree with the items behind them to within one item.

    One item is the finest step that a rate over n items can move in. The decision is made in items:
    in rates it would hang on rounding, for 0.794 - 0.792 exceeds 1/500 in floating point.

    Parameters
    ----------
    published, right, n : array_like
        As in `gap_in_items`; False where `published` is NaN.

    Raises
    ------
    MethodError
        For an empty sample.
    """
    close: NDArray[np.bool_] = np.abs(gap_in_items(published, right, n)) <= GATE + SLACK
    return close


def recover_counts(rate: float, n: int, decimals: int) -> Ints:
    """Find every count of right items that a rounded rate can stand for.

    Parameters
    ----------
    rate : float
        The rate as printed, in [0, 1].
    n : int
        Items behind it.
    decimals : int
        Digits behind the point of the rate in [0, 1]: 4 for 63.64 %.

    Returns
    -------
    numpy.ndarray of int
        All k with k/n equal to `rate` after rounding (half way up or down): one, several, or none, in
        which case the rate, n or the scores are not what they seem.

    Raises
    ------
    MethodError
        For n below 1 or a rate outside [0, 1].

    References
    ----------
    Brown, N. J. L., Heathers, J. A. J. (2017). The GRIM test: a simple technique detects numerous anomalies
    in the reporting of results in psychology. Soc. Psychol. Personal. Sci. 8, 363-369.
    """
    _check(rate, n)
    half = 0.5 * 10.0**-decimals * (1 + DIGIT)
    low, high = np.ceil((rate - half) * n - SLACK), np.floor((rate + half) * n + SLACK)
    return np.arange(max(0, int(low)), min(n, int(high)) + 1, dtype=np.int64)


def fits(rate: float, right: ArrayLike, n: ArrayLike, decimals: int) -> NDArray[np.bool_]:
    """Say for which counts and denominators a rounded rate is right/n.

    Parameters
    ----------
    rate : float
        The rate as printed, in [0, 1].
    right, n : array_like
        Counts and denominators to try; they broadcast.
    decimals : int
        Digits behind the point of the rate.
    """
    n = np.asarray(n, dtype=np.float64)
    half = 0.5 * 10.0**-decimals * (1 + DIGIT)
    close: NDArray[np.bool_] = np.abs(np.asarray(right, dtype=np.float64) - rate * n) <= half * n + SLACK
    return close


def binomial_n(score: float, n: int) -> float:
    """Standard error sqrt(p (1 - p) / n) of a mean of 0/1 scores."""
    return float(np.sqrt(score * (1 - score) / n))


def binomial_n1(score: float, n: int) -> float:
    """Standard error sqrt(p (1 - p) / (n - 1)) of a mean of 0/1 scores; NaN for one item."""
    return float(np.sqrt(score * (1 - score) / (n - 1))) if n > 1 else float("nan")


def binomial_sd(score: float, n: int) -> float:
    """Standard deviation sqrt(p (1 - p)) of one item: a standard error that was never divided by sqrt n."""
    return float(np.sqrt(score * (1 - score)))


FORMULAS: Mapping[str, Callable[[float, int], float]] = {
    "binomial": binomial_n,
    "n-1": binomial_n1,
    "standard deviation": binomial_sd,
}


def stderr_formulas(score: float, n: int, known: Mapping[str, float] | None = None) -> dict[str, float]:
    """Give the standard error of a rate by every formula that is in use.

    Parameters
    ----------
    score : float
        Mean of 0/1 scores, in [0, 1].
    n : int
        Items behind it.
    known : mapping or None
        Further standard errors, by the name of their formula, that took the items themselves to compute.

    Returns
    -------
    dict of str to float

    Raises
    ------
    MethodError
        For n below 1 or a score outside [0, 1].
    """
    _check(score, n)
    return {name: formula(score, n) for name, formula in FORMULAS.items()} | dict(known or {})


def reproduced_by(stored: float, candidates: Mapping[str, float], decimals: int) -> tuple[str, ...]:
    """Name the formulas that give a published standard error to within its rounding.

    Parameters
    ----------
    stored : float
        The standard error as published.
    candidates : mapping
        Standard error by formula, as from `stderr_formulas`; NaN fits nothing.
    decimals : int
        Digits behind the point of `stored`.

    Returns
    -------
    tuple of str
        Empty when none does. A stored zero is never taken as the rounding of a positive error unless it
        was published with so few digits that it is.
    """
    half = 0.5 * 10.0**-decimals * (1 + DIGIT) + 1e-12 * abs(stored)
    return tuple(name for name, value in candidates.items() if abs(value - stored) <= half)


class Coverage(NamedTuple):
    """What a set of scores, some of them missing, can say of its mean."""

    attempted: int
    scored: int
    mean: float
    missing_as_zero: float
    bounds: Bounds


def score_coverage(scores: ArrayLike) -> Coverage:
    """Say how many scores there are, and how far the missing ones could move their mean.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Scores in [0, 1]; NaN where missing.

    Returns
    -------
    Coverage
        `mean` over the scored (NaN if there are none), the mean with zeros for the missing, and bounds
        that assume nothing of the missing but that they lie in [0, 1].

    Raises
    ------
    MethodError
        For no attempt, or a score outside [0, 1].
    """
    given = np.asarray(scores, dtype=np.float64)
    seen = ~np.isnan(given)
    if not given.size:
        raise MethodError("the coverage of no attempts was asked for; it takes at least one")
    if np.any((given[seen] < 0) | (given[seen] > 1)):
        raise MethodError("bounds of a mean need scores in [0, 1]")
    return count_coverage(float(given[seen].sum()), int(seen.sum()), given.size)


def count_coverage(right: float, scored: int, attempted: int) -> Coverage:
    """Do as `score_coverage` for counts: items right, scored and attempted.

    Raises
    ------
    MethodError
        For counts that cannot be: no attempt, more scored than attempted, more right than scored.
    """
    if not 0 <= right <= scored <= attempted or attempted < 1:
        raise MethodError(
            f"counts must satisfy 0 <= right <= scored <= attempted and attempted >= 1; found {right:g}, "
            f"{scored}, {attempted}"
        )
    mean = right / scored if scored else float("nan")
    low, high = right / attempted, (right + attempted - scored) / attempted
    return Coverage(attempted, scored, mean, low, Bounds(np.array(low), np.array(high)))


def _check(rate: float, n: int) -> None:
    if n < 1 or not 0 <= rate <= 1:
        raise MethodError(f"a rate in [0, 1] over at least one item was asked about; found {rate} of {n}")
