"""Checks of the rates that a source publishes beside its own per-item results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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
    rate = number_of(rate.value) if rate.decimals > NEAR else rate
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


def denominators(subject: Subject, at: int) -> dict[int, str]:
    """Denominators that the attempts of one entry allow, the likeliest first, and what each counts.

    Empty where items have unequal numbers of attempts: a mean of their rates has no denominator.
    """
    tried = subject.tried[at]
    runs, failed, absent = subject.scored[at] + subject.failed[at], subject.failed[at], subject.absent[at]
    items, most = int(tried.sum()), int(runs.max(initial=0))
    if not items or (runs[tried] != most).any():
        return {}
    attempts = items * most
    what = "items" if most == 1 else f"attempts, {items:,} items with {most:,} samples each"
    every = int(np.count_nonzero(subject.listed[at])) * most
    board = int(np.count_nonzero(subject.board[at])) * most
    found = {attempts: what}
    found.setdefault(attempts - int(failed.sum()), f"{what}, without those that failed")
    found.setdefault(attempts + int(absent.sum()), f"{what}, with those that have no score")
    found.setdefault(every, f"{what} listed, with and without a score")
    found.setdefault(board, f"{what} of the board")
    return {size: name for size, name in found.items() if size > 0}


def impossible(subject: Subject) -> list[Finding]:
    """Published rates that no number of right attempts gives, whatever was left out of their denominator."""
    if not subject.table.binary:
        return []
    sizes = Surroundings(subject.items)
    found = []
    for entry, rate in sorted(subject.table.published.items()):
        if entry not in subject.items or not 0 <= rate <= 1:
            continue
        printed = number_of(rate)
        own = denominators(subject, subject.table.entries.index(entry))
        if not own or printed.decimals > LONGEST:
            continue
        size = whole(printed, own)
        if size is not None:
            if size != next(iter(own)):
                shown = phrases.percent(rate, max(0, printed.decimals - 2))
                text = f"{shown} has the denominator {size:,} ({own[size]})"
                found.append(Finding(code="recovered-count", severity="info", entry=entry, text=text))
            continue
        text = no_count(printed, own)
        for size, what in sizes.sizes(Claim(rate, printed.decimals, 0.0, subject.items[entry])).items():
            counts = consistency.recover_counts(rate, size, printed.decimals)
            if len(counts) == 1:
                text += f"; it would be {counts[0]:,} of {size:,} ({what})"
                break
        found.append(Finding(code="impossible-rate", severity="warning", entry=entry, text=text))
    return found


def whole(rate: Number, sizes: Iterable[int]) -> int | None:
    """Return the first denominator that makes a rounded rate a whole number of right attempts."""
    fits = (n for n in sizes if len(consistency.recover_counts(rate.value, n, rate.decimals)))
    return next(fits, None)


def no_count(rate: Number, sizes: Mapping[int, str]) -> str:
    """Say that a rate is not a whole number of the first denominator, nor of the others that were tried."""
    (n, what), *others = sizes.items()
    digits = max(0, rate.decimals - 2)
    below = min(int(rate.value * n), n - 1)
    near = [f"{k:,} is {phrases.percent(k / n, digits + 1)}" for k in (below, below + 1)]
    unit = what.removesuffix("s") if n == 1 else what
    text = f"{phrases.percent(rate.value, digits)} is not a whole number of {n:,} {unit} ({', '.join(near)})"
    return text + "".join(f", nor of {size:,} ({name})" for size, name in others)


def number_of(rate: float) -> Number:
    """See a rate in [0, 1] as it was printed in per cent, the shortest way."""
    digits = f"{100 * rate:.{NEAR}f}".rstrip("0").partition(".")[2]
    return Number(rate, len(digits) + 2)
