"""How often each entry takes each rank in resamples of the scores."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.stats.numerics import kernels
from deadheat.stats.numerics.bounds import Floats

Ints = NDArray[np.int64]

FEWEST, MOST = 2**17, 2**21  # scores that are ranked together: 1 MB, which stays in the cache, to 16 MB
TABLE = 2**16  # cells of the table that they are added to together
WIDEST = 8  # values, as multiples of the entries, up to which counting them is quicker than sorting
GRID = 40  # scores are rounded to 2**-40 of the largest, so that equal scores are equal
FINEST = 1000  # 2**1024 would overflow
PAYS = 2e8  # totals to be ranked from which compiling wins back its second or two
PIECE = 128  # draws, or entries, that one thread takes at a time
HALF = 2**15  # entries whose ranks half of 32 bits holds


def rank_probabilities(blocks: Iterable[NDArray[Any]]) -> Floats:
    """Count how often each entry takes each rank in bootstrap draws of the scores.

    These describe the draws: how the board would look if the scores found were the true ones. They are
    no p-values, and their quantiles are no rank intervals (entries that truly tie are shuffled around the
    order that was found).

    Parameters
    ----------
    blocks : iterable of (D, E) arrays
        What orders all entries in each draw, from items that all entries share in the draw: scores, or
        whole numbers (an integer dtype) that stand in the same order and, where they are close together,
        are ranked twice as fast. NaN in a draw ranks below all.

    Returns
    -------
    (E, E) float64
        Share of draws in which the row entry takes rank 1, 2, … E. Entries that tie in a draw take the
        ranks they hold together in equal parts, so rows and columns both sum to 1.
    """
    count, out, part = 0, np.zeros((0, 1)), np.zeros(0)
    for block in blocks:
        count, entries = count + len(block), block.shape[1]
        if not out.size:
            out, part = np.zeros((entries, entries + 1)), np.append(0.0, 1 / np.arange(1.0, entries + 1))
        whole = block.dtype.kind == "i" and block.size > 0
        low, high = (int(block.min()), int(block.max())) if whole else (0, -1)
        width = high - low + 1
        counted = 0 < width <= WIDEST * entries
        room = max(entries, width if counted else 1)
        step = max(FEWEST // room, min(entries, MOST // room), 1)  # draws for which to go through the table
        fits = counted and block.dtype == np.int32 and block.flags.writeable and entries < HALF
        if fits and kernels.worth(kernels.shares_of_runs, block.size, PAYS):
            _add_compiled(out, part, block.T, high, width, step)
            continue
        for start in range(0, len(block), step):
            some = block[start : start + step]
            runs = _runs_by_counting(some, high, width) if counted else _runs_by_sorting(some)
            _add(out, part, *runs)
    shares = np.cumsum(out, axis=1, out=out)[:, :-1]
    shares /= count
    shares[shares < 1e-12] = 0.0
    return shares


def _runs_by_counting(totals: NDArray[np.integer[Any]], high: int, width: int) -> tuple[Ints, Ints]:
    """Where each entry's run of equal totals ends in the order of its draw, and how long it is, (E, D).

    No total is above `high`, and they may take `width` values.
    """
    draws, entries = totals.shape
    cell = (high - totals.T).astype(np.int64)  # the highest first
    cell += np.arange(draws) * width
    length = np.bincount(cell.ravel(), minlength=draws * width)
    end = np.cumsum(length).reshape(draws, width)
    end -= np.arange(draws)[:, None] * entries
    return end.take(cell), length.take(cell)


def _add_compiled(
    out: Floats, part: Floats, totals: NDArray[np.int32], high: int, width: int, step: int
) -> None:
    """Do by compiled loops what counting and adding do, with sums in the same order."""
    find, add = kernels.runs_of_totals(), kernels.shares_of_runs()
    size = max(1, MOST // width // step) * step
    for start in range(0, totals.shape[1], size):
        here = totals[:, start : start + size]
        run = np.zeros((here.shape[1], width), dtype=np.uint32)

        def by_draws(some: slice, here: Any = here, run: Any = run) -> None:
            find(here[:, some], high, run[some])

        def by_entries(some: slice, here: Any = here, run: Any = run) -> None:
            add(here[some], high, run, part, step, out[some])

        kernels.in_threads(by_draws, len(run), PIECE)
        kernels.in_threads(by_entries, len(out), PIECE)


def _runs_by_sorting(scores: NDArray[Any]) -> tuple[Ints, Ints]:
    """The same for scores; one whole number holds a score and its entry, so a plain sort orders both."""
    draws, entries = scores.shape
    largest = float(np.abs(scores, where=~np.isnan(scores), out=np.zeros_like(scores)).max(initial=0.0))
    scale = 2.0 ** min(GRID - np.ceil(np.log2(largest)), FINEST) if largest > 0 else 1.0
    bits = max(entries - 1, 1).bit_length()
    rounded = np.rint(scores * -scale, order="C")
    key = np.where(np.isnan(rounded), 2.0 ** (GRID + 1), rounded).astype(np.int64)
    key <<= bits
    key |= np.arange(entries)
    key.sort(axis=1)
    place = (key & ((1 << bits) - 1)) + np.arange(draws)[:, None] * entries
    key >>= bits
    fresh = np.ones(key.shape, dtype=bool)
    np.not_equal(key[:, 1:], key[:, :-1], out=fresh[:, 1:])
    starts = np.flatnonzero(fresh)
    length = np.diff(starts, append=fresh.size)
    runs = np.empty((2, fresh.size), dtype=np.int64)
    runs[0, place.ravel()] = np.repeat(starts % entries + length, length)
    runs[1, place.ravel()] = np.repeat(length, length)
    end, size = runs.reshape(2, draws, entries)
    return end.T, size.T


def _add(out: Floats, part: Floats, end: Ints, length: Ints) -> None:
    """Add a share, part[length], where a run of ranks begins and take it off where it ends, in place."""
    rows = max(1, TABLE // out.shape[1])  # the table of a few entries stays in the cache
    for first in range(0, len(out), rows):
        table = out[first : first + rows]
        share = part.take(length[first : first + rows]).ravel()
        cell = end[first : first + rows] + np.arange(len(table))[:, None] * out.shape[1]
        table -= np.bincount(cell.ravel(), share, table.size).reshape(table.shape)
        cell -= length[first : first + rows]
        table += np.bincount(cell.ravel(), share, table.size).reshape(table.shape)


def expected_rank(probabilities: ArrayLike) -> Floats:
    """Mean rank of each entry over the draws.

    Parameters
    ----------
    probabilities : array_like, shape (E, E)
        As from `rank_probabilities`.
    """
    shares = np.asarray(probabilities, dtype=np.float64)
    return np.asarray(shares @ np.arange(1.0, shares.shape[1] + 1))
