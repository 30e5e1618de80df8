"""Mean of item scores and its standard error: sandwich estimators in closed form."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MethodError
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.samples.rerun_variances import rerun_variances
from deadheat.stats.score.item_design import Codes, Groups, Parts, Values, blocks, influence, nested, parts

SPANNING = (
    "Bell and McCaffrey's error needs each cluster within one category; found clusters that span categories: "
    "use t"
)
Kind = Literal["CR0", "CR1", "CR2"]
ROUNDING = 1e-12  # a variance below this share of its own terms is rounding, not spread
NOISE = 1e-14  # so is a standard error below this share of the largest value


class Error(NamedTuple):
    """Standard error of each row, and degrees of freedom for t; NaN where undefined."""

    se: Floats
    df: Floats


def mean(
    values: Values,
    present: NDArray[np.bool_],
    weights: Values | None = None,
    stratum: Codes | None = None,
    shares: Values | None = None,
) -> Floats:
    """Score of each row: weighted mean over its items, or the mean of its stratum means.

    Parameters
    ----------
    values, present : (E, M)
        Item values, and where they exist.
    weights : (M,), optional
        Item weights, none negative.
    stratum : (M,) int, optional
        Strata (categories) that count alike: the macro average.
    shares : (S,), optional
        Shares of the strata in the score, summing to 1, where they do not count alike: a composite.

    Returns
    -------
    (E,) float64
        NaN for a row without items, or without any item of one of the strata.
    """
    out = np.empty(len(values))
    for rows in blocks(*values.shape):
        out[rows] = influence(values[rows], present[rows], weights, stratum, shares)[0]
    return out


def standard_error(
    values: Values,
    present: NDArray[np.bool_],
    cluster: Codes | None = None,
    weights: Values | None = None,
    stratum: Codes | None = None,
    kind: Kind = "CR1",
    shares: Values | None = None,
) -> Error:
    """Standard error of each row's score when items, or whole clusters of items, are drawn anew.

    Parameters
    ----------
    values, present : (E, M)
        Item values, and where they exist.
    cluster : (M,) int, optional
        Cluster of each item; by default each item is its own.
    weights : (M,), optional
        Item weights, none negative.
    stratum : (M,) int, optional
        Strata that count alike and are fixed: only the items within them are drawn.
    kind : str
        ``CR0``: the plain linearised error. ``CR1``: times ``sqrt(G / (G - 1))``, in each stratum if
        clusters lie within strata. ``CR2``: each cluster's share made unbiased under independence, with the
        degrees of freedom of Bell and McCaffrey.
    shares : (S,), optional
        As in `mean`.

    Returns
    -------
    Error
        `se` and `df`, (E,). One cluster, or one in a stratum: NaN. `df` is clusters - 1 for CR0 and CR1, with
        strata that of the sum of their variances (`pooled_df`).

    Raises
    ------
    MethodError
        CR2 with clusters that reach over strata.

    Notes
    -----
    Without clusters and weights CR1 and CR2 are ``s / sqrt(n)``. A clustered error may be below the
    unclustered one; it is not clipped.

    References
    ----------
    Bell and McCaffrey (2002), Bias reduction in standard errors for linear regression with multi-stage
    samples, Survey Methodology 28, 169-181. Pustejovsky and Tipton (2018), JBES 36, 672-683.
    """
    groups = Groups(cluster, values.shape[1])
    layer = nested(groups, stratum)
    if layer is None:
        if kind == "CR2":
            raise MethodError(SPANNING)
        layer = np.zeros(groups.size, dtype=np.intp)
    layers = Groups(layer, groups.size)
    se, df = np.empty(len(values)), np.empty(len(values))
    for rows in blocks(*values.shape):
        sums = parts(values[rows], present[rows], groups, weights, stratum, shares)
        found = _cr2(sums, layers) if kind == "CR2" else _cr1(sums, layers, kind)
        size = np.where(present[rows], np.abs(values[rows]), 0).max(axis=1, initial=0)
        se[rows] = np.where(found.se <= NOISE * size, 0.0, found.se)
        df[rows] = found.df
    return Error(se, df)


def _cr1(sums: Parts, layers: Groups, kind: Kind) -> Error:
    """CR0 and CR1 from sums over clusters; see `standard_error`."""
    count = layers.sum((sums.square > 0).astype(np.float64))
    count[count < 2] = np.nan
    spread = layers.sum(sums.total**2)
    if kind == "CR1":
        spread = spread * count / (count - 1)
    total, most = (spread + 0 * count).sum(axis=1), (count - 1).sum(axis=1)
    if layers.size > 1:
        most = pooled_df(total, (spread**2 / (count - 1)).sum(axis=1), most)
    return Error(np.sqrt(total), most)


def pooled_df(total: Floats, squares: Floats, most: Floats) -> Floats:
    """Degrees of freedom of a sum of independent estimated variances, by Satterthwaite's rule.

    Parameters
    ----------
    total, squares : ndarray of float64
        Sums of the variances, and of their squares each divided by its own degrees of freedom.
    most : ndarray of float64
        Sum of the degrees of freedom.

    Returns
    -------
    ndarray of float64
        Never more than `most`, which stands where all variances are 0; NaN where `total` is.

    References
    ----------
    Cochran (1977), Sampling Techniques, 3rd ed., section 5.4.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(total == 0, most, np.minimum(total**2 / squares, most))


def _cr2(sums: Parts, layers: Groups) -> Error:
    """CR2 and its degrees of freedom, summed over strata; see `cr2_terms`."""
    mass = layers.sum(sums.square)
    terms = cr2_terms(sums.total, sums.share, sums.square, mass[:, layers.codes])
    found = Cr2(*(layers.sum(term) for term in terms))
    alone = layers.sum((sums.square > 0).astype(np.float64)) < 2
    variance = np.where(alone, np.nan, found.variance).sum(axis=1)
    mass = np.where(alone, np.nan, mass)
    return Error(np.sqrt(variance), mass.sum(axis=1) ** 2 / found.trace2(mass).sum(axis=1))


class Cr2(NamedTuple):
    """Each cluster's part in the CR2 variance and in the design of its degrees of freedom; sums of them add.

    Parameters
    ----------
    variance : float64
        Part in the variance of the mean.
    shares, squares, cross, diagonal, own : float64
        Parts in the moments of the covariance of the cluster totals under independence.
    """

    variance: Floats
    shares: Floats
    squares: Floats
    cross: Floats
    diagonal: Floats
    own: Floats

    def trace2(self, mass: Floats) -> Floats:
        """Return the trace of the squared design, from sums over the clusters of a stratum."""
        A, B, C = self.shares, self.squares, self.cross
        pairs = 2 * A * B + (mass * A) ** 2 + 2 * C**2 - 4 * mass * A * C
        return np.asarray(pairs - self.diagonal + self.own)


def cr2_terms(total: Floats, share: Floats, square: Floats, mass: Floats) -> Cr2:
    """Return each cluster's part in CR2 and in Bell and McCaffrey's degrees of freedom.

    Parameters
    ----------
    total : ndarray of float64
        Sum over the cluster of ``u (x - centre)``, u normalised weights.
    share, square : ndarray of float64
        Sums over the cluster of u, scaled to sum to 1 in its stratum, and of u squared.
    mass : ndarray of float64
        Sum of `square` over the stratum.

    Returns
    -------
    Cr2
        0 for a cluster without items, and for the only cluster of a stratum.
    """
    own = square * (1 - 2 * share) + mass * share**2  # variance of its total, in units of the items' variance
    there = own > ROUNDING * square
    with np.errstate(invalid="ignore", divide="ignore"):
        a = np.where(there, square / own, 0.0)
    return Cr2(
        a * total**2,
        a * share**2,
        a * square**2,
        a * share * square,
        (a * (mass * share**2 - 2 * share * square)) ** 2,
        (a * own) ** 2,
    )


def rerun_error(
    within: Floats,
    present: NDArray[np.bool_],
    samples: NDArray[np.integer[Any]],
    weights: Values | None = None,
    stratum: Codes | None = None,
) -> Error:
    """Standard error of each row's score when the same items are attempted again.

    Parameters
    ----------
    within : (E, M) float64
        Estimated variance of each item's value under reruns; NaN where the item has too few samples.
    present : (E, M) bool
        Where the row has the item.
    samples : (E, M) int
        Samples behind each value.
    weights, stratum : (M,), optional
        As in `mean`.

    Returns
    -------
    Error
        NaN for a row without a single estimate; `rerun_variances` fills in the items without one. `df` is
        Satterthwaite's.
    """
    se, df = np.full(len(within), np.nan), np.full(len(within), np.nan)
    for rows in blocks(*within.shape):
        u = influence(np.zeros_like(within[rows]), present[rows], weights, stratum)[1]
        _, value, known = rerun_variances(within[rows], u > 0, samples[rows])
        estimate = value * u**2
        own = np.where(known, estimate, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            se[rows] = np.sqrt(estimate.sum(axis=1))
            spread = (own**2 / np.maximum(samples[rows] - 1, 1)).sum(axis=1)
            df[rows] = own.sum(axis=1) ** 2 / spread
    return Error(se, df)
