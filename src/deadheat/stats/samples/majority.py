"""maj@k and self-consistency: the score of the answer that most samples gave, exact over all subsets."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.bounds import Floats

Counts = NDArray[np.integer[Any]]
BLOCK_CELLS = 1 << 20


def self_consistency(counts: Counts, scores: Floats) -> Floats:
    """Score of the most frequent answer of each item; answers that tie for it share alike.

    Parameters
    ----------
    counts : (R, A) int
        How many samples gave each answer; padded with zeros. Samples without an answer (failed attempts) are
        not counted.
    scores : (R, A) float64
        Score of each answer.

    Returns
    -------
    (R,) float64
        NaN for an item without an answer.
    """
    most = counts.max(axis=1, keepdims=True)
    first = (counts == most) & (counts > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((first * scores).sum(axis=1) / first.sum(axis=1))


def majority_at_k(counts: Counts, scores: Floats, k: int) -> Floats:
    """Expected score of the most frequent answer among k samples drawn from an item's without replacement.

    Parameters
    ----------
    counts, scores : (R, A)
        As in `self_consistency`.
    k : int
        Samples drawn; answers that tie for the most share alike.

    Returns
    -------
    (R,) float64
        NaN where the item has fewer than k answers.

    Notes
    -----
    For an answer to win with x of the k, every other answer occurs at most x times; with t others at exactly
    x it gets 1/(t+1). Subsets are counted by multiplying, over the other answers, polynomials in the number
    of samples taken. As 1/(t+1) is the integral of y^t over [0, 1], marking "exactly x" by y and integrating
    by Gauss and Legendre's rule, which is exact for these degrees, keeps the count one-dimensional.
    """
    out = np.full(len(counts), np.nan)
    total = counts.sum(axis=1)
    # one computation for every distinct (count of the answer; sorted counts of the others)
    rows, answers = np.nonzero((counts > 0) & (scores != 0) & (total >= k)[:, None])
    out[total >= k] = 0.0
    if not rows.size:
        return out
    patterns = counts[rows].astype(np.int64)
    own = patterns[np.arange(len(rows)), answers].copy()
    patterns[np.arange(len(rows)), answers] = 0
    patterns = np.column_stack([own, -np.sort(-patterns, axis=1)])
    patterns, which = np.unique(patterns, axis=0, return_inverse=True)
    chance = _chance_to_win(patterns, k)[which.ravel()]
    np.add.at(out, rows, chance * scores[rows, answers])
    # A mean of the item's own scores, which rounding may not leave: it is exact where they are all the same.
    least = np.where(counts > 0, scores, np.inf).min(axis=1, initial=np.inf)
    most = np.where(counts > 0, scores, -np.inf).max(axis=1, initial=-np.inf)
    return np.asarray(np.clip(out, least, most))


def _chance_to_win(patterns: Counts, k: int) -> Floats:
    """Chance that the first answer of each row wins among k drawn, ties shared; rows hold counts."""
    nodes, weights = np.polynomial.legendre.leggauss(k // 2 + 1)
    y, weights = (nodes + 1) / 2, weights / 2
    others = patterns[:, 1:]
    others = others[:, others.any(axis=0)]
    out = np.zeros(len(patterns))
    step = max(1, BLOCK_CELLS // (len(y) * (k + 1)))
    for start in range(0, len(patterns), step):
        rows = slice(start, start + step)
        own, rest, total = patterns[rows, 0], others[rows], patterns[rows].sum(axis=1)
        for x in range(1, min(k, int(own.max())) + 1):
            ways = _ways(rest, x, k - x, y) @ weights
            out[rows] += ways * np.exp(_log_choose(own, x) - _log_choose(total, k))
    return out


def _ways(others: Counts, most: int, drawn: int, y: Floats) -> Floats:
    """Ways to draw so many samples of the other answers, none more than `most` times; y marks each tie."""
    taken = np.zeros((len(others), len(y), drawn + 1))
    taken[:, :, 0] = 1.0
    for column in others.T:
        added = taken.copy()
        for i in range(1, min(most, drawn, int(column.max())) + 1):
            ways = np.exp(_log_choose(column, i))[:, None, None] * (y[:, None] if i == most else 1.0)
            added[:, :, i:] += ways * taken[:, :, : drawn + 1 - i]
        taken = added
    return np.asarray(taken[:, :, drawn])


def _log_choose(n: Counts, k: int) -> Floats:
    """Logarithm of n over k, -inf where k > n; a sum of k terms, accurate for the small k of a majority."""
    i = np.arange(k)
    left = n[:, None] - i
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.maximum(left, 0) / (i + 1)).sum(axis=1))


def jackknife_within(counts: Counts, scores: Floats, k: int | None, fixed: Counts | None = None) -> Floats:
    """Jackknife variance of an item's value under reruns: each sample left out in turn.

    Parameters
    ----------
    counts, scores : (R, A)
        As in `self_consistency`.
    k : int or None
        Samples of `majority_at_k`; None for `self_consistency`.
    fixed : (R, A) int, optional
        How many of the counts a rerun would not redraw (failed attempts): they vote, but are never left out.

    Returns
    -------
    (R,) float64
        NaN where there is no sample to leave out: fewer than two, or fewer than k + 1. 0 where all are fixed.
    """
    free = counts if fixed is None else counts - fixed
    total, number = counts.sum(axis=1), free.sum(axis=1)
    left_out = np.zeros(counts.shape)
    for answer in range(counts.shape[1]):
        fewer = counts.copy()
        fewer[:, answer] = np.maximum(fewer[:, answer] - 1, 0)
        value = self_consistency(fewer, scores) if k is None else majority_at_k(fewer, scores, k)
        left_out[:, answer] = np.where(free[:, answer] > 0, value, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = (free * left_out).sum(axis=1) / number
        spread = (free * (left_out - mean[:, None]) ** 2).sum(axis=1)
        found = ((total - 1) / total) ** 2 * number / (number - 1) * spread
    found = np.where((number > 1) & (total > (k or 1)), found, np.nan)
    return np.where((number == 0) & (total >= (k or 1)), 0.0, found)
