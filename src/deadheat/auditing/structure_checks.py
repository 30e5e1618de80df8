"""Checks of how results hang together: what reading met, clusters that dominate, samples that are uneven."""

from __future__ import annotations

from typing import Literal

import numpy as np

from deadheat.auditing.subject import Subject
from deadheat.report import phrases
from deadheat.results.audit import Finding

DOMINANT = 1 / 3  # share of the items from which one cluster weighs too much
FEW = 10  # effective clusters below which clustered errors are unsure


# What readers tell that a check objects to.
READING: dict[str, Literal["error", "warning"]] = {
    "report-contradicts-itself": "error",
    "truncated-log": "warning",
    "no-scores": "warning",
    "scores-outside-range": "warning",
    "invalid-samples": "warning",
    "edited-scores": "warning",
}


def reading(subject: Subject) -> list[Finding]:
    """What the readers met in the files themselves."""
    return [
        Finding(code=note.code, severity=READING[note.code], text=note.text)
        for note in subject.table.notes
        if note.code in READING
    ]


def clusters(subject: Subject) -> list[Finding]:
    """Clusters that hold so many items that there are fewer of them than it seems."""
    if not subject.table.has("cluster"):
        return []
    labels = subject.table.attribute("cluster")
    known = np.array([label is not None for label in labels])
    if not known.any():
        return []
    names, sizes = np.unique(labels[known].astype(str), return_counts=True)
    largest = int(np.argmax(sizes))
    share = float(sizes[largest] / sizes.sum())
    effective = float(sizes.sum() ** 2 / np.sum(sizes.astype(np.float64) ** 2))
    if len(names) < 2 or (share <= DOMINANT and effective >= FEW):
        return []
    text = (
        f"{names[largest]} holds {sizes[largest]:,} of {phrases.items(int(sizes.sum()))} "
        f"({phrases.percent(share, 1)}): {len(names):,} clusters weigh like {effective:.1f} of equal size, "
        "so errors that respect them rest on few"
    )
    if len(set(sizes.tolist())) == 1:
        each = phrases.items(int(sizes[0]))
        text = f"{len(names):,} clusters of {each} each: errors that respect them rest on few"
    return [Finding(code="dominant-cluster", severity="warning", text=text)]


def uneven_samples(subject: Subject) -> list[Finding]:
    """Items with different numbers of samples."""
    if subject.single:
        return []
    attempts = subject.scored + subject.failed + subject.absent
    found = []
    for at, entry in enumerate(subject.table.entries):
        own = attempts[at][attempts[at] > 0]
        if len(own) and own.min() != own.max():
            fewest, most = int(own.min()), int(own.max())
            lacking = int(np.count_nonzero(own < most))
            text = (
                f"{phrases.items(lacking)} of {len(own):,} have fewer than {most:,} samples (down to "
                f"{fewest:,}): a mean over attempts and a mean over items differ, and pass@k takes the fewest"
            )
            found.append(Finding(code="uneven-samples", severity="warning", entry=entry, text=text))
    most = attempts.max(axis=1)
    if len(set(most.tolist())) > 1:
        low, high = int(np.argmin(most)), int(np.argmax(most))
        text = (
            f"entries have different numbers of samples an item: {most[low]:,} in {subject.name(low)}, "
            f"{most[high]:,} in {subject.name(high)}"
        )
        found.append(Finding(code="uneven-samples", severity="info", text=text))
    return found
