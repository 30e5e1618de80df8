"""Loops that numba compiles where it is installed, and when that is worth its while."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.uint64]
Ints = NDArray[np.int32]
Codes = NDArray[np.uint32]
Floats = NDArray[np.float64]
Kernel = Callable[..., None]

COMPILED = 1e-3  # of the work that is worth compiling a kernel, what is worth calling a compiled one


@cache
def at_hand() -> bool:
    """Whether numba is installed and goes with this numpy; else numpy alone gives the same numbers."""
    try:
        from numba import config
    except Exception:  # beside a numpy that is too new for it, anything
        return False
    # Eight counts are taken as one word, the first as its lowest byte.
    return sys.byteorder == "little" and not config.DISABLE_JIT  # type: ignore[attr-defined]


def worth(kernel: Any, work: float, least: float) -> bool:
    """Whether to use a kernel: from `least` work on, which wins back compiling it; from less once it is."""
    ready = kernel.cache_info().currsize > 0
    return work >= least * (COMPILED if ready else 1) and at_hand()


def in_threads(call: Callable[[slice], Any], rows: int, size: int, threads: int | None = None) -> None:
    """Call with slices of so many rows, in as many threads as numba is allowed (``NUMBA_NUM_THREADS``)."""
    from numba import config

    parts = [slice(start, min(start + size, rows)) for start in range(0, rows, size)]
    threads = min(threads or int(config.NUMBA_NUM_THREADS), len(parts))  # type: ignore[attr-defined]
    if threads <= 1:
        for part in parts:
            call(part)
        return
    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(call, parts):
            pass


@cache
def weighted_bits() -> Kernel:
    """Compile: for each row and column, add up 2^shift for each bit that they share.

    Two rows and three words go at a time, since sums wait for memory. The innermost loop goes over columns,
    and no loop starts but at 0: so the compiler finds vector instructions for all its steps.
    """
    from numba import njit, types
    from numba.extending import intrinsic

    def set_bits(context: Any, word: Any) -> Any:
        return types.uint64(types.uint64), lambda _, builder, __, given: builder.ctpop(given[0])

    ones: Any = intrinsic(set_bits)

    @njit("void(uint64[:, :, ::1], uint64[:, :, ::1], uint64[::1], int32[:, :])", nogil=True)
    def count(rows: Bits, columns: Bits, shift: Bits, out: Ints) -> None:
        # (A, V, 3), (V, 3, B), (3,), (A, B)
        here, there = np.empty((2, columns.shape[2]), dtype=np.uint64)
        one, two, three = shift
        for half in range((rows.shape[0] + 1) // 2):
            i, k = 2 * half, min(2 * half + 1, rows.shape[0] - 1)
            here[:] = there[:] = 0
            for at in range(rows.shape[1]):
                a, b, c = rows[i, at]
                d, e, f = rows[k, at]
                for j in range(columns.shape[2]):
                    x, y, z = columns[at, 0, j], columns[at, 1, j], columns[at, 2, j]
                    here[j] += (ones(a & x) << one) + (ones(b & y) << two) + (ones(c & z) << three)
                    there[j] += (ones(d & x) << one) + (ones(e & y) << two) + (ones(f & z) << three)
            for j in range(columns.shape[2]):
                out[i, j] += here[j]
            for j in range(columns.shape[2] if k > i else 0):
                out[k, j] += there[j]

    found: Kernel = count
    return found


@cache
def planes_of_counts() -> Kernel:
    """Compile: the lowest binary digits of counts, eight of them in a word, as words of 64 bits.

    A row where some count has more digits is flagged.
    """
    from numba import njit

    @njit("void(uint64[:, ::1], uint64[:, :, ::1], boolean[::1])", nogil=True)
    def planes(eights: Bits, out: Bits, more: NDArray[np.bool_]) -> None:  # (B, 8 W), (W, P, B), (B,)
        low, gather = np.uint64(0x0101010101010101), np.uint64(0x8040201008040201)
        beyond = low * np.uint64(256 - (1 << out.shape[1]))
        for row in range(eights.shape[0]):
            found = np.uint64(0)
            for word in range(out.shape[0]):
                for plane in range(out.shape[1]):
                    bits = np.uint64(0)
                    for part in range(8):
                        eight = eights[row, 8 * word + part]
                        found |= eight & beyond
                        digits = eight >> np.uint64(plane) & low
                        bits |= digits * gather >> np.uint64(56) << np.uint64(8 * part)
                    out[word, plane, row] = bits
            more[row] = found > 0

    found: Kernel = planes
    return found


@cache
def runs_of_totals() -> Kernel:
    """Compile: where each total's run ends in the order of its draw and how long it is, in one number."""
    from numba import njit

    @njit("void(int32[:, :], int64, uint32[:, ::1])", nogil=True)
    def runs(totals: Ints, high: int, run: Codes) -> None:  # (E, D), the highest, (D, V) of zeros
        for entry in range(totals.shape[0]):
            for draw in range(totals.shape[1]):
                run[draw, np.uint32(high - totals[entry, draw])] += np.uint32(1)
        for draw in range(run.shape[0]):
            end = np.uint32(0)
            for value in range(run.shape[1]):
                length = run[draw, value]
                end = np.uint32(end + length)
                run[draw, value] = end << np.uint32(16) | length

    found: Kernel = runs
    return found


@cache
def shares_of_runs() -> Kernel:
    """Compile: add a share where an entry's run of ranks begins, take it off where it ends.

    Indices are unsigned, so that none is looked at as one from the end.
    """
    from numba import njit

    @njit("void(int32[:, :], int64, uint32[:, ::1], float64[::1], int64, float64[:, ::1])", nogil=True)
    def add(totals: Ints, high: int, run: Codes, part: Floats, step: int, out: Floats) -> None:
        # (E, D), the highest, (D, V), 1 / length, draws that are added up before the table is, (E, R)
        ends, begins = np.zeros(out.shape[1]), np.zeros(out.shape[1])
        for start in range(0, totals.shape[1], step):
            stop = min(start + step, totals.shape[1])
            for entry in range(totals.shape[0]):
                for draw in range(start, stop):
                    code = run[np.uint32(draw), np.uint32(high - totals[entry, draw])]
                    end, length = code >> np.uint32(16), code & np.uint32(0xFFFF)
                    share = part[length]
                    ends[end] += share
                    begins[np.uint32(end - length)] += share
                for rank in range(out.shape[1]):
                    out[entry, rank] = out[entry, rank] - ends[rank] + begins[rank]
                    ends[rank] = begins[rank] = 0.0

    found: Kernel = add
    return found


def compile_kernels() -> bool:
    """Compile all loops now, which takes two or three seconds; a process that lives long gains from it.

    Returns
    -------
    bool
        Whether numba is there to compile them. Else numpy computes the same numbers, more slowly.
    """
    if at_hand():
        weighted_bits(), planes_of_counts(), runs_of_totals(), shares_of_runs()
    return at_hand()
