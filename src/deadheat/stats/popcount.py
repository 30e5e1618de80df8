"""Counts of items that two entries share, from bits: a kernel that numba compiles where it is installed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.uint64]
Count = Callable[[Bits, Bits, NDArray[np.int32]], None]

PAYS = 2e11  # pairs x items from which bits win back the second or two of compiling
ROWS = 16  # of the first matrix that stay in the cache while the second goes by
WORDS = 256  # of a row that do


def pays(pairs: int, items: int) -> bool:
    """Whether so many ordered pairs are worth compiled counts, and numba is there to compile them."""
    return pairs * items >= PAYS and _at_hand()


@cache
def _at_hand() -> bool:
    """Whether numba is installed and goes with this numpy; else products give the same counts."""
    try:
        import numba  # noqa: F401
    except ImportError:
        return False
    return True


def pack(flags: NDArray[Any]) -> Bits:
    """Pack rows of 0 and 1, (E, M), into words of 64 items, (E, ceil(M / 64))."""
    return words(np.packbits(flags.astype(bool), axis=1))


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
    from numba import config

    out = np.zeros((len(a), len(b)), dtype=np.int32)
    count, allowed = _compiled(), int(config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]
    parts = [slice(at, at + ROWS) for at in range(0, len(a), ROWS)]
    with ThreadPoolExecutor(threads or allowed) as pool:
        for start in range(0, a.shape[1], WORDS):
            left, right = (np.ascontiguousarray(x[:, start : start + WORDS]) for x in (a, b))
            for _ in pool.map(lambda rows, x=left, y=right: count(x[rows], y, out[rows]), parts):
                pass
    return out


@cache
def _compiled() -> Count:
    """Compile the loop: and, population count, add; the compiler finds the vector instructions."""
    from numba import njit, types
    from numba.extending import intrinsic

    @intrinsic
    def ones(context: Any, word: Any) -> Any:
        """Number of bits that are set."""
        return types.uint64(types.uint64), lambda _, builder, __, given: builder.ctpop(given[0])

    @njit("void(uint64[:, ::1], uint64[:, ::1], int32[:, ::1])", nogil=True)
    def count(a: Bits, b: Bits, out: NDArray[np.int32]) -> None:
        for j in range(len(b)):
            for i in range(len(a)):
                total = np.uint64(0)
                for word in range(a.shape[1]):
                    total += ones(a[i, word] & b[j, word])  # type: ignore[call-arg]
                out[i, j] += total

    found: Count = count
    return found
