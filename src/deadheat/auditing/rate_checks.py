"""Checks of the rates that a source publishes beside its own per-item results."""

from __future__ import annotations

import numpy as np

from deadheat.auditing.subject import Subject
from deadheat.data.ids import cut_off
from deadheat.data.publication import Number
from deadheat.evidence.agreement import Claim, Surroundings, gate
from deadheat.report import phrases
from deadheat.results.audit import Finding
from deadheat.stats.score import consistency

LONGEST = 8  # digits of a rate in per cent from which it was not rounded for print
NEAR = 12  # digits that a rate in per cent keeps, so that the noise of a division by 100 does not show


def contradicted(subject: Subject) -> list[Finding]:
    """Published rates that the per-item results contradict by more than one item."""
    return [
        finding
        for entry, rate in sorted(subject.table.published.items())
        if entry in subject.items and (finding := contradiction(subject, entry, number_of(rate)))
    ]


def contradiction(subject: Subject, entry: str, rate: Number) -> Finding | None:
    """Hold one published rate against the items of its entry."""
    at = subject.table.entries.index(entry)
    names = np.array(subject.table.items, dtype=object)
    tried = subject.tried[at]
    attempts = subject.scored[at] + subject.failed[at]
    claim = Claim(
        published=rate.value,
        decimals=rate.decimals,
        right=float(np.sum(subject.total[at][tried] / attempts[tried])),
        items=frozenset(names[tried]),
        unscored=int(np.count_nonzero(subject.listed[at] & ~tried)),
    )
    if not subject.unit or not claim.items:
        return None
    doubt = gate(claim, Surroundings(subject.items, cut_off(subject.items)), entry)
    if doubt is None:
        return None
    code = doubt.code if doubt.code != "no-scored-items" else "nothing-scored"
    return Finding(code=code, severity="error", entry=entry, text=doubt.text)


def impossible(subject: Subject) -> list[Finding]:
    """Published rates that no number of right items gives, for single 0/1 attempts."""
    if not subject.table.binary or not subject.single:
        return []
    sizes = Surroundings(subject.items)
    found = []
    for entry, rate in sorted(subject.table.published.items()):
        if entry not in subject.items or not 0 <= rate <= 1:
            continue
        at = subject.table.entries.index(entry)
        n = int(subject.tried[at].sum())
        printed = number_of(rate)
        if not n or printed.decimals > LONGEST or len(consistency.recover_counts(rate, n, printed.decimals)):
            continue
        text = no_count(printed, n)
        for size, what in sizes.sizes(Claim(rate, printed.decimals, 0.0, subject.items[entry])).items():
            counts = consistency.recover_counts(rate, size, printed.decimals)
            if len(counts) == 1:
                text += f"; it would be {counts[0]:,} of {size:,} ({what})"
                break
        found.append(Finding(code="impossible-rate", severity="warning", entry=entry, text=text))
    return found


def no_count(rate: Number, n: int) -> str:
    """Say that a rate is no whole number of items, and which are nearest."""
    digits = max(0, rate.decimals - 2)
    below = min(int(rate.value * n), n - 1)
    near = [f"{k:,} is {phrases.percent(k / n, digits + 1)}" for k in (below, below + 1)]
    return (
        f"{phrases.percent(rate.value, digits)} is no whole number of {n:,} "
        f"{'item' if n == 1 else 'items'} ({', '.join(near)})"
    )


def number_of(rate: float) -> Number:
    """See a rate in [0, 1] as it was printed in per cent, the shortest way."""
    digits = f"{100 * rate:.{NEAR}f}".rstrip("0").partition(".")[2]
    return Number(rate, len(digits) + 2)
