"""Products of matrices of 0 and 1, and of small counts with them, by counting bits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.kernels import Bits, in_threads, planes_of_counts, weighted_bits, worth

PAYS = 2e11  # rows x columns x items from which bits win back the second or two of compiling
COLUMNS = 256  # that are counted together
WORDS = 255  # of them at a time: 522 kB, which stay in the cache while the rows go by
PLANES = 3  # binary digits of a count that are held as bits


def pays(pairs: int, items: int) -> bool:
    """Whether so many pairs of a row and a column are worth counting, and numba is there to compile it."""
    return worth(weighted_bits, float(pairs) * items, PAYS)


def pack(flags: NDArray[Any]) -> Bits:
    """Pack rows of 0 and 1, (E, M), into words of 64 items, (E, ceil(M / 64))."""
    return words(np.packbits(flags.astype(bool, order="C"), axis=1))


def words(packed: NDArray[np.uint8]) -> Bits:
    """Words of eight bytes, the last filled up with zeros, from rows as `numpy.packbits` makes them."""
    return np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8))).view(np.uint64)


def product(a: Bits, b: Bits, threads: int | None = None) -> NDArray[np.int32]:
    """Count the items that each row of a and each row of b have in common: as a product of 0 and 1 does.

    Parameters
    ----------
    a, b : (A, W), (B, W) uint64
        Packed rows.
    threads : int or None
        None is as many as numba is allowed: ``NUMBA_NUM_THREADS``, by default one a processor.

    Returns
    -------
    (A, B) int32
    """
    out = np.zeros((len(a), len(b)), dtype=np.int32)
    alike = np.zeros(3, dtype=np.uint64)
    count = weighted_bits()
    for start in range(0, a.shape[1], WORDS):
        left, right = (_by_three(x[:, start : start + WORDS]) for x in (a, b))

        def add(some: slice, left: Bits = left, right: Bits = right) -> None:
            count(left, np.ascontiguousarray(right[some].transpose(1, 2, 0)), alike, out[:, some])

        in_threads(add, len(b), COLUMNS, threads)
    return out


def _by_three(rows: Bits) -> Bits:
    """Three words together, (E, V, 3), the last filled up with zeros."""
    return np.pad(rows, ((0, 0), (0, -rows.shape[1] % 3))).reshape(len(rows), -(-rows.shape[1] // 3), 3)


def counts_product(a: Bits, counts: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Add up, for each row of a and each row of counts, the counts of the items that a has.

    Parameters
    ----------
    a : (A, W) uint64
        Packed rows.
    counts : (B, M) uint8

    Returns
    -------
    (A, B) int32
    """
    out = np.zeros((len(a), len(counts)), dtype=np.int32)
    bytes_ = np.zeros((len(counts), a.shape[1] * 64), dtype=np.uint8)
    bytes_[:, : counts.shape[1]] = counts
    eights, more = bytes_.view(np.uint64), np.empty(len(counts), dtype=bool)
    rows = np.repeat(a[:, :, None], PLANES, axis=2)
    digits = np.arange(PLANES, dtype=np.uint64)
    split, count = planes_of_counts(), weighted_bits()

    def add(some: slice) -> None:
        planes = np.empty((a.shape[1], PLANES, some.stop - some.start), dtype=np.uint64)
        split(eights[some], planes, more[some])
        count(rows, planes, digits, out[:, some])

    in_threads(add, len(counts), COLUMNS)
    for row in np.flatnonzero(more).tolist():  # one in 100,000 Poisson counts of mean 1 is 8 or more
        for item in np.flatnonzero(counts[row] >> PLANES).tolist():
            has = a.view(np.uint8)[:, item // 8] >> (7 - item % 8) & 1
            out[:, row] += has.astype(np.int32) * int(counts[row, item] >> PLANES << PLANES)
    return out
