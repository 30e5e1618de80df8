"""pass@k and pass^k as curves over k, with a band that holds for every k at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.pvalues import critical_t

Floats = NDArray[np.float64]
CURVES = ("pass@k", "pass^k")
BLOCK = 2**22  # numbers held at once


def item_curves(samples: NDArray[np.integer], right: NDArray[np.integer], most: int, metric: str) -> Floats:
    """Unbiased value of each cell for k = 1 ... most.

    Parameters
    ----------
    samples, right : (...) int
        Samples of a cell, at least `most`, and how many of them are right.
    most : int
    metric : str
        ``pass@k``: at least one of k samples is right; ``pass^k``: all of them are.

    Returns
    -------
    (..., most) float64

    References
    ----------
    Chen et al. (2021), arXiv:2107.03374, for pass@k. Yao et al. (2024), arXiv:2406.12045, for pass^k.
    """
    n = np.asarray(samples, dtype=np.float64)[..., None]
    c = np.asarray(right, dtype=np.float64)[..., None]
    left = np.arange(most, dtype=np.float64)
    of = n - c if metric == "pass@k" else c
    all_of = np.cumprod(np.clip(of - left, 0.0, None) / (n - left), axis=-1)
    return np.asarray(1 - all_of if metric == "pass@k" else all_of)


class Band(NamedTuple):
    """A curve and the band that holds it for every k at once; NaN where nothing varies."""

    value: Floats
    low: Floats
    high: Floats
    critical: float


def band(curves: Floats, mass: Floats, level: float, draws: int, rng: np.random.Generator) -> Band:
    """Mean curve over items with a simultaneous band, from resamples of the items that all k share.

    Parameters
    ----------
    curves : (G, K) float64
        Sums over the items of each unit: an item, or a cluster of items.
    mass : (G,) float64
        Items of each unit.
    level : float
    draws : int
    rng : numpy.random.Generator

    Notes
    -----
    The band is value +- critical * se, critical the quantile over draws of the largest |draw - value| / se,
    but never below that of the interval by t of one k alone, as it can be on few units.

    References
    ----------
    Montiel Olea & Plagborg-Moller (2019), "Simultaneous confidence bands: theory, implementation, and an
    application to SVARs", J. Appl. Econometrics 34, 1-17.
    """
    units, value = len(mass), curves.sum(axis=0) / mass.sum()
    drawn = np.empty((draws, curves.shape[1]))
    step = max(1, BLOCK // max(units, 1))
    for start in range(0, draws, step):
        size = min(step, draws - start)
        counts = rng.multinomial(units, np.full(units, 1 / units), size=size).astype(np.float64)
        drawn[start : start + size] = (counts @ curves) / (counts @ mass)[:, None]
    residual = curves - mass[:, None] * value
    se = np.sqrt((residual**2).sum(axis=0) * units / max(units - 1, 1)) / mass.sum()
    some = se > 1e-12
    if units < 2 or not some.any():
        nothing = np.full(value.shape, np.nan)
        return Band(value, nothing, nothing, float("nan"))
    largest = (np.abs(drawn - value)[:, some] / se[some]).max(axis=1)
    alone = float(critical_t(level, units - 1))
    critical = max(float(np.quantile(largest, level, method="higher")), alone)
    return Band(value, value - critical * se, value + critical * se, critical)
