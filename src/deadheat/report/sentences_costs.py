"""Sentences about costs, one function per claim; `report.sentences` enters them in its table."""

from __future__ import annotations

from deadheat.report import numbers
from deadheat.report.names import clean
from deadheat.report.voice import Voice, items, sentence
from deadheat.results import claims

MOST = 3


@sentence.register
def _cost_frontier(claim: claims.CostFrontier, voice: Voice) -> str:
    known, may = claim.of - len(claim.unknown), len(claim.possible)
    level, column = numbers.level(1 - claim.alpha), clean(claim.column)
    if not known:
        return f"What the entries cost ({column}) is unknown."
    told = f"The frontier of score and cost ({column}) is observed at {voice.names(claim.observed, MOST)}"
    if known == 1:
        told += ", the only entry of known cost"
    elif may == known:
        told += f"; with {level} confidence none of the {known:,} can be excluded"
    else:
        told += f"; with {level} confidence {may:,} of the {known:,} entries may be on it at the costs paid"
        if (more := len(claim.possible_with_error)) != may:
            told += f", and {more:,} if the error of the costs counts too"
    if claim.unknown:
        entries = "entry" if len(claim.unknown) == 1 else "entries"
        told += f"; the cost of {len(claim.unknown):,} {entries} is unknown"
    return f"{told}."


@sentence.register
def _cost_ratio(claim: claims.CostRatio, voice: Voice) -> str:
    a, b = voice.name(claim.a), voice.name(claim.b)
    ends = ", at one price each"
    if claim.low is not None and claim.high is not None:
        level = numbers.level(claim.level)
        ends = f" ({level} interval {100 * claim.low:.3g} to {100 * claim.high:.3g} %)"
    told = "as much as" if claim.ratio == 1 else f"{_share(claim.ratio)} of"
    return f"By {clean(claim.column)}, {a} costs {told} {b} on {items(claim.items)}{ends}."


@sentence.register
def _score_and_cost(claim: claims.ScoreAndCost, voice: Voice) -> str:
    if claim.cheaper is None:
        if claim.better is None:
            return "Neither is shown to be better or cheaper."
        return f"{voice.name(claim.better)} is better, and neither is shown to be cheaper."
    cheap = voice.name(claim.cheaper)
    other = voice.name(claim.b if claim.cheaper == claim.a else claim.a)
    if claim.better == claim.cheaper:
        return f"{cheap} is both better and cheaper."
    if claim.within is not None:
        size, share = voice.gap(claim.within), _share(claim.ratio)
        how = (
            f"as good as {other} within {size}"
            if claim.better is None
            else f"worse than {other} by less than {size}"
        )
        return f"{cheap} is {how}, at {share} of the cost."
    return (
        f"{cheap} is cheaper, and "
        + ("neither is shown to be" if claim.better is None else f"{other} is")
        + " better."
    )


def _share(ratio: float) -> str:
    return f"{100 * ratio:.3g} %"
