"""Several benchmarks as one number: win rates, Borda points, means; ranks, and what weights decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
METHODS = ("win-rate", "borda", "mean", "z", "weights")
RANKED = ("mean", "weights")
"""Methods whose ranks hold. Win rates, Borda points and z scores of entries that are close do not vary
smoothly with the scores, so resampling fails: of 600 boards with 20 equal entries all ranks held on 35 %."""
FEWEST = 20  # units of a benchmark below which resampling says too little
BLOCK = 2**22  # numbers held at once


def midranks(scores: Floats) -> Floats:
    """Ranks from 1 for the lowest along the last axis; equal scores share their mean rank."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(scores, axis=-1))


def part(scores: Floats, method: str) -> Floats:
    """What each entry's score on one benchmark contributes, along the last axis.

    Parameters
    ----------
    scores : (..., E) float64
        Higher is better.
    method : str
        ``win-rate``: share of the other entries that it beats, ties as halves; ``borda``: how many it beats;
        ``z``: standard deviations from the mean of the entries; ``mean`` and ``weights``: the score itself.
    """
    entries = scores.shape[-1]
    if method in ("win-rate", "borda"):
        beaten = midranks(np.round(scores, 12)) - 1
        return np.asarray(beaten / max(entries - 1, 1) if method == "win-rate" else beaten)
    if method == "z":
        spread = scores.std(axis=-1, keepdims=True, ddof=1 if entries > 1 else 0)
        return np.asarray(
            (scores - scores.mean(axis=-1, keepdims=True)) / np.where(spread > 1e-12, spread, 1.0)
        )
    return scores


class Across(NamedTuple):
    """One number over all benchmarks.

    Parameters
    ----------
    value : (E,) float64
    se : (E,) float64 or None
        None if a benchmark has fewer than FEWEST units.
    ranks : (E, 2) int or None
        Ranks from and to, all of which hold together; None for a method outside RANKED and without `se`.
    parts : (E, B) float64
        What each benchmark contributes before it is weighted.
    """

    value: Floats
    se: Floats | None
    ranks: NDArray[np.int64] | None
    parts: Floats


def across(
    tables: Sequence[Floats],
    masses: Sequence[Floats],
    weights: Floats,
    method: str,
    *,
    draws: int,
    alpha: float,
    rng: np.random.Generator,
) -> Across:
    """Combine benchmarks, with the error of drawing the items of each benchmark anew.

    Parameters
    ----------
    tables : B arrays, (E, G_b) float64
        Sums of scores of each entry at each unit of a benchmark: an item, or a cluster of items.
    masses : B arrays, (G_b,) float64
        Items of each unit.
    weights : (B,) float64
        Weights of the benchmarks, summing to 1.
    method : str
        A name of METHODS.
    draws : int
        Resamples of the items within every benchmark, shared by the entries.
    alpha : float
        Ranks hold together with confidence 1 - alpha: two entries are separated if their difference exceeds
        the 1 - alpha quantile of the largest studentised difference over all pairs and draws.
    rng : numpy.random.Generator

    References
    ----------
    Liang et al. (2023), Holistic evaluation of language models, for the mean win rate. Mogstad, Romano,
    Shaikh & Wilhelm (2024), Rev. Econ. Stud. 91, 476-518, for ranks from simultaneous differences.
    """
    entries = len(tables[0])
    parts = np.column_stack(
        [part(x.sum(axis=1) / mass.sum(), method) for x, mass in zip(tables, masses, strict=True)]
    )
    value = parts @ weights
    if min(map(len, masses)) < FEWEST:
        return Across(value, None, None, parts)
    drawn = np.zeros((draws, entries))
    for x, mass, weight in zip(tables, masses, weights, strict=True):
        units = len(mass)
        counts = rng.multinomial(units, np.full(units, 1 / units), size=draws).astype(np.float64)
        again = part((counts @ x.T) / (counts @ mass)[:, None], method)
        drawn += weight * (again - again.mean(axis=0)) * np.sqrt(units / (units - 1))
    moved = drawn - drawn.mean(axis=0)
    covariance = moved.T @ moved / (draws - 1)
    own = np.diag(covariance)
    if method not in RANKED:
        return Across(value, np.sqrt(own), None, parts)
    error = np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0.0))
    steady = error <= 1e-12
    inverse = np.where(steady, 0.0, 1 / np.where(steady, 1.0, error))
    largest = np.empty(draws)
    step = max(1, BLOCK // entries**2)
    for start in range(0, draws, step):
        gap = moved[start : start + step, :, None] - moved[start : start + step, None, :]
        largest[start : start + step] = (np.abs(gap) * inverse).max(axis=(1, 2))
    critical = float(np.quantile(largest, 1 - alpha, method="higher"))
    difference = value[:, None] - value[None, :]
    apart = np.where(steady, np.abs(difference) > 1e-12, np.abs(difference) > critical * error)
    above, below = (apart & (difference < 0)).sum(axis=1), (apart & (difference > 0)).sum(axis=1)
    return Across(value, np.sqrt(own), np.column_stack([1 + above, entries - below]), parts)


def can_lead(parts: Floats) -> NDArray[np.bool_]:
    """Say which entries are first under some weights of the benchmarks, (E,): a linear program each."""
    from scipy.optimize import linprog

    entries, benchmarks = parts.shape
    out = np.zeros(entries, dtype=bool)
    for entry in range(entries):
        lead = parts[entry] - np.delete(parts, entry, axis=0)
        if entries == 1 or (lead >= 0).all():
            out[entry] = True
            continue
        # Largest smallest lead over weights: variables are the weights and the lead.
        found = linprog(
            np.append(np.zeros(benchmarks), -1.0),
            A_ub=np.hstack([-lead, np.ones((entries - 1, 1))]),
            b_ub=np.zeros(entries - 1),
            A_eq=np.append(np.ones(benchmarks), 0.0)[None, :],
            b_eq=[1.0],
            bounds=[(0, 1)] * benchmarks + [(None, None)],
            method="highs",
        )
        out[entry] = found.fun is not None and found.fun <= 1e-9
    return out


def smallest_move(parts: Floats, weights: Floats) -> tuple[float, int]:
    """Least weight that has to move between benchmarks until another entry is level with the first.

    Returns
    -------
    (float, int)
        Weight moved, of 1, and the entry that comes level first; infinity and -1 where no weights let one.
    """
    total = parts @ weights
    first = int(np.argmax(total))
    best, who = np.inf, -1
    for entry in range(len(parts)):
        if entry == first:
            continue
        gain = parts[entry] - parts[first]
        missing, to = total[first] - total[entry], float(gain.max())
        order = np.argsort(gain)  # weight leaves the benchmarks where the entry is furthest behind
        worth = to - gain[order]
        reach = np.cumsum(weights[order] * worth)
        at = int(np.searchsorted(reach, missing - 1e-12))
        if at >= len(order) or worth[at] <= 0:
            continue
        before = float(weights[order][:at].sum())
        move = before + (missing - (reach[at - 1] if at else 0.0)) / worth[at]
        if move < best:
            best, who = float(max(move, 0.0)), entry
    return best, who
