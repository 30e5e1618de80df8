"""Step-down max-t over all pairs of a board, from draws that all pairs share; and who may be the best."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.paired.wild import PAIRS, Ints, Product, RaggedProduct, board, sign_draws
from deadheat.stats.score.item_design import Codes, Values


def max_t(
    values: Values,
    present: NDArray[np.bool_],
    *,
    cluster: Codes | None = None,
    weights: Values | None = None,
    stratum: Codes | None = None,
    draws: int = 10_000,
    simultaneous: bool = True,
    rng: np.random.Generator,
) -> Floats:
    """Adjust the two-sided comparisons of all pairs by the step-down max-t method.

    Parameters
    ----------
    values, present : array, shape (E, M)
        Item values, and where they exist.
    cluster : array of int, shape (M,), optional
        Cluster of each item; by default each item is its own.
    weights : array, shape (M,), optional
        Item weights.
    stratum : array of int, shape (M,), optional
        Strata that count alike.
    draws : int
        Number of sign draws.
    simultaneous : bool
        All pairs of the board are one family; if not, each entry's own E - 1 pairs are.
    rng : numpy.random.Generator
        Source of the signs.

    Returns
    -------
    numpy.ndarray, shape (E, E)
        Adjusted p, (1 + r) / (1 + draws), never below 1 / (1 + draws); row entry v column entry, symmetric
        if `simultaneous`. NaN on the diagonal and where two entries share no item. With C clusters no p
        lies below 2 / 2**C but for the luck of the draws.

    Raises
    ------
    MethodError
        A board with absent items that is too large for this method.

    Notes
    -----
    The family-wise error holds exactly for each pair, and for the maximum when items are many; under exact
    ties it was measured (see the study of ranks) at its nominal value even with more entries than items,
    where resampling items with replacement is far above it. Pairs whose t no draw can be expected to reach
    (with a probability below 1/1000 over all draws) are not drawn.

    References
    ----------
    Hoeffding (1963), "Probability inequalities for sums of bounded random variables", J. Am. Statist. Assoc.
    58, 13–30.
    Romano & Wolf (2005), "Exact and approximate stepdown methods for multiple hypothesis testing",
    J. Am. Statist. Assoc. 100, 94–108. Westfall & Young (1993), Resampling-Based Multiple Testing.
    """
    data = board(values, present, cluster, weights, stratum)
    entries = len(values)
    first, second = np.triu_indices(entries, 1)
    t, scale = data.observed(first, second)
    out = np.full((entries, entries), np.nan)
    if simultaneous:
        families = [_Family(first, second, np.abs(t), scale)]
    else:
        matrix, units = np.full_like(out, np.nan), np.zeros_like(out)
        matrix[first, second] = matrix[second, first] = np.abs(t)
        units[first, second] = units[second, first] = scale
        others = [np.delete(np.arange(entries), i) for i in range(entries)]
        families = [_Family(np.full(len(o), i), o, matrix[i, o], units[i, o]) for i, o in enumerate(others)]
    limit = _out_of_reach(first.size, draws)
    for signs in sign_draws(data.clusters, draws, data.dtype, rng):
        product = data.draw(signs)
        for family in families:
            family.add(product, data.slack, limit)
    for family in families:
        out[family.first, family.second] = family.p(draws)
        if simultaneous:
            out[family.second, family.first] = out[family.first, family.second]
    return out


def may_be_best(
    values: Values,
    present: NDArray[np.bool_],
    *,
    cluster: Codes | None = None,
    weights: Values | None = None,
    stratum: Codes | None = None,
    draws: int = 10_000,
    rng: np.random.Generator,
) -> Floats:
    """Test of each entry whether it may be a best one: multiple comparisons with the best.

    An entry is held against all others at once, by the largest of their t over it. The entries with p >=
    alpha are the winner set: it contains the best entry (each best one, where several tie) with confidence
    1 - alpha.

    Parameters
    ----------
    values, present, cluster, weights, stratum, draws, rng
        As in `max_t`.

    Returns
    -------
    numpy.ndarray, shape (E,)
        p, (1 + r) / (1 + draws). NaN for an entry that shares items with nobody.

    Notes
    -----
    The largest t of the others is referred to the largest of either sign in the draws. A one-sided
    reference is sharper (its sets are about a tenth smaller) but a little liberal on easy boards, where an
    entry with few errors differs at few items too: .064 was measured for .05.

    References
    ----------
    Hsu (1984), "Constrained simultaneous confidence intervals for multiple comparisons with the best",
    Ann. Statist. 12, 1136–1144. Mogstad, Romano, Shaikh & Wilhelm (2024), Rev. Econ. Stud. 91, 476–518.
    """
    data = board(values, present, cluster, weights, stratum)
    entries = len(values)
    rivals, top, units = [], np.full(entries, np.nan), []
    for i in range(entries):
        others = np.delete(np.arange(entries), i)
        t, scale = data.observed(others, np.full(len(others), i))
        known = ~np.isnan(t)
        rivals.append(others[known])
        units.append(scale[known, None].astype(data.dtype))
        top[i] = t[known].max(initial=-np.inf) if known.any() else np.nan
    reached = np.zeros(entries)
    bar = _below(top, data.slack)
    drawn = np.flatnonzero(bar <= _out_of_reach(entries - 1, draws)).tolist()  # not NaN
    for signs in sign_draws(data.clusters, draws, data.dtype, rng):
        product = data.draw(signs)
        for i in drawn:
            reach = product.reach(rivals[i], np.full(len(rivals[i]), i)) * units[i][:, 0]
            near = reach >= bar[i]  # the others cannot get there in any draw of this block
            if not near.any():
                continue
            found = product.differences(rivals[i][near], np.full(int(near.sum()), i)) * units[i][near]
            reached[i] += np.count_nonzero(np.abs(found).max(axis=0) >= bar[i])
    return np.where(np.isnan(top), np.nan, (1 + reached) / (1 + draws))


def _out_of_reach(pairs: int, draws: int) -> float:
    """A t that none of so many pairs reaches in any draw, but with probability below 1/1000.

    A sum of signed differences over the root of its sum of squares is sub-Gaussian (Hoeffding 1963): it
    exceeds x with probability at most exp(-x^2 / 2), whatever the differences.
    """
    return float(np.sqrt(2 * np.log(2000.0 * max(pairs, 1) * draws)))


def _below(t: Floats, slack: float) -> Floats:
    """Lower a threshold by more than rounding, so that a draw that equals it counts as reaching it."""
    return np.asarray(t - slack * np.maximum(np.abs(t), 1e-3))


class _Family:
    """Pairs adjusted together, from the smallest |t| to the largest, and how often each was reached."""

    def __init__(self, first: Ints, second: Ints, t: Floats, scale: Floats) -> None:
        order = np.argsort(t, kind="stable")[: t.size - int(np.isnan(t).sum())]
        self.first, self.second, self.t, self.scale = first[order], second[order], t[order], scale[order]
        self.count = np.zeros(order.size, dtype=np.int64)

    def add(self, product: Product | RaggedProduct, slack: float, limit: float) -> None:
        """Count, for each pair, the draws in which it or a pair with smaller |t| reaches its |t|."""
        bar = _below(self.t, slack)
        reach = product.reach(self.first, self.second) * self.scale
        able = np.flatnonzero((reach >= bar) & (bar <= limit))
        stop = int(able[-1]) + 1 if able.size else 0  # beyond, no pair can reach its own or a larger |t|
        peak = np.full(product.draws, -np.inf)
        for start in range(0, stop, PAIRS):
            part = slice(start, min(start + PAIRS, stop))
            found = product.differences(self.first[part], self.second[part])
            np.abs(found, out=found)
            found *= self.scale[part, None].astype(found.dtype)
            top = found.max(axis=0)
            rising = top > peak
            self.count[part] += _at_least(peak[~rising], bar[part])
            running = np.maximum(found[:, rising], peak[rising])
            np.maximum.accumulate(running, axis=0, out=running)
            self.count[part] += np.count_nonzero(running >= bar[part, None], axis=1)
            peak = np.maximum(peak, top)
        self.count[stop:] += _at_least(peak, bar[stop:])

    def p(self, draws: int) -> Floats:
        """Adjusted p-values, which do not fall as |t| does."""
        return np.maximum.accumulate((1 + self.count[::-1]) / (1 + draws))[::-1]


def _at_least(found: Floats, bar: Floats) -> Ints:
    """Number of `found` that reach each bar."""
    return np.asarray(found.size - np.searchsorted(np.sort(found), bar, side="left"), dtype=np.int64)
