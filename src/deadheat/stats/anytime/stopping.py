"""How long a comparison takes that may stop at any item: its mean, its quantiles, its power at a budget."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deadheat.stats.anytime.crossing import not_stopped, survival

FARTHEST = 200_000  # discordant items up to which paths are followed
FINE = 1e-4  # share of comparisons that have not stopped where the mean is cut off


class Stopping(NamedTuple):
    """Of a comparison of single 0/1 attempts by the mixture e-value, looked at after every item.

    Parameters
    ----------
    mean : float
        Mean number of items at the stop, without a budget; NaN where paths are too long.
    most : int or None
        Items by which a share of comparisons has stopped; None where paths are too long.
    power : float
        Chance of having stopped by the budget.
    mean_at_budget : float
        Mean number of items where the budget ends it.
    """

    mean: float
    most: int | None
    power: float
    mean_at_budget: float


def stopping(
    difference: float, discordance: float, alpha: float, budget: int, share: float = 0.9
) -> Stopping:
    """Compute when a comparison stops.

    Parameters
    ----------
    difference : float
        True difference, not 0.
    discordance : float
        Share of items on which the two differ, at least the difference.
    alpha : float
    budget : int
        Items of the fixed-size test beside it.
    share : float
        Of comparisons that have stopped by `most`.
    """
    right = (discordance + abs(difference)) / 2 / discordance
    size, most = 8 * budget, None
    while True:
        discordant = min(int(size * discordance + 12 * np.sqrt(size * discordance) + 30), FARTHEST)
        survived = survival(right, discordant, alpha)
        if survived[-1] < FINE or discordant == FARTHEST:
            break
        size *= 4
    reach = int(discordant / discordance * 0.9)
    low, high = 0, reach
    if not_stopped(survived, discordance, [reach])[0] <= 1 - share:
        while high - low > 1:
            middle = (low + high) // 2
            if not_stopped(survived, discordance, [middle])[0] <= 1 - share:
                high = middle
            else:
                low = middle
        most = high
    # The k-th discordant item comes after k / discordance items on average, whatever the path was.
    mean = float(survived.sum() / discordance) if survived[-1] < FINE else np.nan
    left = not_stopped(survived, discordance, np.arange(budget + 1))
    return Stopping(mean, most, float(1 - left[-1]), float(left[:-1].sum()))
