"""Places and the ranks that the data allow: what an order of entries is worth."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.stats.bounds import Bounds

Ints = NDArray[np.int64]

CELLS = 2**17  # scores of a block of draws that are ranked together: they stay in the cache
GRID = 40  # scores are rounded to 2**-40 of the largest, so that equal scores are equal
FINEST = 1000  # 2**1024 would overflow


def competition_place(values: ArrayLike, *, tolerance: float = 1e-12) -> Ints:
    """Number entries from the highest value by competition ranking: equals share a place, as in 1, 1, 3.

    Parameters
    ----------
    values : array_like, shape (E,)
        Higher is better; NaN for an entry without a value.
    tolerance : float
        Values that differ by no more than this (relative, or absolute below 1) are equal: far below any
        difference of scores, far above the rounding of a mean.

    Returns
    -------
    numpy.ndarray of int, shape (E,)
        Places from 1; 0 for NaN, which is unranked and shifts nobody.
    """
    given = np.asarray(values, dtype=np.float64)
    order = np.argsort(-given, kind="stable")[: given.size - int(np.isnan(given).sum())]
    ranked = given[order]
    fresh = np.ones(ranked.size, dtype=bool)
    fresh[1:] = ranked[:-1] - ranked[1:] > tolerance * np.maximum(1.0, np.abs(ranked[1:]))
    places = np.zeros(given.size, dtype=np.int64)
    places[order] = np.maximum.accumulate(np.where(fresh, np.arange(1, ranked.size + 1), 0))
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


def rank_probabilities(draws: ArrayLike) -> NDArray[np.float64]:
    """Count how often each entry takes each rank in bootstrap draws of the scores.

    These describe the draws: how the board would look if the scores found were the true ones. They are
    no p-values, and their quantiles are no rank intervals (entries that truly tie are shuffled around the
    order that was found).

    Parameters
    ----------
    draws : array_like, shape (D, E)
        Scores of all entries in each draw, from items that all entries share in the draw. NaN in a draw
        ranks below all.

    Returns
    -------
    numpy.ndarray, shape (E, E)
        Share of draws in which the row entry takes rank 1, 2, … E. Entries that tie in a draw take the
        ranks they hold together in equal parts, so rows and columns both sum to 1.
    """
    scores = np.asarray(draws, dtype=np.float64)
    count, entries = scores.shape
    largest = float(np.abs(scores, where=~np.isnan(scores), out=np.zeros_like(scores)).max(initial=0.0))
    scale = 2.0 ** min(GRID - np.ceil(np.log2(largest)), FINEST) if largest > 0 else 1.0
    bits = max(entries - 1, 1).bit_length()
    out = np.zeros(entries * (entries + 1))
    step = max(CELLS // max(entries, 1), entries, 1)  # the table of the counts is as long as a block at most
    for start in range(0, count, step):
        # One whole number holds a score and its entry, so that a plain sort orders both.
        block = np.rint(scores[start : start + step] * -scale, order="C")
        key = np.where(np.isnan(block), 2.0 ** (GRID + 1), block).astype(np.int64)
        key <<= bits
        key |= np.arange(entries)
        key.sort(axis=1)
        cell = (key & ((1 << bits) - 1)).ravel() * (entries + 1)
        key >>= bits
        fresh = np.ones(key.shape, dtype=bool)
        np.not_equal(key[:, 1:], key[:, :-1], out=fresh[:, 1:])
        starts = np.flatnonzero(fresh)
        length = np.diff(starts, append=fresh.size)
        run = np.cumsum(fresh.ravel()) - 1
        share = (1.0 / length).take(run)
        first = starts % entries
        out += np.bincount(cell + first.take(run), share, out.size)
        out -= np.bincount(cell + (first + length).take(run), share, out.size)
    shares = np.cumsum(out.reshape(entries, entries + 1), axis=1)[:, :entries] / count
    return np.where(shares < 1e-12, 0.0, shares)


def expected_rank(probabilities: ArrayLike) -> NDArray[np.float64]:
    """Mean rank of each entry over the draws.

    Parameters
    ----------
    probabilities : array_like, shape (E, E)
        As from `rank_probabilities`.
    """
    shares = np.asarray(probabilities, dtype=np.float64)
    return np.asarray(shares @ np.arange(1.0, shares.shape[1] + 1))
