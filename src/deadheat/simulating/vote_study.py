"""The study of votes: intervals, and the confidence set for the best, by what voters are like."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from deadheat.simulating.jobs import Estimates, Job
from deadheat.simulating.study_design import Design, Row, row
from deadheat.simulating.subjects import Source
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.pvalues import critical_t, critical_z
from deadheat.stats.votes.many_arenas import arenas, sandwiches

STRENGTH = np.array([0.3, 0.3, 0.0, -0.3])
"""True log strengths: the first two are equal, and the best."""
VOTERS, VOTES = 40, 20
"""Voters of an arena, and votes of each."""
KINDS = {
    "alike": 0.0,
    "of different tastes": 1.0,
    "copying themselves": 1.0,
    "partial to the first place": 0.0,
}
"""What voters are like, and the spread of their tastes in log odds."""
PLACE = 0.5  # log odds that the first place is worth to voters who favour it
CHUNK = 500  # arenas held at once


def votes(design: Design, source: Source) -> list[Job]:
    """How often intervals by voter, and by vote, hold a difference of 0; and how often the best is kept.

    The arenas are its own: a board of scores says nothing of voters.
    """
    return [
        Job(
            f"votes/{kind}/{design.alpha:g}/{design.level:g}",
            vote_kernel,
            (kind, design.alpha, design.level),
            _rows({"voters": kind, "entries": len(STRENGTH), "votes": VOTERS * VOTES}, design.level),
        )
        for kind in KINDS
    ]


def vote_kernel(
    kind: str, alpha: float, level: float, *, replicates: int, rng: np.random.Generator
) -> Floats:
    """For errors by voter, then by vote: covers 0, keeps the best; last the best on top; (replicates, 5)."""
    out = np.empty((replicates, 5))
    for start in range(0, replicates, CHUNK):
        size = min(CHUNK, replicates - start)
        won, met = _cast(kind, size, rng)
        strength, bread = arenas(won.sum(axis=1), met.sum(axis=1), len(STRENGTH))
        others = len(STRENGTH) - 1
        for at, by_voter in enumerate((True, False)):
            covariance = sandwiches(strength, bread, won, met, by_voter=by_voter)
            variance = np.einsum("rii->ri", covariance)
            se = np.sqrt(variance[:, :1] + variance[:, 1:] - 2 * covariance[:, 0, 1:])
            df = VOTERS - 1.0
            half = float(critical_t(level, df)) if by_voter else critical_z(level)
            least = 1 - 2 * alpha / others
            limit = float(critical_t(least, df)) if by_voter else critical_z(least)
            gap = strength[:, :1] - strength[:, 1:]
            out[start : start + size, 2 * at] = np.abs(gap[:, 0]) < half * se[:, 0]
            out[start : start + size, 2 * at + 1] = (-gap < limit * se).all(axis=1)
        out[start : start + size, 4] = np.argmax(strength, axis=1) < 2
    return out


def _cast(kind: str, size: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Votes of each voter on each pair, (size, voters, pairs): won by the first of the pair, and cast."""
    pairs = np.array(list(combinations(range(len(STRENGTH)), 2)))
    shape = (size, VOTERS, VOTES)
    merit = STRENGTH + rng.normal(0, KINDS[kind], size=(size, VOTERS, len(STRENGTH)))
    pair = rng.integers(len(pairs), size=shape)
    noise = rng.logistic(size=(size, VOTERS, len(pairs)) if kind == "copying themselves" else shape)
    if kind == "copying themselves":  # a voter says of a pair what was said of it before
        noise = np.take_along_axis(noise, pair, axis=2)
    first, second = (np.take_along_axis(merit, pairs[pair, side], axis=2) for side in (0, 1))
    lead = first - second + noise
    if kind == "partial to the first place":
        lead += np.where(rng.random(shape) < 0.5, PLACE, -PLACE)
    cell = (np.arange(size * VOTERS)[:, None] * len(pairs) + pair.reshape(size * VOTERS, VOTES)).ravel()
    cells = (size, VOTERS, len(pairs))
    size_of_all = size * VOTERS * len(pairs)
    won, met = (
        np.asarray(np.bincount(cell, weights, size_of_all), dtype=np.float64).reshape(cells)
        for weights in ((lead > 0).ravel().astype(np.float64), np.ones(cell.size))
    )
    return won, met


def _rows(cell: Row, level: float) -> Callable[[Estimates], list[Row]]:
    def rows(found: Estimates) -> list[Row]:
        made = []
        for at, errors in ((0, "by voter"), (2, "as if independent")):
            for more, quantity in ((0, f"{100 * level:g} % interval holds 0"), (1, "best kept in the set")):
                about = {**cell, "errors": errors, "quantity": quantity}
                made.append(row(about, found.mean[at + more], found.error[at + more]))
        about = {**cell, "errors": "none", "quantity": "one of the best on top"}
        return [*made, row(about, found.mean[4], found.error[4])]

    return rows
