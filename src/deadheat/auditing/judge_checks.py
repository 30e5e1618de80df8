"""A check of a judge's scores against the labels of people that a table carries."""

from __future__ import annotations

import numpy as np

from deadheat.auditing.subject import Subject
from deadheat.data.panel import panel, settled
from deadheat.data.people import labels_of
from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from deadheat.results.audit import Finding
from deadheat.stats.paired.mcnemar import mcnemar_exact

ALPHA = 0.05


def judge(subject: Subject) -> list[Finding]:
    """Entries whose judge and people disagree in one direction, beyond chance for all entries together."""
    table = subject.table
    try:
        labels = labels_of(table)
        if labels is None:
            return []
        seen = panel(table, settled(table, Estimand()))
    except (DataError, MethodError):
        return []  # reading them says what is wrong
    dense = np.full(seen.values.shape, np.nan)
    row = {name: at for at, name in enumerate(seen.entries)}
    to_row = np.array([row[name] for name in table.entries])
    dense[to_row[table.cells.entry], table.cells.item] = labels.value
    has = np.isfinite(dense) & seen.present
    gap = np.where(has, seen.values - dense, 0.0)
    high, low = (gap > 1e-12).sum(axis=1), (gap < -1e-12).sum(axis=1)
    p, known = mcnemar_exact(high, low).p, has.sum(axis=1)
    out = []
    for at in np.flatnonzero(known):
        share, shift = (high[at] + low[at]) / known[at], gap[at].sum() / known[at]
        leans = bool(p[at] < ALPHA / np.count_nonzero(known))
        size = f"{100 * abs(shift):.1f} points" if seen.rates else f"{abs(shift):.3g}"
        side = "higher" if shift > 0 else "lower"
        leaning = f", and scores {size} {side} on average (sign test, p = {p[at]:.2g})" if leans else ""
        text = f"the judge differs from people at {100 * share:.1f} % of {known[at]:,} labels{leaning}"
        out.append(
            Finding(
                code="judge-against-people",
                severity="warning" if leans else "info",
                entry=seen.entries[at],
                text=text,
            )
        )
    return out
