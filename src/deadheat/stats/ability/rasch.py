"""The Rasch model by marginal maximum likelihood: entries have abilities, items are drawn from a normal."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

EXACT = 5e8  # products up to which covariances given the data are summed over nodes, not by the delta method
BLOCK = 2**22  # numbers held at once
STEPS = 200
EM_STEPS = 4
FRESH = 3  # Newton steps that take a new curvature; later ones keep it while the steps shrink fast
REACH = 5.5  # standard deviations that the nodes cover, beyond which the normal weight is 4e-8
WIDE = 1.2  # distance of nodes in standard deviations of the best known item: the sum is then right to 1e-5
TOLERANCE = 1e-9  # what another step would still add to twice the log-likelihood
TOLD = 0.5  # log-likelihood by which items that differ far more must fit worse
NONE, ENDLESS = 1e-3, 30.0  # standard deviations of items that do not differ, and that are all or nothing


class Rasch(NamedTuple):
    """A fitted model: logit P(entry i right on item j) = ability_i + ease_j, ease_j ~ N(0, sd^2).

    Parameters
    ----------
    ability : (E,)
    sd : float
        Standard deviation of the items' ease.
    log_likelihood : float
        Marginal, of all items.
    nodes : (Q,)
        Values of the ease at which it is summed.
    posterior : (M, Q)
        Weight of each node given the outcomes of an item.
    converged : bool
    rival : (abilities, sd) or None
        Parameters by which items differ far more, where they fit as well: entries that hardly overlap do not
        say how much items differ.
    """

    ability: Floats
    sd: float
    log_likelihood: float
    nodes: Floats
    posterior: Floats
    converged: bool
    rival: tuple[Floats, float] | None


class Given(NamedTuple):
    """What the outcomes say of the items at some parameters; sums that every step needs."""

    log_likelihood: float
    nodes: Floats
    posterior: Floats
    right: Floats  # (E,) items right
    seen: Floats  # (E, Q) weight of each node over the items of an entry
    chance: Floats  # (E, Q) chance of being right at a node
    spread: Floats  # (M,) mean square of the ease given the outcomes
    mean: Floats  # (M,) mean of the ease given the outcomes


def rasch(right: NDArray[np.generic], present: Mask) -> Rasch:
    """Fit the Rasch model with fixed entries and random items.

    Items are integrated out, so an item that everybody solves, or nobody, does no harm, and the abilities
    stay consistent with few entries. Every entry has at least one item right and one wrong.

    Parameters
    ----------
    right : (E, M)
        0/1 outcomes; what is absent is not read.
    present : (E, M) bool

    Returns
    -------
    Rasch

    References
    ----------
    Bock & Aitkin (1981), "Marginal maximum likelihood estimation of item parameters", Psychometrika 46,
    443-459, with entries in the part of their items. Thissen (1982), "Marginal maximum likelihood estimation
    for the one-parameter logistic model", Psychometrika 47, 175-186.
    """
    x, p = np.where(present, right, 0).astype(np.float64), present.astype(np.float64)
    total, count = x.sum(axis=1), p.sum(axis=1)
    ability = np.log(total / (count - total))
    sd = 1.0
    for _ in range(EM_STEPS):
        ability, sd = _em(x, p, ability, condition(x, p, ability, sd))
    given, done, last = condition(x, p, ability, sd), False, np.inf
    information = curvature(p, sd, given)
    solve = solver(information)
    for number in range(STEPS):
        gradient = score(x, sd, given)
        step = solve(gradient)
        if abs(step @ gradient) < TOLERANCE or not NONE < sd < ENDLESS:
            done = True
            break
        ability, sd, given = _along(x, p, ability, sd, given, step)
        size = float(np.abs(step).max())
        if number < FRESH or size > last / 4:
            information = curvature(p, sd, given)
            solve = solver(information)
        last = size
    sure = sd > NONE and _of_sd(information) > 1
    rival = None if sure else _rival(x, p, ability, sd, given)
    return Rasch(ability, sd, given.log_likelihood, given.nodes, given.posterior, done, rival)


def _of_sd(information: Floats) -> float:
    """Information of log sd, the abilities unknown."""
    across = information[:-1, -1]
    return float(information[-1, -1] - across @ solver(information[:-1, :-1])(across))


def _rival(x: Floats, p: Floats, ability: Floats, sd: float, best: Given) -> tuple[Floats, float] | None:
    """The best abilities if items differ far more, where these fit as well."""
    wide = 3 * sd + 1
    for _ in range(STEPS):
        given = condition(x, p, ability, wide)
        gradient = score(x, wide, given)[:-1]
        step = solver(curvature(p, wide, given)[:-1, :-1])(gradient)
        if abs(step @ gradient) < TOLERANCE:
            break
        ability = ability + np.clip(step, -1, 1)
    return (ability, wide) if best.log_likelihood - given.log_likelihood < TOLD else None


def _along(
    x: Floats, p: Floats, ability: Floats, sd: float, given: Given, step: Floats
) -> tuple[Floats, float, Given]:
    """Go along a step, shorter where the likelihood would fall."""
    size = min(1.0, 1.0 / max(abs(step[-1]), 1e-12), 3.0 / max(np.abs(step).max(), 1e-12))
    for _ in range(30):
        tried = ability + size * step[:-1], sd * float(np.exp(size * step[-1]))
        after = condition(x, p, *tried)
        if after.log_likelihood >= given.log_likelihood - 1e-9 * abs(given.log_likelihood):
            break
        size /= 2
    return *tried, after


def condition(x: Floats, p: Floats, ability: Floats, sd: float) -> Given:
    """Sum over equally spaced nodes, close enough for the most informative item."""
    narrow = 1 / np.sqrt(p.sum(axis=0).max() / 4 + 1 / sd**2)
    half = int(np.ceil(REACH * sd / min(WIDE * narrow, sd / 2)))
    nodes = np.linspace(-REACH * sd, REACH * sd, 2 * half + 1)
    logit = ability[:, None] + nodes
    prior = -0.5 * (nodes / sd) ** 2
    prior -= np.log(np.exp(prior).sum())
    joint = (x.T @ ability)[:, None] + x.sum(axis=0)[:, None] * nodes - p.T @ np.logaddexp(0, logit) + prior
    top = joint.max(axis=1, keepdims=True)
    weight = np.exp(joint - top)
    mass = weight.sum(axis=1, keepdims=True)
    weight /= mass
    return Given(
        log_likelihood=float((top + np.log(mass)).sum()),
        nodes=nodes,
        posterior=weight,
        right=x.sum(axis=1),
        seen=p @ weight,
        chance=1 / (1 + np.exp(-logit)),
        spread=weight @ nodes**2,
        mean=weight @ nodes,
    )


def _em(x: Floats, p: Floats, ability: Floats, given: Given) -> tuple[Floats, float]:
    """One step of parameter-expanded EM, which frees the mean of the items and puts it into the entries."""
    step = (given.right - (given.seen * given.chance).sum(axis=1)) / np.maximum(_slopes(given), 1e-12)
    middle = float(given.mean.mean())
    sd = float(np.sqrt(max(given.spread.mean() - middle**2, 1e-6)))
    return ability + np.clip(step, -1, 1) + middle, sd


def _slopes(given: Given) -> Floats:
    return np.asarray((given.seen * given.chance * (1 - given.chance)).sum(axis=1))


def score(x: Floats, sd: float, given: Given) -> Floats:
    """Gradient of the log-likelihood by abilities and log sd."""
    own = given.right - (given.seen * given.chance).sum(axis=1)
    return np.append(own, given.spread.sum() / sd**2 - x.shape[1])


def item_scores(x: Floats, p: Floats, sd: float, given: Given) -> Floats:
    """The same of each item, (E + 1, M)."""
    own = x - p * (given.chance @ given.posterior.T)
    return np.vstack([own, given.spread / sd**2 - 1])


def curvature(p: Floats, sd: float, given: Given) -> Floats:
    """Observed information of abilities and log sd, (E + 1, E + 1), by Louis's formula.

    References
    ----------
    Louis (1982), "Finding the observed information matrix when using the EM algorithm", JRSS B 44, 226-233.
    """
    entries = len(p)
    out = np.zeros((entries + 1, entries + 1))
    out[:-1, :-1] = -covariances(p, p, given)
    out[np.arange(entries), np.arange(entries)] += _slopes(given)
    # A shift of all abilities is one of the items' mean, whose information is known without approximation.
    shift = (1 - (given.spread - given.mean**2) / sd**2).sum() / sd**2
    out[:-1, :-1] += (shift - out[:-1, :-1].sum()) / entries**2
    square = (given.nodes / sd) ** 2
    with_square = with_items(p, square, given)
    out[:-1, -1] = out[-1, :-1] = with_square
    fourth = given.posterior @ square**2 - (given.posterior @ square) ** 2
    out[-1, -1] = 2 * given.spread.sum() / sd**2 - fourth.sum()
    return out


def covariances(a: Floats, b: Floats, given: Given) -> Floats:
    """Sum over items of a_ij b_kj times the covariance of the chances of i and k given an item's outcomes."""
    entries, items = a.shape
    if entries**2 * items * len(given.nodes) > EXACT:
        variance = given.spread - given.mean**2
        slope = (given.chance * (1 - given.chance)) @ given.posterior.T
        one, other = (a * slope * variance).astype(np.float32), (b * slope).astype(np.float32)
        return np.asarray((one @ other.T).astype(np.float64))
    means = given.chance @ given.posterior.T
    out = -(a * means) @ (b * means).T
    block = max(BLOCK // (entries * items), 1)
    for start in range(0, len(given.nodes), block):
        chance = given.chance[:, start : start + block]
        weighted = a[:, None, :] * given.posterior[:, start : start + block].T
        both = (weighted.reshape(-1, items) @ b.T).reshape(entries, -1, len(b))
        out += (chance[:, :, None] * both * chance.T).sum(axis=1)
    return np.asarray(out)


def with_items(a: Floats, of_node: Floats, given: Given) -> Floats:
    """Sum over items of a_ij times the covariance of the chance of i and a function of the ease."""
    mean = given.posterior @ of_node
    both = (given.chance * of_node) @ given.posterior.T - (given.chance @ given.posterior.T) * mean
    return np.asarray((a * both).sum(axis=1))


def solver(information: Floats) -> Callable[[Floats], Floats]:
    """Solve by the information; where it is not positive definite yet, with more along its diagonal."""
    from scipy.linalg import cho_factor, cho_solve

    ridge, scale = 0.0, float(np.abs(np.diag(information)).max())
    while True:
        try:
            factor = cho_factor(information + ridge * np.eye(len(information)))
        except np.linalg.LinAlgError:
            ridge = max(2 * ridge, 1e-3 * scale)
            continue
        return partial(cho_solve, factor)
