"""Checks of a judge's scores against the labels of people that a table carries."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from deadheat.auditing.subject import Subject
from deadheat.data.batch import DATES
from deadheat.data.panel import panel, settled
from deadheat.data.people import labels_of
from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.judge_agreement import Labelled, drift, unlike
from deadheat.evidence.judged import people_of
from deadheat.results.audit import Finding
from deadheat.stats.paired.mcnemar import mcnemar_exact

ALPHA = 0.05
ISO = re.compile(r"\d{4}-\d\d-\d\d")
PARTS, PART = 4, 10  # parts of a span of time, and labelled items that each has at least


def labelled(subject: Subject) -> Labelled | None:
    """The judge's scores and the labels of people; None where there are none, or reading them fails."""
    table = subject.table
    try:
        if labels_of(table) is None:
            return None
        seen = panel(table, settled(table, Estimand()))
        return Labelled(seen, *people_of(table, seen))
    except (DataError, MethodError):
        return None  # reading them says what is wrong


def judge(subject: Subject) -> list[Finding]:
    """Entries whose judge and people disagree in one direction, and where else the judge leans."""
    found = labelled(subject)
    if found is None:
        return []
    seen, has = found.source, found.labelled
    gap = np.where(has, seen.values - found.people, 0.0)
    high, low = (gap > 1e-12).sum(axis=1), (gap < -1e-12).sum(axis=1)
    p, known = mcnemar_exact(high, low).p, has.sum(axis=1)
    out = []
    for at in np.flatnonzero(known):
        share, shift = (high[at] + low[at]) / known[at], gap[at].sum() / known[at]
        leans = bool(p[at] < ALPHA / np.count_nonzero(known))
        size, side = _size(abs(shift), rates=seen.rates), "higher" if shift > 0 else "lower"
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
    errs = unlike(found)
    if errs is not None:
        text = f"{errs.text.partition(':')[0]}: no correction for all of them alike holds"
        out.append(Finding(code="judge-drift", severity="warning", text=text))
    return out + _drifts(subject, found)


def _size(value: float, *, rates: bool) -> str:
    return f"{100 * value:.1f} points" if rates else f"{value:.3g}"


def _drifts(subject: Subject, found: Labelled) -> list[Finding]:
    """Whether the judge leans more in some categories, or at some dates, than in others."""
    table, out = subject.table, []
    column = {name: at for at, name in enumerate(table.items)}
    order = [column[name] for name in found.source.items]
    for name in ("category", *DATES):
        if not table.has(name):
            continue
        try:
            said = table.attribute(name)[order]
        except MethodError:
            continue  # not one value an item
        there = np.array([value is not None for value in said])
        if name == "category":
            found_names, group = np.unique(said[there].astype(str), return_inverse=True)
            labels = found_names.tolist()
        else:
            made = _by_date(said[there].astype(str), np.asarray(found.labelled.any(axis=0))[there])
            if made is None:
                continue
            labels, group = made
        code = np.full(len(said), -1)
        code[there] = group
        tested = drift(found, code)
        if tested is None or not tested.p < ALPHA:
            continue
        ends = [int(np.argmin(tested.mean)), int(np.argmax(tested.mean))]
        shown = [
            f"{_signed(float(tested.mean[at]), rates=found.source.rates)} in {labels[tested.group[at]]} "
            f"({tested.items[at]} items)"
            for at in ends
        ]
        text = (
            f"the judge's score less that of people differs by {name}: on average {shown[0]}, {shown[1]} "
            f"(F-test of {len(tested.group)} groups, p = {tested.p:.2g}); boards by {name} compare judges too"
        )
        out.append(Finding(code="judge-drift", severity="warning", text=text))
    return out


def _signed(value: float, *, rates: bool) -> str:
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{_size(abs(value), rates=rates)}"


def _by_date(said: NDArray[np.str_], known: NDArray[np.bool_]) -> tuple[list[str], NDArray[np.intp]] | None:
    """Part items by date, with about as many labelled ones in each part; None where these are no dates."""
    if not all(ISO.match(value) for value in said):
        return None
    parts = min(PARTS, int(known.sum()) // PART)
    if parts < 2:
        return None
    days, code = np.unique([value[:10] for value in said], return_inverse=True)
    before = np.concatenate([[0], np.cumsum(np.bincount(code[known], minlength=len(days)))[:-1]])
    part = np.minimum(before * parts // max(int(known.sum()), 1), parts - 1)
    spans = [days[part == at] for at in range(parts)]
    labels = [f"{span[0]} to {span[-1]}" if len(span) else "" for span in spans]
    return labels, part[code]
