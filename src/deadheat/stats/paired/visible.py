"""What a paired comparison could have shown: correlation, the smallest detectable gap, items to separate."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.pvalues import upper_t
from deadheat.stats.power.effects import t_power, upper_z
from deadheat.stats.power.power_paired import (
    MOST_DISCORDANT,
    items_to_run,
    paired_effect,
    paired_effect_exact,
)
from deadheat.stats.power.power_unpaired import unpaired_effect_exact, unpaired_items_to_run
from deadheat.stats.score.item_design import Values, influence

POWER = 0.8
STEPS = 50  # halvings of a bracket


def correlation(a: Values, b: Values, both: NDArray[np.bool_], weights: Values | None = None) -> Floats:
    """Correlation of two entries' values over the items they share.

    Parameters
    ----------
    a, b : (P, M)
        Values of the two entries of each pair.
    both : (P, M) bool
        Items that both have.
    weights : (M,), optional
        Item weights.

    Returns
    -------
    (P,) float64
        Pearson's (phi for 0/1 values); NaN where an entry has the same value everywhere.
    """
    _, u, of_a = influence(a, both, weights, None)
    _, _, of_b = influence(b, both, weights, None)
    root = np.sqrt(np.where(u > 0, u, 1.0))
    of_a, of_b = of_a / root, of_b / root
    square = (of_a**2).sum(axis=1) * (of_b**2).sum(axis=1)
    found = (of_a * of_b).sum(axis=1) / np.sqrt(np.where(square > 0, square, np.nan))
    return np.asarray(np.clip(found, -1.0, 1.0))


def visible_rates(n: ArrayLike, discordant: ArrayLike, alpha: float = 0.05, test: str = "mcnemar") -> Floats:
    """Smallest difference of two rates that a McNemar test detects with 80 % power on these items.

    The discordant share is held as observed. The power is exact, a sum over every table; above
    `MOST_DISCORDANT` discordant items Connor's formula stands in.

    Parameters
    ----------
    n, discordant : array_like of int
        Items, and how many of them are discordant.
    alpha : float
        Size of the two-sided test.
    test : str
        A name of `power_paired.MCNEMAR`.

    Returns
    -------
    ndarray
        NaN where no item is discordant, or where the power falls short even if all discordant items fall one
        way.

    References
    ----------
    Connor, R. J. (1987). Biometrics 43, 207-211.
    """
    n, d = np.broadcast_arrays(np.asarray(n, dtype=np.float64), np.asarray(discordant, dtype=np.float64))
    share = d / np.where(n > 0, n, np.nan)
    summed = (d > 0) & (d <= MOST_DISCORDANT)
    exact = paired_effect_exact(np.where(summed, share, 0.0), np.where(summed, n, 1), POWER, alpha, test)
    return np.where(summed, exact, paired_effect(share, n, POWER, alpha))


def items_for_rates(
    n: ArrayLike, a_only: ArrayLike, b_only: ArrayLike, alpha: float = 0.05, test: str = "mcnemar"
) -> Floats:
    """Items on which a gap and a discordance like the observed would be separated with 80 % power.

    The number is `items_to_run`, as in a plan; NaN without a gap.
    """
    n, b, c = np.broadcast_arrays(*(np.asarray(x, dtype=np.int64) for x in (n, a_only, b_only)))
    tables = np.stack([n.ravel(), np.abs(b - c).ravel(), (b + c).ravel()])
    distinct, where = np.unique(tables, axis=1, return_inverse=True)
    needed = [_items_for(size, gap, discordant, alpha, test) for size, gap, discordant in distinct.T.tolist()]
    return np.asarray(np.array(needed, dtype=np.float64)[where].reshape(n.shape))


@lru_cache(maxsize=4096)
def _items_for(n: int, gap: int, discordant: int, alpha: float, test: str) -> float:
    return items_to_run(gap / n, discordant / n, POWER, alpha, test) if gap and n else np.nan


def of_separate_rates(
    a: ArrayLike, b: ArrayLike, items: ArrayLike, alpha: float = 0.05
) -> tuple[Floats, Floats]:
    """Smallest detectable difference, and items of each entry, of the two-proportion z test.

    Parameters
    ----------
    a, b : array_like
        Observed rates.
    items : array_like
        Items of each entry.

    Returns
    -------
    smallest, needed : ndarray
        Of rates that lie evenly about the mean of the two; and for the difference at hand. NaN where both
        rates are 0 or 1, or where there is none.
    """
    a, b, items = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (a, b, items)))
    smallest, needed = np.full(a.shape, np.nan), np.full(a.shape, np.nan)
    for at in zip(*np.nonzero((items >= 1) & (a + b > 0) & (a + b < 2)), strict=True):
        smallest[at] = unpaired_effect_exact(float((a[at] + b[at]) / 2), int(items[at]), POWER, alpha)
        needed[at] = (
            unpaired_items_to_run(float(a[at]), float(b[at]), POWER, alpha) if a[at] != b[at] else np.nan
        )
    return smallest, needed


def visible_mean(se: ArrayLike, df: ArrayLike, alpha: float = 0.05) -> Floats:
    """Smallest mean difference that the t test detects with 80 % power with this error; NaN if it is 0.

    Parameters
    ----------
    se, df : array_like
        Standard error of the difference, and its degrees of freedom: inf is a z test.

    Notes
    -----
    The noncentral t distribution, exact for normal differences.
    """
    from scipy import special

    df, se = np.asarray(df, dtype=np.float64), np.where(np.asarray(se) > 0, se, np.nan)
    endless = np.isinf(df)
    finite = np.where(endless | ~(df > 0), 1.0, df)
    shift = special.nctdtrinc(finite, 1 - POWER, upper_t(alpha / 2, finite))
    shift = np.where(endless, upper_z(alpha / 2) + upper_z(1 - POWER), shift)
    return np.asarray(se * np.where(df > 0, shift, np.nan))


def items_for_mean(
    n: ArrayLike, difference: ArrayLike, se: ArrayLike, df: ArrayLike, alpha: float = 0.05
) -> Floats:
    """Items on which the t test would separate this difference with 80 % power; NaN without a difference.

    The spread of the differences and the make-up of the clusters are held as observed, so that degrees of
    freedom grow with the items.
    """
    n, gap, se, df = np.broadcast_arrays(
        *(np.asarray(x, dtype=np.float64) for x in (n, np.abs(difference), se, df))
    )
    some = (gap > 0) & (se > 0) & (df > 0) & (n > 0)
    effect, spread = np.where(some, gap, 1.0), np.where(some, se**2 * n, 1.0)
    units = np.where(some & np.isfinite(df), (df + 1) / np.where(n > 0, n, 1.0), 1.0)  # per item
    by_z = (upper_z(alpha / 2) + upper_z(1 - POWER)) ** 2 * spread / effect**2
    # t takes a few units more than z, never half as many again and ten.
    low, high = np.maximum(by_z, 1.5 / units), 1.5 * by_z + 10 / units
    endless = np.isinf(df)

    def reached(items: Floats) -> NDArray[np.bool_]:
        return np.asarray(t_power(effect, spread, items, items * units - 1, alpha) >= POWER)

    low = np.where(reached(low), 0.0, low)
    for _ in range(STEPS):
        middle = (low + high) / 2
        enough = reached(middle)
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    needed = np.where(endless, by_z, np.maximum(high, 1.5 / units))
    return np.where(some, np.ceil(needed - 1e-9), np.nan)
