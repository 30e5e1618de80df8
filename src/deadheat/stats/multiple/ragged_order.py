"""Who stands above whom where entries ran different items: the order of a board, its groups, its blocks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Order(NamedTuple):
    """Entries from first to last, and the circle (numbered from 1, 0 for none) that each belongs to."""

    rows: Ints
    circle: Ints


def board_order(order: ArrayLike, above: Mask) -> Order:
    """Order entries by score, except that nobody stands above an entry that is separated above it.

    On a board whose entries ran the same items the order by score already has this property. Where items
    differ, an entry with the higher score may be separated below another on the items that both have. The
    order is then the topological order of "separated above" with the score as tie-break: the next entry is
    the best one that no remaining entry is separated above.

    Parameters
    ----------
    order : array_like of int
        Entries by score, best first.
    above : (E, E) bool
        Whether the row entry is separated above the column entry.

    Returns
    -------
    Order
        `circle` is over all E entries. Entries that are separated above one another in a circle have no
        order; they are listed together by score.
    """
    board, circle = np.asarray(order, dtype=np.int64), np.zeros(len(above), dtype=np.int64)
    beats = above[np.ix_(board, board)]
    if not np.tril(beats, -1).any():
        return Order(board, circle)
    from scipy.sparse.csgraph import connected_components

    count, label = connected_components(beats, connection="strong")
    sizes = np.bincount(label, minlength=count)
    first = np.full(count, board.size)
    np.minimum.at(first, label, np.arange(board.size))
    member = np.zeros((board.size, count), dtype=np.float32)
    member[np.arange(board.size), label] = 1
    between = member.T @ beats.astype(np.float32) @ member > 0
    np.fill_diagonal(between, False)
    waiting, place = between.sum(axis=0), np.zeros(count, dtype=np.int64)
    for at in range(count):
        chosen = int(np.argmin(np.where(waiting == 0, first, board.size)))
        place[chosen] = at
        waiting -= between[chosen]
        waiting[chosen] = -1
    number = np.where(sizes > 1, np.cumsum(sizes > 1), 0)
    circle[board] = number[label]
    return Order(board[np.argsort(place[label], kind="stable")], circle)


def withheld_groups(p: Floats, order: Order, above: Mask, alpha: float) -> Ints:
    """Group entries as `anchor_groups` does, and withhold the group of an entry that has none.

    Parameters
    ----------
    p : array, shape (E, E)
        Pairwise p-values, NaN where a pair was not tested.
    order : Order
        From best to worst. Another anchor than the best is had by moving it to the front.
    above : (E, E) bool
        Whether the row entry is separated above the column entry.
    alpha : float
        An entry whose p equals alpha is not separated.

    Returns
    -------
    numpy.ndarray of int, shape (E,)
        0 for an entry that was not tested against an anchor above it, and for entries that would anchor a
        group while they are separated above one another in a circle.
    """
    left, groups, number = order.rows, np.zeros(len(p), dtype=np.int64), 0
    while left.size:
        anchor = left[0]
        if order.circle[anchor] and above[left, anchor].any():
            left = left[order.circle[left] != order.circle[anchor]]
            continue
        number += 1
        row = p[anchor, left]
        taken = row >= alpha
        taken[0] = True
        groups[left[taken]] = number
        left = left[row < alpha]
    return groups


def blocks(tested: Mask, order: ArrayLike) -> Ints:
    """Number the parts of a board between which no pair was tested.

    Parameters
    ----------
    tested : (E, E) bool
        Whether a pair was tested; symmetric, the diagonal is not read.
    order : array_like of int
        Entries from best to worst.

    Returns
    -------
    numpy.ndarray of int, shape (E,)
        1 for the largest part (of equals, that of the best entry), then by size; 0 outside `order`.
    """
    board, found = np.asarray(order, dtype=np.int64), np.zeros(len(tested), dtype=np.int64)
    joined = tested[np.ix_(board, board)]
    np.fill_diagonal(joined, True)
    if joined.all(axis=1).any():  # one entry was tested against all
        found[board] = 1
        return found
    from scipy.sparse.csgraph import connected_components

    count, label = connected_components(joined, directed=False)
    first = np.full(count, board.size)
    np.minimum.at(first, label, np.arange(board.size))
    number = np.empty(count, dtype=np.int64)
    number[np.lexsort((first, -np.bincount(label, minlength=count)))] = np.arange(1, count + 1)
    found[board] = number[label]
    return found


def usual_items(counts: ArrayLike) -> int:
    """Say how many items the entries of a board typically have.

    It is the number m for which the n entries with at least m items make n^2 m largest: the block that holds
    most of the board's paired comparisons. An entry with fewer than m items has no part in it, so adding or
    removing one never changes m.

    Parameters
    ----------
    counts : array_like of int
        Items of each entry.
    """
    held = -np.sort(-np.asarray(counts, dtype=np.float64))
    return int(held[np.argmax(np.arange(1, held.size + 1) ** 2 * held)]) if held.size else 0
