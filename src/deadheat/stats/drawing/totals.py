"""Total scores of many entries on the same simulated items, drawn together."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.drawing.collapse import convolution_power, digits, pattern_pmf, patterns_by_type
from deadheat.stats.drawing.draws import (
    Ints,
    Packed,
    blocks,
    counts_of_items,
    draw_sums,
    guide_of,
    guide_table,
    look_up,
    pack,
    pack_into,
    row_sums,
    sums_of_items,
    unpack,
)
from deadheat.stats.drawing.item_worlds import Types
from deadheat.stats.numerics.bounds import Floats

WHOLE = 2**14  # outcomes of all entries at one item that are drawn as one
PATTERNS = 2**11  # outcomes of a group of entries, where it takes several
SLOTS = 16  # of the tables of each type, for each outcome
KINDS = 2**22  # counts of types held at once
PAIRS = 2**12  # outcomes of two items of a type that are drawn as one
FEW = 128  # types that take turns; more share one table
OFTEN = 0.5  # items of a type below which it shares that table too


class Plan(NamedTuple):
    """Distributions from which items are drawn, made once and sent to whoever draws.

    Parameters
    ----------
    samples : int
        Samples of an item.
    whole : (K,) float64
        Probability of each pattern of all entries' counts at an item; empty where these are too many.
    weight : (G,) float64
        Share of items of each type.
    groups : tuple of (size, G, n + 1) float64
        Entries drawn together: probability of each count, for each type.
    """

    samples: int
    whole: Floats
    weight: Floats
    groups: tuple[Floats, ...]


def plan(types: Types) -> Plan:
    """Group the entries so that few look-ups make an item."""
    entries, kinds, base = types.pmf.shape
    if base**entries <= WHOLE:
        return Plan(base - 1, pattern_pmf(types), types.weight, (types.pmf,))
    most = PATTERNS if kinds <= FEW else PATTERNS * FEW / kinds
    size = max(int(np.log(most) / np.log(base) + 1e-9), 1)
    groups = tuple(types.pmf[start : start + size] for start in range(0, entries, size))
    return Plan(base - 1, np.empty(0), types.weight, groups)


def totals(made: Plan, items: int, replicates: int, *, rng: np.random.Generator) -> Ints:
    """Right samples of every entry over all items.

    Parameters
    ----------
    made : Plan
    items, replicates : int
    rng : numpy.random.Generator

    Returns
    -------
    (replicates, E) int64

    Notes
    -----
    The types of the items are counted first; then all items of one type are drawn, a group of entries at a
    time, and their counts added up.
    """
    base = made.samples + 1
    if made.whole.size:
        places = len(made.groups[0])
        patterns = digits(np.arange(len(made.whole)), base, places)
        return sums_of_items(made.whole, patterns, items, replicates, rng=rng)
    out = []
    step = max(1, KINDS // len(made.weight))
    for start in range(0, replicates, step):
        rows = min(replicates - start, step)
        kinds = np.ascontiguousarray(counts_of_items(made.weight, items, rows, rng=rng).T)
        found = []
        for pmf in made.groups:
            packed = pack(_patterns(pmf), items)
            sums = [np.zeros(rows, dtype=np.int64) for _ in packed.words]
            often = kinds.mean(axis=1) >= (OFTEN if len(kinds) <= FEW else np.inf)
            _by_turns(pmf[:, often], packed, sums, kinds[often], rng)
            _together(pmf[:, ~often], packed, sums, kinds[~often], rng)
            found.append(unpack(packed, sums, items))
        out.append(np.concatenate(found, axis=1))
    return np.concatenate(out)


def _patterns(pmf: Floats) -> Ints:
    """Counts of each entry in each pattern of a group, (K, size)."""
    size, _, base = pmf.shape
    return digits(np.arange(base**size), base, size)


def _by_turns(pmf: Floats, packed: Packed, sums: list[Ints], kinds: Ints, rng: np.random.Generator) -> None:
    """Draw the items of one type after the other, two at a time, and add their counts to the packed sums."""
    if not len(kinds):
        return
    ways = [(1, patterns_by_type(pmf), packed)]
    both = convolution_power(pmf, 2)
    if both.shape[2] ** len(both) <= PAIRS:
        ways.insert(0, (2, patterns_by_type(both), pack_into(packed.fields, _patterns(both))))
    for kind, number in enumerate(kinds):
        left = number
        for at_once, chance, words in ways:
            if at_once > 1 and number.mean() < 2 * at_once:
                continue  # hardly worth a table
            lengths, left = left // at_once, left % at_once
            guide = guide_table(chance[kind], SLOTS * 2 ** int(np.ceil(np.log2(chance.shape[1]))))
            for rows in blocks(len(lengths), int(np.ceil(lengths.mean()))):
                for total, more in zip(sums, draw_sums(guide, words, lengths[rows], rng), strict=True):
                    total[rows] += more


def _together(pmf: Floats, packed: Packed, sums: list[Ints], kinds: Ints, rng: np.random.Generator) -> None:
    """Draw all items from one table in which each type fills an equal part."""
    if not kinds.any():
        return
    chance = patterns_by_type(pmf)
    count, width = chance.shape
    upper = np.cumsum(chance, axis=1)
    upper = np.minimum(upper / upper[:, -1:], 1.0)
    upper[:, -1] = 1.0
    guide = guide_of(((np.arange(count)[:, None] + upper) / count).ravel())
    for rows in blocks(kinds.shape[1], int(kinds[:, 0].sum())):
        number = kinds[:, rows].T
        kind = np.repeat(np.tile(np.arange(count), len(number)), number.ravel())
        u = np.minimum((kind + rng.random(len(kind))) / count, np.nextafter((kind + 1) / count, 0))
        part = [total[rows] for total in sums]
        _add(packed, part, look_up(guide, u) - kind * width, number.sum(axis=1))


def _add(packed: Packed, sums: list[Ints], codes: NDArray[np.integer[Any]], lengths: Ints) -> None:
    """Add so many consecutive outcomes to each replicate's packed sums, in place."""
    for word, total in zip(packed.words, sums, strict=True):
        total += row_sums(word.take(codes), lengths)
