"""Non-inferiority and equivalence of each pair within a margin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.evidence.pair_evidence import Evidence
from deadheat.results import AgainstMargin, Comparison, Interval
from deadheat.stats.numerics.pvalues import critical_t, critical_z
from deadheat.stats.paired import equivalence, paired_intervals

Verdict = Literal["equivalent", "non-inferior", "inferior", "inconclusive"]
SCORE, T = "score", "t"
POWER = 0.8


def with_margin(pairs: Sequence[Comparison], found: Evidence, margin: float | None) -> list[Comparison]:
    """Add to each comparison what it shows of a margin; None leaves them as they are."""
    if margin is None:
        return list(pairs)
    return [
        msgspec.structs.replace(pair, margin=margin, equivalence=verdict, against_margin=against)
        for pair, (verdict, against) in zip(pairs, against_margin(found, margin), strict=True)
    ]


def against_margin(found: Evidence, margin: float) -> list[tuple[Verdict | None, AgainstMargin]]:
    """Hold every pair against a margin: by Tango's score for rates, else by t.

    Scores in [0, 1] that never differ have no spread for t; they are held to the score method, as if every
    item were worth 0 or 1.

    Parameters
    ----------
    found : Evidence
    margin : float
        Largest difference that does not matter.

    Returns
    -------
    list of (verdict, AgainstMargin)
        None for a pair that is undefined.
    """
    alpha, pairs = found.methods.alpha, found.pairs
    if found.cells is not None and found.paired:
        tests = equivalence.score_margin(pairs.shared, *found.better_only(), margin)
        flat = np.ones(len(pairs.shared), dtype=bool)
    else:
        tests = equivalence.t_margin(found.lead, *found.error, margin)
        flat = (found.error.se == 0) & (found.difference == 0) & pairs.in_unit
        bound = equivalence.score_margin(pairs.shared, 0, 0, margin)
        tests = equivalence.Margin(*(np.where(flat, s, t) for s, t in zip(bound, tests, strict=True)))
    codes = equivalence.decide(tests, alpha)
    needed = _items_needed(found, margin)
    answers: list[tuple[Verdict | None, AgainstMargin]] = []
    low, high = _ends(found, flat)
    for at, code in enumerate(codes.tolist()):
        method = SCORE if flat[at] else T
        interval = (
            Interval(low=float(low[at]), high=float(high[at]), level=round(1 - 2 * alpha, 12), method=method)
            if np.isfinite(low[at])
            else None
        )
        answers.append(
            (
                None if code < 0 else cast(Verdict, equivalence.VERDICTS[code]),
                AgainstMargin(
                    margin=margin,
                    method=method,
                    p_non_inferior=_known(tests.p_below[at]),
                    p_equivalent=_known(tests.p_equivalent[at]),
                    p_inferior=_known(tests.p_inferior[at]),
                    interval=interval,
                    items_needed=None if np.isnan(needed[at]) else int(needed[at]),
                ),
            )
        )
    return answers


def _ends(found: Evidence, flat: NDArray[np.bool_]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ends of the interval at level 1 - 2 alpha, by the method of the margin's tests."""
    level, shared = 1 - 2 * found.methods.alpha, found.pairs.shared
    if found.cells is not None and found.paired:
        return paired_intervals.tango(*found.cells, level=level)
    zero = np.zeros_like(shared)
    bound = paired_intervals.tango(shared, zero, zero, zero, level=level)
    half = critical_t(level, found.error.df) * np.where(found.error.se > 0, found.error.se, np.nan)
    return (
        np.where(flat, bound.low, found.difference - half),
        np.where(flat, bound.high, found.difference + half),
    )


def _items_needed(found: Evidence, margin: float) -> NDArray[np.float64]:
    """Items for which an entry that is no different passes as non-inferior in 8 of 10 cases."""
    z = critical_z(1 - 2 * found.methods.alpha) + critical_z(2 * POWER - 1)
    se = np.where(found.error.se > 0, found.error.se, np.nan)
    return np.asarray(np.ceil(found.pairs.shared * (z * se / margin) ** 2 - 1e-9))


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
