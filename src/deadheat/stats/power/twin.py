"""What the items of one run could show: the smallest difference from a twin that is as good on average."""

from __future__ import annotations

import numpy as np

from deadheat.stats.numerics.search import crossing
from deadheat.stats.power.power_paired import discordance, paired_effect, paired_power_exact


def visible_beside_twin(
    rate: float, items: int, correlation: float, power: float = 0.8, alpha: float = 0.05
) -> float | None:
    """Smallest difference of two rates that exact McNemar detects with this power, by exact sums.

    The two rates are evenly about `rate`, moved where one of them would leave [0, 1].

    Parameters
    ----------
    rate : float
        Score of the run.
    items : int
    correlation : float
        Between the outcomes of the two runs over items; as high as two rates allow at most.
    power, alpha : float
        Power, and size of the two-sided test.

    Returns
    -------
    float or None
        None where not even a difference of 1 is detected.
    """

    def share(gap: float) -> float:
        low = min(max(rate - gap / 2, 0.0), 1.0 - gap)
        return max(float(discordance(low + gap, low, correlation)), gap)

    def value(gap: float) -> float:
        return float(paired_power_exact(gap, min(share(gap), 1.0), np.array([items]), alpha)[0])

    guess = float(paired_effect(max(share(0.0), 1 / items), items, power, alpha))
    return crossing(value, power, guess if 0 < guess <= 1 else 0.5, 1.0)
