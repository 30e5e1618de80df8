"""A gate on candidates: what it fails, and how often it would be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from deadheat.comparing.margins import discordance
from deadheat.errors import MethodError
from deadheat.evidence.pair_evidence import Evidence
from deadheat.results import Comparison, Gate, Note
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.paired import visible
from deadheat.stats.paired.visible import POWER
from deadheat.stats.power.effects import margin_power
from deadheat.stats.power.power_margin import (
    MOST_ITEMS,
    score_margin_items,
    score_margin_power,
    smallest_loss,
)
from deadheat.stats.power.power_paired import paired_power_exact

FailOn = Literal["worse", "inconclusive"]


def gate(pairs: Sequence[Comparison], found: Evidence, fail_on: FailOn, margin: float | None) -> Gate:
    """Decide which candidates fail, and say how good the gate is on these items.

    Of several candidates the largest false-alarm rate and the smallest power are given.

    Parameters
    ----------
    pairs : sequence of Comparison
        Candidates (a) against one baseline (b).
    found : Evidence
        What they stand on.
    fail_on : str
        ``worse``: fail who is shown to be worse (with a margin: worse by more than it). ``inconclusive``:
        fail who is not shown to be non-inferior.
    margin : float or None
        Largest loss that does not matter.

    Raises
    ------
    MethodError
        ``inconclusive`` without a margin: no data rule out every loss.
    """
    if fail_on == "inconclusive" and margin is None:
        raise MethodError(
            "--fail-on inconclusive fails whoever is not shown to be non-inferior, which needs a margin: "
            "--margin 0.01 would allow a loss of one point"
        )
    if margin is None:
        failing = [pair.a for pair in pairs if pair.verdict == "b"]
        rule = "fails a candidate that the test shows to be worse"
    elif fail_on == "worse":
        failing = [pair.a for pair in pairs if pair.equivalence == "inferior"]
        rule = "fails a candidate that is shown to be worse by more than the margin"
    else:
        failing = [pair.a for pair in pairs if pair.equivalence not in ("non-inferior", "equivalent")]
        rule = "fails a candidate that is not shown to be non-inferior within the margin"
    figures = [_figures(found, at, fail_on, margin) for at in range(len(pairs))]
    alarm, drop, power, items = (np.array(column, dtype=np.float64) for column in zip(*figures, strict=True))
    return Gate(
        fail_on=fail_on,
        failed=bool(failing),
        failing=tuple(failing),
        rule=rule,
        false_alarm=_most(alarm),
        drop=_most(drop),
        power=None if np.isnan(power).all() else float(np.nanmin(power)),
        items_needed=None if np.isnan(items).all() else int(np.nanmax(items)),
        power_method=_method(found, margin),
        notes=tuple(_notes(pairs, found, alarm, drop, margin)),
    )


class Figures(NamedTuple):
    """Of one candidate: false alarms, a true loss, how often it fails, items needed; NaN where unknown."""

    false_alarm: float
    drop: float
    power: float
    items_needed: float


def _figures(found: Evidence, at: int, fail_on: FailOn, margin: float | None) -> Figures:
    shares = discordance(found)
    spread = found.error.se[at] > 0 if shares is None else shares[at] > 0
    if not spread or found.pairs.shared[at] == 0:
        return Figures(np.nan, np.nan, np.nan, np.nan)
    if margin is None:
        drop = float(found.smallest_visible()[at])
        return Figures(_size(found, at), drop, np.nan if np.isnan(drop) else POWER, np.nan)
    figures = _by_t if shares is None else _by_score
    return figures(found, at, fail_on, margin)


def _by_score(found: Evidence, at: int, fail_on: FailOn, margin: float) -> Figures:
    """Tango's test: the discordance is held as observed, or is that of the loss where that is larger."""
    n, alpha = int(found.pairs.shared[at]), found.methods.alpha
    share = float((found.cells.a_only[at] + found.cells.b_only[at]) / n) if found.cells else np.nan
    if fail_on == "worse":
        alarm = score_margin_power(0.0, share, n, margin, alpha, "inferiority")
        items = score_margin_items(-2 * margin, max(share, 2 * margin), margin, POWER, alpha, "inferiority")
        return Figures(alarm, smallest_loss(share, n, margin, POWER, alpha), POWER, items)
    alarm = 1 - score_margin_power(0.0, share, n, margin, alpha)
    power = 1 - score_margin_power(-margin, max(share, margin), n, margin, alpha)
    return Figures(alarm, margin, power, score_margin_items(0.0, share, margin, POWER, alpha))


def _by_t(found: Evidence, at: int, fail_on: FailOn, margin: float) -> Figures:
    """The noncentral t distribution; by its symmetry both gates need the same items."""
    n, alpha = int(found.pairs.shared[at]), found.methods.alpha
    se, df = float(found.error.se[at]), float(found.error.df[at])
    items = float(visible.items_for_mean(found.comparable_items()[at], margin, se, df, 2 * alpha))
    if fail_on == "worse":
        alarm = margin_power(-margin, se**2 * n, n, df, 0.0, alpha)
        return Figures(alarm, margin + float(visible.visible_mean(se, df, 2 * alpha)), POWER, items)
    return Figures(1 - margin_power(0.0, se**2 * n, n, df, margin, alpha), margin, 1 - alpha, items)


def _method(found: Evidence, margin: float | None) -> Literal["exact", "normal", "noncentral t"]:
    """How the figures were computed."""
    if discordance(found) is None or not (margin is not None or found.of_rates):
        return "noncentral t"
    most = int(found.pairs.shared.max(initial=0))
    return "exact" if margin is None or most <= MOST_ITEMS else "normal"


def _notes(
    pairs: Sequence[Comparison], found: Evidence, alarm: Floats, drop: Floats, margin: float | None
) -> list[Note]:
    """What a reader of these figures should know."""
    notes = []
    if _method(found, margin) != "noncentral t" and not np.isnan(alarm).all():
        text = "false alarms and power hold the share of discordant items as observed"
        if margin is not None:
            text += ", or as large as the loss where the loss is larger"
        notes.append(Note(code="discordance-held", text=text))
    if _method(found, margin) == "normal":
        text = f"above {MOST_ITEMS:,} items the figures are by Nam's normal formula, not by an exact sum"
        notes.append(Note(code="by-formula", text=text))
    if np.isnan(alarm).any():
        text = "of a candidate that never differs from the baseline, false alarms and power cannot be known"
        notes.append(Note(code="no-spread", text=text))
    elif np.isnan(drop).any():
        text = "no loss is detected with 80 % power on these items"
        notes.append(Note(code="nothing-visible", text=text))
    if any(pair.p_adjusted is not None for pair in pairs) and margin is None:
        text = "the figures are those of the test without its adjustment; adjusted, it fails fewer candidates"
        notes.append(Note(code="not-adjusted", text=text))
    return notes


def _size(found: Evidence, at: int) -> float:
    """How often the two-sided test finds an entry worse that is no different."""
    if found.cells is not None and found.of_rates:
        n = int(found.pairs.shared[at])
        share = float(found.cells.a_only[at] + found.cells.b_only[at]) / n
        return float(paired_power_exact(0.0, share, n, found.methods.alpha, found.methods.test)) / 2
    return found.methods.alpha / 2


def _most(values: Floats) -> float | None:
    return None if np.isnan(values).all() else float(np.nanmax(values))
