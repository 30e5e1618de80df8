"""Several benchmarks as one number: win rates, Borda points, means; ranks, and what weights decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.multiple.adjustment import holm
from deadheat.stats.multiple.adjustment import pairs as adjusted
from deadheat.stats.multiple.ranks import rank_intervals
from deadheat.stats.paired.pairs_t import PairsT, all_pairs_t
from deadheat.stats.score.clustered import standard_error

Floats = NDArray[np.float64]
Codes = NDArray[np.integer]
METHODS = ("win-rate", "borda", "mean", "z", "weights")
FEWEST = 20  # units of a benchmark below which resampling says too little


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


class Standing(NamedTuple):
    """Standard errors of one number per entry, (E,), and ranks that all hold together, (E, 2)."""

    se: Floats
    ranks: NDArray[np.int64]


def of_means(
    values: Floats, benchmark: Codes, cluster: Codes | None, weights: Floats, alpha: float
) -> Standing:
    """Rank entries by weighted means over benchmarks, for new items of the same benchmarks.

    Parameters
    ----------
    values : (E, M) float64
        Scores of all entries on all items; higher is better.
    benchmark : (M,) int
        Benchmark of each item, from 0.
    cluster : (M,) int or None
    weights : (B,) float64
        Weights of the benchmarks, summing to 1.
    alpha : float
        Family-wise error of all pairs: paired t-tests stratified by benchmark, adjusted by Holm's rule.

    References
    ----------
    Mogstad, Romano, Shaikh & Wilhelm (2024), Rev. Econ. Stud. 91, 476-518, for ranks from simultaneous
    differences. Satterthwaite (1946), Biometrics Bulletin 2, for the degrees of freedom.
    """
    counted = (weights > 0)[benchmark]
    values, benchmark, weights = values[:, counted], benchmark[counted], weights[weights > 0]
    cluster = None if cluster is None else cluster[counted]
    present = np.ones(values.shape, dtype=bool)
    tested = all_pairs_t(values, present, cluster, None, benchmark, weights)
    error = standard_error(values, present, cluster, None, benchmark, shares=weights)
    return _standing(error.se, tested, alpha)


def of_drawn_benchmarks(parts: Floats, weights: Floats, alpha: float) -> Standing:
    """Rank entries for new benchmarks like these, which are then what is drawn: paired t-tests over them.

    Parameters
    ----------
    parts : (E, B) float64
        What each benchmark contributes.
    weights, alpha
        As for `of_means`.
    """
    present = np.ones(parts.shape, dtype=bool)
    tested = all_pairs_t(parts, present, None, weights)
    return _standing(standard_error(parts, present, None, weights).se, tested, alpha)


def _standing(se: Floats, tested: PairsT, alpha: float) -> Standing:
    bounds = rank_intervals(adjusted(tested.p, holm), tested.difference, alpha)
    return Standing(se, np.column_stack(bounds).astype(np.int64))


def ranks_of_wins(p: Floats, lead: Floats, alpha: float) -> NDArray[np.int64]:
    """Bound ranks by mean win rates or Borda points, all of which hold together with confidence 1 - alpha.

    Win rates of entries that are close do not vary smoothly with their scores, so that resampling fails. So
    which of two entries is better on a benchmark is taken as open unless tests decide it, in two ways with
    half of alpha each: on which benchmarks, and on how many. Two entries are apart if by one of them the one
    has the higher win rate whatever the open cases are.

    Parameters
    ----------
    p, lead : (B, E, E) float64
        Two-sided p-values of all pairs on each benchmark, NaN where undefined, and how much better the row
        entry is.
    alpha : float

    Returns
    -------
    (E, 2) int
        Lowest and highest rank.
    """
    above = (_apart_by_which(p, lead, alpha / 2) > 1e-9) | (_apart_by_number(p, lead, alpha / 2) > 1e-9)
    np.fill_diagonal(above, False)
    return np.column_stack([1 + above.sum(axis=0), len(above) - above.sum(axis=1)])


def _apart_by_which(p: Floats, lead: Floats, alpha: float) -> Floats:
    """Least lead in wins of each entry over each other, known by Bonferroni's rule over pairs and benchmarks.

    If one entry is better than another on a benchmark, it beats there whatever the other beats.
    """
    benchmarks, entries, _ = p.shape
    clear = p < alpha / max(benchmarks * entries * (entries - 1) / 2, 1)
    apart = np.zeros((entries, entries))
    for each, ahead in zip(clear, lead, strict=True):
        wins = (each & (ahead > 0)).astype(np.float64)  # surely
        able = 1.0 - (each & (ahead < 0))  # perhaps
        np.fill_diagonal(wins, 0)
        np.fill_diagonal(able, 0)
        not_less = wins @ (1 - able).T - wins
        apart += np.where(wins > 0, not_less, _least(wins, able)) + 2 * wins - 1
    return apart


def _apart_by_number(p: Floats, lead: Floats, alpha: float) -> Floats:
    """Least lead in wins, known by how many benchmarks each entry surely wins against each other.

    That it wins at least r of them is a partial conjunction: Fisher's combination of all but the r - 1
    smallest of its one-sided p-values, with Bonferroni's rule over ordered pairs.

    References
    ----------
    Benjamini & Heller (2008), "Screening for partial conjunction hypotheses", Biometrics 64, 1215-1222.
    """
    from scipy.special import chdtrc

    benchmarks, entries, _ = p.shape
    one_sided = np.where((lead > 0) & np.isfinite(p), p / 2, 1.0)
    logs = np.log(np.maximum(np.sort(one_sided, axis=0), 1e-300))[::-1].cumsum(axis=0)[::-1]
    df = 2.0 * np.arange(benchmarks, 0, -1)[:, None, None]
    shown = chdtrc(df, -2 * logs) < alpha / max(entries * (entries - 1), 1)
    wins = np.logical_and.accumulate(shown, axis=0).sum(axis=0).astype(np.float64)
    able = benchmarks - wins.T
    np.fill_diagonal(wins, 0)
    np.fill_diagonal(able, 0)
    return np.asarray(_least(wins, able) + 2 * wins - benchmarks)


def _least(wins: Floats, able: Floats) -> Floats:
    """Least of what the row entry wins less what the column entry wins, against all others but these two."""
    return np.asarray((wins.sum(axis=1)[:, None] - wins) - (able.sum(axis=1)[None, :] - able.T))


def resampled_error(
    tables: Sequence[Floats],
    masses: Sequence[Floats],
    weights: Floats,
    method: str,
    *,
    draws: int,
    rng: np.random.Generator,
) -> Floats:
    """Standard errors of win rates, Borda points or z scores when the items of each benchmark are drawn anew.

    Parameters
    ----------
    tables : B arrays, (E, G_b) float64
        Sums of scores of each entry at each unit of a benchmark: an item, or a cluster of items.
    masses : B arrays, (G_b,) float64
        Items of each unit.
    weights : (B,) float64
    method : str
    draws : int
        Resamples of the items within every benchmark, shared by the entries.
    rng : numpy.random.Generator
    """
    drawn = np.zeros((draws, len(tables[0])))
    for x, mass, weight in zip(tables, masses, weights, strict=True):
        units = len(mass)
        counts = rng.multinomial(units, np.full(units, 1 / units), size=draws).astype(np.float64)
        again = part((counts @ x.T) / (counts @ mass)[:, None], method)
        drawn += weight * (again - again.mean(axis=0)) * np.sqrt(units / (units - 1))
    return np.asarray(drawn.std(axis=0, ddof=1))


def can_lead(parts: Floats) -> NDArray[np.bool_]:
    """Say which entries are first under some weights of the benchmarks, (E,): a linear program each."""
    from scipy.optimize import linprog

    entries, benchmarks = parts.shape
    out = np.zeros(entries, dtype=bool)
    beaten = np.array([(parts > own + 1e-9).all(axis=1).any() for own in parts])  # by one entry, everywhere
    for entry in np.flatnonzero(~beaten):
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
        if missing <= 1e-12:
            return 0.0, entry
        at = int(np.searchsorted(reach, missing - 1e-12))
        if at >= len(order) or worth[at] <= 0:
            continue
        before = float(weights[order][:at].sum())
        move = before + (missing - (reach[at - 1] if at else 0.0)) / worth[at]
        if move < best:
            best, who = float(max(move, 0.0)), entry
    return best, who
