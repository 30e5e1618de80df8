"""Total scores of many entries on the same simulated items, drawn together."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.bounds import Floats
from deadheat.stats.collapse import digits, pattern_pmf, patterns_by_type
from deadheat.stats.draws import (
    Ints,
    Packed,
    blocks,
    guide_of,
    guide_table,
    look_up,
    pack,
    row_sums,
    sums_of_items,
    unpack,
)
from deadheat.stats.world import Types

WHOLE = 2**14  # outcomes of all entries at one item that are drawn as one
PATTERNS = 2**11  # outcomes of a group of entries, where it takes several
SLOTS = 2**16  # of the tables of each type
ITEMS = 2**21  # items drawn by turns of their types
FEW = 128  # types that take turns; more share one table


class Plan(NamedTuple):
    """Distributions from which items are drawn, made once and sent to whoever draws.

    Parameters
    ----------
    samples : int
        Samples of an item.
    weight : (G,) float64
        Share of items of each type; one type where all entries make one group.
    groups : tuple of (size, (G, (n + 1) ** size) float64)
        Entries drawn together, and the probability of each pattern of their counts, for each type.
    """

    samples: int
    weight: Floats
    groups: tuple[tuple[int, Floats], ...]


def plan(types: Types) -> Plan:
    """Group the entries so that few look-ups make an item."""
    entries, kinds, base = types.pmf.shape
    if base**entries <= WHOLE:
        return Plan(base - 1, np.ones(1), ((entries, pattern_pmf(types)[None, :]),))
    most = PATTERNS if kinds <= FEW else PATTERNS * FEW / kinds
    size = max(int(np.log(most) / np.log(base) + 1e-9), 1)
    groups = [types.pmf[start : start + size] for start in range(0, entries, size)]
    return Plan(base - 1, types.weight, tuple((len(group), patterns_by_type(group)) for group in groups))


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
    if len(made.weight) == 1:
        size, pmf = made.groups[0]
        return sums_of_items(pmf[0], digits(np.arange(pmf.shape[1]), base, size), items, replicates, rng=rng)
    features = [pack(digits(np.arange(pmf.shape[1]), base, size), items) for size, pmf in made.groups]
    out = []
    for start in range(0, replicates, max(1, ITEMS // items)):
        rows = min(replicates - start, max(1, ITEMS // items))
        kinds = sums_of_items(made.weight, np.eye(len(made.weight)), items, rows, rng=rng)
        sums = [[np.zeros(rows, dtype=np.int64) for _ in packed.words] for packed in features]
        for (_, pmf), packed, words in zip(made.groups, features, sums, strict=True):
            draw = _by_turns if len(pmf) <= FEW else _together
            draw(pmf, packed, words, kinds, rng)
        out.append(
            np.concatenate(
                [unpack(packed, words, items) for packed, words in zip(features, sums, strict=True)], axis=1
            )
        )
    return np.concatenate(out)


def _by_turns(pmf: Floats, packed: Packed, sums: list[Ints], kinds: Ints, rng: np.random.Generator) -> None:
    """Draw the items of one type after the other, and add their counts to the packed sums."""
    for kind in np.flatnonzero(kinds.any(axis=0)):
        guide = guide_table(pmf[kind], SLOTS)
        lengths = kinds[:, kind]
        for rows in blocks(len(lengths), int(np.ceil(lengths.mean()))):
            part = [total[rows] for total in sums]
            codes = look_up(guide, rng.random(int(lengths[rows].sum())))
            _add(packed, part, codes, lengths[rows])


def _together(pmf: Floats, packed: Packed, sums: list[Ints], kinds: Ints, rng: np.random.Generator) -> None:
    """Draw all items from one table in which each type fills an equal part."""
    count, width = pmf.shape
    upper = np.cumsum(pmf, axis=1)
    upper = np.minimum(upper / upper[:, -1:], 1.0)
    upper[:, -1] = 1.0
    guide = guide_of(((np.arange(count)[:, None] + upper) / count).ravel())
    for rows in blocks(len(kinds), int(kinds[0].sum())):
        kind = np.repeat(np.tile(np.arange(count), rows.stop - rows.start), kinds[rows].ravel())
        u = np.minimum((kind + rng.random(len(kind))) / count, np.nextafter((kind + 1) / count, 0))
        part = [total[rows] for total in sums]
        _add(packed, part, look_up(guide, u) - kind * width, kinds[rows].sum(axis=1))


def _add(packed: Packed, sums: list[Ints], codes: NDArray[np.integer[Any]], lengths: Ints) -> None:
    """Add so many consecutive outcomes to each replicate's packed sums, in place."""
    for word, total in zip(packed.words, sums, strict=True):
        total += row_sums(word.take(codes), lengths)
