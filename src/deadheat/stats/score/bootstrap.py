"""Intervals from resampled scores: bootstrap (percentile, BCa, studentised) and jackknife."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.drawing.multinomial import resampling_weights
from deadheat.stats.drawing.resample import layers
from deadheat.stats.numerics.bounds import Bounds, Floats
from deadheat.stats.numerics.pvalues import critical_t
from deadheat.stats.score.item_design import Codes, Values

QUANTILE_RULE = "linear"
"""Quantiles of draws interpolate linearly between order statistics (type 7 of Hyndman and Fan)."""
TIED = 1e-12


def quantiles(draws: Floats, shares: Floats) -> Floats:
    """Quantiles of each column at its own shares, over the draws that exist.

    Parameters
    ----------
    draws : (B, E) float64
        NaN where a draw does not exist; columns are reordered in place.
    shares : (Q, E) float64
        Shares in [0, 1].

    Returns
    -------
    (Q, E) float64
        NaN for a column without draws.
    """
    count = len(draws) - np.isnan(draws).sum(axis=0)
    at = shares * np.maximum(count - 1, 0)
    below = np.clip(np.floor(np.where(np.isnan(at), 0, at)).astype(np.intp), 0, np.maximum(count - 2, 0))
    needed = np.unique([below, np.minimum(below + 1, len(draws) - 1)])
    if needed.size <= 8:  # the same few places in every column, as for percentiles
        draws.partition(needed, axis=0)
    else:
        draws.sort(axis=0)
    low = np.take_along_axis(draws, below, axis=0)
    high = np.take_along_axis(draws, np.minimum(below + 1, np.maximum(count - 1, 0)), axis=0)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(low == high, low, low + (at - below) * (high - low)))


def _shares(level: float, columns: int) -> Floats:
    return np.repeat([[(1 - level) / 2], [(1 + level) / 2]], columns, axis=1)


def percentile_interval(draws: Floats, level: float = 0.95) -> Bounds:
    """Percentile interval: the middle share `level` of the draws of each column.

    Parameters
    ----------
    draws : (B, E) float64
        Bootstrap scores or differences; reordered in place.
    level : float
        Confidence level.

    Returns
    -------
    Bounds
        Without width where every draw is the same, as at a rate of 0: not certainty.
    """
    return Bounds(*quantiles(draws, _shares(level, draws.shape[1])))


def bca_interval(draws: Floats, observed: Floats, left_out: Floats, level: float = 0.95) -> Bounds:
    """Bias-corrected and accelerated interval.

    Parameters
    ----------
    draws : (B, E) float64
        Bootstrap scores; reordered in place.
    observed : (E,) float64
        Scores of the data.
    left_out : (E, G) float64
        Scores without one unit each, NaN where a row has none of the unit; from `jackknife_scores`.
    level : float
        Confidence level.

    Returns
    -------
    Bounds
        NaN where all draws lie on one side of the observed score, or are the same.

    References
    ----------
    Efron (1987), Better bootstrap confidence intervals, JASA 82, 171-185.
    """
    from scipy.special import ndtr, ndtri

    deviation = np.nanmean(left_out, axis=1, keepdims=True) - left_out
    with np.errstate(invalid="ignore", divide="ignore"):
        # draws that tie with the score, up to rounding, count half on either side
        below, above = (np.sum(draws < observed - TIED, axis=0), np.sum(draws > observed + TIED, axis=0))
        share = 0.5 + (below - above) / (2 * np.sum(~np.isnan(draws), axis=0))
        skew = np.nansum(deviation**3, axis=1) / (6 * np.nansum(deviation**2, axis=1) ** 1.5)
        z0 = ndtri(share)
        z = z0 + ndtri(_shares(level, draws.shape[1]))
        ends = quantiles(draws, ndtr(z0 + z / (1 - skew * z)))
    return Bounds(*np.where(np.isfinite(z0) & (ends[0] < ends[1]), ends, np.nan))


def studentised_interval(
    values: Values,
    present: NDArray[np.bool_],
    cluster: Codes | None = None,
    weights: Values | None = None,
    draws: int = 10_000,
    *,
    rng: np.random.Generator,
    level: float = 0.95,
) -> Bounds:
    """Bootstrap-t: quantiles of (draw - score) / its own error, turned round the score.

    Parameters
    ----------
    values, present, cluster, weights, draws, rng
        As in `bootstrap_scores`.
    level : float
        Confidence level.

    Returns
    -------
    Bounds
        NaN where a needed quantile belongs to draws without spread, as near a rate of 0 or 1.

    References
    ----------
    Hall (1988), Theoretical comparison of bootstrap confidence intervals, Annals of Statistics 16, 927-953.
    """
    (part,) = layers(values, present, cluster, weights)
    total, mass = part.total, part.mass
    t = np.empty((len(values), draws))
    score = total.sum(axis=1) / mass.sum(axis=1)
    centred = total - score[:, None] * mass
    products = (centred, mass, centred**2, centred * mass, mass**2)
    start = 0
    for counts in resampling_weights(total.shape[1], draws, rng=rng):
        block = slice(start, start + len(counts))
        start = block.stop
        t[:, block] = _student(*(product @ counts.T for product in products))
    se = np.sqrt((centred**2).sum(axis=1)) / mass.sum(axis=1)
    low, high = quantiles(t.T, _shares(level, len(values)))
    with np.errstate(invalid="ignore"):
        ends = np.array([score - high * se, score - low * se])
    return Bounds(*np.where(np.isfinite(ends).all(axis=0) & (se > 0), ends, np.nan))


def _student(s: Floats, n: Floats, ss: Floats, sn: Floats, nn: Floats) -> Floats:
    """Shift of a resample's score over its linearised error, from sums of centred totals and masses.

    A resample without spread is infinitely far out on its side.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        shift = s / n
        spread = ss - 2 * shift * sn + shift**2 * nn
        spread = np.where(spread > 1e-12 * ss, spread, 0.0)
        return np.asarray(np.where(shift == 0, 0.0, s / np.sqrt(spread)))


def jackknife_interval(observed: Floats, left_out: Floats, level: float = 0.95) -> Bounds:
    """Score plus or minus t jackknife standard errors, with units - 1 degrees of freedom.

    Parameters
    ----------
    observed : (E,) float64
        Scores of the data.
    left_out : (E, G) float64
        From `jackknife_scores`.
    level : float
        Confidence level.

    Returns
    -------
    Bounds
        NaN for fewer than two units.

    References
    ----------
    Tukey (1958), Bias and confidence in not quite large samples, Annals of Mathematical Statistics 29, 614.
    """
    known = ~np.isnan(left_out)
    units = known.sum(axis=1)
    filled = np.where(known, left_out, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        centre = filled.sum(axis=1) / units
        spread = np.where(known, filled - centre[:, None], 0.0) ** 2
        se = np.sqrt((units - 1) / units * spread.sum(axis=1))
    half = critical_t(level, np.where(units > 1, units - 1.0, np.nan)) * se
    return Bounds(observed - half, observed + half)
