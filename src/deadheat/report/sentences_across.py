"""The sentence about several benchmarks; `report.sentences` enters it in its table."""

from __future__ import annotations

from deadheat.report import numbers
from deadheat.report.voice import Voice, sentence
from deadheat.results import claims

NAMES = {
    "win-rate": "mean win rate",
    "borda": "Borda points",
    "mean": "mean score",
    "z": "mean z score",
    "weights": "weighted mean",
}


@sentence.register
def _first_across(claim: claims.FirstAcross, voice: Voice) -> str:
    first = voice.name(claim.first)
    told = f"By {NAMES[claim.method]} over {claim.benchmarks:,} benchmarks {first} is first of {claim.of:,}"
    level, tied = numbers.level(claim.level), claim.moved == 0 and claim.rival is not None
    if tied:
        told += f", level with {voice.name(claim.rival or '')}"
    if claim.may is None:
        told += " as observed, without a statement of confidence"
    elif len(claim.may) > 1:
        told += f"; {len(claim.may):,} of them may be, with {level} confidence"
    else:
        told += f", with {level} confidence"
    if claim.drawn and claim.may is not None:
        told += " for benchmarks like these"
    weights = len(claim.can_lead)
    if tied:
        pass
    elif claim.moved is None or claim.rival is None:
        told += ". It is first under any weights of the benchmarks"
    else:
        told += (
            f". {weights:,} would be first, or level with it, under some weights of the benchmarks: "
            f"{100 * claim.moved:.3g} % of the weight has to move until {voice.name(claim.rival)} is level"
        )
    if claim.missing:
        lack = "lacks a benchmark and has" if claim.missing == 1 else "lack a benchmark and have"
        told += f". {claim.missing:,} {lack} no value"
    return f"{told}."
