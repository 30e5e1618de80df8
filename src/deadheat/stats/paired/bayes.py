"""Bayes for a pair of 0/1 runs: a Dirichlet prior on the four cells, and what the posterior says."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from deadheat.errors import MethodError
from deadheat.stats.numerics.bounds import Bounds, Floats
from deadheat.stats.paired.mcnemar import log_half

PRIOR = 0.5
"""Weight of each cell before the data: Jeffreys' prior for four cells."""
NODES = 256


def probability_better(a_only: ArrayLike, b_only: ArrayLike, prior: float = PRIOR) -> Floats:
    """Posterior probability that a's rate is above b's.

    Only the discordant cells matter: their split is Beta(a_only + prior, b_only + prior), and the
    probability is its mass above one half.

    Parameters
    ----------
    a_only, b_only : array_like of int
        Items that only the first, only the second entry got right.
    prior : float
        Dirichlet weight of each of the four cells; 0.5 is Jeffreys', 1 is uniform.
    """
    b, c = np.broadcast_arrays(np.asarray(a_only, dtype=np.float64), np.asarray(b_only, dtype=np.float64))
    # The smaller side is computed and the larger is what remains, so that swapping gives exactly 1 - p.
    tail = _half(np.maximum(b, c) + prior, np.minimum(b, c) + prior)
    return np.where(b == c, 0.5, np.where(b > c, 1 - tail, tail))


def _half(a: Floats, b: Floats) -> Floats:
    """Mass of Beta(a, b), a >= b, below one half: a series of positive terms (DLMF 8.17.7), without scipy."""
    n = a + b
    term, total = np.ones_like(n), np.ones_like(n)
    for j in itertools.count():  # pragma: no branch - it ends by its break
        ratio = (n + j) / (2 * (a + 1 + j))
        term = term * ratio
        total += term
        if not np.any(term * ratio > total * (1 - ratio) * 2.0**-54):  # what is left cannot be seen
            break
    return np.asarray(np.exp(log_half(n.ravel(), b.ravel()).reshape(n.shape)) * b / n * total)


def posterior_below(
    at: ArrayLike, n: ArrayLike, a_only: ArrayLike, b_only: ArrayLike, prior: float = PRIOR
) -> Floats:
    """Posterior probability that the difference of the rates, a - b, lies below `at`.

    The difference is S (2R - 1) with independent S, the discordant share, and R, its split; the distribution
    of R is averaged over S by Gauss-Legendre quadrature.

    Parameters
    ----------
    at : array_like
        Differences in [-1, 1].
    n, a_only, b_only : array_like of int
        Items, and the discordant ones in each direction; all broadcast.
    prior : float
        As in `probability_better`.
    """
    at, n, b, c = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (at, n, a_only, b_only)))
    return _below(at, _discordant_share(n, b, c, prior), b, c, prior)


def bayes_interval(
    both: ArrayLike,
    a_only: ArrayLike,
    b_only: ArrayLike,
    neither: ArrayLike,
    *,
    level: float = 0.95,
    prior: float = PRIOR,
) -> Bounds:
    """Equal-tailed credible interval of the difference of the rates under a Dirichlet prior.

    Parameters
    ----------
    both, a_only, b_only, neither : array_like of int
        Items that both, only the first, only the second, and no entry got right; they broadcast.
    level : float
        Posterior probability of the interval.
    prior : float
        Dirichlet weight of each cell.

    References
    ----------
    Altham, P. M. E. (1971). The analysis of matched proportions. Biometrika 58, 561-576.
    """
    if not 0 < level < 1:
        raise MethodError(f"level {level} was asked for; a level lies strictly between 0 and 1, such as 0.95")
    a, b, c, d = np.broadcast_arrays(
        *(np.asarray(x, dtype=np.float64) for x in (both, a_only, b_only, neither))
    )
    n = a + b + c + d
    return Bounds(-_quantile((1 + level) / 2, n, c, b, prior), _quantile((1 + level) / 2, n, b, c, prior))


def _quantile(share: float, n: Floats, b: Floats, c: Floats, prior: float) -> Floats:
    nodes = _discordant_share(n, b, c, prior)
    low, high = -np.ones_like(n), np.ones_like(n)
    for _ in range(48):
        middle = (low + high) / 2
        below = _below(middle, nodes, b, c, prior) < share
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return np.where(n > 0, (low + high) / 2, np.nan)


@cache
def _rule() -> tuple[Floats, Floats]:
    return np.polynomial.legendre.leggauss(NODES)


def _discordant_share(n: Floats, b: Floats, c: Floats, prior: float) -> Floats:
    """Quantiles of S at the nodes of the quadrature, first axis; NaN without items."""
    from scipy.special import betaincinv

    node = _rule()[0]
    rest = np.where(n > 0, n - b - c, np.nan)
    return np.asarray(betaincinv(b + c + 2 * prior, rest + 2 * prior, (node[:, *([None] * n.ndim)] + 1) / 2))


def _below(at: Floats, nodes: Floats, b: Floats, c: Floats, prior: float) -> Floats:
    from scipy.special import betainc

    weight = _rule()[1]
    split = np.clip((1 + at / np.maximum(nodes, 1e-300)) / 2, 0.0, 1.0)
    return np.asarray(np.tensordot(weight, betainc(b + prior, c + prior, split), 1) / 2)
