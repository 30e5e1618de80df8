"""Sentences on votes."""

from __future__ import annotations

from deadheat.report import numbers, words
from deadheat.report.numbers import Scale
from deadheat.report.voice import Voice, sentence
from deadheat.results import claims

PERCENT = Scale(True, 1)


@sentence.register
def _placed_by_votes(claim: claims.PlacedByVotes, voice: Voice) -> str:
    parts = (
        (claim.undefeated, "won every vote"),
        (claim.winless, "lost every vote"),
        (claim.unconnected, "cannot be placed with them, because wins and losses do not connect them"),
    )
    why = "; ".join(f"{voice.names(who)} {told}" for who, told in parts if who)
    return f"What follows is about {claim.entries:,} of the {claim.of:,} entries: {why}."


@sentence.register
def _not_separated_by_votes(claim: claims.NotSeparatedByVotes, voice: Voice) -> str:
    who = voice.name(claim.entry)
    if claim.tested == 0:
        return f"The votes give no test of {who} against another entry."
    whose = " and ".join(words.plural(count, name) for name, count in claim.clusters.items())
    by = f" (errors by {whose})" if whose else ", taken as independent"
    told = words.separation(who, len(claim.others), claim.tested, claim.of, adjusted=claim.adjusted)
    return f"{told} by {words.plural(claim.votes, 'vote')}{by}."


@sentence.register
def _vote_preference(claim: claims.VotePreference, voice: Voice) -> str:
    a, b = voice.name(claim.a), voice.name(claim.b)
    if claim.win_probability is None or claim.p is None:
        return f"The votes give no test of {a} against {b}."
    ahead, behind, chance = a, b, claim.win_probability
    if chance < 0.5:
        ahead, behind, chance = b, a, 1 - chance
    p = numbers.p_phrase(claim.p, None, claim.alpha)
    facts = [f"adjusted {p}" if claim.adjusted else p]
    if claim.low is not None and claim.high is not None and claim.level is not None:
        low, high = (claim.low, claim.high) if ahead == a else (1 - claim.high, 1 - claim.low)
        ends = f"{PERCENT.value(low)} to {PERCENT.value(high)} %"
        facts.insert(0, f"{numbers.level(claim.level)} interval {ends}")
    met = f"{claim.direct:,} of them between the two" if claim.direct else "none of them between the two"
    told = "wins" if claim.verdict != "not separated" else "is not separated from"
    if told == "wins":
        text = f"{ahead} wins {PERCENT.value(chance)} % of decided votes against {behind}"
    else:
        text = (
            f"{ahead} and {behind} are not separated: {ahead} wins {PERCENT.value(chance)} % of decided votes"
        )
    return f"{text} ({', '.join(facts)}; {claim.votes:,} votes, {met})."


@sentence.register
def _votes_needed(claim: claims.VotesNeeded, voice: Voice) -> str:
    chance = f"{PERCENT.value(claim.win_probability)} % of decided votes won"
    ties = f", {PERCENT.value(claim.ties)} % of votes tied" if claim.ties else ""
    return (
        f"{claim.votes:,} votes between the two detect a lead of {claim.elo:,.0f} Elo points "
        f"({chance}{ties}) with {100 * claim.power:g} % power at α = {claim.alpha:g}, by the normal formula."
    )
