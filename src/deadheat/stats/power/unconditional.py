"""Exact chances of events about two entries with one sample an item: sums over every table of counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.stats.numerics.bounds import Floats

Ints = NDArray[np.int64]

TAIL = 1e-13  # probability that may be left out on each side of each count


def discordant_probability(
    event: Callable[[Ints, Ints], NDArray[Any]], items: int, a_only: float, b_only: float
) -> float:
    """Expected value of a function of the two discordant counts.

    Parameters
    ----------
    event : callable
        ``(b, c)`` to an array of their broadcast shape: where a test rejects, or anything else; b, c are the
        items that only the first, and only the second, entry got right.
    items : int
    a_only, b_only : float
        Their probabilities at one item.

    Returns
    -------
    float
        Within 1e-12; no conditioning on the number of discordant items.
    """
    b, c, chance = _discordant(items, a_only, b_only)
    return float(np.sum(np.where(chance > 0, event(b, c), 0.0) * chance))


def pooled_z_rejects(items: int, table: Floats, critical: float) -> float:
    """Exact chance that the unpaired two-proportion z test, blind to the pairing, rejects.

    Parameters
    ----------
    items : int
    table : (2, 2) float64
        Joint probability of the outcomes of the two entries at one item.
    critical : float
        Critical value of ``|z|``, z with pooled variance and no continuity correction.

    Notes
    -----
    Given the discordant counts, z grows as the pooled rate leaves one half, so the test rejects when the
    items that both got right are few or many: two binomial tails.
    """
    both, b_only, a_only = float(table[1, 1]), float(table[0, 1]), float(table[1, 0])
    b, c, chance = _discordant(items, a_only, b_only)
    gap = np.abs(b - c)
    rest = items - b - c
    # Rejects where p (1 - p) < gap^2 / (2 m z^2), p the pooled rate (2 a + b + c) / (2 m).
    limit = gap**2 / (2 * items * critical**2)
    half = np.sqrt(np.maximum(0.25 - limit, 0.0))
    low = np.ceil((2 * items * (0.5 - half) - b - c) / 2 - 1e-9) - 1
    high = np.floor((2 * items * (0.5 + half) - b - c) / 2 + 1e-9) + 1
    share = both / (1 - a_only - b_only)
    tails = _at_most(low, rest, share) + 1 - _at_most(high - 1, rest, share)
    return float(np.sum(chance * np.where(limit > 0.25, 1.0, np.where(gap == 0, 0.0, tails))))


def _at_most(k: Floats, n: Ints, p: float) -> Floats:
    inside = np.clip(k, 0, n)
    below = special.bdtr(inside, n, p)
    return np.where(k < 0, 0.0, np.where(k >= n, 1.0, below))


def _discordant(items: int, a_only: float, b_only: float) -> tuple[Ints, Ints, Floats]:
    """The likely pairs of discordant counts, as a column and a row, and their trinomial probabilities."""
    b = _likely(items, a_only)[:, None]
    c = _likely(items, b_only)[None, :]
    rest = items - b - c
    fits = rest >= 0
    rest = np.maximum(rest, 0)
    log = (
        special.gammaln(items + 1)
        - special.gammaln(b + 1)
        - special.gammaln(c + 1)
        - special.gammaln(rest + 1)
    )
    log = log + special.xlogy(b, a_only) + special.xlogy(c, b_only) + special.xlogy(rest, 1 - a_only - b_only)
    return b, c, np.where(fits, np.exp(log), 0.0)


def _likely(items: int, p: float) -> Ints:
    """Counts between two tail quantiles of a binomial."""
    reach = np.sqrt(-2 * np.log(TAIL) * items * p * (1 - p)) - np.log(TAIL)
    low, high = np.floor(items * p - reach), np.ceil(items * p + reach)
    return np.arange(max(int(low), 0), min(int(high), items) + 1)
