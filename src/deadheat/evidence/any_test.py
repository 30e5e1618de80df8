"""Any paired test for all pairs of a board, a block of pairs at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.errors import MethodError
from deadheat.evidence.order import Rule
from deadheat.evidence.pair_evidence import pairs_of
from deadheat.methods import TESTS
from deadheat.seeds import stream
from deadheat.stats.numerics.bounds import Bounds
from deadheat.stats.numerics.pvalues import PValues
from deadheat.stats.paired.catalogue import ENDS, P_VALUES
from deadheat.stats.paired.pairs import Pairs

Rows = NDArray[np.intp]
CELLS = 2**22  # pairs x items of one block
WORK = 4e12  # pairs x items x draws beyond which a test with draws would take the better part of an hour


def all_pairs(panel: Panel, name: str, *, draws: int, seed: int) -> PValues:
    """Test every pair of entries.

    Parameters
    ----------
    panel : Panel
    name : str
        Of `methods.TESTS`.
    draws, seed : int
        For tests that draw; every block of pairs meets the same draws.

    Returns
    -------
    PValues
        (E, E), symmetric; the diagonal is 1.

    Raises
    ------
    MethodError
        A test that does not fit the data, or that would take too long.
    """
    entries, items = panel.values.shape
    first, second = np.triu_indices(entries, 1)
    if TESTS[name].fit.draws and first.size * items * draws > WORK:
        raise MethodError(
            f"the test {name} was asked of {first.size:,} pairs x {items:,} items x {draws:,} draws, which "
            "would take too long; fewer draws, or --adjust max-t, which shares its draws, would do"
        )
    out = PValues(np.ones((entries, entries)), np.zeros((entries, entries)))
    for block, pairs in _blocks(panel, first, second):
        found = P_VALUES[name](pairs, draws=draws, rng=stream(seed, "pairs"))
        a, b = first[block], second[block]
        for matrix, values in zip(out, found, strict=True):
            matrix[a, b] = matrix[b, a] = values
    return out


def ends(panel: Panel, name: str, first: Rows, second: Rows, *, level: float, rule: Rule) -> Bounds:
    """Bound the difference of each pair by an interval that draws, from the draws of its test.

    Parameters
    ----------
    panel : Panel
    name : str
        Of `methods.DIFFERENCES`.
    first, second : (P,) int
        Rows of the entries of each pair.
    level : float
    rule : Rule
        Draws and seed.
    """
    out = Bounds(np.empty(len(first)), np.empty(len(first)))
    for block, pairs in _blocks(panel, first, second):
        found = ENDS[name](pairs, level=level, draws=rule.draws, rng=stream(rule.seed, "pairs"))
        for end, values in zip(out, found, strict=True):
            end[block] = values
    return out


def _blocks(panel: Panel, first: Rows, second: Rows) -> Iterator[tuple[slice, Pairs]]:
    """Pairs of rows, in blocks of bounded memory."""
    step = max(1, CELLS // max(len(panel.items), 1))
    for start in range(0, len(first), step):
        block = slice(start, start + step)
        yield block, pairs_of(panel, first[block], second[block])
