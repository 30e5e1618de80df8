"""A gate on candidates: what it fails, and how often it would be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from deadheat.errors import MethodError
from deadheat.evidence.pair_evidence import Evidence
from deadheat.results import Comparison, Gate
from deadheat.stats.numerics.pvalues import critical_t
from deadheat.stats.paired.catalogue import TESTS
from deadheat.stats.power.effects import margin_power
from deadheat.stats.power.power_paired import paired_power_exact

FailOn = Literal["worse", "inconclusive"]
EXACT_NAMES = {"mcnemar": "exact", "mid-p": "mid-p", "mcnemar-cc": "cc", "mcnemar-chi2": "chi2"}
POWER = 0.8


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
    )


def _figures(
    found: Evidence, at: int, fail_on: FailOn, margin: float | None
) -> tuple[float, float, float, float]:
    """False-alarm rate, a true loss, how often it fails, and the items for which that is 8 of 10."""
    n, alpha = int(found.pairs.shared[at]), found.methods.alpha
    se, df = float(found.error.se[at]), float(found.error.df[at])
    if not se > 0 or n == 0:
        return (np.nan,) * 4
    if margin is None:
        drop = float(found.smallest_visible()[at])
        return _size(found, at), drop, np.nan if np.isnan(drop) else POWER, np.nan
    spread = se**2 * n
    reach = float(critical_t(1 - 2 * alpha, df) + critical_t(2 * POWER - 1, df)) * se
    items = float(np.ceil(n * (reach / margin) ** 2 - 1e-9))
    if fail_on == "worse":
        alarm = margin_power(-margin, spread, n, df, 0.0, alpha)
        return alarm, margin + reach, POWER, items
    return 1 - margin_power(0.0, spread, n, df, margin, alpha), margin, 1 - alpha, items


def _size(found: Evidence, at: int) -> float:
    """How often the two-sided test finds an entry worse that is no different."""
    if found.cells is not None and TESTS[found.methods.test].fit.binary:
        n = int(found.pairs.shared[at])
        share = float(found.cells.a_only[at] + found.cells.b_only[at]) / n
        name = EXACT_NAMES[found.methods.test]
        return float(paired_power_exact(0.0, share, n, found.methods.alpha, name)) / 2
    return found.methods.alpha / 2


def _most(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float | None:
    return None if np.isnan(values).all() else float(np.nanmax(values))
