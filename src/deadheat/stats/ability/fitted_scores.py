"""Scores over all items of entries that ran some of them: observed where observed, fitted where not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.ability import rasch as model

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
ROUNDS = 500
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
    fit = model.rasch(x, present[inner])
    given = model.condition(x, p, fit.ability, fit.sd)
    gone = (1 - p) * share
    chance = given.chance @ given.posterior.T
    expected[inner] = np.where(present[inner], x, chance)
    # How the score moves with the parameters: directly, and through what is known of each item.
    slope = given.chance * (1 - given.chance) @ given.posterior.T
    gradient = np.empty((len(x), len(x) + 1))
    gradient[:, :-1] = np.diag((gone * slope).sum(axis=1)) - model.covariances(gone, p, given)
    gradient[:, -1] = model.with_items(gone, (given.nodes / fit.sd) ** 2, given)
    solve = model.solver(model.curvature(p, fit.sd, given))
    influence = gradient @ solve(model.item_scores(x, p, fit.sd, given))
    values = expected.copy()
    values[inner] += influence / share
    known = True
    if fit.rival is not None:
        other = model.condition(x, p, *fit.rival)
        moved = np.abs((gone * (other.chance @ other.posterior.T - chance)).sum(axis=1))
        known = bool((moved <= ROOM).all())
    return Fitted(values, expected, fit.sd, boundary, fit.converged, known)


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
    done = False
    for _ in range(ROUNDS):
        shrink = 1 / (ran + noise / ease)
        level = np.linalg.solve(_normal(p, shrink), (y - p * (shrink * y.sum(axis=0))).sum(axis=1))
        rest = p * (y - level[:, None])
        item = shrink * rest.sum(axis=0)
        after = (
            float(((rest - p * item) ** 2).sum() + (ran * shrink).sum() * noise) / float(p.sum()),
            float((item**2 + shrink * noise).mean()),
        )
        done = max(abs(after[0] - noise), abs(after[1] - ease)) <= 1e-7 * max(noise, ease)
        noise, ease = max(after[0], 1e-300), max(after[1], 1e-9 * after[0], 1e-300)
        if done:
            break
    expected = np.where(present, y, level[:, None] + item)
    gone = (1 - p) * share
    gradient = np.diag(gone.sum(axis=1)) - (gone * shrink) @ p.T
    influence = gradient @ np.linalg.solve(_normal(p, shrink), rest - p * item)
    return Fitted(expected + influence / share, expected, float(np.sqrt(ease)), np.zeros(len(p), bool), done)


def _normal(p: Floats, shrink: Floats) -> Floats:
    """Normal equations of the levels once the items are taken out."""
    return np.asarray(np.diag(p.sum(axis=1)) - (p * shrink) @ p.T)


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
