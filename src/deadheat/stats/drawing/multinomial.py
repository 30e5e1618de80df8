"""How often each of equally likely units is drawn: the weights of a bootstrap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.bounds import Floats

BLOCK_CELLS = 1 << 21  # weights of one block, for one product
PIECE_CELLS = 1 << 18  # weights that are drawn together: they stay in the cache
SLOTS = 1 << 16
UNSURE = 0xFFFF  # a slot that several pairs of counts share
SHORT = 0.7  # standard deviations that the Poisson total aims below the units: quickest from 500 to 14,000
COUNTS = 20  # a Poisson count of mean 1 or less is 20 or more with chance 2e-19


def resampling_weights(
    units: int, draws: int, *, rng: np.random.Generator, dtype: type[np.number[Any]] = np.float64
) -> Iterator[NDArray[Any]]:
    """How often each unit occurs in each resample, in blocks of bounded memory.

    Parameters
    ----------
    units : int
        Items, or clusters, drawn with replacement; each resample has as many.
    draws : int
        Number of resamples.
    rng : numpy.random.Generator
        The draws depend on it and on `units` alone, not on the size of a block; fewer are the first of more.
    dtype : type
        What to give them as. Products of float32 take half the time; sums below 2^24 are exact in it.

    Yields
    ------
    (b, units) of dtype
        Multinomial counts of the next b draws; each row sums to `units`.

    Notes
    -----
    Poisson counts are drawn for all units independently, two at a time from one table. Given their total
    they are multinomial, whatever the total is. So a row whose total is beyond the units is drawn again,
    and what is missing to the units is drawn one by one.

    References
    ----------
    Devroye (1986), Non-Uniform Random Variate Generation, chapter XI.1 (multinomial from Poisson counts).
    """
    table = pair_table(units)
    rows = np.empty((0, units), dtype=np.uint8)
    step = max(1, BLOCK_CELLS // units)
    for start in range(0, draws, step):
        block = np.empty((min(step, draws - start), units), dtype=dtype)
        filled = 0
        while filled < len(block):
            rows = rows if len(rows) else _rows(table, units, rng)
            some = rows[: len(block) - filled]
            block[filled : filled + len(some)] = some
            filled, rows = filled + len(some), rows[len(some) :]
        yield block


class PairTable(NamedTuple):
    """Two independent Poisson counts, ready for look-ups.

    Parameters
    ----------
    slots : (SLOTS,) uint16
        The pair that each of the equal slots of [0, 1) holds, a byte for each count; UNSURE for several.
    upper : (K,) float64
        Distribution function over the pairs, the likeliest first; its last value is 1.
    pairs : (K,) uint16
    """

    slots: NDArray[np.uint16]
    upper: Floats
    pairs: NDArray[np.uint16]


def pair_table(units: int) -> PairTable:
    """Make the table for counts whose total over all units falls a little short of their number."""
    mean = 1 - min(int(np.ceil(SHORT * np.sqrt(units))), units) / units
    pmf = np.exp(-mean) * np.cumprod(np.append(1.0, mean / np.arange(1.0, COUNTS)))
    both = np.outer(pmf, pmf).ravel()
    order = np.argsort(-both, kind="stable")[: np.count_nonzero(both)]
    upper = np.cumsum(both[order])
    upper /= upper[-1]
    pairs = (order // COUNTS + 256 * (order % COUNTS)).astype("<u2")
    ends = np.ceil(upper * SLOTS).astype(np.int64)
    slots = np.repeat(pairs, ends - np.append(0, ends[:-1]))
    slots[np.minimum((upper * SLOTS).astype(np.int64), SLOTS - 1)] = UNSURE
    return PairTable(slots, upper, pairs)


def _rows(table: PairTable, units: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Counts of some resamples, about as many as fill a piece."""
    rows, half = max(1, PIECE_CELLS // units), (units + 1) // 2
    words = rng.integers(0, 2**64, (rows * half + 3) // 4, dtype=np.uint64)
    slot = words.astype("<u8", copy=False).view("<u2")[: rows * half]
    pair = table.slots.take(slot)
    unsure = np.flatnonzero(pair == UNSURE)
    inside = (slot.take(unsure) + rng.random(len(unsure))) / SLOTS
    pair[unsure] = table.pairs.take(np.searchsorted(table.upper, inside, side="right"), mode="clip")
    counts = pair.view(np.uint8).reshape(rows, 2 * half)[:, :units]
    exact = np.float32 if units < 2**23 else np.float64  # holds whole totals, in any order of summing
    total = counts.astype(exact) @ np.ones(units, dtype=exact)
    kept: NDArray[np.uint8] = counts[total <= units]
    missing = (units - total[total <= units]).astype(np.int64)
    at = np.repeat(np.arange(len(kept)) * units, missing)
    at += rng.integers(0, units, len(at))
    np.add.at(kept.reshape(-1), at, np.uint8(1))
    return kept
