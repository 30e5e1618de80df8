"""Items for an interval of a given half-width: by the normal formula and by its own width."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from deadheat.errors import MethodError
from deadheat.planning import checks
from deadheat.planning.curves import over_items
from deadheat.planning.design import Layout
from deadheat.planning.writing import percent, plan, points
from deadheat.results import Methods, Note, Plan
from deadheat.stats.binomial import clopper_pearson, wilson
from deadheat.stats.bounds import Floats
from deadheat.stats.pvalues import critical_z
from deadheat.stats.search import Ints, smallest_whole

MOST_SEARCHED = 10**10  # items beyond which rounding hides what one more item does to a width


def margin(
    half_width: float,
    rate: float = 0.5,
    *,
    sd: float | None = None,
    layout: Layout | None = None,
    level: float = 0.95,
) -> Plan:
    """Compute how many items give a score's interval a half-width.

    Parameters
    ----------
    half_width : float
        Half the width wanted, in the unit of the score: 0.03 is 3 points of a rate.
    rate : float
        True rate; one half needs the most items.
    sd : float or None
        Standard deviation of one score, for scores other than 0/1; `rate` is then not used.
    layout : Layout or None
        Samples of an item, and clusters.
    level : float
        Level of the interval.

    Returns
    -------
    Plan
        ``items`` by the normal formula. For single 0/1 attempts also ``items_wilson`` and
        ``items_clopper_pearson``: the least number from which the interval itself, at the count nearest to
        the rate, is never wider.

    Raises
    ------
    MethodError
        A width, rate, level or standard deviation that cannot be.
    """
    z = critical_z(level)
    checks.positive("half-width", half_width)
    layout = layout or Layout()
    if sd is None:
        checks.rate(rate)
        if half_width >= 0.5:
            raise MethodError(
                f"a half-width of {half_width} was asked for; every interval of a rate is narrower"
            )
    else:
        checks.positive("sd", sd)
    variance = rate * (1 - rate) if sd is None else sd**2
    raw = z**2 * variance * layout.factor / half_width**2
    number = max(math.ceil(raw - 1e-9), 1)
    answer: dict[str, Any] = {"items": number, "items_unrounded": raw}
    about: dict[str, Any] = {"rate": rate} if sd is None else {"sd": sd}
    notes: tuple[Note, ...] = ()
    if sd is None and layout.plain:
        for name in ("wilson", "clopper_pearson"):
            exact = name == "clopper_pearson"
            answer[f"items_{name}"] = (
                _by_width(half_width, rate, level, raw, exact=exact) if raw <= MOST_SEARCHED else None
            )
        if None in answer.values():
            text = "too many items to search by the width of an interval itself; the formula is close there"
            notes = (Note(code="not-summed", text=text),)
    if layout.cluster_size > 1:
        answer["clusters"] = math.ceil(number / layout.cluster_size)
    if number < 30 and sd is not None:
        text = f"with {number} items t takes the place of z, and the interval is wider than planned"
        notes = (Note(code="few-items", text=text),)
    width = points(half_width) if sd is None else f"{half_width:.4g}"
    where = f"at a rate of {percent(rate)}" if sd is None else f"with a standard deviation of {sd:.4g}"
    summary = f"{number:,} items give an interval of ± {width} at {100 * level:.6g} % {where}."
    assumptions = {
        "half_width": half_width,
        **about,
        "level": level,
        **layout.assumptions(),
        "formula": "normal: z² variance / half-width²",
    }
    curve = over_items("half-width", lambda count: z * math.sqrt(variance * layout.factor / count), number)
    return plan("margin", assumptions, answer, summary, notes, methods=Methods(level=level), curve=curve)


def _by_width(half_width: float, rate: float, level: float, guess: float, *, exact: bool) -> int | None:
    method = clopper_pearson if exact else wilson

    def narrow(n: Ints) -> Floats:
        passes = np.rint(n * rate) if exact else n * rate
        low, high = method(passes, n, level)
        return np.asarray(-(high - low) / 2)

    return smallest_whole(narrow, -half_width, guess)
