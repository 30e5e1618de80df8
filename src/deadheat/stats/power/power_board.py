"""A whole board: how likely its entries come out in their true order, or the best of them on top."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import special

from deadheat.stats.numerics.bounds import Floats

NODES = 12  # Gauss-Legendre nodes in a panel one standard deviation wide: errors below 1e-12
STEPS = 1.2  # steps of the shared factor in the width of the finest feature: errors below 1e-11
REACH = 9.0  # standard deviations beyond which nothing is left


def board_probabilities(rates: Floats, errors: Floats, correlation: float = 0.0) -> tuple[float, float]:
    """Probability of the right order, and of the right entry on top, for normal scores.

    Parameters
    ----------
    rates : (E,) float64
        True scores, best first; E is 2 or more.
    errors : (E,) float64
        Standard error of each observed score, positive.
    correlation : float
        Correlation of any two observed scores, 0 or more and below 1: one factor shared by all.

    Returns
    -------
    order, best : float
        P(X1 > X2 > ... > XE) and P(X1 > all others).

    Notes
    -----
    Given the shared factor the scores are independent, and both probabilities are nested integrals over one
    variable, taken panel by panel with Gauss-Legendre nodes. The sum over the factor is the trapezoid rule,
    whose error falls like exp(-2 (pi r)^2) in the steps r that the finest feature is wide.
    """
    shared, weight = _factor(errors, correlation)
    own = errors * np.sqrt(1 - correlation)
    order, best = 0.0, 0.0
    for factor, share in zip(shared, weight, strict=True):
        found = _independent(rates + errors * np.sqrt(correlation) * factor, own)
        order, best = order + share * found[0], best + share * found[1]
    return min(float(order), 1.0), min(float(best), 1.0)


def _factor(errors: Floats, correlation: float) -> tuple[Floats, Floats]:
    """Places and weights for the shared factor; one place where a shift common to all changes no order."""
    if correlation == 0 or np.ptp(errors) == 0:
        return np.zeros(1), np.ones(1)
    feature = np.sqrt(1 / correlation - 1) * errors.min() / np.ptp(errors)
    step = min(1.0, float(feature)) / STEPS
    places = step * np.arange(-np.ceil(REACH / step), np.ceil(REACH / step) + 1)
    weight = np.exp(-(places**2) / 2)
    return places, weight / weight.sum()


def _independent(means: Floats, errors: Floats) -> tuple[float, float]:
    """Both probabilities for independent normal scores."""
    low, high = (means - REACH * errors).min(), (means + REACH * errors).max()
    edges = _panels(means, errors, low, high)
    node, weight, within = _rule()
    half = np.diff(edges)[:, None] / 2
    x = edges[:-1, None] + half * (1 + node)
    z = (x - means[:, None, None]) / errors[:, None, None]
    density = np.exp(-(z**2) / 2) / (np.sqrt(2 * np.pi) * errors[:, None, None])
    below = special.ndtr(z)
    best = (density[0] * below[1:].prod(axis=0) * weight * half).sum()
    chain = below[-1]
    for entry in range(len(means) - 2, 0, -1):
        piece = density[entry] * chain * half
        before = np.concatenate([[0.0], np.cumsum(piece @ weight)[:-1]])
        chain = before[:, None] + piece @ within.T
    order = (density[0] * chain * weight * half).sum()
    return float(order), float(best)


def _panels(means: Floats, errors: Floats, low: float, high: float) -> Floats:
    """Edges no further apart than each entry's standard deviation wherever that entry has any probability."""
    near = np.arange(-REACH, REACH + 1)
    edges = np.unique(np.concatenate([(means[:, None] + errors[:, None] * near).ravel(), [low, high]]))
    return np.asarray(edges[(edges >= low) & (edges <= high)])


@lru_cache
def _rule() -> tuple[Floats, Floats, Floats]:
    """Gauss-Legendre nodes and weights, and the matrix that integrates from -1 to each node."""
    node, weight = np.polynomial.legendre.leggauss(NODES)
    legendre = np.polynomial.legendre.legvander(node, node.size)
    # The integral of P_m from -1 is (P_{m+1} - P_{m-1}) / (2m + 1), and 1 + x for m = 0.
    integral = np.empty((node.size, node.size))
    integral[:, 0] = (1 + node) / 2
    integral[:, 1:] = (legendre[:, 2:] - legendre[:, :-2]) / 2
    return node, weight, integral @ (legendre[:, :-1].T * weight)


def board_probabilities_exact(rates: Floats, items: int) -> tuple[float, float]:
    """Both probabilities for binomial counts on separate items, without approximation; a tie is no order.

    Parameters
    ----------
    rates : (E,) float64
        True rates in [0, 1], best first.
    items : int
        Items of each entry.

    Returns
    -------
    order, best : float
        P(K1 > K2 > ... > KE) and P(K1 > all others).
    """
    k = np.arange(items + 1)
    choose = special.gammaln(items + 1) - special.gammaln(k + 1) - special.gammaln(items - k + 1)
    pmf = np.exp(choose + special.xlogy(k, rates[:, None]) + special.xlog1py(items - k, -rates[:, None]))
    pmf /= pmf.sum(axis=1, keepdims=True)  # large log factorials lose digits that all terms share
    less = np.cumsum(pmf, axis=1) - pmf
    best = (pmf[0] * less[1:].prod(axis=0)).sum()
    chain = less[-1]
    for entry in range(len(rates) - 2, 0, -1):
        piece = pmf[entry] * chain
        chain = np.cumsum(piece) - piece
    return min(float((pmf[0] * chain).sum()), 1.0), min(float(best), 1.0)
