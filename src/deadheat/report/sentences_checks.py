"""Sentences on audits, annotations and exact coverage."""

from __future__ import annotations

from deadheat.report import numbers
from deadheat.report.voice import Voice, items, sentence
from deadheat.results import claims


@sentence.register
def _findings(claim: claims.Findings, voice: Voice) -> str:
    number = claim.errors + claim.warnings + claim.infos
    if not number:
        return "Nothing found: no check objects to these results."
    parts = ((claim.errors, "error"), (claim.warnings, "warning"))
    told = [f"{count:,} {name}{'s' * (count != 1)}" for count, name in parts if count]
    told += [f"{claim.infos:,} info"] if claim.infos else []
    return f"{number:,} finding{'s' * (number != 1)}: {', '.join(told)}."


@sentence.register
def _joins(claim: claims.Joins, voice: Voice) -> str:
    ranks = f"rank {claim.low}" if claim.low == claim.high else f"ranks {claim.low} to {claim.high}"
    group = "without a group" if claim.group is None else f"in group {claim.group}"
    told = (
        "the items support calling it the new best" if claim.best else "the items do not make it the new best"
    )
    return f"{voice.name(claim.entry)} takes place {claim.place} ({ranks}) {group}; {told}."


@sentence.register
def _annotated(claim: claims.Annotated, voice: Voice) -> str:
    return (
        f"{claim.board}: {claim.annotated:,} of {claim.entries:,} entries have statistics, in "
        f"{claim.groups:,} groups with {claim.top:,} in the top one; {claim.withheld:,} withheld."
    )


@sentence.register
def _nothing_annotated(claim: claims.NothingAnnotated, voice: Voice) -> str:
    return "No board publishes per-item results."


@sentence.register
def _lowest_coverage(claim: claims.LowestCoverage, voice: Voice) -> str:
    name = f"The {claim.method if claim.method == 'mid-p' else claim.method.title()} interval"
    if claim.method == "bootstrap":
        name = "The limit of the percentile bootstrap"
    where, level = "at" if claim.attained else "as the rate nears", numbers.level(claim.level)
    return (
        f"{name} at {level} covers the true rate of {items(claim.items)} with probability "
        f"{100 * claim.coverage:.1f} % at worst ({where} {claim.at:.4g}); "
        f"on the grid {claim.grid} the worst is {100 * claim.grid_lowest:.1f} %."
    )
