"""The verb `compare` on votes: one entry against another, directly and through the others."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.data.ballots import Ballots
from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.separation import some
from deadheat.report.sentences import Voice, sentences
from deadheat.results import Methods, Note, claims
from deadheat.results.votes import (
    Indirect,
    VoteComparisons,
    VotePair,
)
from deadheat.stats.multiple import adjustment
from deadheat.stats.numerics.pvalues import student
from deadheat.version import VERSION
from deadheat.voting.evidence_of_votes import Evidence, Setting, evidence
from deadheat.voting.vote_pairs import INTERVAL, TEST, pair_of, total

Floats = NDArray[np.float64]


def compare_votes(
    ballots: Ballots,
    a: str | Sequence[str] | None = None,
    b: str | None = None,
    *,
    setting: Setting | None = None,
    adjust: str = "none",
    alpha: float = 0.05,
    level: float = 0.95,
) -> VoteComparisons:
    """Compare entries with one other by votes: directly, and through the others.

    Parameters
    ----------
    ballots : Ballots
    a : str, sequence of str or None
        Candidates; None takes every entry but `b`.
    b : str or None
        The baseline; None takes the strongest entry.
    setting, adjust, alpha, level
        As for `rank_votes`; the candidates are one family.

    Returns
    -------
    VoteComparisons
        `through` says which part of the evidence is the pair's own votes, and whether those agree with what
        the other votes imply.

    Raises
    ------
    MethodError
        An entry that is not among those that can be compared.
    """
    setting = setting or Setting()
    found = evidence(ballots, setting)
    names = [ballots.entries[row] for row in found.rows]
    base = names[int(np.argmax(found.found.strength))] if b is None else b
    wanted = [n for n in names if n != base] if a is None else [a] if isinstance(a, str) else list(a)
    for name in (base, *wanted):
        if name not in names:
            raise MethodError(f"no entry {name!r} that can be compared by these votes; found {some(names)}")
    if base in wanted:
        raise MethodError(f"an entry is compared with another one; found {base!r} on both sides")
    second = names.index(base)
    rows = [names.index(name) for name in wanted]
    adjusted = None
    if adjust != "none":
        adjusted = found.values.p.copy()
        adjusted[rows, second] = adjustment.ADJUSTMENTS[adjust](found.values.p[rows, second])
    pairs = [pair_of(names, found, row, second, level, alpha, adjusted) for row in rows]
    pairs = [_with_direct(ballots, setting, found, pair, names) for pair in pairs]
    told = tuple(_of_pair(pair, found, alpha) for pair in pairs)
    return VoteComparisons(
        version=VERSION,
        estimand=Estimand(),
        methods=Methods(interval=INTERVAL, test=TEST, adjust=adjust, alpha=alpha, level=level),
        summary=sentences(told, Voice()),
        claims=told,
        notes=(*ballots.notes, *found.notes),
        provenance=ballots.provenance,
        comparisons=tuple(pairs),
        model=found.found.model,
        clusters=found.clusters,
    )


def _with_direct(
    ballots: Ballots, setting: Setting, found: Evidence, pair: VotePair, names: Sequence[str]
) -> VotePair:
    """Add what the pair's own votes say, beside what all others say of it."""
    if pair.direct.votes == 0:
        note = Note(code="never-met", text="the two never met: all evidence is through other entries")
        return msgspec.structs.replace(pair, through=Indirect(share=0.0), notes=(*pair.notes, note))
    row, second = names.index(pair.a), names.index(pair.b)
    mine = ((found.votes.first == row) & (found.votes.second == second)) | (
        (found.votes.first == second) & (found.votes.second == row)
    )
    gap = found.difference[row, second]
    chance = 1 / (1 + np.exp(-gap))
    inverse = found.found.inverse
    variance = inverse[row, row] + inverse[second, second] - 2 * inverse[row, second]
    share = float(min(found.votes.weight[mine].sum() * chance * (1 - chance) * variance, 1.0))
    code = tuple(int(found.rows[at]) for at in (row, second))
    try:
        parted = evidence(ballots, setting, [(code[0], code[1])])
    except (DataError, np.linalg.LinAlgError):
        text = "direct and indirect evidence cannot be parted: one of the two has no estimate of its own"
        return msgspec.structs.replace(
            pair, through=Indirect(share=share), notes=(*pair.notes, Note(code="not-parted", text=text))
        )
    indirect = float(parted.difference[row, second])
    own = float(parted.found.extra[-1])
    error = float(np.sqrt(max(parted.covariance[-1, -1], 0.0)))
    p = float(student(own / error, parted.df).p) if error > 0 else None
    return msgspec.structs.replace(
        pair, through=Indirect(share=share, direct=indirect + own, indirect=indirect, p=p)
    )


def _of_pair(pair: VotePair, found: Evidence, alpha: float) -> claims.Claim:
    return claims.VotePreference(
        a=pair.a,
        b=pair.b,
        win_probability=pair.win_probability,
        low=None if pair.win_interval is None else pair.win_interval.low,
        high=None if pair.win_interval is None else pair.win_interval.high,
        level=None if pair.win_interval is None else pair.win_interval.level,
        p=pair.p if pair.p_adjusted is None else pair.p_adjusted,
        adjusted=pair.p_adjusted is not None,
        alpha=alpha,
        verdict=pair.verdict,
        votes=total(found).votes,
        direct=pair.direct.votes,
    )
