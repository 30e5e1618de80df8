"""Fast draws of sums over many like items: a count for each outcome, or one table look-up an item."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.stats.numerics.bounds import Floats

Ints = NDArray[np.int64]

FEWEST, MOST = 2**12, 2**18  # slots of a guide table: up to 1 MB of int32, which stays in the cache
SHARE = 64  # slots for each outcome, within these limits
CELLS = 2**16  # draws or cells handled at once: half a MB, which stays in the cache
BINOMIAL = 8  # look-ups in the time of one of numpy's binomial counts
RARE = 1.0  # expected items of an outcome below which it is not counted by itself


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
    Nothing is approximated by any of the three ways, of which the quickest is taken. A few outcomes are
    counted by numpy's multinomial. More are counted too: Poisson counts are drawn for all of them
    independently, their total a little short of the items; a total beyond the items is drawn again; the
    missing items are then drawn one by one, and so are those of outcomes so rare that they were counted
    together. Given any total the counts are multinomial, and so is the sum. Few items are drawn one by one.
    """
    kept = np.flatnonzero(pmf > 0)
    features = np.asarray(features, dtype=np.int64)[kept]
    p = pmf[kept] / pmf[kept].sum()
    order = np.argsort(-p, kind="stable")
    p, features = p[order], features[order]
    common = int((p * items >= RARE).sum())
    rare = float(p[common:].sum()) * items
    short, counted = _shortfall(common + 1, items)
    counted += rare
    if BINOMIAL * len(p) <= min(counted, items):
        counts = rng.multinomial(items, p, size=replicates).astype(np.float64)
        return np.asarray(counts @ features).astype(np.int64)
    packed = pack(features, items)
    guide = guide_table(p)
    out = np.zeros((replicates, features.shape[1]), dtype=np.int64)
    if counted >= items:
        for rows in blocks(replicates, items):
            lengths = np.full(rows.stop - rows.start, items)
            out[rows] = unpack(packed, draw_sums(guide, packed, lengths, rng), lengths)
        return out
    table = _poisson_table(np.append(p[:common], p[common:].sum()) * (items - short))
    # Whole numbers below 2**53: sums are exact in any order.
    columns = np.append(features[:common], np.zeros((1, features.shape[1])), axis=0)
    rest = Packed([word[common:] for word in packed.words], packed.fields)
    seldom = guide_table(p[common:]) if common < len(p) else None
    for rows in blocks(replicates, int(counted)):
        counts, missing = _poisson_counts(table, items, rows.stop - rows.start, rng)
        out[rows] = counts @ columns
        out[rows] += unpack(packed, draw_sums(guide, packed, missing, rng), missing)
        if seldom is not None:
            again = counts[:, -1].astype(np.int64)
            out[rows] += unpack(rest, draw_sums(seldom, rest, again, rng), again)
    return out


def counts_of_items(p: Floats, items: int, replicates: int, *, rng: np.random.Generator) -> Ints:
    """Multinomial counts (replicates, K) of many outcomes, by the Poisson counts of `sums_of_items`."""
    short, cost = _shortfall(len(p), items)
    table, guide = _poisson_table(p * (items - short)), guide_table(p)
    out = np.empty((replicates, len(p)), dtype=np.int64)
    for rows in blocks(replicates, int(cost)):
        counts, missing = _poisson_counts(table, items, rows.stop - rows.start, rng)
        codes = look_up(guide, rng.random(int(missing.sum())))
        codes += np.repeat(np.arange(len(missing)) * len(p), missing)
        out[rows] = counts + np.bincount(codes, minlength=counts.size).reshape(counts.shape)
    return out


def _shortfall(outcomes: int, items: int) -> tuple[int, float]:
    """How far the Poisson total aims below the items, for the fewest look-ups, and how many these are."""
    sd = np.linspace(0.0, 2.5, 26)
    kept = special.ndtr(sd)
    missing = sd + np.exp(-(sd**2) / 2) / np.sqrt(2 * np.pi) / kept
    cost = outcomes / kept + np.sqrt(items) * missing
    best = int(np.argmin(cost))
    return int(np.ceil(sd[best] * np.sqrt(items))), float(cost[best])


class PoissonTable(NamedTuple):
    """Poisson distributions side by side, each with as many slots.

    Parameters
    ----------
    slots : (K, S) int16 or int32
        Count at each slot of [0, 1), -1 where a slot holds several.
    upper : (N,) float64
        Distribution functions one after the other, each one higher than the one before.
    first : (K,) int64
        Where each begins.
    """

    slots: NDArray[np.integer[Any]]
    upper: Floats
    first: Ints


def _poisson_table(mean: Floats) -> PoissonTable:
    """Make Poisson distributions with these means ready for look-ups; their tails end below 1e-17."""
    size = 2 ** int(np.clip(np.log2(MOST / len(mean)), 6, 12))
    reach = np.ceil(mean + 9 * np.sqrt(mean) + 20).astype(np.int64) + 1
    first = np.cumsum(reach) - reach
    cell = np.repeat(np.arange(len(mean)), reach)
    count = np.arange(len(cell)) - first[cell]
    pmf = np.exp(special.xlogy(count, mean[cell]) - mean[cell] - special.gammaln(count + 1))
    pmf /= np.add.reduceat(pmf, first)[cell]
    upper = np.cumsum(pmf)
    upper += (cell + 1) - upper[first + reach - 1][cell]
    upper[first + reach - 1] = np.arange(len(mean)) + 1  # to the last digit: each part of [0, K) is its own
    ends = np.ceil(upper * size).astype(np.int64)
    slots = np.repeat(count.astype(np.int32), ends - np.append(0, ends[:-1]))
    slots[np.minimum((upper * size).astype(np.int64), slots.size - 1)] = -1
    small = slots.astype(np.int16) if count.max() < 2**15 else slots  # half the room in the cache
    return PoissonTable(small.reshape(len(mean), size), upper, first)


def _poisson_counts(
    table: PoissonTable, most: int, rows: int, rng: np.random.Generator
) -> tuple[Floats, Ints]:
    """Counts whose total is at most `most`, those beyond drawn again, and what is missing to `most`."""
    cells, size = table.slots.shape
    flat, cell = table.slots.ravel(), np.arange(cells)

    def draw(number: int) -> Floats:
        slot = random_slots(number, cells, size, rng)
        slot += cell * size
        counts = flat.take(slot.ravel())
        doubt = np.flatnonzero(counts < 0)
        of = doubt % cells
        inside = (slot.ravel().take(doubt) + rng.random(len(doubt))) / size
        high = np.minimum(inside, np.nextafter(of + 1.0, 0))  # never in the next one
        counts[doubt] = np.searchsorted(table.upper, high, side="right") - table.first[of]
        made = counts.reshape(number, cells).astype(np.float64)
        return np.asarray(made[made @ np.ones(cells) <= most])

    found = draw(rows)
    while len(found) < rows:
        left = rows - len(found)
        found = np.concatenate([found, draw(left + left // 4 + 8)])
    found = found[:rows]
    return found, (most - found @ np.ones(cells)).astype(np.int64)


def draw_sums(guide: Guide, packed: Packed, lengths: Ints, rng: np.random.Generator) -> list[Ints]:
    """Sums of each packed word over so many items for each replicate; the guide's slots are a power of two.

    Within a slot of several outcomes a random number of its own decides.
    """
    size = len(guide.first)
    slot = random_slots(1, int(lengths.sum()), size, rng)[0]
    codes = guide.first.take(slot)
    doubt = np.flatnonzero(codes < 0)
    inside = (slot.take(doubt) + rng.random(len(doubt))) / size
    codes[doubt] = np.minimum(np.searchsorted(guide.upper, inside, side="right"), len(guide.upper) - 1)
    return [row_sums(word.take(codes), lengths) for word in packed.words]


def random_slots(rows: int, columns: int, size: int, rng: np.random.Generator) -> Ints:
    """Random whole numbers below a power of two; each takes few of a random number's digits."""
    digits = size.bit_length() - 1
    each = 53 // digits
    bits = (rng.random((rows, -(-columns // each))) * 2.0 ** (digits * each)).astype(np.int64)
    slot = np.empty((rows, each, bits.shape[1]), dtype=np.int64)
    for at in range(each):
        np.bitwise_and(bits >> (digits * at), size - 1, out=slot[:, at])
    return slot.reshape(rows, -1)[:, :columns]


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
    fields: list[tuple[int, int, int, int]] = []
    word, used = -1, 64
    for column in features.T:
        low = int(column.min())
        width = max(((int(column.max()) - low) * most).bit_length(), 1)
        if used + width > 63:
            word, used = word + 1, 0
        fields.append((word, used, width, low))
        used += width
    return pack_into(fields, features)


def pack_into(fields: list[tuple[int, int, int, int]], features: Ints) -> Packed:
    """Pack features into fields that were laid out for others, so that sums of both add up."""
    words = [np.zeros(len(features), dtype=np.int64) for _ in range(fields[-1][0] + 1)]
    for (word, shift, _, low), column in zip(fields, features.T, strict=True):
        words[word] += (column - low) << shift
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
    first : (slots,) int16 or int32
        Outcome of each of many equal slots of [0, 1), -1 where a slot holds several.
    """

    upper: Floats
    first: NDArray[np.integer[Any]]


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
    codes = np.arange(len(upper)).astype(np.int16 if len(upper) < 2**15 else np.int32)  # room in the cache
    first = np.repeat(codes, ends - np.append(0, ends[:-1]))
    first[np.minimum((upper * slots).astype(np.int64), slots - 1)] = -1
    return Guide(upper, first)


def look_up(guide: Guide, u: Floats) -> NDArray[np.int64]:
    """Outcomes that belong to uniform numbers in [0, 1), exactly as a search in the distribution function."""
    slot = (u * len(guide.first)).astype(np.intp)
    found = guide.first.take(slot).astype(np.int64)  # take is twice as fast as an index
    doubt = np.flatnonzero(found < 0)
    found[doubt] = np.searchsorted(guide.upper, u.take(doubt), side="right")
    return found
