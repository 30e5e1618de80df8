"""Fast draws of sums over many like items: a count for each outcome, or one table look-up an item."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.stats.bounds import Floats

Ints = NDArray[np.int64]

FEWEST, MOST = 2**12, 2**18  # slots of a guide table: up to 1 MB of int32, which stays in the cache
SHARE = 64  # slots for each outcome, within these limits
CELLS = 2**16  # draws or cells handled at once: half a MB, which stays in the cache
SHORT = 1.7  # standard deviations by which the independent counts fall short of the items


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
    With more items than outcomes, the outcomes are counted: Poisson counts are drawn for all of them
    independently, their total a little short of the items; a total beyond the items is drawn again; the
    missing items are then drawn one by one. Given any total the counts are multinomial, and so is the sum:
    nothing is approximated. Otherwise each item is drawn, by a look-up in a table.
    """
    kept = np.flatnonzero(pmf > 0)
    features = np.asarray(features, dtype=np.int64)[kept]
    p = pmf[kept] / pmf[kept].sum()
    guide, packed = guide_table(p), pack(features, items)
    out = np.zeros((replicates, features.shape[1]), dtype=np.int64)
    short = int(np.ceil(SHORT * np.sqrt(items)))
    table = _poisson_table(p * (items - short)) if len(p) + short < items else None
    # Whole numbers below 2**53: sums are exact in any order. The last column counts the items.
    columns = np.column_stack([features, np.ones(len(p))])
    for rows in blocks(replicates, len(p) + short if table else items):
        missing = np.full(rows.stop - rows.start, items)
        if table:
            found = _poisson_sums(table, columns, items, len(missing), rng)
            out[rows] = found[:, :-1]
            missing -= found[:, -1]
        codes = look_up(guide, rng.random(int(missing.sum())))
        sums = [row_sums(word.take(codes), missing) for word in packed.words]
        out[rows] += unpack(packed, sums, missing)
    return out


class PoissonTable(NamedTuple):
    """Poisson distributions side by side in one table, all alike likely; `first` is where each begins."""

    guide: Guide
    first: NDArray[np.int32]


def _poisson_table(mean: Floats) -> PoissonTable:
    """Make Poisson distributions with these means ready for look-ups; their tails end below 1e-17."""
    reach = np.ceil(mean + 9 * np.sqrt(mean) + 20).astype(np.int64) + 1
    first = np.cumsum(reach) - reach
    cell = np.repeat(np.arange(len(mean)), reach)
    count = np.arange(len(cell)) - first[cell]
    pmf = np.exp(special.xlogy(count, mean[cell]) - mean[cell] - special.gammaln(count + 1))
    pmf /= np.add.reduceat(pmf, first)[cell]
    upper = np.cumsum(pmf)
    upper += (cell + 1) - upper[first + reach - 1][cell]
    upper[first + reach - 1] = np.arange(len(mean)) + 1  # to the last digit: each part of [0, 1) is its own
    return PoissonTable(guide_of(upper / len(mean)), first.astype(np.int32))


def _poisson_sums(
    table: PoissonTable, columns: Floats, most: int, rows: int, rng: np.random.Generator
) -> Ints:
    """Sums over Poisson counts whose totals, in the last column, are at most `most`; larger ones again."""
    cell = np.arange(len(table.first))
    end = np.nextafter((cell + 1) / len(cell), 0)

    def draw(size: int) -> Floats:
        u = rng.random((size, len(cell)))
        u += cell
        u /= len(cell)
        np.minimum(u, end, out=u)  # rounding must not lead into the next distribution
        codes = look_up(table.guide, u.ravel()).reshape(u.shape)
        return np.asarray((codes - table.first).astype(np.float64) @ columns)

    found = draw(rows)
    while (over := np.flatnonzero(found[:, -1] > most)).size:
        found[over] = draw(over.size)
    return found.astype(np.int64)


def row_sums(values: Ints, lengths: Ints) -> Ints:
    """Sums of consecutive runs; what overflows on the way is taken back by the difference."""
    running = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, out=running[1:])
    ends = np.cumsum(lengths)
    return np.asarray(running.take(ends) - running.take(ends - lengths))


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


def unpack(packed: Packed, sums: list[Ints], draws: Ints | int) -> Ints:
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


def guide_table(pmf: Floats, slots: int | None = None) -> Guide:
    """Prepare a distribution for `look_up`.

    References
    ----------
    Chen, H.-C. and Asau, Y. (1974). On generating random variates from an empirical distribution. AIIE
    Transactions 6, 163-166.
    """
    upper = np.cumsum(pmf)
    upper /= upper[-1]
    upper[np.flatnonzero(pmf > 0)[-1] :] = 1.0
    return guide_of(upper, slots)


def guide_of(upper: Floats, slots: int | None = None) -> Guide:
    """The same from a distribution function whose last value is 1."""
    slots = slots or 2 ** int(np.ceil(np.log2(np.clip(SHARE * len(upper), FEWEST, MOST))))
    ends = np.ceil(upper * slots).astype(np.int64)
    first = np.repeat(np.arange(len(upper), dtype=np.int32), ends - np.append(0, ends[:-1]))
    mixed = np.zeros(slots, dtype=bool)
    mixed[np.minimum((upper * slots).astype(np.int64), slots - 1)] = True
    return Guide(upper, first, mixed)


def look_up(guide: Guide, u: Floats) -> NDArray[np.int32]:
    """Outcomes that belong to uniform numbers in [0, 1), exactly as a search in the distribution function."""
    slot = (u * len(guide.first)).astype(np.intp)
    found = guide.first.take(slot)  # take is twice as fast as an index
    doubt = np.flatnonzero(guide.mixed.take(slot))
    found[doubt] = np.searchsorted(guide.upper, u.take(doubt), side="right")
    return found
