"""Total scores of many entries on the same simulated items, drawn together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deadheat.stats.bounds import Floats
from deadheat.stats.collapse import digits, pattern_pmf, patterns_by_type
from deadheat.stats.draws import Ints, blocks, guide_table, look_up, pack, sums_of_items, unpack
from deadheat.stats.world import Types

PATTERNS = 2**14  # outcomes of all entries at one item that are drawn as one
JOINT = 2**18  # types x outcomes of a few entries in one table


class Plan(NamedTuple):
    """Distributions from which an item's outcomes are drawn, made once and sent to whoever draws.

    Parameters
    ----------
    samples : int
        Samples of an item.
    sizes : tuple of int
        Entries in each group.
    tables : tuple of (G, K) or (K,) float64
        Joint probability of an item's type and a group's pattern of counts; one row where all entries make
        one group.
    """

    samples: int
    sizes: tuple[int, ...]
    tables: tuple[Floats, ...]


def plan(types: Types) -> Plan:
    """Group the entries so that few look-ups make an item."""
    entries, kinds, base = types.pmf.shape
    if base**entries <= PATTERNS:
        return Plan(base - 1, (entries,), (pattern_pmf(types)[None, :],))
    size = 1
    while kinds * base ** (size + 1) <= JOINT:
        size += 1
    groups = [slice(start, min(start + size, entries)) for start in range(0, entries, size)]
    tables = tuple(patterns_by_type(types, group) for group in groups)
    return Plan(base - 1, tuple(group.stop - group.start for group in groups), tables)


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
    The first look-up of an item gives its type and the first group's counts; each further look-up, confined
    to that type, the next group's.
    """
    base = made.samples + 1
    if len(made.tables) == 1:
        table = made.tables[0].sum(axis=0)
        features = digits(np.arange(table.size), base, made.sizes[0])
        return sums_of_items(table, features, items, replicates, rng=rng)
    out = np.empty((replicates, sum(made.sizes)), dtype=np.int64)
    guides = [guide_table(table.ravel()) for table in made.tables]
    words = [
        pack(digits(np.arange(t.shape[1]), base, n), items)
        for t, n in zip(made.tables, made.sizes, strict=True)
    ]
    for rows in blocks(replicates, items):
        count = rows.stop - rows.start
        draws = np.full(count, items)
        kinds, at = None, 0
        for guide, packed, size in zip(guides, words, made.sizes, strict=True):
            width = base**size
            u = rng.random(count * items)
            if kinds is not None:
                upper = guide.upper[width - 1 :: width]
                lower = np.concatenate([[0.0], upper[:-1]])
                u = np.minimum(lower[kinds] + u * (upper - lower)[kinds], np.nextafter(upper, 0)[kinds])
            codes = look_up(guide, u)
            if kinds is None:
                kinds = codes // width
            codes = codes % width
            sums = [word[codes].reshape(count, items).sum(axis=1) for word in packed.words]
            out[rows, at : at + size] = unpack(packed, sums, draws)
            at += size
    return out
