"""A check of the board's history: how many of its records stand."""

from __future__ import annotations

from deadheat.auditing.subject import Subject
from deadheat.data.panel import panel, settled
from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.participants import MIN_SHARE, participants
from deadheat.evidence.record_steps import dates, history
from deadheat.results.audit import Finding


def records(subject: Subject) -> list[Finding]:
    """Records that stand, where every entry has a date: in a column ``date``, or in its name."""
    table = subject.table
    try:
        dated = dates(table, None)
        if dated is None:
            return []
        taking = participants(table, panel(table, settled(table, Estimand())), MIN_SHARE)
        steps = history(taking.panel, dated).steps
    except (DataError, MethodError):
        return []  # other checks say what is wrong with such results
    if not steps:
        return []
    number = sum(step.stands for step in steps)
    verb = "stands" if number == 1 else "stand"
    text = (
        f"{number:,} of {len(steps):,} records {verb}: each against the holder of its day on the same items, "
        "adjusted by Holm over the history; `deadheat records` lists them"
    )
    return [Finding(code="records-stand", severity="info", text=text)]
