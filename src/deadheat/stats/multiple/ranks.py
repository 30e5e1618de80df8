"""Places and the ranks that the data allow: what an order of entries is worth."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.stats.numerics.bounds import Bounds

Ints = NDArray[np.int64]


def competition_place(values: ArrayLike, order: ArrayLike | None = None, *, tolerance: float = 1e-12) -> Ints:
    """Number entries from the highest value by competition ranking: equals share a place, as in 1, 1, 3.

    Parameters
    ----------
    values : array_like, shape (E,)
        Higher is better; NaN for an entry without a value.
    order : array_like of int or None
        Entries with a value from first to last, where they do not follow their values; equals then share a
        place only where they are neighbours.
    tolerance : float
        Values that differ by no more than this (relative, or absolute below 1) are equal: far below any
        difference of scores, far above the rounding of a mean.

    Returns
    -------
    numpy.ndarray of int, shape (E,)
        Places from 1; 0 for NaN, which is unranked and shifts nobody.
    """
    given = np.asarray(values, dtype=np.float64)
    if order is None:
        order = np.argsort(-given, kind="stable")[: given.size - int(np.isnan(given).sum())]
    rows = np.asarray(order, dtype=np.intp)
    ranked = given[rows]
    fresh = np.ones(ranked.size, dtype=bool)
    fresh[1:] = np.abs(ranked[:-1] - ranked[1:]) > tolerance * np.maximum(1.0, np.abs(ranked[1:]))
    places = np.zeros(given.size, dtype=np.int64)
    places[rows] = np.maximum.accumulate(np.where(fresh, np.arange(1, ranked.size + 1), 0))
    return places


def rank_intervals(p: ArrayLike, difference: ArrayLike, alpha: float) -> Bounds:
    """Bound every entry's rank by the pairs that are separated.

    The rank of an entry lies between 1 + the number of entries significantly better and E - the number
    significantly worse. With p-values adjusted over all pairs (Holm), all intervals hold together with
    confidence 1 - alpha; with an entry's own pairs adjusted among themselves, each holds by itself.

    Parameters
    ----------
    p : array_like, shape (E, E)
        Adjusted two-sided p-values, row entry v column entry; NaN where undefined, which separates
        nobody. The diagonal is not read.
    difference : array_like, shape (E, E)
        Row entry - column entry on the items they share; only the sign is read.
    alpha : float
        A pair is separated when p < alpha.

    Returns
    -------
    Bounds, each shape (E,)
        Lowest and highest rank, whole numbers from 1 (best) to E.

    References
    ----------
    Mogstad, Romano, Shaikh & Wilhelm (2024), "Inference for ranks with applications to mobility across
    neighbourhoods and academic achievement across countries", Rev. Econ. Stud. 91, 476–518.
    """
    gap = np.asarray(difference, dtype=np.float64)
    apart = np.asarray(p, dtype=np.float64) < alpha  # False for NaN
    np.fill_diagonal(apart, False)
    better = np.count_nonzero(apart & (gap < 0), axis=1)
    worse = np.count_nonzero(apart & (gap > 0), axis=1)
    return Bounds(1.0 + better, len(gap) - worse.astype(np.float64))


def possible_best(p: ArrayLike, difference: ArrayLike, alpha: float) -> NDArray[np.bool_]:
    """Find the entries that may be the best: a confidence set that holds the best with level 1 - alpha.

    An entry is excluded when another one beats it one-sided at alpha / (E - 1). The best entry is then
    excluded with probability alpha at most, by Bonferroni's inequality over its E - 1 comparisons; equal
    best entries are all held together.

    Parameters
    ----------
    p : array_like, shape (E, E)
        Two-sided p-values, row entry v column entry; NaN excludes nobody. The diagonal is not read.
    difference : array_like, shape (E, E)
        Row entry - column entry on the items they share; only the sign is read.
    alpha : float

    Returns
    -------
    numpy.ndarray of bool, shape (E,)

    References
    ----------
    Hsu (1984), "Constrained simultaneous confidence intervals for multiple comparisons with the best",
    Ann. Statist. 12, 1136-1144; the exact tests take the place of his normal ones.
    """
    p, difference = np.asarray(p, dtype=np.float64), np.asarray(difference, dtype=np.float64)
    others = max(len(p) - 1, 1)
    # A two-sided p that is capped at 1 says nothing of its half.
    with np.errstate(invalid="ignore"):
        beaten = (difference < 0) & (p < 1) & (p / 2 < alpha / others)
    np.fill_diagonal(beaten, False)
    return np.asarray(~beaten.any(axis=1))
