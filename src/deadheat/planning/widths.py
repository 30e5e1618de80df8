"""Items for an interval of a given half-width: by the normal formula and by its own width."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from deadheat.errors import MethodError
from deadheat.planning import refusals
from deadheat.planning.plan_design import Layout
from deadheat.planning.plan_record import over_items, plan
from deadheat.results import Methods, Note, Plan, claims
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.pvalues import critical_z
from deadheat.stats.numerics.search import Ints, smallest_whole
from deadheat.stats.score.binomial import clopper_pearson, wilson

if TYPE_CHECKING:
    from deadheat.planning.scored import ObservedScore

MOST_SEARCHED = 10**10  # items beyond which rounding hides what one more item does to a width


@dataclass(frozen=True)
class _Score:
    """What a score varies by: the variance of one attempt, and the rate that it follows from, if it does."""

    variance: float
    rate: float | None
    layout: Layout

    @property
    def sd(self) -> float:
        return math.sqrt(self.variance)


def margin(
    half_width: float,
    rate: float | None = None,
    *,
    sd: float | None = None,
    observed: ObservedScore | None = None,
    layout: Layout | None = None,
    level: float = 0.95,
) -> Plan:
    """Compute how many items give a score's interval a half-width.

    Parameters
    ----------
    half_width : float
        Half the width wanted, in the unit of the score: 0.03 is 3 points of a rate.
    rate : float or None
        True rate; None is one half, which needs the most items.
    sd : float or None
        Standard deviation of one score, for scores other than 0/1, instead of a rate.
    observed : ObservedScore or None
        Rate, variance, noise and clusters of an entry's real results, from `observe_score`, instead of both.
    layout : Layout or None
        Samples of an item, and clusters.
    level : float
        Level of the interval.

    Returns
    -------
    Plan
        ``items`` by the normal formula. For single 0/1 attempts also ``items_wilson`` and
        ``items_clopper_pearson``: the least number from which the interval itself, at the count nearest to
        the rate, is never wider. With `observed` also ``items_interval``: how surely the plan is known.

    Raises
    ------
    MethodError
        A width, rate, level or standard deviation that cannot be.
    """
    z = critical_z(level)
    refusals.positive("half-width", half_width)
    known = _known(rate, sd, observed, layout)
    if known.rate is not None and half_width >= 0.5:
        raise MethodError(f"a half-width of {half_width} was asked for; every interval of a rate is narrower")

    def needed(variance: float) -> float:
        return z**2 * variance * known.layout.factor / half_width**2

    raw = needed(known.variance)
    number = max(math.ceil(raw - 1e-9), 1)
    answer: dict[str, Any] = {"items": number, "items_unrounded": raw}
    notes: list[Note] = []
    if known.rate is not None and known.layout.plain:
        for name in ("wilson", "clopper_pearson"):
            exact = name == "clopper_pearson"
            answer[f"items_{name}"] = (
                _by_width(half_width, known.rate, level, raw, exact=exact) if raw <= MOST_SEARCHED else None
            )
        if None in answer.values():
            text = "too many items to search by the width of an interval itself; the formula is close there"
            notes.append(Note(code="not-summed", text=text))
    if known.layout.cluster_size > 1:
        answer["clusters"] = math.ceil(number / known.layout.cluster_size)
    if observed is not None:
        ends = observed.ends(known.layout, needed)
        answer["items_interval"] = [None if end is None else max(math.ceil(end - 1e-9), 1) for end in ends]
        notes += observed.estimates()
    if number < 30 and known.rate is None:
        text = f"with {number} items t takes the place of z, and the interval is wider than planned"
        notes.append(Note(code="few-items", text=text))
    claimed = claims.HalfWidth(
        items=number,
        samples=known.layout.samples,
        half_width=half_width,
        level=level,
        rate=known.rate,
        sd=known.sd if known.rate is None else None,
        rates=known.rate is not None or (observed is not None and observed.unit),
    )
    assumptions = {
        "half_width": half_width,
        **({"sd": known.sd} if known.rate is None else {"rate": known.rate}),
        "level": level,
        **known.layout.assumptions(),
        "formula": "normal: z² variance / half-width²",
        **(observed.assumptions() if observed is not None else {}),
    }
    spread = known.variance * known.layout.factor
    return plan(
        "margin",
        assumptions,
        answer,
        (claimed,),
        notes,
        methods=Methods(level=level),
        estimand=None if observed is None else observed.estimand,
        provenance=None if observed is None else observed.provenance,
        curve=over_items("half-width", lambda count: z * math.sqrt(spread / count), number),
    )


def _known(
    rate: float | None, sd: float | None, observed: ObservedScore | None, layout: Layout | None
) -> _Score:
    """The score from what was given, or from real results."""
    if observed is not None:
        if rate is not None or sd is not None:
            raise MethodError("real results were given, and a rate or sd beside them; give one or the other")
        layout = layout or observed.layout()
        single = observed.binary and layout.plain
        return _Score(observed.variance(layout), observed.rate if single else None, layout)
    layout = layout or Layout()
    if sd is not None:
        if rate is not None:
            raise MethodError("a rate is of 0/1 scores, sd of other scores; give one of the two")
        refusals.positive("sd", sd)
        return _Score(sd**2, None, layout)
    rate = 0.5 if rate is None else rate
    refusals.rate(rate)
    return _Score(rate * (1 - rate), rate, layout)


def _by_width(half_width: float, rate: float, level: float, guess: float, *, exact: bool) -> int | None:
    method = clopper_pearson if exact else wilson

    def narrow(n: Ints) -> Floats:
        passes = np.rint(n * rate) if exact else n * rate
        low, high = method(passes, n, level)
        return np.asarray(-(high - low) / 2)

    return smallest_whole(narrow, -half_width, guess)
