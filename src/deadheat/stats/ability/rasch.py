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
REACH = 5.5  # standard deviations that the nodes cover, beyond which the normal weight is 4e-8
WIDE = 1.2  # distance of nodes in standard deviations of the best known item: the sum is then right to 1e-5
TOLERANCE = 1e-9  # what another step would still add to twice the log-likelihood
TOLD = 0.5  # log-likelihood by which items that differ far more must fit worse
NONE, ENDLESS = 1e-3, 30.0  # standard deviations of items that do not differ, and that are all or nothing


class Point(NamedTuple):
    """Parameters: logit P(i is right on j) = ability_i + ease_j with ease_j ~ N(pattern_j slope, sd^2)."""

    ability: Floats
    slope: Floats
    sd: float

    def moved(self, step: Floats) -> Point:
        """Go a step: of abilities, slopes and log sd."""
        at = len(self.ability)
        return Point(self.ability + step[:at], self.slope + step[at:-1], self.sd * float(np.exp(step[-1])))


class Given(NamedTuple):
    """What the outcomes say of the items at some parameters; sums that every step needs."""

    log_likelihood: float
    nodes: Floats  # (Q,) values of the ease at which it is summed
    posterior: Floats  # (M, Q) weight of each node given the outcomes of an item
    right: Floats  # (E,) items right
    seen: Floats  # (E, Q) weight of each node over the items of an entry
    chance: Floats  # (E, Q) chance of being right at a node
    mean: Floats  # (M,) mean of the ease given the outcomes
    rest: Floats  # (4, M) moments of the ease about what its pattern lets expect
    centre: Floats  # (M,) what the pattern lets expect


class Rasch(NamedTuple):
    """A fitted model.

    Parameters
    ----------
    point : Point
    given : Given
        Of the items, at these parameters.
    converged : bool
    rival : Point or None
        Parameters by which items differ far more, where they fit as well: entries that hardly overlap do not
        say how much items differ.
    """

    point: Point
    given: Given
    converged: bool
    rival: Point | None


def rasch(right: NDArray[np.generic], present: Mask, patterns: Floats | None = None) -> Rasch:
    """Fit the Rasch model with fixed entries and random items.

    Items are integrated out, so an item that everybody solves, or nobody, does no harm, and the abilities
    stay consistent with few entries. Every entry has at least one item right and one wrong.

    Parameters
    ----------
    right : (E, M)
        0/1 outcomes; what is absent is not read.
    present : (E, M) bool
    patterns : (M, R) or None
        Columns with mean 0 that say which entries ran an item: items that are left out may then be harder, or
        older, than others.

    Returns
    -------
    Rasch

    References
    ----------
    Bock & Aitkin (1981), "Marginal maximum likelihood estimation of item parameters", Psychometrika 46,
    443-459, with entries in the part of their items. Thissen (1982), "Marginal maximum likelihood estimation
    for the one-parameter logistic model", Psychometrika 47, 175-186. Mundlak (1978), "On the pooling of time
    series and cross section data", Econometrica 46, 69-85, for the patterns.
    """
    x, p = np.where(present, right, 0).astype(np.float64), present.astype(np.float64)
    z = np.zeros((x.shape[1], 0)) if patterns is None else patterns
    total, count = x.sum(axis=1), p.sum(axis=1)
    point = Point(np.log(total / (count - total)), np.zeros(z.shape[1]), 1.0)
    for _ in range(EM_STEPS):
        point = _em(z, point, condition(x, p, z, point))
    given, done, last = condition(x, p, z, point), False, np.inf
    information = curvature(p, z, point, given)
    solve = solver(information)
    for _ in range(STEPS):
        gradient = item_scores(x, p, z, point, given).sum(axis=1)
        step = solve(gradient)
        if abs(step @ gradient) < TOLERANCE or not NONE < point.sd < ENDLESS:
            done = True
            break
        point, given = _along(x, p, z, point, given, step)
        size = float(np.abs(step).max())
        if size > last / 4:  # otherwise the curvature is good enough
            information = curvature(p, z, point, given)
            solve = solver(information)
        last = size
    sure = point.sd > NONE and _of_sd(information) > 1
    return Rasch(point, given, done, None if sure else _rival(x, p, z, point, given))


def _of_sd(information: Floats) -> float:
    """Information of log sd, the other parameters unknown."""
    across = information[:-1, -1]
    return float(information[-1, -1] - across @ solver(information[:-1, :-1])(across))


def _rival(x: Floats, p: Floats, z: Floats, point: Point, best: Given) -> Point | None:
    """The best parameters if items differ far more, where these fit as well."""
    wide = point._replace(sd=3 * point.sd + 1)
    for _ in range(STEPS):
        given = condition(x, p, z, wide)
        gradient = item_scores(x, p, z, wide, given).sum(axis=1)[:-1]
        step = solver(curvature(p, z, wide, given)[:-1, :-1])(gradient)
        if abs(step @ gradient) < TOLERANCE:
            break
        wide = wide.moved(np.append(np.clip(step, -1, 1), 0.0))
    return wide if best.log_likelihood - given.log_likelihood < TOLD else None


def _along(x: Floats, p: Floats, z: Floats, point: Point, given: Given, step: Floats) -> tuple[Point, Given]:
    """Go along a step, shorter where the likelihood would fall."""
    size = min(1.0, 1.0 / max(abs(step[-1]), 1e-12), 3.0 / max(np.abs(step).max(), 1e-12))
    for _ in range(30):
        tried = point.moved(size * step)
        after = condition(x, p, z, tried)
        if after.log_likelihood >= given.log_likelihood - 1e-9 * abs(given.log_likelihood):
            break
        size /= 2
    return tried, after


def condition(x: Floats, p: Floats, z: Floats, point: Point) -> Given:
    """Sum over equally spaced nodes, close enough for the most informative item."""
    ability, slope, sd = point
    centre = z @ slope
    narrow = 1 / np.sqrt(p.sum(axis=0).max() / 4 + 1 / sd**2)
    low, high = centre.min() - REACH * sd, centre.max() + REACH * sd
    nodes = np.linspace(low, high, int(np.ceil((high - low) / min(WIDE * narrow, sd / 2))) + 1)
    logit = ability[:, None] + nodes
    prior = -0.5 * ((nodes - centre[:, None]) / sd) ** 2
    prior -= np.log(np.exp(prior).sum(axis=1, keepdims=True))
    joint = (x.T @ ability)[:, None] + x.sum(axis=0)[:, None] * nodes - p.T @ np.logaddexp(0, logit) + prior
    top = joint.max(axis=1, keepdims=True)
    weight = np.exp(joint - top)
    mass = weight.sum(axis=1, keepdims=True)
    weight /= mass
    rest = nodes - centre[:, None]
    powers, moments = weight, []
    for _ in range(4):
        powers = powers * rest
        moments.append(powers.sum(axis=1))
    return Given(
        log_likelihood=float((top + np.log(mass)).sum()),
        nodes=nodes,
        posterior=weight,
        right=x.sum(axis=1),
        seen=p @ weight,
        chance=1 / (1 + np.exp(-logit)),
        mean=weight @ nodes,
        rest=np.array(moments),
        centre=centre,
    )


def _em(z: Floats, point: Point, given: Given) -> Point:
    """One step of parameter-expanded EM, which frees the mean of the items and puts it into the entries."""
    step = (given.right - (given.seen * given.chance).sum(axis=1)) / np.maximum(_slopes(given), 1e-12)
    design = np.column_stack([np.ones(len(z)), z])
    moved = np.linalg.lstsq(design, given.mean, rcond=None)[0]
    spread = _variance(given) + (given.mean - design @ moved) ** 2
    sd = float(np.sqrt(max(spread.mean(), 1e-6)))
    return Point(point.ability + np.clip(step, -1, 1) + moved[0], np.asarray(moved[1:], np.float64), sd)


def _slopes(given: Given) -> Floats:
    return np.asarray((given.seen * given.chance * (1 - given.chance)).sum(axis=1))


def _variance(given: Given) -> Floats:
    """Variance of the ease of each item given its outcomes."""
    return np.asarray(given.rest[1] - given.rest[0] ** 2)


def item_scores(x: Floats, p: Floats, z: Floats, point: Point, given: Given) -> Floats:
    """Gradient of the log-likelihood of each item by abilities, slopes and log sd, (E + R + 1, M)."""
    own = x - p * (given.chance @ given.posterior.T)
    return np.vstack([own, z.T * given.rest[0] / point.sd**2, given.rest[1] / point.sd**2 - 1])


def curvature(p: Floats, z: Floats, point: Point, given: Given) -> Floats:
    """Observed information of abilities, slopes and log sd, by Louis's formula.

    References
    ----------
    Louis (1982), "Finding the observed information matrix when using the EM algorithm", JRSS B 44, 226-233.
    """
    entries, square = len(p), point.sd**2
    out = np.zeros((entries + z.shape[1] + 1,) * 2)
    mine, rest = slice(entries), slice(entries, None)
    out[mine, mine] = -covariances(p, p, given)
    out[np.arange(entries), np.arange(entries)] += _slopes(given)
    # A shift of all abilities is one of the items' mean, whose information is known without approximation.
    variance = _variance(given)
    shift = (1 - variance / square).sum() / square
    out[mine, mine] += (shift - out[mine, mine].sum()) / entries**2
    out[mine, rest] = with_items(p, z, point, given)
    out[rest, mine] = out[mine, rest].T
    first, second, third, fourth = given.rest
    slope = slice(entries, -1)
    out[slope, slope] = (z.T * (1 - variance / square) / square) @ z
    out[slope, -1] = out[-1, slope] = z.T @ (2 * first / square - (third - first * second) / square**2)
    out[-1, -1] = 2 * second.sum() / square - (fourth - second**2).sum() / square**2
    return out


def covariances(a: Floats, b: Floats, given: Given) -> Floats:
    """Sum over items of a_ij b_kj times the covariance of the chances of i and k given an item's outcomes."""
    entries, items = a.shape
    if entries**2 * items * len(given.nodes) > EXACT:
        variance = _variance(given)
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


def with_items(a: Floats, z: Floats, point: Point, given: Given) -> Floats:
    """Sum over items of a_ij times the covariance of the chance of i and an item's score, (E, R + 1)."""
    weight, nodes = given.posterior, given.nodes
    linear = weight * (nodes - given.mean[:, None])
    # About what the pattern lets expect: (b - c)^2 = b^2 - 2 c b + c^2.
    square = weight * (nodes**2 - (weight @ nodes**2)[:, None]) - 2 * given.centre[:, None] * linear
    each = [*(linear * column[:, None] for column in z.T), square]
    return np.column_stack([(given.chance * (a @ one)).sum(axis=1) for one in each]) / point.sd**2


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
