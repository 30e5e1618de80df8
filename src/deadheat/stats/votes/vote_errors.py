"""Errors of strengths: sandwich covariances by voter and prompt, and all differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.votes.strengths import Strengths, Votes, columns, gaps
from deadheat.stats.votes.tie_models import MODELS, Codes

ELO = float(400 / np.log(10))  # points of the Elo scale in one unit of log odds
HELD = 1 << 22  # numbers of a table of clusters and scores that are held at once
CHUNK = 1 << 20  # votes whose scores are held at once
FEW = 20  # clusters with fewer than one vote per so many parameters are summed as sparse rows


class Grouping(NamedTuple):
    """Which votes depend on each other: those of one cluster.

    Parameters
    ----------
    row : (V,) int
        The row of votes that each single vote is in.
    cluster : (V,) int or None
        Cluster of each, sorted, from 0 without gaps; None where `row` has every row once, whose votes do not
        depend on each other.
    weight : (V,) float64 or None
        Weight of each vote, None for 1; without clusters the root of the summed squares of a row.
    groups : int
        Number of clusters; of votes where there are none.
    """

    row: Codes
    cluster: Codes | None
    weight: Floats | None
    groups: int


def sandwich(found: Strengths, votes: Votes, groupings: Sequence[Grouping]) -> Floats:
    """Covariance of strengths and extra parameters where votes of one cluster depend on each other.

    Parameters
    ----------
    found : Strengths
    votes : Votes
    groupings : sequence of Grouping
        One, or three: two kinds of clusters, such as voters and prompts, then the cells in which they meet.

    Returns
    -------
    (E + X, E + X) float64
        With ``G / (G - 1)`` for each kind; two-way covariances are made positive semidefinite.

    References
    ----------
    Cameron, Gelbach and Miller (2011), Robust inference with multiway clustering, Journal of Business and
    Economic Statistics 29, 238-249.
    """
    entries = len(found.strength)
    x = np.concatenate([found.strength, found.extra])
    gap, tie = gaps(votes, x, entries, found.model)
    terms = MODELS[found.model](gap, tie, votes.outcome)
    extra = [score for score, _ in columns(votes, terms, found.model)]
    scores = _Scores(votes.first, votes.second, np.stack([terms.score, *extra]), entries)
    parts = [found.inverse @ _meat(scores, grouping) @ found.inverse for grouping in groupings]
    if len(parts) == 1:
        return parts[0]
    both = parts[0] + parts[1] - parts[2]
    values, vectors = np.linalg.eigh((both + both.T) / 2)
    return np.asarray((vectors * np.maximum(values, 0)) @ vectors.T)


class _Scores(NamedTuple):
    """Score of a vote of each row in the log odds, then in the extra parameters, (1 + X, R)."""

    first: Codes
    second: Codes
    value: Floats
    entries: int

    @property
    def size(self) -> int:
        return int(self.entries + len(self.value) - 1)

    def squares(self, amount: Floats) -> Floats:
        """Sum the outer products of rows' scores, each times its amount."""
        e, out = self.entries, np.zeros((self.size, self.size))
        gap, extra = self.value[0], self.value[1:]

        def onto(values: Floats) -> Floats:
            return np.asarray(np.bincount(self.first, values, e) - np.bincount(self.second, values, e))

        met = np.bincount(self.first * np.int64(e) + self.second, amount * gap**2, e * e).reshape(e, e)
        met = met + met.T
        out[:e, :e] = np.diag(met.sum(axis=1)) - met
        for at, score in enumerate(extra, e):
            out[:e, at] = out[at, :e] = onto(amount * gap * score)
        out[e:, e:] = (extra * amount) @ extra.T
        return out

    def sums(self, row: Codes, weight: Floats | None, cluster: Codes, *, dense: bool) -> Floats:
        """Sum the scores of each cluster, and the outer products of these sums over clusters."""
        value = [column[row] if weight is None else column[row] * weight for column in self.value]
        groups, e = int(cluster[-1]) + 1, self.entries
        if not dense:
            from scipy.sparse import coo_array

            extra = range(e, self.size)
            column = [self.first[row], self.second[row], *(np.full(len(row), at) for at in extra)]
            index = (np.tile(cluster, len(column)), np.concatenate(column))
            entered = np.concatenate([value[0], -value[0], *value[1:]])
            sparse = coo_array((entered, index), (groups, self.size)).tocsr()
            return np.asarray((sparse.T @ sparse).toarray())
        at, number = cluster * np.int64(e), groups * e
        own = np.bincount(at + self.first[row], value[0], number)
        own -= np.bincount(at + self.second[row], value[0], number)
        extra_sums = [np.bincount(cluster, column, groups) for column in value[1:]]
        table = np.column_stack([own.reshape(groups, e), *extra_sums])
        return np.asarray(table.T @ table)


def _meat(scores: _Scores, grouping: Grouping) -> Floats:
    """Sum over clusters of the outer product of their scores."""
    row, cluster, weight, groups = grouping
    rows = len(scores.first)
    scale = groups / max(groups - 1, 1)
    if cluster is None:
        return scale * scores.squares(_total(row, weight, rows))
    start = np.flatnonzero(np.r_[True, cluster[1:] != cluster[:-1]])
    alone = np.zeros(len(cluster), dtype=bool)
    alone[start[np.diff(np.r_[start, len(cluster)]) == 1]] = True
    meat = scores.squares(_total(row[alone], None if weight is None else weight[alone], rows))
    if alone.any():
        keep = ~alone
        row, weight = row[keep], None if weight is None else weight[keep]
        cluster = np.cumsum(np.diff(cluster[keep], prepend=-1) > 0) - 1
    if not len(row):
        return scale * meat
    dense = len(row) * FEW >= (int(cluster[-1]) + 1) * scores.size
    for a, b in _chunks(cluster, scores.size, dense=dense):
        part = None if weight is None else weight[a:b]
        meat += scores.sums(row[a:b], part, cluster[a:b] - cluster[a], dense=dense)
    return scale * meat


def _total(row: Codes, weight: Floats | None, rows: int) -> Floats:
    """Sum the squared weights of each row's votes."""
    return np.bincount(row, None if weight is None else weight**2, rows).astype(np.float64)


def _chunks(cluster: Codes, size: int, *, dense: bool) -> list[tuple[int, int]]:
    """Cut votes into runs of about CHUNK, of at most HELD numbers as a dense table, that part no cluster."""
    ends = list(range(CHUNK, len(cluster), CHUNK))
    if dense:
        step = max(HELD // size, 1)
        ends += np.searchsorted(cluster, np.arange(step, int(cluster[-1]) + 1, step)).tolist()
    cuts = sorted({int(np.searchsorted(cluster, cluster[end], "left")) for end in ends} - {0})
    return [(a, b) for a, b in zip([0, *cuts], [*cuts, len(cluster)], strict=True) if b > a]


def differences(found: Strengths, covariance: Floats) -> tuple[Floats, Floats]:
    """All differences of strengths, row - column, and their standard errors, (E, E) each."""
    entries = len(found.strength)
    v = covariance[:entries, :entries]
    variance = np.diag(v)[:, None] + np.diag(v)[None, :] - v - v.T
    return found.strength[:, None] - found.strength[None, :], np.sqrt(np.maximum(variance, 0.0))
