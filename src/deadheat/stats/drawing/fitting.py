"""A simulated world that has the rates, variances and correlations of real results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.errors import MethodError
from deadheat.stats.drawing.item_worlds import Moments, skill
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.quadrature import even_normal, normal_lattice
from deadheat.stats.samples.metrics import mean_within
from deadheat.stats.samples.rerun_variances import rerun_variances

Counts = NDArray[np.integer[Any]]

WIDEST = 40.0  # standard deviation in logits beyond which an entry solves an item always or never
STEPS = 48  # halvings of an interval
POINTS = 2**13  # that stand for the items of three entries or more
FINE, PAIR = 512, 128  # nodes for one entry, and on each axis of a pair


class Latent(NamedTuple):
    """Normal logits of E entries at an item.

    Parameters
    ----------
    skill, spread : (E,) float64
        Mean and standard deviation.
    correlation : (E, E) float64
        Of two entries' logits at one item, positive semidefinite.
    """

    skill: Floats
    spread: Floats
    correlation: Floats


def observed_moments(right: Counts, samples: Counts, own_share: float = 0.0) -> Moments:
    """Estimate rates, item covariances and sampling variances from counts of right samples.

    Parameters
    ----------
    right, samples : (E, M) int
        Right samples, and samples, of every entry at every item; none absent.
    own_share : float
        Where no item has two samples, the share of an entry's item variance that it shares with no other
        entry: then the data say what entries share, and nothing of the rest.

    Returns
    -------
    Moments
        Without bias under independent samples, but for variances below 0, which are set to 0, and covariances
        beyond what the variances allow.

    Raises
    ------
    MethodError
        Fewer than two items or an item without a sample.
    """
    if right.shape[1] < 2 or np.any(samples < 1):
        raise MethodError(
            f"a world is fitted to at least two items that every entry attempted; found {right.shape[1]} "
            f"items, {int(np.sum(samples < 1))} of them without an attempt by some entry"
        )
    value = right / samples
    rate = value.mean(axis=1)
    items = np.cov(value)
    items = np.atleast_2d(items)
    single = rate * (1 - rate)
    within = mean_within(samples, right)
    noise = rerun_variances(within, np.ones(right.shape, dtype=bool), samples).single.mean(axis=1)
    shared = _shared(items)
    known = ~np.isnan(noise)
    guess = np.clip(single - shared / (1 - own_share), 0.0, single)
    noise = np.where(known, np.minimum(noise, single), guess)
    np.fill_diagonal(items, single - noise)
    size = np.sqrt(np.diag(items))
    most = np.outer(size, size)
    items = np.where(np.eye(len(rate), dtype=bool), items, np.clip(items, -most, most))
    return Moments(rate, items, noise)


def _shared(items: Floats) -> Floats:
    """Item variance that each entry shares with the others: the mean of its covariances with them."""
    entries = len(items)
    if entries == 1:
        return np.diag(items)
    return np.asarray((items.sum(axis=1) - np.diag(items)) / (entries - 1))


def latent(moments: Moments) -> Latent:
    """Find the normal logits that have these moments.

    Parameters
    ----------
    moments : Moments
        Rates strictly between 0 and 1.

    Returns
    -------
    Latent
        Each spread gives the item variance, each correlation the covariance; where the correlations together
        are not possible, the nearest possible are taken (negative eigenvalues set to zero).
    """
    rate, items = moments.rate, moments.items
    x, weight = nodes = even_normal(FINE)

    def excess(spread: Floats) -> Floats:
        p = special.expit(skill(rate, spread, nodes)[:, None] + spread[:, None] * x)
        return np.asarray(((p - rate[:, None]) ** 2) @ weight - np.diag(items))

    spread = _bisect(excess, np.zeros(len(rate)), np.full(len(rate), WIDEST))
    skills = skill(rate, spread, nodes)
    first, second = np.triu_indices(len(rate), 1)
    correlation = np.eye(len(rate))
    for at in range(0, len(first), 64):
        a, b = first[at : at + 64], second[at : at + 64]
        found = _pair_correlation(skills, spread, items, rate, a, b)
        correlation[a, b] = correlation[b, a] = found
    return Latent(skills, spread, _possible(correlation))


def _pair_correlation(
    skills: Floats, spread: Floats, items: Floats, rate: Floats, a: NDArray[Any], b: NDArray[Any]
) -> Floats:
    x, weight = even_normal(PAIR)
    both = weight[:, None] * weight
    p_a = special.expit(skills[a, None] + spread[a, None] * x) - rate[a, None]

    def excess(r: Floats) -> Floats:
        other = r[:, None, None] * x[:, None] + np.sqrt(1 - r**2)[:, None, None] * x
        p_b = special.expit(skills[b, None, None] + spread[b, None, None] * other) - rate[b, None, None]
        return np.asarray(np.einsum("px,pxy,xy->p", p_a, p_b, both) - items[a, b])

    return _bisect(excess, np.full(len(a), -1.0), np.full(len(a), 1.0))


def _bisect(excess: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Roots of rising functions; an end where there is none."""
    for _ in range(STEPS):
        middle = (low + high) / 2
        above = excess(middle) > 0
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return (low + high) / 2


def _possible(correlation: Floats) -> Floats:
    value, vector = np.linalg.eigh(correlation)
    if value.min() >= 0:
        return correlation
    fixed = (vector * np.maximum(value, 1e-12)) @ vector.T
    size = np.sqrt(np.diag(fixed))
    return np.asarray(fixed / np.outer(size, size))


def latent_points(world: Latent, rate: Floats, count: int = POINTS) -> Floats:
    """Chances of each entry at equally likely points that stand for the items.

    Parameters
    ----------
    world : Latent
        Of E entries.
    rate : (E,) float64
        True rates, to which the skills are fitted again on the points.
    count : int
        Points.

    Returns
    -------
    (E, count) float64
    """
    value, vector = np.linalg.eigh(world.correlation)
    root = (vector * np.sqrt(np.maximum(value, 0.0)))[:, ::-1]  # the first coordinates matter most
    z = (normal_lattice(count, len(value)) @ root.T).T * world.spread[:, None]
    shift = world.skill
    for _ in range(50):  # pragma: no branch - it always ends by the break
        p = special.expit(shift[:, None] + z)
        step = (p.mean(axis=1) - rate) / np.maximum((p * (1 - p)).mean(axis=1), 1e-12)
        shift = shift - np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-12:
            break
    return np.asarray(special.expit(shift[:, None] + z))
