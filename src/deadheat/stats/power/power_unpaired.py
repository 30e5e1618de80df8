"""Two entries on separate items: Fleiss' formula, its inverses, and the exact power of the pooled z test."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.expectation import likely_counts, row_blocks
from deadheat.stats.numerics.search import Ints, bisect, crossing, smallest_whole
from deadheat.stats.power.effects import upper_z, z_items, z_power

MOST_ITEMS = 20_000  # items of each entry up to which every size near an answer is summed: half a second


def variances(p1: ArrayLike, p2: ArrayLike) -> tuple[Floats, Floats]:
    """Variance of the difference of one item each: pooled, as the test supposes, and true."""
    p1, p2 = np.asarray(p1, dtype=np.float64), np.asarray(p2, dtype=np.float64)
    pooled = (p1 + p2) / 2
    return 2 * pooled * (1 - pooled), p1 * (1 - p1) + p2 * (1 - p2)


def unpaired_items(p1: ArrayLike, p2: ArrayLike, power: float = 0.8, alpha: float = 0.05) -> Floats:
    """Items for each of two entries, by the normal approximation with pooled variance under no difference.

    Parameters
    ----------
    p1, p2 : array_like
        True rates.
    power, alpha : float
        Power asked, and size of the two-sided test.

    Returns
    -------
    ndarray
        A real number of items for each entry; round up.

    References
    ----------
    Fleiss, J. L., Levin, B. and Paik, M. C. (2003). Statistical Methods for Rates and Proportions, 3rd ed.,
    section 4.2 (without continuity correction).
    """
    return z_items(np.subtract(p1, p2), *variances(p1, p2), power, alpha)


def unpaired_power(p1: ArrayLike, p2: ArrayLike, items: ArrayLike, alpha: float = 0.05) -> Floats:
    """Power of the two-sided two-proportion z test on so many items each, by the same approximation."""
    return z_power(np.subtract(p1, p2), *variances(p1, p2), items, alpha)


def unpaired_effect(rate: float, items: float, power: float = 0.8, alpha: float = 0.05) -> float:
    """Smallest difference seen with this power, the rates lying evenly about `rate`; NaN if there is none."""
    widest = 2 * min(rate, 1 - rate)

    def reached(effect: float) -> bool:
        return bool(unpaired_items(rate - effect / 2, rate + effect / 2, power, alpha) <= items)

    return bisect(reached, 0.0, widest) if reached(widest) else float("nan")


def unpaired_power_exact(p1: float, p2: float, items: ArrayLike, alpha: float = 0.05) -> Floats:
    """Power of the two-sided pooled z test with no approximation: both counts binomial, every pair summed.

    Given the first count the test rejects for second counts beyond either root of a quadratic.

    Parameters
    ----------
    p1, p2 : float
        True rates.
    items : array_like of int
        Items of each entry; all are evaluated together.
    alpha : float
        Nominal size.
    """
    items = np.asarray(items, dtype=np.int64)
    sizes = items.ravel()
    z2 = upper_z(alpha / 2) ** 2
    out = np.empty(sizes.size)
    for rows in row_blocks(sizes, np.full(sizes.shape, 0.5)):
        n = sizes[rows]
        x, first = likely_counts(n, np.full(n.shape, p1))
        y, second = likely_counts(n, np.full(n.shape, p2))
        # P(Y < y), at each y of the window and one beyond
        cdf = np.concatenate((np.zeros((n.size, 1)), np.cumsum(second, axis=1)), axis=1)
        # With d = x - y and s = x + y, |d| > z sqrt(s (2n - s) / 2n) is a d^2 - b d > c.
        n, row = n[:, None], np.arange(n.size)[:, None]
        a, b, c = 2 * n + z2, z2 * (4 * x - 2 * n), 4 * z2 * x * (n - x)
        root = np.sqrt(b * b + 4 * a * c)
        below = np.ceil(x - (b + root) / (2 * a) - 1e-9)
        above = np.floor(x - (b - root) / (2 * a) + 1e-9) + 1
        less, not_more = (
            cdf[row, np.clip(at - y[:, :1], 0, second.shape[1]).astype(np.int64)] for at in (below, above)
        )
        out[rows] = (first * (less + 1 - not_more)).sum(axis=1)
    return out.reshape(items.shape)


def unpaired_items_exact(p1: float, p2: float, power: float = 0.8, alpha: float = 0.05) -> int | None:
    """Least number of items each from which the exact power of the pooled z test stays at or above `power`.

    Every size near the answer is summed, so ten thousand items take a second and millions are no use.
    """

    def value(n: Ints) -> Floats:
        return unpaired_power_exact(p1, p2, n, alpha)

    return smallest_whole(value, power, float(unpaired_items(p1, p2, power, alpha)))


def unpaired_items_to_run(p1: float, p2: float, power: float = 0.8, alpha: float = 0.05) -> float:
    """Items for each entry: the exact number, or Fleiss' where it is above `MOST_ITEMS`; inf for no gap."""
    formula = float(unpaired_items(p1, p2, power, alpha))
    if not formula <= MOST_ITEMS:
        return float(np.ceil(formula - 1e-9))
    return unpaired_items_exact(p1, p2, power, alpha) or float("inf")


def unpaired_effect_exact(rate: float, items: int, power: float = 0.8, alpha: float = 0.05) -> float:
    """Smallest difference that the exact power reaches, the rates lying evenly about `rate`; NaN for none.

    Fleiss' formula stands in above `MOST_ITEMS`.
    """
    guess = unpaired_effect(rate, items, power, alpha)
    if items > MOST_ITEMS:
        return guess
    top = 2 * min(rate, 1 - rate) * (1 - 1e-9)

    def value(effect: float) -> float:
        return float(unpaired_power_exact(rate + effect / 2, rate - effect / 2, items, alpha))

    found = crossing(value, power, guess if guess < top else 0.9 * top, top)
    return float("nan") if found is None else found
