"""Strengths and their errors for many small arenas at once: what `strengths.fit` gives, in batches."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from deadheat.stats.numerics.bounds import Floats

STEPS, CLOSE, FAR = 60, 1e-10, 12.0  # log strengths beyond FAR have no maximum


def arenas(won: Floats, met: Floats, entries: int) -> tuple[Floats, Floats]:
    """Estimate Bradley and Terry's strengths of R arenas without ties.

    Parameters
    ----------
    won, met : (R, P) float64
        Votes that the first entry of each pair won, and all votes of the pair; pairs in the order of
        `itertools.combinations`.
    entries : int

    Returns
    -------
    strength : (R, E) float64
        Log strengths that sum to 0; NaN where an arena has no maximum.
    inverse : (R, E, E) float64
        Inverse information on the space of sum 0.
    """
    design = _design(entries)
    x = np.zeros((len(won), entries))
    information = np.zeros((len(won), entries, entries))
    for _ in range(STEPS):
        p = 1 / (1 + np.exp(-x @ design.T))
        flow = met * p * (1 - p)
        information = np.einsum("rp,pi,pj->rij", flow, design, design) + 1 / entries
        step = np.linalg.solve(information, ((won - met * p) @ design)[..., None])[..., 0]
        x = np.clip(x + np.clip(step, -2, 2), -FAR, FAR)
        if np.abs(step).max() < CLOSE:
            break
    x[(np.abs(step).max(axis=1) >= CLOSE) | (np.abs(x).max(axis=1) >= FAR)] = np.nan
    return x, np.asarray(np.linalg.inv(information) - 1 / entries, dtype=np.float64)


def sandwiches(strength: Floats, inverse: Floats, won: Floats, met: Floats, *, by_voter: bool) -> Floats:
    """Sandwich covariances of strengths, by voter or with every vote by itself, as `vote_errors.sandwich`.

    Parameters
    ----------
    strength, inverse
        Of `arenas`.
    won, met : (R, V, P) float64
        Votes of each voter on each pair.
    by_voter : bool
        Whether a voter's votes depend on each other.

    Returns
    -------
    (R, E, E) float64
    """
    design = _design(strength.shape[1])
    p = 1 / (1 + np.exp(-strength @ design.T))[:, None, :]
    if by_voter:
        scores = (won - met * p) @ design
        meat = np.einsum("rvi,rvj->rij", scores, scores) * won.shape[1] / (won.shape[1] - 1)
    else:
        squares = (won * (1 - p) ** 2 + (met - won) * p**2).sum(axis=1)
        count = met.sum(axis=(1, 2))[:, None, None]
        meat = np.einsum("rp,pi,pj->rij", squares, design, design) * count / (count - 1)
    return np.asarray(inverse @ meat @ inverse)


def _design(entries: int) -> Floats:
    """Rows of +1 and -1, one per pair."""
    design = np.zeros((entries * (entries - 1) // 2, entries))
    for at, (a, b) in enumerate(combinations(range(entries), 2)):
        design[at, a], design[at, b] = 1.0, -1.0
    return design
