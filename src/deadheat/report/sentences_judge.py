"""Sentences about a judge and labels of people; `report.sentences` enters them in its table."""

from __future__ import annotations

from deadheat.report.numbers import amount, level
from deadheat.report.voice import Voice, items, sentence
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


@sentence.register
def _labels_needed(claim: claims.LabelsNeeded, voice: Voice) -> str:
    width = f"an interval of ± {amount(claim.half_width, rates=claim.rates)} at {level(claim.level)}"
    judged = "any number of judged items" if claim.items is None else f"{items(claim.items, 'judged ')}"
    if claim.labels is None:
        most = amount(claim.all_labelled or 0.0, rates=claim.rates)
        told = f"Not even labels of all {judged} give {width}: they give ± {most}."
    else:
        told = f"{claim.labels:,} labels of people on {judged} give {width}; without the judge it takes "
        told += f"{claim.alone:,}."
    if claim.best_labels is None or claim.best_items is None:
        return told
    mix = f"{claim.best_labels:,} labels on {items(claim.best_items)}"
    return f"{told} The cheapest way is {mix}, for {claim.best_cost:,.6g}."


@sentence.register
def _label_sheet(claim: claims.LabelSheet, voice: Voice) -> str:
    chance = f"{claim.low:.2g}"
    if claim.high > claim.low:
        chance = f"{chance} to {claim.high:.2g}"
    drawn = f"{items(claim.items)} {'is' if claim.items == 1 else 'are'} drawn for labelling"
    others = "with those that have one " if claim.labelled else ""
    share = f"{others}an item is labelled with a probability of {chance}"
    told = f"{drawn} from {claim.pool:,} without a label; {share}."
    if claim.ratio is None:
        return told
    return (
        f"{told} The standard error of a score is expected to be {claim.ratio:.2f} of that with as many "
        "labels drawn alike."
    )


@sentence.register
def _labels_for_budget(claim: claims.LabelsForBudget, voice: Voice) -> str:
    width = amount(claim.half_width, rates=claim.rates)
    return (
        f"{claim.labels:,} labels of people on {items(claim.items, 'judged ')} make the most of a budget of "
        f"{claim.budget:,.6g}: an interval of ± {width} at {level(claim.level)}."
    )
