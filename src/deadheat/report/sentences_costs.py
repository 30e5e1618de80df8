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
    observed = voice.names(claim.observed, MOST)
    told = f"The frontier of score and cost ({column}) is observed at {observed}; "
    if may == known:
        told += f"taking costs as observed, with {level} confidence none of the {known:,} can be excluded"
    else:
        told += (
            f"taking costs as observed, with {level} confidence {may:,} of the {known:,} entries may be on it"
        )
    if claim.unknown:
        entries = "entry" if len(claim.unknown) == 1 else "entries"
        told += f", and the cost of {len(claim.unknown):,} {entries} is unknown"
    return f"{told}."


@sentence.register
def _cost_ratio(claim: claims.CostRatio, voice: Voice) -> str:
    a, b = voice.name(claim.a), voice.name(claim.b)
    share = f"{100 * claim.ratio:.3g} %"
    ends = ""
    if claim.low is not None and claim.high is not None:
        level = numbers.level(claim.level)
        ends = f" ({level} interval {100 * claim.low:.3g} to {100 * claim.high:.3g} %)"
    verdict = {
        "cheaper": f"{a} is the cheaper one",
        "dearer": f"{b} is the cheaper one",
        "not separated": "neither is shown to be cheaper",
    }[claim.verdict]
    return f"By {clean(claim.column)}, {a} costs {share} of {b} on {items(claim.items)}{ends}: {verdict}."
