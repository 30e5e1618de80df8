"""Any paired test for all pairs of a board, a block of pairs at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.errors import MethodError
from deadheat.seeds import stream
from deadheat.stats.numerics.pvalues import PValues
from deadheat.stats.paired.catalogue import TESTS, check
from deadheat.stats.paired.pairs import Pairs

CELLS = 2**22  # pairs x items of one block
WORK = 4e12  # pairs x items x draws beyond which a test with draws would take the better part of an hour


def names() -> tuple[str, ...]:
    """Tests of comparable items that use that both entries met the same items."""
    return tuple(name for name, test in TESTS.items() if test.fit.paired and not test.fit.reruns)


def all_pairs(panel: Panel, name: str, *, draws: int, seed: int) -> PValues:
    """Test every pair of entries.

    Parameters
    ----------
    panel : Panel
    name : str
        Of `names`.
    draws, seed : int
        For tests that use luck; every block of pairs meets the same draws.

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
    test = TESTS[name]
    if test.fit.draws and first.size * items * draws > WORK:
        raise MethodError(
            f"the test {name} was asked of {first.size:,} pairs x {items:,} items x {draws:,} draws, which "
            "would take too long; fewer draws, or --adjust max-t, which shares its draws, would do"
        )
    out = PValues(np.ones((entries, entries)), np.zeros((entries, entries)))
    step = max(1, CELLS // max(items, 1))
    for start in range(0, first.size, step):
        a, b = first[start : start + step], second[start : start + step]
        pairs = _pairs(panel, a, b)
        if start == 0:
            check(name, test.fit, pairs, binary=panel.binary)
        found = test.run(pairs, draws=draws, rng=stream(seed, "pairs"))
        for matrix, values in zip(out, found, strict=True):
            matrix[a, b] = matrix[b, a] = values
    return out


def _pairs(panel: Panel, a: NDArray[Any], b: NDArray[Any]) -> Pairs:
    return Pairs(
        a=panel.values[a],
        b=panel.values[b],
        in_a=panel.present[a],
        in_b=panel.present[b],
        cluster=panel.cluster,
        weights=panel.weights,
        stratum=panel.stratum,
    )
