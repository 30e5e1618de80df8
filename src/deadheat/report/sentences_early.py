"""Sentences about looking early, one function per claim; `report.sentences` enters them in its table."""

from __future__ import annotations

from deadheat.report.names import clean
from deadheat.report.voice import Voice, items, sentence
from deadheat.results import claims


@sentence.register
def _stops_early(claim: claims.StopsEarly, voice: Voice) -> str:
    drawn = "all orders" if claim.orders is None else f"{claim.orders:,} random orders"
    of = f"{claim.of:,} {claim.units}"
    if claim.median is None:
        stop = f"stops in {100 * claim.share:.0f} % of {drawn}"
        return f"Looked at after each of the {of}, the comparison {stop}."
    return f"In random order it could have stopped after {claim.median:,} of {of} (median over {drawn})."


@sentence.register
def _stopped_at(claim: claims.StoppedAt, voice: Voice) -> str:
    order, of = clean(claim.order), f"{claim.of:,} {claim.units}"
    if claim.at is None or claim.difference is None:
        return f"In the order of {order} no look at the {of} separates them."
    gap = voice.gap(claim.difference)
    return (
        f"In the order of {order} it could have stopped after {claim.at:,} of {of}, at a difference of "
        f"{gap}, which overstates the true one on average."
    )


@sentence.register
def _watched(claim: claims.Watched, voice: Voice) -> str:
    a, b, number = voice.name(claim.a), voice.name(claim.b), items(claim.items)
    margin = "" if claim.margin is None else voice.gap(claim.margin)
    if claim.outcome is None:
        asked = {
            "separated": f"whether {a} or {b} scores higher",
            "margin": f"whether {a} is worse than {b} by {margin} or more",
            "equivalent": f"whether {a} and {b} are equivalent within {margin}",
        }[claim.stop]
        return f"After {number} it is open {asked}."
    told = {
        "a": f"{a} scores {voice.better} than {b}",
        "b": f"{b} scores {voice.better} than {a}",
        "equivalent": f"{a} and {b} are equivalent within {margin}",
        "non-inferior": f"{a} is not worse than {b} by {margin} or more",
        "inferior": f"{a} is worse than {b} by more than {margin}",
        "superior": f"{a} scores {voice.better} than {b} by more than {margin}",
    }[claim.outcome]
    if claim.stop != "separated":
        return f"Decided after {number}: {told}."
    seen = f"{voice.gap(claim.difference)}, which overstates the true one on average"
    return f"Decided after {number}: {told}. The difference seen there is {seen}."


@sentence.register
def _records_stand(claim: claims.RecordsStand, voice: Voice) -> str:
    number, stand = claim.records, len(claim.stand)
    if number == 0:
        return f"{voice.name(claim.start)} has held the record from the first day."
    verb = "stands" if stand == 1 else "stand"
    told = f"{stand:,} of {number:,} record{'s' * (number != 1 or not stand)} {verb}"
    if not stand:
        return f"{told}: no new record is separated from the holder of its day."
    named = [f"{voice.name(entry)} ({date})" for entry, date in zip(claim.stand, claim.dates, strict=True)]
    more = f" and {stand - 3:,} more" if stand > 3 else ""
    return f"{told}: {', '.join(named[:3])}{more}."
