"""Contests instead of scores: win rates with draws, and Bradley–Terry strengths where they exist."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.errors import DataError
from deadheat.stats.numerics.bounds import Floats

ELO = 400 / np.log(10)  # points of the Elo scale in one unit of log odds
STEPS = 100


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
    from scipy.sparse.csgraph import connected_components

    w: Floats = np.array(wins, dtype=np.float64)
    if w.ndim != 2 or w.shape[0] != w.shape[1] or not np.all(w >= 0):
        raise DataError(f"wins are a square table of numbers that are not negative; found shape {w.shape}")
    np.fill_diagonal(w, 0.0)
    _, component = connected_components(w > 0, directed=True, connection="strong")
    sizes = np.bincount(component)
    kept = np.flatnonzero(component == np.argmax(sizes))
    strength, covariance = np.full(len(w), np.nan), np.full(w.shape, np.nan)
    if len(kept) > 1:
        strength[kept], covariance[np.ix_(kept, kept)] = _newton(w[np.ix_(kept, kept)])
    return Strengths(strength, covariance, component.astype(np.int64))


def _newton(w: Floats) -> tuple[Floats, Floats]:
    """Newton's method for strengths that sum to 0; halved steps always converge, for it is concave."""
    games = w + w.T
    won = w.sum(axis=1)
    x = np.zeros(len(w))

    def likelihood(at: Floats) -> float:
        return float(-(w * np.logaddexp(0.0, at[None, :] - at[:, None])).sum())

    def information(at: Floats) -> Floats:
        p = 1 / (1 + np.exp(at[None, :] - at[:, None]))
        flow = games * p * (1 - p)
        # The constant direction is free; the added ones fix the sum at 0.
        found: Floats = np.diag(flow.sum(axis=1)) - flow + 1 / len(w)
        return found

    for _ in range(STEPS):  # pragma: no branch - it always ends by the break
        p = 1 / (1 + np.exp(x[None, :] - x[:, None]))
        step = np.linalg.solve(information(x), won - (games * p).sum(axis=1))
        scale = 1.0
        while likelihood(x + scale * step) < likelihood(x) - 1e-12 and scale > 1e-8:
            scale /= 2
        x = x + scale * step
        if np.abs(scale * step).max() < 1e-13:
            break
    x -= x.mean()
    covariance = np.asarray(np.linalg.inv(information(x)) - 1 / len(w), dtype=np.float64)
    return x, covariance
