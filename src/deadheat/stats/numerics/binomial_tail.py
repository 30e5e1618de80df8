"""Tails of a binomial count: added up where they have few terms, which needs no scipy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.bounds import Floats

Ints = NDArray[np.integer[Any]]
FEW = 150  # terms that are added one by one


def upper_tail(many: Ints, few: Ints, chance: Floats) -> Floats:
    """P(X >= many) of many + few draws: a sum of few + 1 terms, or the incomplete beta function of many.

    The sum needs no scipy, which takes longer to load than a comparison of two runs.
    """
    if few.max(initial=0) > FEW:
        from scipy import special

        return np.asarray(special.betainc(many, few + 1, chance), dtype=np.float64)
    size, few, chance = np.broadcast_arrays(many + few, few, np.clip(chance, 0.0, 1.0))
    # From the top down: what underflows there is far below any power that is looked for.
    term = chance**size
    total, odds = term.copy(), (1 - chance) / np.where(chance > 0, chance, 1.0)
    for k in range(1, int(few.max(initial=0)) + 1):
        term = term * np.where(k <= few, odds * (size - k + 1) / k, 0.0)
        total += term
    return np.asarray(total, dtype=np.float64)
