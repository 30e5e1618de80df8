"""Who cannot be told from whom: anchor groups, tie lines and letters, from pairwise p-values."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Pairwise = Floats | Callable[[int, Ints], Floats]


def anchor_groups(p: Pairwise, order: ArrayLike, alpha: float) -> Ints:
    """Group entries with the anchor that the test cannot separate them from.

    The best entry anchors group 1 and takes every entry with p >= alpha against it; the best entry left
    anchors group 2, and so on. Membership is a statement about the anchor alone: two members may well be
    separated from each other, for not being separated is not transitive.

    Parameters
    ----------
    p : array, shape (E, E), or callable
        Pairwise p-values, NaN where two entries share no item; or a function from an anchor and the entries
        that are left, the anchor first, to their p-values, because no others are read.
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
    groups = np.zeros(int(left.max(initial=-1)) + 1 if callable(p) else len(p), dtype=np.int64)
    number = 0
    while left.size:
        number += 1
        taken = (p(int(left[0]), left) if callable(p) else p[left[0]][left]) >= alpha  # False for NaN
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


class Letters(NamedTuple):
    """Sets of entries that share a letter, and whether they are all the maximal ones."""

    cliques: list[list[int]]
    complete: bool


def letters(p: Floats, order: ArrayLike, alpha: float, *, limit: int | None = None) -> Letters:
    """Find the sets behind a compact letter display: entries share a letter when no test separates them.

    Two entries share a set if and only if they were compared and not separated; an undefined pair shares
    none. The sets are all maximal cliques of the graph of pairs that are not separated, found entry by
    entry down the board: the number of cliques never falls as entries are added, so the work is
    polynomial in the number at the end. Where separation follows the order of scores there are at most
    as many as entries; on other boards they may be exponentially many, and beyond `limit` a greedy cover
    (each pair not yet under a letter is extended down the board) takes their place.

    Parameters
    ----------
    p : array, shape (E, E)
        Symmetric pairwise p-values, NaN where two entries share no item. The diagonal is not read.
    order : array_like of int
        Entries from best to worst.
    alpha : float
        A pair whose p equals alpha is not separated.
    limit : int or None
        Cliques at which the search gives way to the cover; None takes the larger of 64 and 4 E.

    Returns
    -------
    Letters
        `cliques`: positions in `order`, ascending, the set of the best entry first. `complete`: false for
        the cover, whose letters say the same of every pair but are not all the maximal sets.

    References
    ----------
    Piepho (2004), "An algorithm for a letter-based representation of all-pairwise comparisons",
    J. Comput. Graph. Stat. 13, 456–466. Gramm et al. (2007), "Algorithms for compact letter displays",
    Comput. Stat. Data Anal. 52, 725–736.
    """
    board = np.asarray(order, dtype=np.int64)
    tied = p[np.ix_(board, board)] >= alpha  # False for NaN
    np.fill_diagonal(tied, False)
    packed = np.packbits(tied, axis=1, bitorder="little")
    near = [int.from_bytes(row.tobytes(), "little") for row in packed]
    found = _maximal(near, max(64, 4 * board.size) if limit is None else limit)
    sets = _cover(near) if found is None else found
    width = max(1, (board.size + 7) // 8)
    members = [
        np.flatnonzero(np.unpackbits(np.frombuffer(s.to_bytes(width, "little"), np.uint8), bitorder="little"))
        for s in sets
    ]
    return Letters(sorted(m.tolist() for m in members), found is not None)


def _maximal(near: list[int], limit: int) -> list[int] | None:
    """All maximal cliques as bit sets, or None as soon as there are more than `limit`."""
    cliques: list[int] = []
    for entry, neighbours in enumerate(near):
        grown: list[int] = []
        for part in sorted({c & neighbours for c in cliques} or {0}, key=int.bit_count, reverse=True):
            if not any(part & ~other == 0 for other in grown):
                grown.append(part)
        cliques = [c for c in cliques if c & ~neighbours]
        cliques += [part | 1 << entry for part in grown]
        if len(cliques) > limit:
            return None
    return cliques


def _cover(near: list[int]) -> list[int]:
    """Cliques that hold every pair, each as large as the board's order makes it."""
    cliques: list[int] = []
    covered = [0] * len(near)
    for entry, neighbours in enumerate(near):
        while True:
            bare = neighbours & ~covered[entry] & -(1 << entry)  # pairs further down
            if not bare and (neighbours or covered[entry]):
                break
            clique, rest = 1 << entry, neighbours
            pick = bare & -bare
            while pick:
                clique |= pick
                rest &= near[pick.bit_length() - 1]
                pick = rest & -rest
            cliques.append(clique)
            left = clique
            while left:
                low = left & -left
                covered[low.bit_length() - 1] |= clique
                left ^= low
    return cliques
