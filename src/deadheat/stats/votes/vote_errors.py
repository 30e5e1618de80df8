"""Errors of strengths: sandwich covariances by voter and prompt, and all differences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.votes.strengths import Strengths, Votes, columns, gaps
from deadheat.stats.votes.tie_models import MODELS, Codes

ELO = float(400 / np.log(10))  # points of the Elo scale in one unit of log odds
CHUNK = 1 << 20  # votes whose scores are held at once


def sandwich(found: Strengths, kinds: Sequence[tuple[Votes, Codes | None]]) -> Floats:
    """Covariance of strengths and extra parameters where votes of one cluster depend on each other.

    Parameters
    ----------
    found : Strengths
    kinds : sequence of (Votes, (R,) int or None)
        One: votes with the cluster of each row, sorted by it; None takes every vote as its own cluster.
        Three: two kinds of clusters, such as voters and prompts, then the cells in which they meet: two-way.

    Returns
    -------
    (E + X, E + X) float64
        With ``G / (G - 1)`` for each kind; two-way covariances are made positive semidefinite.

    References
    ----------
    Cameron, Gelbach and Miller (2011), Robust inference with multiway clustering, Journal of Business and
    Economic Statistics 29, 238-249.
    """
    parts = [found.inverse @ _meat(found, votes, cluster) @ found.inverse for votes, cluster in kinds]
    if len(parts) == 1:
        return parts[0]
    both = parts[0] + parts[1] - parts[2]
    values, vectors = np.linalg.eigh((both + both.T) / 2)
    return np.asarray((vectors * np.maximum(values, 0)) @ vectors.T)


def _meat(found: Strengths, votes: Votes, cluster: Codes | None) -> Floats:
    """Sum over clusters of the outer product of their scores."""
    from scipy.sparse import coo_array

    entries, size = len(found.strength), len(found.strength) + len(found.extra)
    x = np.concatenate([found.strength, found.extra])
    meat, groups = np.zeros((size, size)), 0
    rows = len(votes.first)
    for start, stop in _chunks(cluster, rows):
        run = slice(start, stop)
        more = None if votes.covariates is None else votes.covariates[run]
        part = Votes(votes.first[run], votes.second[run], votes.outcome[run], votes.weight[run], more)
        gap, tie = gaps(part, x, entries, found.model)
        terms = MODELS[found.model](gap, tie, part.outcome)
        # A row of n votes that are each a cluster of their own adds n squares, not the square of n.
        w = part.weight if cluster is not None else np.sqrt(part.weight)
        extra = [score for score, _ in columns(part, terms, found.model)]
        code = np.arange(stop - start) if cluster is None else cluster[start:stop] - cluster[start]
        values = np.concatenate([w * terms.score, -w * terms.score, *(w * score for score in extra)])
        column = [part.first, part.second, *(np.full(stop - start, entries + k) for k in range(len(extra)))]
        index = (np.tile(code, len(column)), np.concatenate(column))
        scores = coo_array((values, index), (int(code.max()) + 1, size)).tocsr()
        meat += (scores.T @ scores).toarray()
        groups += int(part.weight.sum()) if cluster is None else len(np.unique(code))
    return meat * groups / max(groups - 1, 1)


def _chunks(cluster: Codes | None, rows: int) -> list[tuple[int, int]]:
    """Cut rows into runs of about CHUNK that part no cluster."""
    ends = list(range(CHUNK, rows, CHUNK))
    if cluster is not None:
        ends = sorted({int(np.searchsorted(cluster, cluster[end], "left")) for end in ends} - {0})
    return [(a, b) for a, b in zip([0, *ends], [*ends, rows], strict=True) if b > a]


def differences(found: Strengths, covariance: Floats) -> tuple[Floats, Floats]:
    """All differences of strengths, row - column, and their standard errors, (E, E) each."""
    entries = len(found.strength)
    v = covariance[:entries, :entries]
    variance = np.diag(v)[:, None] + np.diag(v)[None, :] - v - v.T
    return found.strength[:, None] - found.strength[None, :], np.sqrt(np.maximum(variance, 0.0))
