"""Sentences: claims put into words, here and nowhere else; one function per code of `results.claims`."""

from __future__ import annotations

from collections.abc import Iterable

from deadheat.report import (
    numbers,
    sentences_across,
    sentences_checks,
    sentences_costs,
    sentences_curves,
    sentences_early,
    sentences_items,
    sentences_judge,
    sentences_plans,
    sentences_studies,
    sentences_votes,
    words,
)
from deadheat.report.voice import PERCENT
from deadheat.report.voice import Voice as Voice
from deadheat.report.voice import items as items
from deadheat.report.voice import sentence as sentence
from deadheat.report.voice import shared_items as shared_items
from deadheat.results import claims

SUBJECTS = (
    sentences_across,
    sentences_checks,
    sentences_costs,
    sentences_curves,
    sentences_early,
    sentences_items,
    sentences_judge,
    sentences_plans,
    sentences_studies,
    sentences_votes,
)
"""Where other claims are put into words."""


def sentences(made: Iterable[claims.Claim], voice: Voice | None = None) -> str:
    """Put claims into words, in their order: the summary of a document.

    Parameters
    ----------
    made : iterable of Claim
        What the document claims.
    voice : Voice, optional
        Its scale and the names of its entries.
    """
    return " ".join(sentence(claim, voice or Voice()) for claim in made)


@sentence.register
def _all_zero(claim: claims.AllZero, voice: Voice) -> str:
    who = "both" if claim.entries == 2 else f"all {claim.entries:,}"
    return f"Nothing separates these entries: {who} score 0 on every item."


@sentence.register
def _all_equal(claim: claims.AllEqual, voice: Voice) -> str:
    value = f"{voice.scale.value(claim.value)} {voice.scale.unit}".rstrip()
    who = "Both entries" if claim.entries == 2 else f"All {claim.entries:,} entries"
    return f"{who} have the same score, {value}."


@sentence.register
def _possible_best(claim: claims.PossibleBest, voice: Voice) -> str:
    sure, many, of = f"{numbers.level(claim.level)} confidence", len(claim.entries), claim.of
    if many == of:
        return f"{'Either entry' if of == 2 else f'Any of the {of:,} entries'} may be the best ({sure})."
    if of == 2:
        return f"{voice.name(claim.entries[0])} is the better of the two with {sure} (a one-sided test)."
    if many <= 3:
        who = voice.names(claim.entries, joint="or")
        return f"The best of the {of:,} entries is {who}, with {sure}."
    where = f"one of the first {many:,} listed" if claim.leading else f"one of {many:,}"
    return f"The best of the {of:,} entries is {where}, with {sure}."


@sentence.register
def _not_separated_from(claim: claims.NotSeparatedFrom, voice: Voice) -> str:
    who, tested, number, above = voice.name(claim.entry), claim.tested, len(claim.others), len(claim.above)
    if tested == 0:
        return f"No test could compare {who} with another entry."
    where = f"on {shared_items(claim.shared_low, claim.shared_high)}"
    if claim.of == 1:
        other = voice.name((*claim.others, *claim.above, "the other")[0])
        told = "not separated from" if number else "separated below" if above else "separated above"
        return f"By the two-sided test {who} is {told} {other} {where}."
    told = words.separation(who, number, tested, claim.of, adjusted=claim.adjusted) + f" {where}"
    if above:
        verb, be = ("scores", "is") if above == 1 else ("score", "are")
        told += f"; {voice.names(claim.above)} {verb} {voice.better} than {who} there, and {be} separated"
    return f"{told}."


@sentence.register
def _nothing_decided(claim: claims.NothingDecided, voice: Voice) -> str:
    number, where = len(claim.entries), shared_items(claim.shared_low, claim.shared_high)
    return f"No two of these {number:,} are separated on {where}."


@sentence.register
def _separated(claim: claims.Separated, voice: Voice) -> str:
    better, worse = voice.name(claim.better), voice.name(claim.worse)
    gap = voice.gap(claim.difference)
    return f"{better} scores {voice.better} than {worse} by {gap} {_evidence(claim, voice)}."


@sentence.register
def _not_separated(claim: claims.NotSeparated, voice: Voice) -> str:
    higher, lower = voice.name(claim.higher), voice.name(claim.lower)
    if claim.difference == 0:
        return f"{higher} and {lower} score the same and are not separated {_evidence(claim, voice)}."
    gap = voice.gap(claim.difference)
    return f"{higher} and {lower} are not separated: {higher} scores {gap} higher {_evidence(claim, voice)}."


def _evidence(claim: claims.Separated | claims.NotSeparated, voice: Voice) -> str:
    where = items(claim.shared, "shared ") if claim.paired else "their own items, taken as unpaired"
    p = numbers.p_phrase(claim.p, claim.log10_p, claim.alpha)
    facts = [f"adjusted {p}" if claim.adjusted else p]
    if claim.low is not None and claim.high is not None and claim.level is not None:
        low, high = voice.scale.difference(claim.low), voice.scale.difference(claim.high)
        facts.insert(0, f"{numbers.level(claim.level)} interval {low} to {high}")
    return f"on {where} ({', '.join(facts)})"


@sentence.register
def _candidates(claim: claims.Candidates, voice: Voice) -> str:
    parts = (
        (claim.higher, ("scores higher than", "score higher than")),
        (claim.lower, ("scores lower than", "score lower than")),
        (claim.open, ("is not separated from", "are not separated from")),
    )
    base = voice.name(claim.baseline)
    told = [f"{voice.names(who)} {verb[len(who) > 1]} {base}" for who, verb in parts if who]
    if claim.untested:
        told.append(f"nothing can be said about {voice.names(claim.untested)}")
    number = sum(len(who) for who, _ in parts) + len(claim.untested)
    return f"Of {number:,} candidates: {'; '.join(told)}."


@sentence.register
def _smallest_visible(claim: claims.SmallestVisible, voice: Voice) -> str:
    return (
        f"A true difference of {voice.least(claim.difference)} is detected with {numbers.level(claim.power)} "
        f"power on this many items{_held(claim.discordance)}, a smaller one less often."
    )


@sentence.register
def _equivalent(claim: claims.Equivalent, voice: Voice) -> str:
    return f"The two are equivalent within {voice.gap(claim.margin)}."


@sentence.register
def _non_inferior(claim: claims.NonInferior, voice: Voice) -> str:
    a, b = voice.name(claim.a), voice.name(claim.b)
    return f"{a} is not worse than {b} by {voice.gap(claim.margin)} or more."


@sentence.register
def _inferior(claim: claims.Inferior, voice: Voice) -> str:
    return (
        f"{voice.name(claim.a)} is worse than {voice.name(claim.b)} by more than {voice.gap(claim.margin)}."
    )


@sentence.register
def _inconclusive(claim: claims.Inconclusive, voice: Voice) -> str:
    a, b, margin = voice.name(claim.a), voice.name(claim.b), voice.gap(claim.margin)
    return f"Whether {a} is worse than {b} by {margin} or more is open: inconclusive."


@sentence.register
def _settles(claim: claims.Settles, voice: Voice) -> str:
    return (
        f"{items(claim.items)} settle it with {numbers.level(claim.power)} power if the true difference is 0"
        f"{_held(claim.discordance, ' and')}."
    )


def _held(discordance: float | None, joint: str = " if") -> str:
    """Say what a power holds as observed."""
    return "" if discordance is None else f"{joint} {numbers.share(discordance)} of them stay discordant"


@sentence.register
def _gate(claim: claims.Gate, voice: Voice) -> str:
    within = "" if claim.margin is None else voice.gap(claim.margin)
    shown = f"shown to be worse{f' by more than {within}' * bool(within)}"
    if claim.fail_on == "inconclusive":
        shown = f"shown to be non-inferior within {within}"
    if claim.failing:
        be = "are" if len(claim.failing) > 1 else "is"
        how = f"{be}{' not' * (claim.fail_on == 'inconclusive')}"
        told = f"Gate failed: {voice.names(claim.failing)} {how} {shown}."
    elif claim.fail_on == "inconclusive":
        told = f"Gate passed: {'the candidate is' if claim.of == 1 else 'all candidates are'} {shown}."
    else:
        told = f"Gate passed: no candidate is {shown}."
    if claim.false_alarm is not None:
        several, it = claim.of > 1, "Before the adjustment it" if claim.unadjusted else "It"
        alarm = "at most " * several + numbers.share(claim.false_alarm)
        told += f" {it} fails an equally good candidate {alarm} of the time"
        if claim.drop is not None:
            loss = f"a true loss of {voice.least(claim.drop)}"
            told += f" and one with {loss} {'at least ' * several}{numbers.share(claim.power)} of the time"
        told += "."
    said = claim.fail_on == "inconclusive" and claim.failing and claim.of == 1  # by what settles it
    if claim.items_needed is not None and claim.margin is not None and not said:
        what = "passes an equally good candidate"
        if claim.fail_on == "worse":
            what = f"fails a true loss of {voice.gap(2 * claim.margin)}"
        told += f" With {items(claim.items_needed)} it {what} with 80 % power."
    return told


@sentence.register
def _published_gap(claim: claims.PublishedGap, voice: Voice) -> str:
    side = "above" if claim.difference > 0 else "below"
    told = "is separated from it" if claim.separated else "is not separated from it"
    p = "adjusted " * claim.adjusted + numbers.p_phrase(claim.p, claim.log10_p, claim.alpha)
    gap = f"{voice.gap(claim.difference)} {side}" if claim.difference else "the same as"
    return (
        f"{voice.name(claim.entry)} scores {gap} the published number and {told} ({p}, both errors counted)."
    )


@sentence.register
def _alone(claim: claims.Alone, voice: Voice) -> str:
    if claim.value is None:
        return f"{voice.name(claim.entry)} has no score here, and there is no other entry to rank."
    value = f"{voice.scale.value(claim.value)} {voice.scale.unit}".rstrip()
    who, where = voice.name(claim.entry), items(claim.items)
    return f"{who} scores {value} on {where}; there is no other entry to compare it with."


@sentence.register
def _visible_twin(claim: claims.VisibleTwin, voice: Voice) -> str:
    each = [
        f"{voice.gap(gap)} ({f'if outcomes correlate at {rho:g}' if rho else 'if outcomes do not correlate'})"
        for gap, rho in zip(claim.differences, claim.correlations, strict=True)
    ]
    return (
        f"Compared with a run of similar score on the same items, a true difference of {' or '.join(each)} "
        f"is detected with {numbers.level(claim.power)} power."
    )


@sentence.register
def _listed_apart(claim: claims.ListedApart, voice: Voice) -> str:
    be = "is" if len(claim.entries) == 1 else "are"
    short = len(claim.entries) - len(claim.unfinished)
    few = f"fewer than {numbers.level(claim.min_share)} of the usual {items(claim.usual)}"
    why = [f"{few}" if not claim.unfinished else f"{short:,} with {few}"] if short else []
    if claim.unfinished:
        why.append("the run did not finish" if not short else f"{len(claim.unfinished):,} did not finish")
    return f"{voice.names(claim.entries)} {be} listed apart without a rank ({', '.join(why)})."


@sentence.register
def _fitted(claim: claims.Fitted, voice: Voice) -> str:
    model = {"rasch": "the Rasch model", "two-way": "a model of entries and items"}[claim.model]
    told = f"{PERCENT.value(claim.missing)} % of the outcomes are absent and fitted by {model}"
    if claim.open is None:
        return f"{told}."
    leader = voice.name(claim.leader)
    if not claim.open:
        return f"{told}; {leader} leads whatever they are."
    return f"{told}; without it {voice.names(claim.open)} may score as well as {leader} or better."


@sentence.register
def _withheld(claim: claims.Withheld, voice: Voice) -> str:
    who = voice.names(claim.entries)
    about = {
        "difference": f"the difference between {who}",
        "board": f"the order of the {len(claim.entries):,} entries",
        "margin": f"the difference between {who} and the margin",
    }[claim.what]
    return f"Nothing can be said about {about}: {claim.why}."
