"""Two entries on shared items: McNemar's test by formula, and exactly over every table."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.stats.numerics.binomial_tail import upper_tail
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.expectation import (
    binomial_expectation,
    consecutive_expectations,
    count_window,
    likely_counts,
    row_blocks,
)
from deadheat.stats.numerics.pvalues import PValues
from deadheat.stats.numerics.search import MOST, Ints, smallest_whole
from deadheat.stats.paired.mcnemar import mcnemar_cc, mcnemar_chi2, mcnemar_exact, mcnemar_mid_p
from deadheat.stats.power.effects import upper_z, z_items, z_power

BLOCK = 2**12  # critical values computed and kept together
STEPS, CLOSE = 60, 1e-9  # steps of a search, of which six are taken; how close it comes
SMOOTH, SECTIONS = -60.0, 17  # log of a ripple that is nothing; sizes looked at together
LEAST = 1e-13  # probability of a count below which it is left out
MOST_DISCORDANT = 200_000  # discordant items up to which the exact power is summed


def discordance(p1: ArrayLike, p2: ArrayLike, correlation: ArrayLike) -> Floats:
    """Share of items on which exactly one entry is right, from the rates and the outcomes' correlation."""
    p1, p2 = np.asarray(p1, dtype=np.float64), np.asarray(p2, dtype=np.float64)
    spread = np.sqrt(p1 * (1 - p1) * p2 * (1 - p2))
    return np.asarray(p1 * (1 - p2) + p2 * (1 - p1) - 2 * np.asarray(correlation) * spread)


def paired_items(
    difference: ArrayLike, discordant: ArrayLike, power: float = 0.8, alpha: float = 0.05
) -> Floats:
    """Items for McNemar's test by the unconditional normal approximation.

    Parameters
    ----------
    difference : array_like
        True difference of the rates.
    discordant : array_like
        True share of discordant items, at least |difference|.
    power, alpha : float
        Power asked, and size of the two-sided test.

    Returns
    -------
    ndarray
        A real number of items; round up.

    References
    ----------
    Connor, R. J. (1987). Sample size for testing differences in proportions for the paired-sample design.
    Biometrics 43, 207-211. Lachin, J. M. (1992). Power and sample size evaluation for the McNemar test.
    Statistics in Medicine 11, 1239-1251.
    """
    return z_items(difference, discordant, np.subtract(discordant, np.square(difference)), power, alpha)


def paired_items_miettinen(
    difference: ArrayLike, discordant: ArrayLike, power: float = 0.8, alpha: float = 0.05
) -> Floats:
    """Items by Miettinen's second-order approximation, which is a little below `paired_items`.

    References
    ----------
    Miettinen, O. S. (1968). The matched pairs design in the case of all-or-none responses. Biometrics 24,
    339-352.
    """
    d2, psi = np.square(np.asarray(difference, dtype=np.float64)), np.asarray(discordant, dtype=np.float64)
    return z_items(difference, psi, np.maximum(psi - d2 * (3 + psi) / (4 * psi), 0.0), power, alpha)


def paired_power(
    difference: ArrayLike, discordant: ArrayLike, items: ArrayLike, alpha: float = 0.05
) -> Floats:
    """Power of McNemar's test by the unconditional normal approximation; parameters as in `paired_items`."""
    return z_power(difference, discordant, np.subtract(discordant, np.square(difference)), items, alpha)


def paired_effect(discordant: ArrayLike, items: ArrayLike, power: float = 0.8, alpha: float = 0.05) -> Floats:
    """Smallest difference that McNemar's test sees with this power: `paired_items` inverted, a quadratic.

    NaN where even a difference as large as the discordant share is missed too often.
    """
    psi, n = np.asarray(discordant, dtype=np.float64), np.asarray(items, dtype=np.float64)
    z, z_power = upper_z(alpha / 2), upper_z(1 - power)
    first = z * np.sqrt(psi * n)
    under = first**2 - (n + z_power**2) * psi * (z**2 - z_power**2)
    effect = (first + np.sign(z_power) * np.sqrt(np.maximum(under, 0.0))) / (n + z_power**2)
    return np.where((psi > 0) & (effect <= psi), effect, np.nan)


def paired_power_exact(
    difference: float, discordant: float, items: ArrayLike, alpha: float = 0.05, test: str = "mcnemar"
) -> Floats:
    """Power of a McNemar test with no approximation: a sum over every table of discordant counts.

    Parameters
    ----------
    difference, discordant : float
        True difference of the rates, and true share of discordant items.
    items : array_like of int
        Items; all are evaluated together.
    alpha : float
        The test rejects when p < alpha.
    test : str
        A name of `MCNEMAR`.

    Returns
    -------
    ndarray
        Rejections on both sides counted.
    """
    items = np.asarray(items, dtype=np.int64)
    if items.size == 0:
        return np.zeros(items.shape)
    first, last = count_window(items, discordant)
    start = int(first.min())
    table = _given_discordant(difference, discordant, np.arange(start, int(last.max()) + 1), alpha, test)
    return binomial_expectation(table, items, discordant, start)


def _given_discordant(difference: float, discordant: float, m: Ints, alpha: float, test: str) -> Floats:
    """Probability to reject given m discordant items; it does not depend on the items."""
    return _both_tails(m, _sides(m, alpha, test), np.asarray(difference / discordant))


def _both_tails(m: Ints, reject: Ints, lean: Floats) -> Floats:
    """Probability that the smaller side of m items is `reject` or less; 1 + lean to 1 - lean are the odds."""
    first = np.clip((1 + lean) / 2, 0.0, 1.0)  # rounding may lead outside
    few, many = np.maximum(reject, 0), np.maximum(m - reject, 1)
    power = upper_tail(many, few, 1 - first) + upper_tail(many, few, first)
    return np.where(reject < 0, 0.0, np.minimum(power, 1.0))


def _sides(m: Ints, alpha: float, test: str) -> Ints:
    """Largest smaller side that still rejects among m consecutive counts of discordant items; -1: none."""
    first, last = int(m[0]) // BLOCK, int(m[-1]) // BLOCK
    found = np.concatenate([_critical(block, alpha, test) for block in range(first, last + 1)])
    return np.asarray(found[m - first * BLOCK])


@lru_cache(maxsize=512)
def _critical(block: int, alpha: float, name: str) -> Ints:
    """A block of critical values, which depend on nothing else: a plan looks at the same ones many times."""
    m, test = np.arange(block * BLOCK, (block + 1) * BLOCK), MCNEMAR[name]
    side = np.clip(np.floor((m - upper_z(alpha / 2) * np.sqrt(m)) / 2), -1, m // 2).astype(np.int64)

    def rejects(at: Ints) -> NDArray[np.bool_]:
        seen = np.maximum(side[at], 0)
        return (side[at] < 0) | (test(seen, m[at] - seen).p < alpha)

    every = np.arange(m.size)
    right = rejects(every)
    lower, higher = every[~right], every[right]
    while lower.size:
        side[lower] -= 1
        lower = lower[~rejects(lower)]
    while higher.size:
        higher = higher[side[higher] < m[higher] // 2]
        side[higher] += 1
        right = rejects(higher)
        side[higher[~right]] -= 1
        higher = higher[right]
    return side


def paired_items_exact(
    difference: float, discordant: float, power: float = 0.8, alpha: float = 0.05, test: str = "mcnemar"
) -> int | None:
    """Least number of items from which the exact power stays at or above `power`; None beyond 2**53.

    Notes
    -----
    Critical values step about every second discordant item. What such steps leave in the mean over their
    number shrinks like ``|1 - 2 discordant|**items``; where that is nothing, the power only rises with the
    items and the answer is bracketed. Otherwise every size near it is tried.
    """
    guess = float(paired_items(difference, discordant, power, alpha)) + 1 / abs(difference)
    if guess * math.log(max(abs(1 - 2 * discordant), 1e-300)) < SMOOTH and guess < MOST:
        low, high = int(0.95 * guess), int(1.05 * guess) + 4
        while high - low > 1:
            sizes = np.unique(np.linspace(low, high, SECTIONS).astype(np.int64))
            enough = paired_power_exact(difference, discordant, sizes, alpha, test) >= power
            if enough[0] or not enough[-1]:
                low, high = (
                    (max(low - (high - low), 0), low) if enough[0] else (high, high + 2 * (high - low))
                )
                continue
            first = int(np.argmax(enough))
            low, high = int(sizes[first - 1]), int(sizes[first])
        return high

    def value(n: Ints) -> Floats:
        size, number = int(n[0]), n.size
        first, last = (int(end) for end in count_window(size, discordant))
        m = np.arange(first, last + number)
        table = _given_discordant(difference, discordant, m, alpha, test)
        return consecutive_expectations(table, size, number, discordant, first)

    return smallest_whole(value, power, guess)


def paired_effect_exact(
    discordant: ArrayLike, items: ArrayLike, power: float = 0.8, alpha: float = 0.05, test: str = "mcnemar"
) -> Floats:
    """Smallest difference that a McNemar test detects with this power, with no approximation.

    Parameters
    ----------
    discordant, items : array_like
        Shares of discordant items, which stay as they are whatever the difference; items. They broadcast.
    power, alpha, test
        As in `paired_power_exact`.

    Returns
    -------
    ndarray
        Of each distinct pair one search; NaN where the power falls short even if all discordant items fall
        one way.
    """
    psi, n = np.broadcast_arrays(np.asarray(discordant, dtype=np.float64), np.asarray(items, dtype=np.int64))
    distinct, where = np.unique(np.stack([n.ravel(), psi.ravel()]), axis=1, return_inverse=True)
    sizes, shares = distinct[0].astype(np.int64), distinct[1]
    some = (shares > 0) & (sizes > 0)
    found = np.full(sizes.size, np.nan)
    at = np.flatnonzero(some)
    for rows in row_blocks(sizes[at], shares[at]):
        found[at[rows]] = _effects(sizes[at[rows]], shares[at[rows]], power, alpha, test)
    return np.asarray(found[where].reshape(psi.shape))


def _effects(n: Ints, psi: Floats, power: float, alpha: float, test: str) -> Floats:
    """`paired_effect_exact` of a few pairs: secants, kept between no lean and the fullest."""
    counts, chances = likely_counts(n, psi)
    row, column = np.nonzero(chances > LEAST)
    m, likely, start = counts[row, column], chances[row, column], int(counts.min())
    reject = _sides(np.arange(start, int(counts.max()) + 1), alpha, test)[m - start]
    begins = np.flatnonzero(np.diff(row, prepend=-1))

    def short(lean: Floats) -> Floats:
        return np.asarray(np.add.reduceat(likely * _both_tails(m, reject, lean[row]), begins) - power)

    low, high = np.zeros(n.size), np.ones(n.size)
    reached = short(high) >= 0
    guess = np.nan_to_num(paired_effect(psi, n, power, alpha) / psi, nan=0.9)
    last, lean = np.zeros(n.size), np.clip(guess, 0.01, 0.99)
    before, found = np.full(n.size, -power), short(lean)
    for _ in range(STEPS):
        low, high = np.where(found < 0, np.maximum(low, lean), low), np.where(found < 0, high, lean)
        step = (lean - last) * found / np.where(found == before, 1.0, found - before)
        further = lean - step
        further = np.where((low < further) & (further < high), further, (low + high) / 2)
        # A pair that has arrived stays, so that its answer does not depend on the others.
        last, before, lean = lean, found, np.where(np.abs(found) <= CLOSE, lean, further)
        found = short(lean)
        if np.all((np.abs(found) <= CLOSE) | ~reached):
            break
    least = np.ceil((lean + CLOSE) * psi / CLOSE) * CLOSE
    return np.where(reached, np.minimum(least, psi), np.nan)


def items_to_run(
    difference: float, discordant: float, power: float = 0.8, alpha: float = 0.05, test: str = "mcnemar"
) -> int:
    """Items to run for a McNemar test: the exact number, or Connor's where the sum would be too large."""
    formula = math.ceil(float(paired_items(difference, discordant, power, alpha)) - 1e-9)
    exact = (
        paired_items_exact(difference, discordant, power, alpha, test)
        if formula * discordant <= MOST_DISCORDANT
        else None
    )
    return formula if exact is None else exact


MCNEMAR: dict[str, Callable[[ArrayLike, ArrayLike], PValues]] = {
    "mcnemar": mcnemar_exact,
    "mid-p": mcnemar_mid_p,
    "mcnemar-cc": mcnemar_cc,
    "mcnemar-chi2": mcnemar_chi2,
}
