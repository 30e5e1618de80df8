"""The sentence about curves over k; `report.sentences` enters it in its table."""

from __future__ import annotations

from deadheat.report import numbers
from deadheat.report.voice import Voice, items, sentence
from deadheat.results import claims


@sentence.register
def _leads_over_k(claim: claims.LeadsOverK, voice: Voice) -> str:
    level = numbers.level(claim.level)
    where = f"on {items(claim.items)}, {level} confidence for all k = 1 to {claim.most} at once"
    if not claim.leads:
        return f"By {claim.metric} neither is separated at any k ({where})."
    parts = [
        f"{voice.name(leader)} leads at " + (f"k = {first}" if first == last else f"k = {first} to {last}")
        for first, last, leader in claim.leads
    ]
    covered = sum(last - first + 1 for first, last, _ in claim.leads)
    rest = "" if covered == claim.most else ", and elsewhere neither is separated"
    return f"By {claim.metric} {' and '.join(parts)}{rest} ({where})."
