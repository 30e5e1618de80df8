"""McNemar's tests of every pair of entries at once: counts by matrix products, p-values by look-up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MethodError
from deadheat.stats.numerics import popcount
from deadheat.stats.numerics.pvalues import PValues
from deadheat.stats.paired.mcnemar import BLOCK, NOT_BINARY

Ints = NDArray[np.int32]

ROWS = 512  # entries of one block of a product; enough for full speed
CELLS = 2**25  # floats of one block of items: 128 MB
TILE = 256  # entries by entries whose p-values are looked up together: they stay in the cache
SPLITS = 2**24  # splits that may be listed, however few the pairs


def discordant(values: NDArray[np.floating[Any]], present: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Count, for every pair of entries, the shared items that only the first got right.

    Parameters
    ----------
    values : (E, M) array of 0 and 1
        Scores; ignored where absent.
    present : (E, M) array of bool
        Where an entry has a score.

    Returns
    -------
    a_only : (E, E) array of int32
        ``a_only[i, j]``: items right for i and wrong for j; its transpose is the other direction.
    shared : (E, E) array of int32
        Items that both have.

    Raises
    ------
    MethodError
        When a present score is neither 0 nor 1.

    Notes
    -----
    On a board without absent items one symmetric product does, ``both right``, from which ``a_only`` is the
    row's own total less it; else a full product and a symmetric one. Of those, one triangle is made. Boards
    of which products would take seconds are counted from bits where numba is installed: the same numbers.
    """
    entries, items = present.shape
    a_only = np.zeros((entries, entries), dtype=np.int32)
    complete = bool(present.all())
    shared = np.full_like(a_only, items if complete else 0)
    bits = popcount.pays(entries**2, items)
    held: Callable[[Any], NDArray[Any]] = popcount.pack if bits else np.asarray
    product: Callable[[Any, Any], Ints] = popcount.product if bits else _product
    # Sums below 2**24 are exact in float32; blocks of items are added up as integers.
    step = int(np.clip(CELLS // max(entries, 1), 256, 2**23))
    for start in range(0, items, step):
        here = present[:, start : start + step]
        right: NDArray[Any] = np.where(here, values[:, start : start + step], 0).astype(
            np.float32, copy=False
        )
        if not ((right == 0) | (right == 1)).all():
            raise MethodError(NOT_BINARY)
        if complete:
            total = right.sum(axis=1, dtype=np.float64).astype(np.int32)[:, None]
            right = held(right)
            for i, rest, after in _triangle(entries):
                both = product(right[i], right[rest])
                a_only[i, rest] += total[i] - both
                a_only[after, i] += total[after] - both[:, ROWS:].T
        else:
            seen: NDArray[Any] = here.astype(np.float32)
            right, wrong, seen = held(right), held(seen - right), held(seen)
            for i, rest, after in _triangle(entries):
                a_only[i] += product(right[i], wrong)
                both = product(seen[i], seen[rest])
                shared[i, rest] += both
                shared[after, i] += both[:, ROWS:].T
    return a_only, shared


def _triangle(entries: int) -> Iterator[tuple[slice, slice, slice]]:
    """Blocks of rows, the columns from their first on, and those after them."""
    for start in range(0, entries, ROWS):
        yield slice(start, start + ROWS), slice(start, None), slice(start + ROWS, None)


def _product(a: NDArray[np.float32], b: NDArray[np.float32]) -> Ints:
    return np.asarray((a @ b.T).astype(np.int32))


def all_pairs(a_only: Ints, test: Callable[[Any, Any], PValues]) -> PValues:
    """Test every pair of entries by a test that looks at nothing but the two discordant counts.

    Parameters
    ----------
    a_only : (E, E) int32
        As from `discordant`.
    test : callable
        A test that is symmetric in its two counts, such as `mcnemar.mcnemar_exact`.

    Returns
    -------
    PValues
        (E, E), symmetric; the diagonal is 1.

    Notes
    -----
    Many pairs have the same counts, so each split that occurs is tested once and looked up; where more items
    leave too many splits to be listed, each pair is tested.
    """
    out = PValues(np.empty(a_only.shape), np.empty(a_only.shape))
    width, largest = 1, 0
    for i, j in _tiles(len(a_only)):
        n, m = _split(a_only, i, j)
        width, largest = max(width, int(m.max()) + 1), max(largest, int(n.max()))
    size = (largest + 1) * width
    if size > min(max(SPLITS, a_only.size), 2**31 - 1):
        for i, j in _tiles(len(a_only)):
            _fill(out, i, j, test(a_only[i, j], a_only[j, i].T))
        return out
    # Large arrays are made once: many small ones would be asked of the system again and again.
    place = np.zeros(size, dtype=np.int32)
    keys = np.empty(len(a_only) * (len(a_only) + 2 * TILE), dtype=np.int32)
    end = 0
    for i, j in _tiles(len(a_only)):
        n, m = _split(a_only, i, j)
        key = keys[end : end + n.size].reshape(n.shape)
        end += n.size
        np.multiply(n, np.int32(width), out=key)
        key += m
        place[key] = 1
    splits = np.flatnonzero(place)
    place[splits] = np.arange(splits.size, dtype=np.int32)
    found = _each(splits, width, test)
    end = 0
    for i, j in _tiles(len(a_only)):
        shape = a_only[i, j].shape
        at = place.take(keys[end : end + shape[0] * shape[1]]).reshape(shape)
        end += at.size
        _fill(out, i, j, PValues(found.p.take(at), found.log10_p.take(at)))
    return out


def _each(splits: NDArray[np.intp], width: int, test: Callable[[Any, Any], PValues]) -> PValues:
    """Test listed splits, in blocks that stay in the cache."""
    found = PValues(np.empty(splits.size), np.empty(splits.size))
    for start in range(0, splits.size, BLOCK):
        block = slice(start, start + BLOCK)
        m = splits[block] % width
        for whole, part in zip(found, test(splits[block] // width - m, m), strict=True):
            whole[block] = part
    return found


def _tiles(entries: int) -> Iterator[tuple[slice, slice]]:
    """Rows and columns of the tiles of one triangle, the diagonal's included."""
    starts = range(0, entries, TILE)
    return ((slice(i, i + TILE), slice(j, j + TILE)) for i in starts for j in starts if i <= j)


def _split(a_only: Ints, i: slice, j: slice) -> tuple[Ints, Ints]:
    """Discordant items of each pair of a tile, and the smaller side."""
    b, c = a_only[i, j], a_only[j, i].T
    return b + c, np.minimum(b, c)


def _fill(out: PValues, i: slice, j: slice, tile: PValues) -> None:
    for matrix, part in zip(out, tile, strict=True):
        matrix[i, j] = part
        matrix[j, i] = part.T
