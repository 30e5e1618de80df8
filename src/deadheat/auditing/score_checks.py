"""Checks of the scores: all equal, on different scales, missing in a pattern, the same in two entries."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from deadheat.auditing.item_checks import WORD
from deadheat.auditing.subject import Subject
from deadheat.data.panel import ALIKE
from deadheat.report import phrases
from deadheat.results.audit import Finding
from deadheat.stats.score import consistency

SCALE = 1.5  # a score above this is no fraction
PERCENT = 10.0  # ratio of the largest scores from which scales differ
PRECISE = "the SE formula gives 0, which would wrongly imply perfect precision"
FEW = 5  # entries from which it tells something that all agree on an item


def all_equal(subject: Subject) -> list[Finding]:
    """Entries whose scores are all one value."""
    found = []
    for at, entry in enumerate(subject.table.entries):
        known = subject.mean[at][subject.has[at]]
        if len(known) < 2 or not np.all(known == known[0]):
            continue
        value, items = float(known[0]), phrases.items(len(known))
        if value == 0:
            text = f"no point in {items}: a broken run looks the same; {PRECISE}"
        elif value == 1:
            text = f"full marks in {items}: {PRECISE}"
        else:
            text = f"all {items} have the score {value:g}"
        found.append(
            Finding(code="all-equal", severity="info" if value == 1 else "warning", entry=entry, text=text)
        )
    return found


def scales(subject: Subject) -> list[Finding]:
    """Entries on a scale of their own, such as per cent beside fractions."""
    tops = np.array([np.max(np.abs(row[~np.isnan(row)]), initial=0.0) for row in subject.mean])
    low = (tops > 0) & (tops <= 1)
    high = tops > SCALE
    if not low.any() or not high.any() or tops[high].min() < PERCENT * tops[low].max():
        return []
    names = subject.table.entries
    fractions = [names[i] for i in np.flatnonzero(low)]
    percents = [names[i] for i in np.flatnonzero(high)]
    text = (
        f"scores are on different scales: up to {tops[high].max():g} in {phrases.listed(percents, 3)}, up to "
        f"{tops[low].max():g} in {phrases.listed(fractions, 3)}; their difference means nothing until one is "
        "brought to the scale of the other"
    )
    return [Finding(code="scales-differ", severity="error", text=text)]


def gaps(subject: Subject) -> list[Finding]:
    """Attempts without a score: how many, and how far they could move the rate."""
    found = []
    missing = subject.listed & ~subject.tried
    for at, entry in enumerate(subject.table.entries):
        lost = int(missing[at].sum())
        if not lost:
            continue
        items = phrases.items(lost)
        if not subject.has[at].any():
            text = f"all {items} without a score: unknown, neither zero nor anything else"
            found.append(Finding(code="nothing-scored", severity="error", entry=entry, text=text))
        elif subject.unit:
            known = subject.mean[at][subject.has[at]]
            bounds = consistency.count_coverage(float(known.sum()), len(known), len(known) + lost).bounds
            text = (
                f"{items} of {len(known) + lost:,} without a score: the rate lies between "
                f"{phrases.percent(float(bounds.low), 1)} and {phrases.percent(float(bounds.high), 1)} if "
                f"nothing is assumed about them ({phrases.percent(float(known.mean()), 1)} over the scored)"
            )
            found.append(Finding(code="missing-scores", severity="warning", entry=entry, text=text))
    nobody = np.flatnonzero(subject.listed.any(axis=0) & ~subject.tried.any(axis=0))
    if len(nobody):
        names = [subject.table.items[i] for i in nobody]
        text = f"{phrases.items(len(nobody))} have a score in no entry: {phrases.listed(names)}"
        found.append(Finding(code="items-never-scored", severity="warning", item=names[0], text=text))
    return found


def failures(subject: Subject) -> list[Finding]:
    """Entries with failed attempts, and published rates that leave them out."""
    found = []
    for at, entry in enumerate(subject.table.entries):
        lost = int(subject.failed[at].sum())
        if not lost or not subject.unit or not subject.has[at].any():
            continue
        n = int(subject.tried[at].sum())
        attempts = subject.scored[at] + subject.failed[at]
        as_zero = float(np.sum(subject.total[at][attempts > 0] / attempts[attempts > 0])) / n
        dropped = float(np.nanmean(subject.mean[at]))
        published = subject.table.published.get(entry)
        which = f"{phrases.percent(as_zero)} with them as zeros, {phrases.percent(dropped)} without them"
        near = published is not None and abs(published - dropped) < abs(published - as_zero)
        if near and published is not None and dropped - as_zero > 0.5 / n:
            stated = phrases.percent(published)
            text = f"{lost:,} failed and the published {stated} leaves them out: {which}"
            found.append(Finding(code="failures-dropped", severity="warning", entry=entry, text=text))
        elif dropped - as_zero <= WORD:
            text = f"{lost:,} failed {'attempt' if lost == 1 else 'attempts'}: {which}"
            found.append(Finding(code="failed-attempts", severity="info", entry=entry, text=text))
    return found


def twins(subject: Subject) -> list[Finding]:
    """Entries with the same score on every item."""
    alike: dict[bytes, list[int]] = defaultdict(list)
    for at, row in enumerate(subject.mean):
        known = row[~np.isnan(row)]
        if len(known) >= ALIKE and len(np.unique(known)) > 1:
            alike[row.tobytes()].append(at)
    found = []
    for rows in alike.values():
        if len(rows) > 1:
            names = [subject.table.entries[at] for at in rows]
            items = phrases.items(int(subject.has[rows[0]].sum()))
            text = f"the same score on each of {items}: {phrases.listed(names)}; one run under several names?"
            found.append(Finding(code="identical-entries", severity="warning", entry=names[0], text=text))
    return found


def silent_items(subject: Subject) -> list[Finding]:
    """Items that every entry gets right, or wrong: they separate nobody."""
    if not subject.unit or len(subject.table.entries) < FEW:
        return []
    full = subject.has.all(axis=0)
    right = int(np.count_nonzero(full & (np.nan_to_num(subject.mean, nan=0.0) == 1).all(axis=0)))
    wrong = int(np.count_nonzero(full & (np.nan_to_num(subject.mean, nan=1.0) == 0).all(axis=0)))
    if not right and not wrong:
        return []
    shared = phrases.items(int(full.sum()))
    if not full.all():
        shared = f"the {shared} that every entry has"
    text = (
        f"{right + wrong:,} of {shared} separate nobody: every entry gets {right:,} right and {wrong:,} wrong"
    )
    return [Finding(code="silent-items", severity="info", text=text)]
