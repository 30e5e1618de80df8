"""Smaller sets: a nested sequence of items, judged on entries that had no part in choosing it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.paired.mcnemar import mcnemar_exact
from deadheat.stats.paired.pairs_mcnemar import all_pairs, discordant

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


class Kept(NamedTuple):
    """What sets of some sizes keep, for entries that had no part in choosing them; each a mean over splits.

    Parameters
    ----------
    order, order_random : (S,) float64
        Spearman's correlation of the entries' scores on the set and on all items; of a random set.
    pairs, pairs_random : (S,) float64
        Share of the pairs separated on all items that are so on the set; NaN for other than 0/1 scores.
    """

    order: Floats
    order_random: Floats
    pairs: Floats
    pairs_random: Floats


def nested(values: Floats, size: int) -> Indices:
    """Order items by their covariance with the rest of the score, those that part the entries most first.

    Parameters
    ----------
    values : (E, M) float64
        A complete table.
    size : int
        Items to choose, at most M.

    Returns
    -------
    (size,) int
        Columns in the order in which they are taken, equal ones by their content, so that no label decides.

    References
    ----------
    Lord & Novick (1968), Statistical Theories of Mental Test Scores, section 15.4: what an item adds to
    Cronbach's alpha.
    """
    centred = values - values.mean(axis=0)
    covariance = ((centred.sum(axis=1, keepdims=True) - centred) * centred).sum(axis=0)
    return np.lexsort((*values[::-1], -np.round(covariance, 9)))[:size]


def kept(values: Floats, sizes: list[int], splits: int, rng: np.random.Generator, *, binary: bool) -> Kept:
    """Choose on a random half of the entries and judge on the other, over some splits.

    Parameters
    ----------
    values : (E, M) float64
        A complete table with at least eight entries.
    sizes : list of int
        Sizes of sets, rising.
    splits : int
    rng : numpy.random.Generator
    binary : bool
        Whether scores are 0 or 1.
    """
    found = np.full((splits, 4, len(sizes)), np.nan)
    entries, items = values.shape
    for split in found:
        dealt = rng.permutation(entries)
        chosen = nested(values[np.sort(dealt[: entries // 2])], sizes[-1])
        held = values[np.sort(dealt[entries // 2 :])]
        whole, separated = _ranks(held.sum(axis=1)), _separated(held) if binary else None
        for way, columns in enumerate((chosen, rng.permutation(items))):
            for at, size in enumerate(sizes):
                part = held[:, columns[:size]]
                split[way, at] = _correlation(_ranks(part.sum(axis=1)), whole)
                if separated is not None and separated.any():
                    split[2 + way, at] = (_separated(part) & separated).sum() / separated.sum()
    known = np.isfinite(found)
    total, count = np.where(known, found, 0).sum(axis=0), known.sum(axis=0)
    return Kept(*np.where(count > 0, total / np.maximum(count, 1), np.nan))


def _separated(values: Floats) -> NDArray[np.bool_]:
    """Say which pairs the exact McNemar test separates at .05."""
    a_only, _ = discordant(values, np.ones(values.shape, dtype=bool))
    return np.asarray(all_pairs(a_only, mcnemar_exact).p < 0.05)


def _ranks(values: Floats) -> Floats:
    """Mid-ranks."""
    _, code, count = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - (count - 1) / 2)[code])


def _correlation(a: Floats, b: Floats) -> float:
    a, b = a - a.mean(), b - b.mean()
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size > 0 else np.nan
