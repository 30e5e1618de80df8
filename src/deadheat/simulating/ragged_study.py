"""The study of ragged boards: how often each way to score them puts a wrong entry first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from deadheat.simulating.jobs import Estimates, Job
from deadheat.simulating.study_design import Design, Row, row
from deadheat.simulating.subjects import Source, everyone, items_of
from deadheat.stats.ability.fitted_scores import fitted_rates
from deadheat.stats.drawing.collapse import sum_above
from deadheat.stats.drawing.item_worlds import Types
from deadheat.stats.multiple.ragged_order import board_order
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.paired import pairs_mcnemar
from deadheat.stats.paired.mcnemar import mcnemar_exact

Mask = NDArray[np.bool_]
Missing = Literal["at random", "by difficulty", "by date"]
POLICIES = ("own items", "own items, in order", "shared only", "zero", "fitted")
FITS = 200  # replicates of a block that are fitted, because a fit takes as long as hundreds of counts
HELD = 2**21  # outcomes drawn at once


def ragged(design: Design, source: Source) -> list[Job]:
    """How often the entry in the first place is not the best, by mechanism and policy."""
    world = everyone(design, source)
    types = world.types(1)
    jobs = []
    for items in items_of(design, source, (200,)):
        for missing in get_args(Missing):
            cell = {"entries": len(world.names), "items": items, "missing": missing, "share": design.missing}
            rates = ", ".join(f"{rate:.4g}" for rate in world.rates)
            jobs.append(
                Job(
                    f"ragged/{rates}/{items}/{missing}/{design.missing:g}",
                    ragged_kernel,
                    (types.weight, types.pmf[:, :, 1], items, missing, design.missing, design.alpha),
                    _rows(cell, _exact(types, items, missing, design.missing), design.replicates),
                )
            )
    return jobs


def ragged_kernel(
    weight: Floats,
    chance: Floats,
    items: int,
    missing: Missing,
    share: float,
    alpha: float,
    *,
    replicates: int,
    rng: np.random.Generator,
) -> Floats:
    """Whether a wrong entry came first, by each policy; the fit's square; whether fitted: (replicates, 7).

    Parameters
    ----------
    weight, chance : (G,), (E, G)
        Types of items, and the chance of each entry to be right; entries in their true order, best first.
    items : int
    missing, share
        The mechanism, and the share of the outcomes that it takes away.
    alpha : float
        Of the tests behind the board's order.
    """
    ease = _quantile(weight, chance)
    out = np.zeros((replicates, len(POLICIES) + 2))
    step = max(1, HELD // (len(chance) * items))
    for start in range(0, replicates, step):
        count = min(step, replicates - start)
        kinds = rng.choice(len(weight), size=(count, items), p=weight / weight.sum())
        right = rng.random((count, len(chance), items)) < chance[:, kinds].transpose(1, 0, 2)
        seen = presence(ease[kinds], len(chance), missing, share, rng)
        for at in range(count):
            scores = _scores(right[at], seen[at], alpha, fit=start + at < FITS)
            found = np.array([_wrong(score) for score in scores])
            out[start + at, : len(found)] = found
            if len(found) == len(POLICIES):
                out[start + at, -2:] = found[-1] ** 2, 1
    return out


def presence(ease: Floats, entries: int, missing: Missing, share: float, rng: np.random.Generator) -> Mask:
    """Which outcomes there are, (R, E, M).

    Parameters
    ----------
    ease : (R, M) float64
        Quantile of how easy each item is.
    entries : int
    missing : str
        ``at random``; ``by difficulty``: every other entry, from the second on, leaves hard items out;
        ``by date``: each entry ran the items of its time, weaker entries earlier, and older items are easier.
    share : float
        Of the outcomes that are absent.
    """
    shape = (len(ease), entries, ease.shape[1])
    if missing == "by date":
        age = ease + rng.normal(size=ease.shape) * 0.3
        place = np.argsort(np.argsort(age, axis=1), axis=1) / ease.shape[1]  # 0: newest, hardest
        start = share * np.linspace(0, 1, entries)[:, None]
        return np.asarray((place[:, None, :] >= start) & (place[:, None, :] < start + 1 - share))
    kept = np.full(shape, 1 - share)
    if missing == "by difficulty":
        kept[:, 1::2] = np.clip(1 - 2 * share * (1 - ease[:, None, :]), 0, 1)
    return np.asarray(rng.random(shape) < kept)


def _quantile(weight: Floats, chance: Floats) -> Floats:
    """Share of items that are harder than each type, half of its own counted."""
    order = np.argsort(chance.mean(axis=0), kind="stable")
    out = np.empty(len(weight))
    out[order] = np.cumsum(weight[order]) - weight[order] / 2
    return out


def _scores(right: Mask, seen: Mask, alpha: float, *, fit: bool) -> list[Floats]:
    """Scores by each policy, higher is better; the fit last."""
    got, ran = (right & seen).sum(axis=1), seen.sum(axis=1)
    own = got / np.maximum(ran, 1)
    common = seen.all(axis=0)
    scores = [own, _listed(right & seen, seen, own, alpha), right[:, common].sum(axis=1) * 1.0, got * 1.0]
    if fit and ran.all():
        share = np.full(right.shape[1], 1 / right.shape[1])
        scores.append(fitted_rates(right, seen, share).values.mean(axis=1))
    return scores


def _listed(right: Mask, seen: Mask, own: Floats, alpha: float) -> Floats:
    """Places of the board that `rank` makes, as scores."""
    a_only, shared = pairs_mcnemar.discordant(right.astype(np.float32), seen)
    p = pairs_mcnemar.all_pairs(a_only, mcnemar_exact).p
    above = (p < alpha) & (a_only > a_only.T) & (shared > 0)
    np.fill_diagonal(above, False)
    rows = board_order(np.argsort(-own, kind="stable"), above).rows
    if (own[rows[0]] == own).sum() > 1 and own[rows[0]] == own.max():
        return own  # equal scores share the place
    out = np.empty(len(own))
    out[rows] = -np.arange(len(own))
    return out


def _wrong(score: Floats) -> float:
    """Chance that the first place, ties broken at random, is not the best entry's, which is row 0."""
    first = np.isclose(score, score.max(), rtol=0, atol=1e-12)
    return 1.0 - float(first[0]) / float(first.sum())


def _exact(types: Types, items: int, missing: Missing, share: float) -> list[float | None]:
    """The same by sums over every outcome, for two entries where items are independent of each other."""
    out: list[float | None] = [None] * len(POLICIES)
    if len(types.pmf) != 2 or missing == "by date":
        return out
    ease = _quantile(types.weight, types.pmf[:, :, 1])
    first = np.full(len(ease), 1 - share)
    second = np.clip(1 - 2 * share * (1 - ease), 0, 1) if missing == "by difficulty" else first
    one, other = types.pmf[0, :, 1], types.pmf[1, :, 1]
    both = first * second
    ways = {
        "shared only": (both * one * (1 - other), both * other * (1 - one)),
        "zero": (first * one * (1 - second * other), second * other * (1 - first * one)),
    }
    for name, (up, down) in ways.items():
        won, lost = float(types.weight @ up), float(types.weight @ down)
        above, equal = sum_above(np.array([lost, 1 - won - lost, won]), items)
        out[POLICIES.index(name)] = 1 - above - equal / 2
    return out


def _rows(cell: Row, exact: list[float | None], replicates: int) -> Callable[[Estimates], list[Row]]:
    def rows(found: Estimates) -> list[Row]:
        made = []
        fitted, square, share = found.mean[-3], found.mean[-2], found.mean[-1]
        for at, policy in enumerate(POLICIES):
            about = {**cell, "policy": policy, "quantity": "wrong entry first"}
            mean, error = float(found.mean[at]), float(found.error[at])
            if policy == "fitted":
                mean = float(fitted / share) if share else np.nan
                spread = square / share - mean**2 if share else np.nan
                error = float(np.sqrt(spread / (share * replicates))) if spread > 0 else np.nan
            made.append(row(about, mean, error, exact[at]))
        return made

    return rows
