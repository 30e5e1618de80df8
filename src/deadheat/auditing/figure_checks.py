"""Checks of figures as printed somewhere: counts, errors and pass@k against each other and against items."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from deadheat.auditing.rate_checks import LONGEST, contradiction, denominators, no_count, whole
from deadheat.auditing.subject import Subject
from deadheat.data.publication import Number, Stated
from deadheat.report import phrases
from deadheat.results.audit import Finding
from deadheat.stats.samples import metrics
from deadheat.stats.score import clustered, consistency


def counts(figure: Stated, subject: Subject | None) -> list[Finding]:
    """A rate against the counts, or the games, beside it."""
    rate = figure.rate
    n, what = figure.n, "counts"
    right: float | None = figure.right
    if figure.wins is not None and figure.losses is not None:
        draws = figure.draws or 0
        n, right, what = figure.wins + figure.losses + draws, figure.wins + draws / 2, "games"
    if rate is None or n is None or right is None or figure.k is not None or n < 1:
        return []
    if bool(consistency.fits(rate.value, right, n, rate.decimals)):
        return []
    gap = abs(float(consistency.gap_in_items(rate.value, right, n)))
    text = (
        f"published {_shown(rate)}, but the {what} beside it give {phrases.percent(right / n)} "
        f"({phrases.count(right)} of {n:,}): {gap:.3g} apart"
    )
    return [Finding(code="rate-contradicts-counts", severity="error", entry=figure.entry, text=text)]


def recovered(figure: Stated, subject: Subject | None) -> list[Finding]:
    """The count that a rounded rate stands for: one, several, or none."""
    rate, sizes = figure.rate, _sizes(figure, subject)
    if rate is None or not sizes or figure.k is not None:
        return []
    if figure.right is not None or figure.wins is not None:
        return []
    if not 0 <= rate.value <= 1 or (subject is not None and not subject.table.binary):
        return []
    if rate.decimals > LONGEST:
        return []
    n = whole(rate, sizes)
    if n is None:
        text = no_count(rate, sizes)
        return [Finding(code="impossible-rate", severity="error", entry=figure.entry, text=text)]
    found = consistency.recover_counts(rate.value, n, rate.decimals)
    of = phrases.items(n) if sizes[n] == "items" else f"{n:,} {sizes[n]},"
    if len(found) == 1:
        text = f"{_shown(rate)} of {of} is {found[0]:,} right"
    else:
        several = f"{found[0]:,} to {found[-1]:,} right"
        text = f"{_shown(rate)} of {of} may be any of {several}: too few digits to tell"
    return [Finding(code="recovered-count", severity="info", entry=figure.entry, text=text)]


def errors(figure: Stated, subject: Subject | None) -> list[Finding]:
    """A standard error against score and items: which formula gives it."""
    rate, se = figure.rate, figure.se
    n = figure.n or _items(figure, subject)
    if rate is None or se is None or n is None or figure.k is not None:
        return []
    if n < 1 or not 0 <= rate.value <= 1:
        return []
    known = consistency.stderr_formulas(rate.value, n, _from_items(figure, subject))
    between = 0 < rate.value < 1
    shown = f"published SE {se.value:g}"
    if se.value == 0 and between:
        text = (
            f"{shown} for a rate of {_shown(rate)} over {phrases.items(n)}: a rate between 0 and 1 has none "
            f"of 0; √(p(1 − p)/(n − 1)) is {known['n-1']:.6g}"
        )
        return [Finding(code="stderr-zero", severity="error", entry=figure.entry, text=text)]
    if se.value == 0:
        text = f"{shown} at a boundary rate: the formula gives 0 there, which is no precision"
        return [Finding(code="stderr-boundary", severity="warning", entry=figure.entry, text=text)]
    names = consistency.reproduced_by(se.value, known, se.decimals)
    if names == ("standard deviation",):
        text = f"{shown} is a standard deviation, √(p(1 − p)), that was not divided by √n"
        return [Finding(code="stderr-is-sd", severity="error", entry=figure.entry, text=text)]
    if names:
        text = f"{shown} is reproduced by: {', '.join(names)}"
        return [Finding(code="stderr-formula", severity="info", entry=figure.entry, text=text)]
    tried = ", ".join(f"{name} {value:.6g}" for name, value in known.items() if not np.isnan(value))
    text = f"{shown} is given by no formula tried ({tried})"
    return [Finding(code="stderr-unexplained", severity="warning", entry=figure.entry, text=text)]


def passes(figure: Stated, subject: Subject | None) -> list[Finding]:
    """A published pass@k against the samples behind it."""
    at = _row(figure, subject)
    if figure.k is None or subject is None or at is None or not subject.table.binary:
        return []
    tried = subject.tried[at]
    n = (subject.scored[at] + subject.failed[at])[tried]
    right = np.rint(subject.total[at][tried]).astype(np.int64)
    name = f"pass{'^' if figure.hat else '@'}{figure.k}"
    if not len(n):
        return []
    short = int(np.count_nonzero(n < figure.k))
    if short:
        text = (
            f"{name} is published, but {phrases.items(short)} of {len(n):,} have fewer than {figure.k} "
            f"samples (down to {int(n.min())}): it cannot be estimated from them"
        )
        return [Finding(code="too-few-samples", severity="error", entry=figure.entry, text=text)]
    estimate = metrics.pass_hat_k if figure.hat else metrics.pass_at_k
    value = float(np.mean(estimate(n, right, figure.k)))
    if figure.rate is None or _equal(figure.rate, value):
        return []
    text = f"published {name} {_shown(figure.rate)}, but its samples give {phrases.percent(value)}"
    if not figure.hat and _equal(figure.rate, float(np.mean(metrics.plug_in_pass_at_k(n, right, figure.k)))):
        text += "; it is the biased plug-in 1 − (1 − c/n)^k"
    elif figure.hat and _equal(figure.rate, float(np.mean((right / n) ** figure.k))):
        text += "; it is the biased plug-in (c/n)^k"
    return [Finding(code="pass-at-k-contradicts-samples", severity="error", entry=figure.entry, text=text)]


def against_items(figure: Stated, subject: Subject | None) -> list[Finding]:
    """A rate against the entry's own items, and entries that nothing is known of."""
    if subject is None:
        return []
    if _row(figure, subject) is None:
        text = "figures are published, but there are no per-item results of it here"
        return [Finding(code="no-per-item-results", severity="info", entry=figure.entry, text=text)]
    if figure.rate is None or figure.k is not None:
        return []
    rate = subject.table.published.get(figure.entry)
    if rate is not None and math.isclose(rate, figure.rate.value, rel_tol=1e-12):
        return []  # the results themselves publish it, and it is held against them once
    found = contradiction(subject, figure.entry, figure.rate)
    return [found] if found else []


def printed(figures: Sequence[Stated], subject: Subject | None) -> list[Finding]:
    """Run every check of printed figures."""
    return [finding for figure in figures for check in PRINTED.values() for finding in check(figure, subject)]


def _row(figure: Stated, subject: Subject | None) -> int | None:
    if subject is None or figure.entry not in subject.items:
        return None
    return subject.table.entries.index(figure.entry)


def _items(figure: Stated, subject: Subject | None) -> int | None:
    at = _row(figure, subject)
    return None if at is None or subject is None else int(subject.tried[at].sum()) or None


def _sizes(figure: Stated, subject: Subject | None) -> dict[int, str]:
    """Denominators that a printed rate may have: the stated one, or those of the entry's own attempts."""
    at = _row(figure, subject)
    own = {} if at is None or subject is None else denominators(subject, at)
    if figure.n is None:
        return own
    if figure.n < 1:
        return {}
    stated = {figure.n: "items"}
    if subject is not None and at is not None and figure.n == int(subject.tried[at].sum()):
        return stated | own if own else {}
    return stated


def _from_items(figure: Stated, subject: Subject | None) -> dict[str, float]:
    """Standard errors that only the items themselves can give."""
    at = _row(figure, subject)
    if at is None or subject is None:
        return {}
    tried = subject.tried[at : at + 1]
    attempts = np.maximum(subject.scored[at] + subject.failed[at], 1)
    values = np.where(tried, subject.total[at] / attempts, 0.0)
    found = {}
    if not subject.single or not subject.table.binary:
        found["items, s/√n"] = float(clustered.standard_error(values, tried).se[0])
    if subject.table.has("cluster"):
        labels = subject.table.attribute("cluster")
        if all(label is not None for label in labels):
            codes = np.unique(labels.astype(str), return_inverse=True)[1]
            for kind in ("CR0", "CR1"):
                se = clustered.standard_error(values, tried, codes, kind=kind).se[0]
                found[f"clustered {kind}"] = float(se)
    if not subject.single and subject.table.binary:
        seen, right = subject.scored[at][tried[0]], subject.total[at][tried[0]]
        within = metrics.mean_within(seen, right)
        found["within items"] = float(np.sqrt(np.sum(within))) / max(1, int(tried.sum()))
        pooled = float(right.sum() / max(1, seen.sum()))
        found["binomial over attempts"] = consistency.binomial_n(pooled, max(1, int(seen.sum())))
    return found


def _equal(rate: Number, value: float) -> bool:
    return abs(rate.value - value) <= 0.5 * 10.0**-rate.decimals * (1 + 1e-9) + 1e-12


def _shown(rate: Number) -> str:
    return phrases.percent(rate.value, max(0, rate.decimals - 2))


PRINTED: Mapping[str, Callable[[Stated, Subject | None], list[Finding]]] = {
    "counts": counts,
    "recovered counts": recovered,
    "standard errors": errors,
    "pass@k": passes,
    "items": against_items,
}
