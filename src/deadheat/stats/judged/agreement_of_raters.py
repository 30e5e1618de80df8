"""Agreement of two raters beyond chance, with intervals by leaving out one unit at a time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.pvalues import critical_t
from deadheat.stats.score.item_design import Groups

Floats = NDArray[np.float64]


class Agreement(NamedTuple):
    """Coefficients of two raters; NaN where undefined, as where both say the same of everything.

    Parameters
    ----------
    kappa : float
        Cohen's kappa with quadratic weights; for 0/1 ratings the unweighted one, which is then the same.
    alpha : float
        Krippendorff's alpha of interval data; for 0/1 ratings that of nominal data, which is then the same.
    ac1 : float
        Gwet's AC1; NaN for ratings other than 0/1.
    """

    kappa: float
    alpha: float
    ac1: float


class Agreed(NamedTuple):
    """The coefficients, and the ends of their intervals."""

    value: Agreement
    low: Agreement
    high: Agreement


def agreement(
    a: Floats, b: Floats, level: float = 0.95, cluster: NDArray[np.integer] | None = None
) -> Agreed:
    """Measure the agreement of two raters on the items that both rated.

    Parameters
    ----------
    a, b : (n,) float64
    level : float
        Of the intervals: by the jackknife over items or clusters, with t, cut at 1 and -1.
    cluster : (n,) int or None

    References
    ----------
    Cohen (1968), "Weighted kappa", Psychol. Bull. 70, 213-220. Krippendorff (2004), Content Analysis, ch. 11.
    Gwet (2008), "Computing inter-rater reliability and its variance in the presence of high agreement", Br.
    J. Math. Stat. Psychol. 61, 29-48. Efron (1982), The Jackknife, the Bootstrap and Other Resampling Plans.
    """
    sums = np.array([np.ones(len(a)), a, b, a * a, b * b, a * b])
    binary = bool(np.isin(a, (0.0, 1.0)).all() and np.isin(b, (0.0, 1.0)).all())
    units = Groups(cluster, len(a)).sum(sums)
    whole = _coefficients(units.sum(axis=1, keepdims=True), binary=binary)[:, 0]
    number = units.shape[1]
    if number < 3:
        nothing = np.full(3, np.nan)
        return Agreed(Agreement(*whole), Agreement(*nothing), Agreement(*nothing))
    without = _coefficients(units.sum(axis=1, keepdims=True) - units, binary=binary)
    off = without - without.mean(axis=1, keepdims=True)
    se = np.sqrt((number - 1) / number * (off**2).sum(axis=1))
    half = float(critical_t(level, number - 1)) * np.where(se > 1e-12, se, np.nan)
    return Agreed(
        Agreement(*whole),
        Agreement(*np.maximum(whole - half, -1.0)),
        Agreement(*np.minimum(whole + half, 1.0)),
    )


def _coefficients(sums: Floats, *, binary: bool) -> Floats:
    """The three coefficients from sums of 1, a, b, a^2, b^2 and ab, (6, G) to (3, G)."""
    n, a, b, aa, bb, ab = sums
    with np.errstate(invalid="ignore", divide="ignore"):
        apart = (aa - 2 * ab + bb) / n
        chance = (aa + bb) / n - 2 * a * b / n**2
        pooled = (aa + bb - (a + b) ** 2 / (2 * n)) / (2 * n - 1)
        share = (a + b) / (2 * n)
        by_chance = 2 * share * (1 - share)
        return np.array(
            [
                np.where(chance > 1e-12, 1 - apart / chance, np.nan),
                np.where(pooled > 1e-12, 1 - apart / (2 * pooled), np.nan),
                (1 - apart - by_chance) / (1 - by_chance) if binary else np.full(n.shape, np.nan),
            ]
        )
