"""Sentences about items, one function per claim; `report.sentences` enters them in its table."""

from __future__ import annotations

from deadheat.report import numbers
from deadheat.report.voice import Voice, items, sentence
from deadheat.results import claims


@sentence.register
def _items_silent(claim: claims.ItemsSilent, voice: Voice) -> str:
    *firsts, (entries, count) = zip(claim.first, claim.counts, strict=True)
    told = f"{count:,} of {items(claim.of)} separate no two of the {entries:,} entries"
    if not firsts:
        return f"{told}."
    parts = [f"{number:,} no two of the first {first:,}" for first, number in reversed(firsts)]
    return f"{told}, {', '.join(parts)}."


@sentence.register
def _items_backwards(claim: claims.ItemsBackwards, voice: Voice) -> str:
    if not claim.tested:
        return "No item can be correlated with the score on the other items: the outcomes do not vary."
    if not claim.negative:
        return "No item correlates negatively with the score on the other items."
    verb = "correlates" if claim.negative == 1 else "correlate"
    told = f"{items(claim.negative)} {verb} negatively with the score on the other items"
    if not claim.rejected:
        of = f"{items(claim.tested)} taken together, false discovery rate {claim.alpha:g}"
        return f"{told}, none beyond chance ({of})."
    number = len(claim.rejected)
    which = (
        "it is" if number == claim.negative == 1 else f"{number:,} of them {'is' if number == 1 else 'are'}"
    )
    return f"{told}; {which} beyond chance (false discovery rate {claim.alpha:g})."


@sentence.register
def _items_reliable(claim: claims.ItemsReliable, voice: Voice) -> str:
    level = numbers.level(claim.level)
    value, low, high = (f"{x:.3f}".replace("-", "−") for x in (claim.value, claim.low, claim.high))
    return f"{claim.name} is {value} on {items(claim.items)} ({level} interval {low} to {high})."


@sentence.register
def _item_twins(claim: claims.ItemTwins, voice: Voice) -> str:
    patterns = "1 response pattern is" if claim.patterns == 1 else f"{claim.patterns:,} response patterns are"
    return f"{patterns} shared by several items ({items(claim.items)})."
