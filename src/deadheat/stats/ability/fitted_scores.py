"""Scores over all items of entries that ran some of them: observed where observed, fitted where not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.ability import rasch as model

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
ROUNDS = 500
ITEMS_EACH = 40  # items for each column that says who ran an item
COMPONENTS = 5
APART = 8.0  # logits by which patterns may differ; beyond it an entry ran just what others have right
ROOM = 0.005  # by which a score may move where the outcomes do not say how much items differ


class Fitted(NamedTuple):
    """Pseudo-values: with them a score over all items is a plain (weighted) mean with its ordinary error.

    Parameters
    ----------
    values : (E, M)
        Observed or expected outcome, plus what the item contributes to the error of the fitted model. Their
        weighted mean is the fitted score, and their spread over items (or clusters) its error: that of
        items drawn anew and of the model fitted to them. Differences of entries likewise.
    expected : (E, M)
        Observed outcome, or the expected one where there is none.
    sd_items : float
        Standard deviation of the items' ease: on the logit scale, or in units of the score.
    boundary : (E,) bool
        Entries with nothing or everything right, which leave their ability open: what is absent is then taken
        to be like what was observed.
    converged : bool
    identified : bool
        Whether the outcomes say how much items differ; without that the values mean nothing.
    """

    values: Floats
    expected: Floats
    sd_items: float
    boundary: Mask
    converged: bool
    identified: bool = True


def fitted_rates(right: NDArray[np.generic], present: Mask, share: Floats) -> Fitted:
    """Fit single 0/1 outcomes by the Rasch model.

    Parameters
    ----------
    right : (E, M)
        0/1 outcomes; what is absent is not read.
    present : (E, M) bool
        Every entry has an item.
    share : (M,)
        Share of each item in the score, above 0, summing to 1.
    """
    total, count = np.where(present, right, 0).sum(axis=1), present.sum(axis=1)
    boundary = (total == 0) | (total == count)
    expected = np.where(present, right, (total > 0)[:, None]).astype(np.float64)
    inner = ~boundary
    if not inner.any():
        return Fitted(expected, expected, np.nan, boundary, True)
    x, p = np.where(present, right, 0)[inner].astype(np.float64), present[inner].astype(np.float64)
    z = patterns(present[inner])
    fit = model.rasch(x, present[inner], z)
    if not fit.converged or np.ptp(fit.given.centre) > APART:
        z = z[:, :0]
        fit = model.rasch(x, present[inner], z)
    point, given = fit.point, fit.given
    gone = (1 - p) * share
    chance = given.chance @ given.posterior.T
    expected[inner] = np.where(present[inner], x, chance)
    # How the score moves with the parameters: directly, and through what is known of each item.
    slope = given.chance * (1 - given.chance) @ given.posterior.T
    direct = np.diag((gone * slope).sum(axis=1)) - model.covariances(gone, p, given)
    gradient = np.hstack([direct, model.with_items(gone, z, point, given)])
    solve = model.solver(model.curvature(p, z, point, given))
    influence = solve(gradient.T).T @ model.item_scores(x, p, z, point, given)
    values = expected.copy()
    values[inner] += influence / share
    known = True
    if fit.rival is not None:
        other = model.condition(x, p, z, fit.rival)
        moved = np.abs((gone * (other.chance @ other.posterior.T - chance)).sum(axis=1))
        known = bool((moved <= ROOM).all())
    return Fitted(values, expected, point.sd, boundary, fit.converged, known)


def patterns(present: Mask) -> Floats:
    """Say of each item which entries ran it, in few columns: the largest principal components, (M, R).

    Items that few or weak entries ran may be harder, or newer, than others: the model lets them differ.
    """
    from scipy.linalg import eigh

    p = present.astype(np.float64)
    p -= p.mean(axis=1, keepdims=True)
    most = min(len(p), p.shape[1] // ITEMS_EACH, COMPONENTS)
    if not most:
        return np.zeros((p.shape[1], 0))
    values, vectors = eigh(p @ p.T, subset_by_index=(len(p) - most, len(p) - 1))
    scores = p.T @ vectors[:, values > 1e-9 * p.shape[1]]
    size = np.sqrt((scores**2).mean(axis=0))
    return np.asarray(scores / np.where(size > 0, size, 1.0))


def fitted_means(scores: NDArray[np.generic], present: Mask, share: Floats) -> Fitted:
    """Fit rates or real scores by a linear model with fixed entries and random items.

    Score of entry i on item j = level_i + ease_j + rest, ease_j ~ N(0, sd^2): an item that few entries ran is
    drawn towards the others. The variances are those of maximum likelihood, by EM.

    Parameters
    ----------
    scores, present, share
        As for `fitted_rates`, with any scores.

    References
    ----------
    Laird & Ware (1982), "Random-effects models for longitudinal data", Biometrics 38, 963-974.
    """
    p = present.astype(np.float64)
    y = np.where(present, scores, 0).astype(np.float64)
    held, ran = p.sum(axis=1), p.sum(axis=0)
    level = y.sum(axis=1) / held
    rest = p * (y - level[:, None])
    noise = ease = max(float((rest**2).sum() / p.sum()) / 2, 1e-300)
    z = patterns(present)
    done = False
    for _ in range(ROUNDS):
        shrink = 1 / (ran + noise / ease)
        solved = np.linalg.solve(_normal(p, z, shrink), _moments(p, z, shrink, y).sum(axis=1))
        level, centre = solved[: len(p)], z @ solved[len(p) :]
        rest = p * (y - level[:, None] - centre)
        item = shrink * rest.sum(axis=0)
        after = (
            float(((rest - p * item) ** 2).sum() + (ran * shrink).sum() * noise) / float(p.sum()),
            float((item**2 + shrink * noise).mean()),
        )
        done = max(abs(after[0] - noise), abs(after[1] - ease)) <= 1e-7 * max(noise, ease)
        noise, ease = max(after[0], 1e-300), max(after[1], 1e-9 * after[0], 1e-300)
        if done:
            break
    expected = np.where(present, y, level[:, None] + centre + item)
    gone = (1 - p) * share
    direct = np.diag(gone.sum(axis=1)) - (gone * shrink) @ p.T
    gradient = np.hstack([direct, (gone * (1 - shrink * ran)) @ z])
    influence = gradient @ np.linalg.solve(_normal(p, z, shrink), _moments(p, z, shrink, rest))
    return Fitted(expected + influence / share, expected, float(np.sqrt(ease)), np.zeros(len(p), bool), done)


def _normal(p: Floats, z: Floats, shrink: Floats) -> Floats:
    """Normal equations of levels and slopes once the items are taken out."""
    left = 1 - shrink * p.sum(axis=0)
    levels = np.diag(p.sum(axis=1)) - (p * shrink) @ p.T
    across = (p * left) @ z
    return np.block([[levels, across], [across.T, (z.T * (p.sum(axis=0) * left)) @ z]])


def _moments(p: Floats, z: Floats, shrink: Floats, y: Floats) -> Floats:
    """The other side of the normal equations, from each item."""
    total = y.sum(axis=0)
    left = 1 - shrink * p.sum(axis=0)
    return np.vstack([y - p * (shrink * total), z.T * (left * total)])


def bounds(
    values: NDArray[np.generic], present: Mask, share: Floats, low: float, high: float
) -> tuple[Floats, Floats]:
    """Bound a score over all items without any model: what is absent scores lowest, or highest.

    References
    ----------
    Manski (1989), "Anatomy of the selection problem", J. Human Resources 24, 343-360.
    """
    seen = np.where(present, values, 0).astype(np.float64) @ share
    gone = (~present) @ share
    return np.asarray(seen + low * gone), np.asarray(seen + high * gone)
