"""The top score, corrected for having been picked as the top: the first of near-ties overstates itself."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.bounds import Bounds, Floats
from deadheat.stats.score.clustered import mean
from deadheat.stats.score.item_design import Codes, Groups, Values, blocks, nested, parts

SPEND = 0.1  # share of 1 - level that the hybrid interval spends on its outer bound
OUTER, INNER = 200, 50  # bootstrap draws of the board, and of each draw
NEAR = 6.0  # standard errors of the difference beyond which an entry has no part in being picked


class Top(NamedTuple):
    """The best-scoring row and its score, as it is and corrected for the selection.

    Parameters
    ----------
    row : int
        The entry picked: the highest score; of equal ones the first row.
    score : float
        Its score as found.
    estimate : float
        Median-unbiased under normality, given that this row was picked; NaN without an error estimate.
    conditional, hybrid : Bounds
        Intervals for the true score of the row that was picked. The conditional one is right for this
        very row but may be endless after near-ties; the hybrid one is bounded.
    """

    row: int
    score: float
    estimate: float
    conditional: Bounds
    hybrid: Bounds


def top_score(
    values: Values,
    present: NDArray[np.bool_],
    *,
    cluster: Codes | None = None,
    weights: Values | None = None,
    stratum: Codes | None = None,
    level: float = 0.95,
) -> Top:
    """Correct the top score for its selection by conditioning on it.

    Parameters
    ----------
    values, present : array, shape (E, M)
        Item values, and where they exist.
    cluster, weights, stratum : arrays, shape (M,), optional
        As in `stats.clustered.mean` and `standard_error`.
    level : float
        Level of the intervals.

    Returns
    -------
    Top

    Notes
    -----
    The hybrid interval lies within one that covers all scores together, whose half-width is Šidák's.

    References
    ----------
    Andrews, Kitagawa & McCloskey (2024), "Inference on winners", Quart. J. Econ. 139, 305–358.
    """
    score = mean(values, present, weights, stratum)
    row = int(np.nanargmax(score))
    _, covariance, variance = _covariances(values, present, row, cluster, weights, stratum)
    sd = float(np.sqrt(variance[row]))
    nothing = Bounds(np.array(np.nan), np.array(np.nan))
    if not sd > 0:
        return Top(row, float(score[row]), np.nan, nothing, nothing)
    slope = covariance / variance[row]
    others = np.isfinite(score) & np.isfinite(variance)
    others[row] = False
    # Counts are discrete: "picked" means a lead of more than minus half a count, as a tie is picked too.
    whole = bool(np.all((values == 0) | (values == 1))) and weights is None and stratum is None
    lead = score[row] - score + (0.5 / present[row].sum() if whole else 0.0)
    # Picked while score_j - slope_j (score_row - x) <= x, for every j: a ray of x on either side.
    with np.errstate(divide="ignore", invalid="ignore"):
        edge = score[row] - lead / (1 - slope)
    low = edge[others & (slope < 1)].max(initial=-np.inf)
    high = edge[others & (slope > 1)].min(initial=np.inf)
    number = int(np.isfinite(score).sum())
    from scipy.special import ndtri

    reach = float(ndtri((1 + (1 - SPEND * (1 - level)) ** (1 / number)) / 2))
    cut = (1 - level) / 2
    inner = (cut - SPEND * cut) / (1 - SPEND * (1 - level))

    def solve(share: float, bound: float) -> float:
        return _solve(float(score[row]), sd, float(low), float(high), share, bound)

    return Top(
        row,
        float(score[row]),
        solve(0.5, reach),
        Bounds(np.array(solve(1 - cut, np.inf)), np.array(solve(cut, np.inf))),
        Bounds(np.array(solve(1 - inner, reach)), np.array(solve(inner, reach))),
    )


def _covariances(
    values: Values,
    present: NDArray[np.bool_],
    row: int,
    cluster: Codes | None,
    weights: Values | None,
    stratum: Codes | None,
) -> tuple[Floats, Floats, Floats]:
    """Every row's cluster sums, covariance with one row, and variance (CR1 as in `standard_error`)."""
    groups = Groups(cluster, values.shape[1])
    layer = nested(groups, stratum)
    layers = Groups(np.zeros(groups.size, dtype=np.intp) if layer is None else layer, groups.size)
    own = parts(values[[row]], present[[row]], groups, weights, stratum)
    totals = np.empty((len(values), groups.size))
    covariance, variance = np.empty(len(values)), np.empty(len(values))
    for rows in blocks(*values.shape):
        sums = parts(values[rows], present[rows], groups, weights, stratum)
        count = layers.sum((sums.square > 0).astype(np.float64))
        count[count < 2] = np.nan
        with np.errstate(invalid="ignore"):
            factor = count / (count - 1)
        totals[rows] = sums.total
        covariance[rows] = (layers.sum(sums.total * own.total) * factor).sum(axis=1)
        variance[rows] = (layers.sum(sums.total**2) * factor).sum(axis=1)
    return totals, covariance, variance


def _solve(x: float, sd: float, low: float, high: float, share: float, reach: float) -> float:
    """The mean under which a truncated normal lies below `x` with probability `share`.

    The truncation is to [low, high] and, if `reach` is finite, to within `reach` sd of the mean.
    """
    wide = reach if np.isfinite(reach) else 1e3
    left, right = x - wide * sd, x + wide * sd
    for _ in range(200):
        middle = (left + right) / 2
        a = max(low, middle - reach * sd)
        b = min(high, middle + reach * sd)
        if _truncated_cdf((x - middle) / sd, (a - middle) / sd, (b - middle) / sd) > share:
            left = middle
        else:
            right = middle
    if not np.isfinite(reach) and abs(middle - x) > 0.99 * wide * sd:
        return float(np.copysign(np.inf, middle - x))
    return float(middle)


def _truncated_cdf(x: float, a: float, b: float) -> float:
    """P(Z <= x) of a standard normal truncated to [a, b], in logarithms on the lighter side."""
    if x <= a:
        return 0.0
    if x >= b:
        return 1.0
    if a > 0:  # mirror, so that the differences are of lower tails
        return float(1.0 - _truncated_cdf(-x, -b, -a))
    from scipy.special import log_ndtr

    log_a, log_x, log_b = (float(v) for v in log_ndtr(np.array([a, x, b])))
    above = np.log1p(-np.exp(log_a - log_x)) if np.isfinite(log_a) else 0.0
    whole = np.log1p(-np.exp(log_a - log_b)) if np.isfinite(log_a) else 0.0
    return float(np.exp(log_x + above - log_b - whole))


class Optimism(NamedTuple):
    """By how much the top score is expected to exceed the true score of the row that has it."""

    once: float
    iterated: float


def optimism(
    values: Values,
    present: NDArray[np.bool_],
    *,
    cluster: Codes | None = None,
    weights: Values | None = None,
    stratum: Codes | None = None,
    rng: np.random.Generator,
) -> Optimism:
    """Estimate the selection bias of the top score by the iterated bootstrap.

    In each draw of the clusters the winner's score exceeds its score on the board by what selection adds.
    The board's own scores are spread wider than the true ones, so this understates; a second level of draws
    measures by how much, and takes it off.

    Parameters
    ----------
    values, present, cluster, weights, stratum
        As in `top_score`.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    Optimism
        Plain and iterated bootstrap estimates, in units of the score. NaN with a single cluster.

    References
    ----------
    Hall & Martin (1988), "On bootstrap resampling and iteration", Biometrika 75, 661–671.
    """
    score = mean(values, present, weights, stratum)
    row = int(np.nanargmax(score))
    sums, covariance, variance = _covariances(values, present, row, cluster, weights, stratum)
    clusters = sums.shape[1]
    if not np.isfinite(variance[row]):
        return Optimism(np.nan, np.nan)
    apart = np.sqrt(np.maximum(variance + variance[row] - 2 * covariance, 0))
    near = np.flatnonzero(score[row] - score <= NEAR * apart)
    centre, shares, own = score[near], sums[near].T, int(np.searchsorted(near, row))
    once, twice = np.empty(OUTER), np.empty(OUTER)
    for draw in range(OUTER):
        sample = np.asarray(rng.integers(clusters, size=clusters))
        board = centre + np.bincount(sample, minlength=clusters)[None] @ shares
        again = sample[rng.integers(clusters, size=(INNER, clusters))]
        counts = np.bincount(
            (again + clusters * np.arange(INNER)[:, None]).ravel(), minlength=INNER * clusters
        )
        once[draw] = _excess(board, centre, own)
        twice[draw] = _excess(centre + counts.reshape(INNER, clusters) @ shares, board[0], own)
    plain = float(once.mean())
    return Optimism(round(plain, 12), round(2 * plain - float(twice.mean()), 12))


def _excess(boards: Floats, truth: Floats, own: int) -> float:
    """Mean of the top score less the winner's true one; winners that tie in a draw count in equal parts.

    The deviation of one fixed row is taken off: zero on average, it carries most of the draws' luck.
    """
    top = boards.max(axis=1, keepdims=True)
    picked = boards >= top - 1e-12
    luck = boards[:, own] - truth[own]
    return float((top[:, 0] - (picked @ truth) / picked.sum(axis=1) - luck).mean())
