"""Sentences about a judge and labels of people; `report.sentences` enters them in its table."""

from __future__ import annotations

from deadheat.report.voice import Voice, sentence
from deadheat.results import claims


@sentence.register
def _judged(claim: claims.Judged, voice: Voice) -> str:
    number = f"{claim.low:,}" if claim.low == claim.high else f"{claim.low:,} to {claim.high:,}"
    if claim.scores == "labels":
        told = f"Scores are labels of people alone, {number} per entry"
    else:
        told = f"Scores are those of a judge, corrected by {number} labels of people per entry"
    verb = "is" if len(claim.first_by_judge) == 1 else "are"
    return f"{told}; by the judge alone {voice.names(claim.first_by_judge)} {verb} first."


@sentence.register
def _labels_picked(claim: claims.LabelsPicked, voice: Voice) -> str:
    unit = voice.scale.unit and f" {voice.scale.unit}"
    on, off = (f"{voice.scale.value(mean)}{unit}" for mean in (claim.labelled, claim.others))
    return (
        f"The labelled items are no random part: the judge's mean score is {on} on them and {off} on the "
        f"others, {claim.errors:.1f} standard errors apart, so corrected scores may be wrong."
    )
