"""Sentences on simulation studies."""

from __future__ import annotations

from deadheat.report import numbers, words
from deadheat.report.voice import PERCENT, Voice, items, sentence
from deadheat.results import claims


def _share(value: float, error: float | None = None, digits: int = 1) -> str:
    """Write a share with its Monte Carlo error: ``57.1 %``, ``57.1 % (± 0.3, Monte Carlo error)``."""
    text = f"{100 * value:.{digits}f} %"
    return text if error is None else f"{text} (Monte Carlo SE {100 * error:.{digits}f} points)"


def _points(value: float) -> str:
    return f"{PERCENT.size(value)} points"


def _samples(count: int) -> str:
    return f"{count:,} sample{'s' * (count != 1)}"


def _test(name: str) -> str:
    """Name a test with its article."""
    told, more, _ = words.method(name, "test").partition(",")
    return told if more else f"the {told}" if "test" in told else f"the {told} test"


def _about(of: str | None) -> str:
    return "" if of is None else f"{of}: "


@sentence.register
def _plug_in_bias(claim: claims.PlugInBias, voice: Voice) -> str:
    low = "low" if claim.bias < 0 else "high"
    more = "; the unbiased estimator is not" if claim.unbiased else ""
    return (
        f"{_about(claim.of)}From {_samples(claim.samples)} the plug-in pass@{claim.k} is "
        f"{_points(abs(claim.bias))} too {low}{more}."
    )


@sentence.register
def _share_from_items(claim: claims.ShareFromItems, voice: Voice) -> str:
    parts = ", ".join(f"{_share(share, digits=0)} with {_samples(number)}" for number, share in claim.shares)
    return f"{_about(claim.of)}Share of a score's variance that more samples cannot remove: {parts}."


@sentence.register
def _largest_size(claim: claims.LargestSize, voice: Voice) -> str:
    return (
        f"At α = {claim.alpha:g}, of {claim.tests:,} tests {_test(claim.test)} separates equal entries most "
        f"often: {_share(claim.size, claim.error)} with {items(claim.items)} and {_samples(claim.samples)}."
    )


@sentence.register
def _least_power(claim: claims.LeastPower, voice: Voice) -> str:
    return (
        f"The least power here: {_test(claim.test)} detects a difference of "
        f"{_points(claim.difference)} {_share(claim.power, claim.error)} of the time, with "
        f"{items(claim.items)} and {_samples(claim.samples)}."
    )


@sentence.register
def _separates_pair(claim: claims.SeparatesPair, voice: Voice) -> str:
    needed = "no number of items" if claim.items_needed is None else items(claim.items_needed)
    more = "no number of samples is enough"
    if claim.samples_needed is not None:
        be = "is" if claim.samples_needed == 1 else "are"
        more = f"{_samples(claim.samples_needed)} {be} enough"
    if claim.samples_needed_reruns is not None:
        more += f" ({claim.samples_needed_reruns:,} for reruns of the same items)"
    return (
        f"To separate {voice.name(claim.a)} and {voice.name(claim.b)} ({_points(claim.difference)}) with "
        f"{numbers.percent(claim.power)} power: {needed} with {_samples(claim.samples)}; on as many items as "
        f"now {more}."
    )


@sentence.register
def _largest_visible(claim: claims.LargestVisible, voice: Voice) -> str:
    return (
        f"The largest difference needed here: {_points(claim.difference)} for {numbers.percent(claim.power)} "
        f"power by {_test(claim.test)} with {items(claim.items)} and {_samples(claim.samples)}."
    )


@sentence.register
def _order_right(claim: claims.OrderRight, voice: Voice) -> str:
    return (
        f"With {items(claim.items)} and {_samples(claim.samples)} the full order of {claim.entries} entries "
        f"is right {_share(claim.order)} of the time, and the best is on top {_share(claim.best)}, ties "
        "broken at random."
    )


@sentence.register
def _inflation(claim: claims.Inflation, voice: Voice) -> str:
    parts = [f"{_share(share, digits=0)} {known}: {_points(gain)}" for share, known, gain in claim.added]
    return f"{_about(claim.of)}What memorised items add to a score: {', '.join(parts)}."


@sentence.register
def _effective_items(claim: claims.EffectiveItems, voice: Voice) -> str:
    parts = [f"{number:,.0f} at ρ = {rho:.2g}" for rho, number in claim.effective]
    return (
        f"{_about(claim.of)}{items(claim.items)} in clusters have the standard error of this many "
        f"independent ones: {', '.join(parts)}."
    )


@sentence.register
def _least_coverage(claim: claims.LeastCoverage, voice: Voice) -> str:
    return (
        f"Of {numbers.level(claim.level)} intervals {words.method(claim.interval)} covers the true rate "
        f"least often: {_share(claim.coverage, claim.error)} with {items(claim.items)} and "
        f"{_samples(claim.samples)}."
    )


@sentence.register
def _vote_coverage(claim: claims.VoteCoverage, voice: Voice) -> str:
    return (
        f"If voters are {claim.voters}, {numbers.level(claim.level)} intervals that take votes as "
        f"independent cover the true difference {_share(claim.independent)} of the time, intervals by voter "
        f"{_share(claim.by_voter)}."
    )


@sentence.register
def _judge_coverage(claim: claims.JudgeCoverage, voice: Voice) -> str:
    return (
        f"If the judge is {claim.judge}, {numbers.level(claim.level)} intervals of its own scores hold the "
        f"true score of the first of two equal entries {_share(claim.own)} of the time, corrected by "
        f"{claim.labels:,} labels of people {_share(claim.corrected)}; its own scores separate the two in "
        f"{_share(claim.own_size)} of benchmarks, corrected ones in {_share(claim.corrected_size)} "
        f"(α = {claim.alpha:g})."
    )


@sentence.register
def _false_stops(claim: claims.FalseStops, voice: Voice) -> str:
    told = [f"in {_share(share)} of runs by {_test(test)}" for test, share in claim.shares]
    return (
        f"Looked at again and again up to {items(claim.looks)}, at α = {claim.alpha:g}, two equal entries "
        f"are separated {' and '.join(told)}."
    )


@sentence.register
def _wrong_first(claim: claims.WrongFirst, voice: Voice) -> str:
    fitted = "" if claim.fitted is None else f", by fitted scores {_share(claim.fitted, digits=0)}"
    return (
        f"With outcomes missing {claim.missing} on {items(claim.items)}, a wrong entry is first "
        f"{_share(claim.share, digits=0)} of the time by the worst policy ({claim.policy}){fitted}."
    )
