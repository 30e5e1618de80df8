"""Pairs of entries put down: log odds, win probability, counts of their votes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from deadheat.evidence.pairwise import SMALLEST, verdict
from deadheat.results import Interval, Note
from deadheat.results.votes import (
    Contests,
    VotePair,
)
from deadheat.stats.numerics.pvalues import critical_t, critical_z
from deadheat.stats.votes.vote_errors import ELO
from deadheat.voting.evidence_of_votes import Evidence

Floats = NDArray[np.float64]
TEST, INTERVAL = "bradley-terry", "wald"


def _critical(level: float, df: float) -> float:
    return float(critical_z(level) if np.isinf(df) else critical_t(level, df))


def pair_of(
    names: Sequence[str],
    found: Evidence,
    row: int,
    second: int,
    level: float,
    alpha: float,
    adjusted: Floats | None,
) -> VotePair:
    """Put down two entries: the first against the second, by all votes."""
    gap, se, p = (float(x[row, second]) for x in (found.difference, found.se, found.values.p))
    direct = contests_of(found, [row], second)
    if np.isnan(p):
        note = Note(code="no-spread", text="the votes show no spread, so there is no error and no test")
        return VotePair(a=names[row], b=names[second], difference=gap, direct=direct, notes=(note,))
    half = _critical(level, found.df) * se
    decisive = p if adjusted is None else float(adjusted[row, second])
    ends = (gap - half, gap + half)
    low, high = (float(1 / (1 + np.exp(-x))) for x in ends)
    return VotePair(
        a=names[row],
        b=names[second],
        difference=gap,
        se=se,
        interval=Interval(low=ends[0], high=ends[1], level=level, method=INTERVAL),
        win_probability=float(1 / (1 + np.exp(-gap))),
        win_interval=Interval(low=low, high=high, level=level, method=INTERVAL),
        elo=ELO * gap,
        p=max(p, SMALLEST),
        log10_p=float(found.values.log10_p[row, second]),
        p_adjusted=None if adjusted is None else max(decisive, SMALLEST),
        verdict=verdict(decisive, gap, alpha),
        direct=direct,
    )


def contests_of(found: Evidence, rows: Sequence[int], second: int | None) -> Contests:
    """Count the votes of some rows, against all others or against one."""
    columns = slice(None) if second is None else [second]
    won, lost, tied = (
        round(float(table[rows][:, columns].sum())) for table in (found.won, found.won.T, found.tied)
    )
    return Contests(votes=won + lost + tied, won=won, tied=tied, lost=lost)


def total(found: Evidence) -> Contests:
    """Count all votes, each from the side of the winner."""
    won, tied = round(float(found.won.sum())), round(float(found.tied.sum() / 2))
    return Contests(votes=won + tied, won=won, tied=tied, lost=won)
