"""Contests instead of scores: win rates with draws, and Bradley–Terry strengths where they exist."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.errors import DataError
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.votes.strengths import Votes, components, fit
from deadheat.stats.votes.tie_models import WON


class WinRate(NamedTuple):
    """Share of contests won, a draw counting half, and its standard error (NaN with fewer than 2)."""

    rate: float
    se: float


def win_rate(wins: int, losses: int, draws: int = 0) -> WinRate:
    """Win rate over contests that each score 1, 1/2 or 0.

    Parameters
    ----------
    wins, losses, draws : int
        Contests of each outcome.

    Returns
    -------
    WinRate
        The error is that of a mean of such scores, ``s / sqrt(n)``: draws make it smaller, so it is not the
        binomial error of the rate. NaN where all contests ended alike.

    Raises
    ------
    DataError
        For no contests, or a negative number of them.
    """
    n = wins + losses + draws
    if n < 1 or min(wins, losses, draws) < 0:
        raise DataError(
            f"a win rate needs at least one contest; found {wins} won, {losses} lost, {draws} drawn"
        )
    rate = (wins + draws / 2) / n
    spread = (wins + draws / 4) / n - rate**2
    return WinRate(
        rate, float(np.sqrt(spread / (n - 1))) if n > 1 and max(wins, losses, draws) < n else np.nan
    )


def win_rates(scores: ArrayLike) -> Floats:
    """Share of the others that each score beats, equals counting half.

    Parameters
    ----------
    scores : array_like, shape (n,)
        NaN for an entry without a score, which plays no part.

    Returns
    -------
    numpy.ndarray, shape (n,)
        NaN without a score, or without another entry.
    """
    given = np.asarray(scores, dtype=np.float64)
    known = np.sort(given[~np.isnan(given)])
    below, upto = np.searchsorted(known, given, "left"), np.searchsorted(known, given, "right")
    others = len(known) - 1
    if others < 1:
        return np.full(given.shape, np.nan)
    return np.where(np.isnan(given), np.nan, (below + (upto - below - 1) / 2) / others)


class Strengths(NamedTuple):
    """Bradley–Terry log strengths and the covariance of their estimates.

    `log_strength` sums to 0 over the entries that can be compared; NaN for those that cannot: an entry that
    was never beaten, or never won, against the rest has no finite strength. `component` numbers the sets of
    entries that are connected by wins in both directions; strengths are comparable within the largest only.
    """

    log_strength: Floats
    covariance: Floats
    component: NDArray[np.int64]


def bradley_terry(wins: ArrayLike) -> Strengths:
    """Estimate strengths by maximum likelihood where the likelihood has a maximum.

    Parameters
    ----------
    wins : array_like, shape (n, n)
        ``wins[i, j]``: how often i beat j; a draw adds 1/2 to both. The diagonal is ignored.

    Returns
    -------
    Strengths

    References
    ----------
    Bradley, R. A. and Terry, M. E. (1952). Rank analysis of incomplete block designs. Biometrika 39, 324-345.
    Ford, L. R. (1957), American Mathematical Monthly 64, 28-33: a maximum exists if and only if every split
    of the entries has wins across it in both directions.
    """
    w: Floats = np.array(wins, dtype=np.float64)
    if w.ndim != 2 or w.shape[0] != w.shape[1] or not np.all(w >= 0):
        raise DataError(f"wins are a square table of numbers that are not negative; found shape {w.shape}")
    np.fill_diagonal(w, 0.0)
    component, _ = components(_votes(w), len(w))
    kept = np.flatnonzero(component == np.argmax(np.bincount(component)))
    strength, covariance = np.full(len(w), np.nan), np.full(w.shape, np.nan)
    if len(kept) > 1:
        found = fit(_votes(w[np.ix_(kept, kept)]), len(kept))
        strength[kept], covariance[np.ix_(kept, kept)] = found.strength, found.inverse
    return Strengths(strength, covariance, component)


def _votes(w: Floats) -> Votes:
    first, second = np.nonzero(w)
    return Votes(first, second, np.full(len(first), WON), w[first, second])
