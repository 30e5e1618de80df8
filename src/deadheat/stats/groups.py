"""Who cannot be told from whom: anchor groups and tie lines, from pairwise p-values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Pairwise = Floats | Callable[[int], Floats]


def anchor_groups(p: Pairwise, order: ArrayLike, alpha: float) -> Ints:
    """Group entries with the anchor that the test cannot separate them from.

    The best entry anchors group 1 and takes every entry with p >= alpha against it; the best entry left
    anchors group 2, and so on. Membership is a statement about the anchor alone: two members may well be
    separated from each other, for not being separated is not transitive.

    Parameters
    ----------
    p : array, shape (E, E), or callable
        Pairwise p-values, NaN where two entries share no item; or a function from an anchor to its row
        of them, for only the anchors' rows are read.
    order : array_like of int
        Entries that have per-item results, from best to worst. Another anchor than the best is had by
        moving it to the front.
    alpha : float
        An entry whose p equals alpha is not separated.

    Returns
    -------
    numpy.ndarray of int, shape (E,)
        Group of each entry, from 1; 0 for entries not in `order`. An undefined p is no tie: such an
        entry stays out of that group.
    """
    left = np.asarray(order, dtype=np.int64)
    groups = np.zeros(0 if callable(p) else len(p), dtype=np.int64)
    number = 0
    while left.size:
        number += 1
        row = p(int(left[0])) if callable(p) else p[left[0]]
        if callable(p) and not groups.size:
            groups = np.zeros(len(row), dtype=np.int64)
        taken = row[left] >= alpha  # False for NaN
        taken[0] = True
        groups[left[taken]] = number
        left = left[~taken]
    return groups


def tie_lines(p: Floats, order: ArrayLike, alpha: float) -> list[tuple[int, int]]:
    """Find the maximal runs down the board in which no pair is separated.

    A line says of every pair under it that they were compared and not separated. An undefined pair was
    never compared, so it ends a run just as a separated pair does.

    Parameters
    ----------
    p : array, shape (E, E)
        Symmetric pairwise p-values, NaN where two entries share no item. The diagonal is not read.
    order : array_like of int
        Entries from best to worst.
    alpha : float
        A pair whose p equals alpha is not separated.

    Returns
    -------
    list of (int, int)
        First and last position (in `order`, both included) of each line, from the top; runs of one are
        no lines.
    """
    board = np.asarray(order, dtype=np.int64)
    size = board.size
    if size < 2:
        return []
    apart = np.triu(~(p[np.ix_(board, board)] >= alpha), 1)
    nearest = np.where(apart.any(axis=0), size - np.argmax(apart[::-1], axis=0), 0)
    start = np.maximum.accumulate(nearest)  # the run that ends at a position begins here
    last = np.append(start[1:] > start[:-1], True)
    ends = np.flatnonzero(last & (start < np.arange(size)))
    return [(int(start[end]), int(end)) for end in ends]
