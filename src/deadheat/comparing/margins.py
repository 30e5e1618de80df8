"""Non-inferiority and equivalence of each pair within a margin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.evidence.pair_evidence import Evidence
from deadheat.methods import ANYTIME
from deadheat.results import AgainstMargin, Comparison, Interval
from deadheat.stats.anytime.betting import ABOVE, BELOW
from deadheat.stats.anytime.pair_wealth import pair_log_wealth, units
from deadheat.stats.numerics.bounds import defined, whole
from deadheat.stats.numerics.pvalues import critical_t, from_log
from deadheat.stats.paired import equivalence, paired_intervals, visible
from deadheat.stats.power.power_margin import score_margin_items

Verdict = Literal["equivalent", "non-inferior", "inferior", "inconclusive"]
SCORE, T = "score", "t"


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
    betting = found.methods.test == ANYTIME
    if betting:
        tests, flat = _by_betting(found, margin), np.zeros(len(pairs.shared), dtype=bool)
    elif found.cells is not None and found.paired:
        tests = equivalence.score_margin(pairs.shared, *found.better_only(), margin)
        flat = np.ones(len(pairs.shared), dtype=bool)
    else:
        tests = equivalence.t_margin(found.lead, *found.error, margin)
        flat = (found.error.se == 0) & (found.difference == 0) & pairs.in_unit
        bound = equivalence.score_margin(pairs.shared, 0, 0, margin)
        tests = equivalence.Margin(*(np.where(flat, s, t) for s, t in zip(bound, tests, strict=True)))
    codes = equivalence.decide(tests, alpha)
    needed = np.full(len(codes), np.nan) if betting else _items_needed(found, margin)
    answers: list[tuple[Verdict | None, AgainstMargin]] = []
    low, high = _ends(found, flat)
    for at, code in enumerate(codes.tolist()):
        method = ANYTIME if betting else SCORE if flat[at] else T
        interval = (
            Interval(low=float(low[at]), high=float(high[at]), level=round(1 - 2 * alpha, 12), method=method)
            if np.isfinite(low[at]) and not betting
            else None
        )
        answers.append(
            (
                None if code < 0 else cast(Verdict, equivalence.VERDICTS[code]),
                AgainstMargin(
                    margin=margin,
                    method=method,
                    p_non_inferior=defined(tests.p_below[at]),
                    p_equivalent=defined(tests.p_equivalent[at]),
                    p_inferior=defined(tests.p_inferior[at]),
                    interval=interval,
                    items_needed=whole(needed[at]),
                ),
            )
        )
    return answers


def _by_betting(found: Evidence, margin: float) -> equivalence.Margin:
    """One-sided always-valid p-values: 1/E of the wealth against each hypothesis."""
    seen = units(found.pairs)
    seen = seen._replace(x=found.sign * seen.x)
    known = np.where(found.pairs.shared > 0, 0.0, np.nan)
    below, above, inferior = (
        from_log(known - pair_log_wealth(seen, mean, side)).p
        for mean, side in ((-margin, ABOVE), (margin, BELOW), (-margin, BELOW))
    )
    return equivalence.Margin(below, above, inferior)


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
    """Items on which an entry that is no different is shown to be non-inferior with 80 % power."""
    alpha, shares = found.methods.alpha, discordance(found)
    if shares is None:
        return visible.items_for_mean(found.comparable_items(), margin, *found.error, 2 * alpha)
    return np.array(
        [np.nan if np.isnan(s) else score_margin_items(0.0, s, margin, visible.POWER, alpha) for s in shares]
    )


def discordance(found: Evidence) -> NDArray[np.float64] | None:
    """Share of discordant items of each pair, NaN for none; None where the score test does not run."""
    if found.cells is None or not found.paired or found.methods.test == ANYTIME:
        return None
    discordant = (found.cells.a_only + found.cells.b_only).astype(np.float64)
    return np.where(discordant > 0, discordant, np.nan) / np.maximum(found.pairs.shared, 1)
