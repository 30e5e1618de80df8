"""Fast draws of sums over many like items: a count for each outcome, or one table look-up an item."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.bounds import Floats

Ints = NDArray[np.int64]

SLOTS = 2**18  # of a guide table: 1 MB of int32, which stays in the cache
CELLS = 2**17  # draws or cells handled at once: 1 MB, which stays in the cache
SHORT = 2.0  # standard deviations by which the independent counts fall short of the items


def sums_of_items(
    pmf: Floats, features: NDArray[Any], items: int, replicates: int, *, rng: np.random.Generator
) -> Ints:
    """Sums of features over `items` independent draws from one finite distribution.

    Parameters
    ----------
    pmf : (K,) float64
        Probability of each outcome.
    features : (K, F) int
        What an outcome adds to each sum.
    items, replicates : int
    rng : numpy.random.Generator

    Returns
    -------
    (replicates, F) int64

    Notes
    -----
    With more items than outcomes, Poisson counts are drawn for all outcomes independently, their total a
    little short of the items; a total beyond the items is drawn again; the missing items are then drawn one
    by one. Given any total the counts are multinomial, and so is the sum: nothing is approximated.
    """
    kept = np.flatnonzero(pmf > 0)
    features = np.asarray(features, dtype=np.int64)[kept]
    p = pmf[kept] / pmf[kept].sum()
    guide, packed = guide_table(p), pack(features, items)
    out = np.zeros((replicates, features.shape[1]), dtype=np.int64)
    short = SHORT * np.sqrt(items)
    counted = len(p) + short < items
    for rows in blocks(replicates, len(p) if counted else items):
        missing = np.full(rows.stop - rows.start, items)
        if counted:
            counts = _short_counts(p * (items - short), items, len(missing), rng)
            out[rows] = counts @ features.astype(np.float64)  # whole numbers below 2**53: exact
            missing -= counts.sum(axis=1).astype(np.int64)
        codes = look_up(guide, rng.random(int(missing.sum())))
        out[rows] += unpack(packed, [_row_sums(word[codes], missing) for word in packed.words], missing)
    return out


def _short_counts(mean: Floats, most: int, rows: int, rng: np.random.Generator) -> Floats:
    """Independent Poisson counts (rows, K) whose totals are at most `most`."""
    counts = rng.poisson(mean, size=(rows, len(mean))).astype(np.float64)
    while (over := np.flatnonzero(counts.sum(axis=1) > most)).size:
        counts[over] = rng.poisson(mean, size=(over.size, len(mean)))
    return counts


def _row_sums(values: Ints, lengths: Ints) -> Ints:
    """Sums of consecutive runs; what overflows on the way is taken back by the difference."""
    running = np.concatenate([[0], np.cumsum(values)])
    ends = np.cumsum(lengths)
    return np.asarray(running[ends] - running[ends - lengths])


class Packed(NamedTuple):
    """Several small features side by side in 64-bit words, so that one look-up adds them all.

    Parameters
    ----------
    words : list of (K,) int64
    fields : list of (word, shift, bits, offset)
        Where each feature lies, and what was taken from it to make it positive.
    """

    words: list[Ints]
    fields: list[tuple[int, int, int, int]]


def pack(features: Ints, most: int) -> Packed:
    """Pack features (K, F) so that sums of at most `most` of them stay within their fields."""
    words: list[Ints] = []
    fields: list[tuple[int, int, int, int]] = []
    used = 64
    for column in features.T:
        low = int(column.min())
        bits = (int(column.max()) - low) * most
        width = max(bits.bit_length(), 1)
        if used + width > 63:
            words.append(np.zeros(len(features), dtype=np.int64))
            used = 0
        words[-1] += (column - low) << used
        fields.append((len(words) - 1, used, width, low))
        used += width
    return Packed(words, fields)


def unpack(packed: Packed, sums: list[Ints], draws: Ints) -> Ints:
    """Sums of each feature, (rows, F), from the sums of the words over so many draws in each row."""
    columns = [
        (sums[word] >> shift & ((1 << width) - 1)) + low * draws for word, shift, width, low in packed.fields
    ]
    return np.stack(columns, axis=1)


def blocks(rows: int, width: int) -> Iterator[slice]:
    """Slices of rows that bound the cells handled at once."""
    step = max(1, CELLS // max(width, 1))
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))


class Guide(NamedTuple):
    """A distribution on 0 ... K - 1, made ready for look-ups.

    Parameters
    ----------
    upper : (K,) float64
        Distribution function; its last value is 1.
    first : (slots,) int32
        Outcome of the lowest number in each of many equal slots of [0, 1).
    mixed : (slots,) bool
        Slots that hold more than one outcome.
    """

    upper: Floats
    first: NDArray[np.int32]
    mixed: NDArray[np.bool_]


def guide_table(pmf: Floats, slots: int = SLOTS) -> Guide:
    """Prepare a distribution for `look_up`.

    References
    ----------
    Chen, H.-C. and Asau, Y. (1974). On generating random variates from an empirical distribution. AIIE
    Transactions 6, 163-166.
    """
    upper = np.cumsum(pmf)
    upper /= upper[-1]
    upper[np.flatnonzero(pmf > 0)[-1] :] = 1.0
    ends = np.ceil(upper * slots).astype(np.int64)
    first = np.repeat(np.arange(len(pmf), dtype=np.int32), ends - np.append(0, ends[:-1]))
    mixed = np.zeros(slots, dtype=bool)
    mixed[np.minimum((upper * slots).astype(np.int64), slots - 1)] = True
    return Guide(upper, first, mixed)


def look_up(guide: Guide, u: Floats) -> NDArray[np.int32]:
    """Outcomes that belong to uniform numbers in [0, 1), exactly as a search in the distribution function."""
    slot = (u * len(guide.first)).astype(np.int32)
    found = guide.first[slot]
    doubt = np.flatnonzero(guide.mixed[slot])
    found[doubt] = np.searchsorted(guide.upper, u[doubt], side="right")
    return found
