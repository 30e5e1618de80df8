"""Worlds of items: types of items, how often each occurs, and what every entry makes of each type.

An item has a difficulty d, an entry has a skill s and, at each item, an affinity e of its own; a sample is
right with probability ``expit(s - d + e)``, d and e normal. Given the type of an item (its difficulty) the
entries are independent, so every probability in this world is a sum over types.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from deadheat.errors import MethodError
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.quadrature import Nodes, gauss_hermite, normal_nodes


class Types(NamedTuple):
    """G types of items for E entries that draw n samples an item.

    Parameters
    ----------
    weight : (G,) float64
        Share of the items that are of each type; sums to 1.
    pmf : (E, G, n + 1) float64
        Probability of each number of right samples.
    mean, square : (E, G) float64
        Mean of the chance that a sample is right, and of its square, within the type.
    """

    weight: Floats
    pmf: Floats
    mean: Floats
    square: Floats


class Moments(NamedTuple):
    """What the scores of a world can be expected to do.

    Parameters
    ----------
    rate : (E,) float64
        True rates.
    items : (E, E) float64
        Covariance over items of the entries' chances to be right; its diagonal is the item variance.
    samples : (E,) float64
        Mean over items of the variance of one sample.
    """

    rate: Floats
    items: Floats
    samples: Floats

    def score_covariance(self, items: int, samples: int) -> Floats:
        """Covariance (E, E) of the scores over `items` independent items with `samples` samples each."""
        return (self.items + np.diag(self.samples) / samples) / items


def skill(rate: ArrayLike, spread: ArrayLike, nodes: Nodes | None = None) -> Floats:
    """Skill at which ``E expit(skill + spread z)``, z standard normal, is the rate.

    Parameters
    ----------
    rate : array_like
        True rates strictly between 0 and 1.
    spread : array_like
        Standard deviation of difficulty and affinity together; broadcasts with `rate`.
    nodes : Nodes, optional
        Other places and weights of z.

    Raises
    ------
    MethodError
        A rate outside (0, 1).
    """
    target, spread = np.broadcast_arrays(
        np.asarray(rate, dtype=np.float64), np.asarray(spread, dtype=np.float64)
    )
    if not np.all((target > 0) & (target < 1)):
        raise MethodError(f"a true rate lies strictly between 0 and 1; found {np.atleast_1d(rate).tolist()}")
    x, weight = nodes or gauss_hermite()
    found = special.logit(target) * np.sqrt(1 + spread**2 / 3)
    for _ in range(60):  # pragma: no branch - it always ends by the break
        p = special.expit(found[..., None] + spread[..., None] * x)
        step = (p @ weight - target) / np.maximum((p * (1 - p)) @ weight, 1e-300)
        found = found - np.clip(step, -2, 2)
        if np.all(np.abs(step) <= 1e-14 * (1 + np.abs(found))):
            break
    return np.asarray(found)


def factor_types(
    skills: Floats,
    loading: ArrayLike,
    own: ArrayLike,
    samples: int,
    *,
    nodes: Nodes | None = None,
    failed: float = 0.0,
) -> Types:
    """Types of items for entries whose logits share one normal factor, the items' difficulty.

    Parameters
    ----------
    skills : (E,) float64
    loading : float or (E,)
        Standard deviation of the shared difficulty, as each entry feels it.
    own : float or (E,)
        Standard deviation of each entry's own affinity for an item.
    samples : int
        Samples n of an item.
    nodes : Nodes, optional
        Difficulties that stand for the types; Gauss-Hermite nodes unless given.
    failed : float
        Chance that a sample breaks, which is a zero.
    """
    x, weight = nodes or gauss_hermite()
    sd, own = (np.broadcast_to(np.asarray(a, dtype=np.float64), skills.shape) for a in (loading, own))
    place = skills[:, None] - sd[:, None] * x
    y, inner = normal_nodes(float(own.max(initial=0)))
    if not np.any(own):
        y, inner = np.zeros(1), np.ones(1)
    logit = place[..., None] + own[:, None, None] * y
    p = special.expit(logit) * (1 - failed)
    pmf = np.empty((*place.shape, samples + 1))
    for entry in range(len(skills)):
        known = None if failed else logit[entry]
        pmf[entry] = np.einsum("gyc,y->gc", _binomial(p[entry], samples, known), inner)
    return Types(weight, pmf, p @ inner, (p * p) @ inner)


def _binomial(p: Floats, n: int, logit: Floats | None = None) -> Floats:
    """Binomial probabilities of 0 ... n, (..., n + 1); from the logits, where given, for their digits."""
    c = np.arange(n + 1)
    choose = special.gammaln(n + 1) - special.gammaln(c + 1) - special.gammaln(n - c + 1)
    if logit is None:
        p = p[..., None]
        return np.asarray(np.exp(choose + special.xlogy(c, p) + special.xlog1py(n - c, -p)))
    right, wrong = special.log_expit(logit)[..., None], special.log_expit(-logit)[..., None]
    return np.asarray(np.exp(choose + c * right + (n - c) * wrong))


def given_types(chance: Floats, samples: int, weight: Floats | None = None) -> Types:
    """Types of items whose chances are known: real items, or points that stand for a distribution.

    Parameters
    ----------
    chance : (E, G) float64
        Chance of each entry to be right at each type.
    samples : int
        Samples n of an item.
    weight : (G,) float64, optional
        Share of each type; all alike unless given.
    """
    count = chance.shape[1]
    weight = np.full(count, 1 / count) if weight is None else weight
    return Types(weight, _binomial(chance, samples), chance, chance**2)


def moments(types: Types) -> Moments:
    """Rates, item covariances and sampling variances of a world."""
    rate = types.mean @ types.weight
    square = types.square @ types.weight
    centred = types.mean - rate[:, None]
    items = (centred * types.weight) @ centred.T
    np.fill_diagonal(items, square - rate**2)
    return Moments(rate, items, rate - square)
