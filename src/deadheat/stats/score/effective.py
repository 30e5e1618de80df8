"""Intervals of a mean score from its standard error: t, and the score interval at the effective size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.bounds import Bounds, Floats
from deadheat.stats.numerics.pvalues import critical_t
from deadheat.stats.score.binomial import wilson
from deadheat.stats.score.clustered import Error, Kind, mean, standard_error
from deadheat.stats.score.item_design import Codes, Groups, Values, blocks, influence

FEWEST_DF = 3.0
"""The variance of skewed rates never lowers the degrees of freedom below this; few clusters may."""


def t_interval(score: Floats, error: Error, level: float = 0.95) -> Bounds:
    """Score plus or minus t standard errors.

    Parameters
    ----------
    score : (E,) float64
    error : Error
        Standard errors with their degrees of freedom.
    level : float
        Confidence level.

    Returns
    -------
    Bounds
        NaN where the error is.
    """
    half = critical_t(level, error.df) * error.se
    return Bounds(score - half, score + half)


def score_interval_effective(
    values: Values,
    present: NDArray[np.bool_],
    cluster: Codes | None = None,
    weights: Values | None = None,
    stratum: Codes | None = None,
    level: float = 0.95,
    kind: Kind = "CR2",
    shares: Values | None = None,
) -> Bounds:
    """Score interval of a rate at the design's effective sample size, with t in place of z.

    Every rate p is kept for which ``|score - p| <= t sqrt(p (1 - p) / n_eff)``. Here ``n_eff`` is the number
    of independent 0/1 items with the standard error of this design, ``score (1 - score) / se^2``.

    Parameters
    ----------
    values, present, cluster, weights, stratum, kind, shares
        As in `clustered.standard_error`; the values lie in [0, 1].
    level : float
        Confidence level.

    Returns
    -------
    Bounds
        Within [0, 1]. Rows of 0/1 values without clusters, weights and strata get Wilson's interval
        itself. Where the standard error is 0, as at a rate of 0 or 1, ``n_eff`` is Kish's number of
        clusters. NaN where the error is undefined: one cluster.

    Notes
    -----
    The degrees of freedom are those of the standard error times ``2 / r``, never more than the former and
    never fewer than the smaller of them and `FEWEST_DF`. r is `residual_kurtosis`: 2 for normal data, larger
    where few items with a high rate carry most of the variance (rare success, many samples).

    References
    ----------
    Wilson (1927), JASA 22, 209-212. Korn and Graubard (1998), Confidence intervals for proportions with small
    expected number of positive counts estimated from survey data, Survey Methodology 24, 193-201. Dean and
    Pagano (2015), Evaluating confidence interval methods for binomial proportions in clustered surveys,
    Journal of Survey Statistics and Methodology 3, 484-503.
    """
    score = mean(values, present, weights, stratum, shares)
    se, df = standard_error(values, present, cluster, weights, stratum, kind, shares)
    units = kish(present, cluster, weights, stratum, shares)
    binary = np.all((values == 0) | (values == 1), axis=1)
    flat = ~(se > 0)
    p = np.where(flat, 0.5, score)
    n = np.where(flat, units, p * (1 - p) / np.where(flat, 1.0, se) ** 2)
    trials = present.sum(axis=1) / units
    r = residual_kurtosis(p, np.where(flat, 0.5, units / n), np.where(binary, 1 / np.maximum(trials, 1), 0.0))
    fewer = np.where(flat, df, np.maximum(df * 2 / np.maximum(r, 2.0), np.minimum(df, FEWEST_DF)))
    low, high = _ends(score, critical_t(level, fewer) ** 2 / n)
    if cluster is None and weights is None and stratum is None:
        items = present.sum(axis=1)
        plain = wilson(np.where(binary, np.rint(score * items), 0.0), items, level)
        low, high = np.where(binary, plain.low, low), np.where(binary, plain.high, high)
    return Bounds(low, high)


def _ends(score: Floats, t2: Floats) -> Bounds:
    """Both rates with ``(score - p)^2 = t2 p (1 - p)``; t2 is the squared critical value over n_eff."""
    centre, half = score + t2 / 2, np.sqrt(t2 * (score * (1 - score) + t2 / 4))
    low = score**2 / (centre + half)  # the product of the roots: exactly 0 at 0
    return Bounds(low, np.minimum((centre + half) / (1 + t2), 1.0))


def rerun_interval(score: Floats, error: Error, attempts: NDArray[np.integer], level: float = 0.95) -> Bounds:
    """Score interval of a rate for reruns of these very items.

    Parameters
    ----------
    score : (E,) float64
        Rates in [0, 1].
    error : Error
        From `clustered.rerun_error`.
    attempts : (E,) int
        Attempts behind each rate: the effective size where the error is 0, too small if anything, as
        items that differ vary less than a single rate would.
    level : float
        Confidence level.

    Returns
    -------
    Bounds
        Within [0, 1]; NaN where the error is.
    """
    flat = ~(error.se > 0)
    n = np.where(flat, attempts, score * (1 - score) / np.where(flat, 1.0, error.se) ** 2)
    df = np.where(flat & (error.se == 0), np.inf, error.df)
    return _ends(score, critical_t(level, df) ** 2 / n)


def residual_kurtosis(rate: Floats, correlation: Floats, per_trial: Floats) -> Floats:
    """Kurtosis less 1 less the squared skewness of a cluster's rate, were it beta-binomial.

    It is the variance of the squared deviation that the rate itself does not explain, in units of the squared
    variance: 0 for single 0/1 items, 2 for normal values.

    Parameters
    ----------
    rate : (E,) float64
        Mean, strictly between 0 and 1.
    correlation : (E,) float64
        Variance of the cluster's rate in units of ``rate (1 - rate)``.
    per_trial : (E,) float64
        1 / number of 0/1 trials in a cluster; 0 takes the rates as beta distributed themselves.

    Returns
    -------
    (E,) float64

    References
    ----------
    Johnson, Kemp and Kotz (2005), Univariate Discrete Distributions, 3rd ed., section 6.9.2.
    """
    s, pq = per_trial, rate * (1 - rate)
    latent = np.clip((correlation - s) / np.maximum(1 - s, 1e-9), 1e-6, 1 - 1e-6)
    N = 1 / latent - 1
    skew2 = (1 - 4 * pq) * (N * s + 2) ** 2 * (1 + N) / ((N + 2) ** 2 * (1 + N * s) * pq)
    inner = N * s * (N * s - s + 6) + 6 + 3 * pq * (N * N * (s - 2 * s * s) - N * (6 * s - 1) - 6)
    kurtosis = (1 + N) * inner / (pq * (N + 2) * (N + 3) * (1 + N * s))
    return np.asarray(kurtosis - 1 - skew2)


def kish(
    present: NDArray[np.bool_],
    cluster: Codes | None = None,
    weights: Values | None = None,
    stratum: Codes | None = None,
    shares: Values | None = None,
) -> Floats:
    """Kish's effective number of clusters (of items without them): 1 / sum of the squared normalised weights.

    Parameters
    ----------
    present, cluster, weights, stratum, shares
        As in `clustered.standard_error`.

    Returns
    -------
    (E,) float64
        ``(sum w)^2 / sum w^2`` without clusters; NaN for an empty row.
    """
    groups = Groups(cluster, present.shape[1])
    out = np.empty(len(present))
    for rows in blocks(*present.shape):
        here = present[rows]
        u = influence(here.astype(np.float64), here, weights, stratum, shares)[1]
        out[rows] = 1 / (groups.sum(u) ** 2).sum(axis=1)
    return out
