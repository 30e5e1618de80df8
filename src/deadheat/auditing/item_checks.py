"""Checks of which items entries have: sets that differ, ids that do not line up, denominators."""

from __future__ import annotations

from typing import Any

import numpy as np

from deadheat.auditing.subject import Subject
from deadheat.data.ids import cut_off, spelled_apart
from deadheat.report import phrases
from deadheat.results.audit import Finding, Severity

POINT = 0.01  # a rate that moves by more than this with its denominator is worth a warning
WORD = 0.001  # and by more than this, a word
SHOWN = 5


def item_sets(subject: Subject) -> list[Finding]:
    """Entries with different items, and entries that share none."""
    listed = subject.listed
    items = listed.shape[1]
    if bool(np.all(listed)):
        return []
    counts = listed.sum(axis=1)
    common = int(listed.all(axis=0).sum())
    text = (
        f"entries have different items: {counts.min():,} to {counts.max():,} of {items:,}, {common:,} of "
        "them common to all. Rates over an entry's own items are not rates over the same items"
    )
    found = [Finding(code="different-items", severity="warning", text=text)]
    seen = listed.astype(np.float32)
    shared = seen @ seen.T
    apart = [(i, j) for i, j in zip(*np.nonzero(np.triu(shared == 0, 1)), strict=True)]
    if apart:
        pairs = [f"{subject.name(i)} and {subject.name(j)}" for i, j in apart[:SHOWN]]
        more = f", and {len(apart) - SHOWN:,} more pairs" if len(apart) > SHOWN else ""
        text = f"no item in common, so nothing can be said of their difference: {'; '.join(pairs)}{more}"
        found.append(Finding(code="nothing-shared", severity="error", text=text))
    return found


def ids(subject: Subject) -> list[Finding]:
    """Ids that were cut off, or are spelled differently."""
    found = []
    for cut in cut_off(subject.items):
        found.append(Finding(code="cut-off-ids", severity="error", item=cut.short, text=phrases.cut_ids(cut)))
    for spelling in spelled_apart(subject.items):
        parts = [
            f"{item!r} in {phrases.listed(entries, 2)}"
            for item, entries in zip(spelling.spellings, spelling.entries, strict=True)
        ]
        text = f"ids that differ in {spelling.how} only are taken as different items: {'; '.join(parts)}"
        found.append(Finding(code="id-drift", severity="warning", item=spelling.spellings[0], text=text))
    for note in subject.table.notes:
        if note.code == "ids-normalised":
            found.append(Finding(code="id-drift", severity="info", text=note.text))
    return found


def rates(subject: Subject) -> list[dict[str, Any]]:
    """Each entry's rate under every policy for attempts that failed or are not there.

    Returns
    -------
    list of dict
        ``scored``: over items with a score; ``failed_as_zero``: failed attempts are zeros;
        ``missing_as_zero``: so are the listed items without an attempt and the board's items that the entry
        lacks; ``common``: over items that every entry has a score for. None where nothing is left.
    """
    common = subject.has.all(axis=0)
    rows = []
    for at, entry in enumerate(subject.table.entries):
        known = subject.has[at]
        attempts = subject.scored[at] + subject.failed[at]
        right = float(np.nansum(subject.mean[at]))
        with_failed = float(np.sum(subject.total[at][attempts > 0] / attempts[attempts > 0]))
        tried, board = int(subject.tried[at].sum()), int(subject.board[at].sum())
        rows.append(
            {
                "entry": entry,
                "right": right,
                "items_scored": int(known.sum()),
                "items_tried": tried,
                "items_board": board,
                "scored": right / int(known.sum()) if known.any() else None,
                "failed_as_zero": with_failed / tried if tried else None,
                "missing_as_zero": with_failed / board,
                "common": float(subject.mean[at][common].mean()) if common.any() else None,
                "published": subject.table.published.get(entry),
            }
        )
    return rows


def denominators(subject: Subject) -> list[Finding]:
    """Rates that depend on what is done with items that failed or are not there."""
    if not subject.unit:
        return []
    found = []
    for row in rates(subject):
        if row["scored"] is None or row["scored"] - row["missing_as_zero"] <= WORD:
            continue
        scored, tried, board = row["items_scored"], row["items_tried"], row["items_board"]
        parts = [f"{phrases.percent(row['scored'], 1)} of the {phrases.items(scored)} with a score"]
        if row["failed_as_zero"] < row["scored"]:
            parts.append(f"{phrases.percent(row['failed_as_zero'], 1)} with failed attempts as zeros")
        if board > tried:
            lacks = phrases.items(board - tried)
            whose = f"the board's {phrases.items(board)}"
            if board < len(subject.table.items):
                whose = f"{phrases.items(board)} (its own, and those that a third of the entries list)"
            parts.append(
                f"{phrases.percent(row['missing_as_zero'], 1)} of {whose}, with "
                f"{lacks} without a result counted as failed"
            )
        text = f"the rate depends on its denominator: {'; '.join(parts)} ({_which(row)})"
        severity: Severity = "warning" if row["scored"] - row["missing_as_zero"] > POINT else "info"
        found.append(Finding(code="denominator", severity=severity, entry=row["entry"], text=text))
    return found


def _which(row: dict[str, Any]) -> str:
    """Say which of the rates was published."""
    published = row["published"]
    names = {
        "scored": "over the items with a score",
        "failed_as_zero": "with failed ones as zeros",
        "missing_as_zero": "with missing ones as failed",
    }
    if published is None:
        return "no rate is published beside them"
    near = [what for key, what in names.items() if abs(row[key] - published) < POINT / 20]
    stated = f"published {phrases.percent(published)}"
    return f"{stated}: {near[0]}" if near else f"{stated}: none of these"
