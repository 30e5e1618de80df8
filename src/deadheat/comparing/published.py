"""A measured score against a published number, of which no per-item results are known."""

from __future__ import annotations

import numpy as np

from deadheat.comparing.families import check_pick, picked
from deadheat.comparing.pair_claims import scale
from deadheat.data.panel import Panel, panel, settled
from deadheat.data.table import Table
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.pairwise import SMALLEST, ahead, verdict
from deadheat.methods import NO_RERUNS
from deadheat.report.numbers import p_phrase
from deadheat.report.sentences import Voice, sentences
from deadheat.results import Comparison, Comparisons, Interval, Methods, Note, Own, Published, claims
from deadheat.stats.multiple import adjustment
from deadheat.stats.numerics.pvalues import critical_t, student
from deadheat.stats.paired.unpaired import published_floor, welch
from deadheat.stats.score import clustered
from deadheat.stats.score.clustered import Error
from deadheat.version import VERSION

TEST = "t against a published number"


def compare_published(
    table: Table,
    entry: str,
    value: float,
    estimand: Estimand | None = None,
    *,
    items: int | None = None,
    se: float | None = None,
    samples: int | None = None,
    best_of: int | None = None,
    level: float = 0.95,
    alpha: float = 0.05,
) -> Comparisons:
    """Compare an entry with a published score.

    Parameters
    ----------
    table : Table
    entry : str
    value : float
        The published score, in the unit of the metric.
    estimand : Estimand or None
        What the entry's score is about.
    items : int or None
        Items behind the published score, which give a rate its error.
    se : float or None
        The published score's standard error.
    samples : int or None
        Samples an item behind the published score, which a metric that speaks of k samples needs.
    best_of : int or None
        Runs of which the entry was picked as the best; the adjusted p-value then decides.
    level, alpha : float
        Level of the interval; the two are separated when p < alpha.

    Raises
    ------
    MethodError
        No such entry; both or neither of `items` and `se`; a published rate outside (0, 1) with `items`;
        pass@k and its like from other samples an item than the entry's.
    """
    estimand = settled(table, estimand or Estimand())
    check_pick(best_of)
    seen = panel(table, estimand)
    if entry not in seen.entries:
        raise MethodError(f"no entry {entry!r}; found {', '.join(seen.entries[:5])}")
    theirs = _their_error(value, items, se)
    row = seen.entries.index(entry)
    _check_samples(seen, row, estimand, samples)
    score = float(_score(seen, row))
    ours, within = _our_errors(seen, row, estimand)
    gap = score - value
    notes: list[Note] = []
    comparison = Comparison(
        a=entry,
        b=f"published {value:g}",
        items=int(seen.present[row].sum()),
        value_a=score,
        value_b=value,
        difference=gap,
        test=TEST,
        ahead=ahead(seen.sign * gap),
        own=Own(items_a=int(seen.present[row].sum()), items_b=items or 0, value_a=score, value_b=value),
    )
    if not ours.se[0] > 0:
        notes.append(
            Note(code="no-se", text="the entry's standard error is unknown or 0, so nothing more can be said")
        )
        return _document(table, seen, estimand, comparison, notes, level, alpha, best_of)
    both = welch(ours, Error(np.array([theirs]), np.array([np.inf])))
    floor = published_floor(ours.se[0], theirs)
    half = float(critical_t(level, both.df)[0] * both.se[0])
    p, log10_p = (float(x[0]) for x in student(gap / both.se, both.df))
    decisive = float(adjustment.best_of(p, best_of or 1).bonferroni)
    comparison = _with(
        comparison,
        se=float(both.se[0]),
        interval=Interval(low=gap - half, high=gap + half, level=level, method=TEST),
        p=max(p, SMALLEST),
        log10_p=log10_p,
        p_adjusted=None if best_of is None else max(decisive, SMALLEST),
        df=float(both.df[0]) if np.isfinite(both.df[0]) else None,
        verdict=verdict(decisive, seen.sign * gap, alpha),
        published=Published(
            value=value,
            se=theirs,
            items=items,
            se_least=float(floor.least),
            se_most=float(floor.most),
            share=float(floor.share),
            floor=_floor(ours, within, theirs, estimand),
        ),
    )
    notes += _notes(comparison, float(ours.df[0]), alpha)
    return _document(table, seen, estimand, comparison, notes, level, alpha, best_of)


def _their_error(value: float, items: int | None, se: float | None) -> float:
    if (items is None) == (se is None):
        raise MethodError(
            "a published number has an error of its own: give --published-items (of a rate) or "
            "--published-se, one of the two"
        )
    if se is not None:
        if not se > 0:
            raise MethodError(f"a published standard error is above 0; found {se:g}")
        return se
    assert items is not None
    if not 0 < value < 1 or items < 1:
        raise MethodError(
            f"a published rate of {value:g} of {items} items gives no standard error: a rate lies between 0 "
            "and 1 (0.712, not 71.2) and items are at least 1; --published-se would do"
        )
    return float(np.sqrt(value * (1 - value) / items))


def _check_samples(seen: Panel, row: int, estimand: Estimand, samples: int | None) -> None:
    """Refuse a number about k samples that was made of other samples an item than ours.

    Many published ones are plug-in values, whose bias depends on the samples an item.
    """
    if estimand.k is None:
        return
    ours = np.unique(1 if seen.samples is None else seen.samples[row, seen.present[row]])
    found = " to ".join(str(count) for count in sorted({int(ours.min()), int(ours.max())}))
    if samples is None or ours.tolist() != [samples]:
        told = "an unstated number of" if samples is None else str(samples)
        raise MethodError(
            f"a published {estimand.metric} of {told} samples an item was to be held against one of {found}: "
            "such numbers compare only where they come from equally many samples, for many are plug-in "
            "values whose bias depends on them; say how many with --published-samples, and cut these results "
            "to as many"
        )


def _score(seen: Panel, row: int) -> float:
    rows = slice(row, row + 1)
    return float(clustered.mean(seen.values[rows], seen.present[rows], seen.weights, seen.stratum)[0])


def _our_errors(seen: Panel, row: int, estimand: Estimand) -> tuple[Error, Error | None]:
    """Error of the entry's score, and the part that samples alone would give."""
    rows = slice(row, row + 1)
    within = None
    if seen.within is not None and seen.samples is not None:
        within = clustered.rerun_error(
            seen.within[rows], seen.present[rows], seen.samples[rows], seen.weights, seen.stratum
        )
    if estimand.generalises_to == "reruns":
        if within is None:
            raise MethodError(NO_RERUNS)
        return within, within
    error = clustered.standard_error(
        seen.values[rows], seen.present[rows], seen.cluster, seen.weights, seen.stratum
    )
    return error, within


def _floor(ours: Error, within: Error | None, theirs: float, estimand: Estimand) -> float | None:
    """Error of the difference with endless samples of ours on these items; None where samples are single."""
    if estimand.generalises_to == "reruns":
        return theirs
    if within is None or np.isnan(within.se[0]):
        return None
    rest = max(float(ours.se[0]) ** 2 - float(within.se[0]) ** 2, 0.0)
    return float(np.sqrt(theirs**2 + rest))


def _notes(pair: Comparison, df: float, alpha: float) -> list[Note]:
    published = pair.published
    assert published is not None
    assert published.share is not None
    assert pair.difference is not None
    how = scale([pair])
    unit = f" {how.points}".rstrip()
    text = (
        f"{100 * published.share:.0f} % of the variance of this difference is the published number's own, "
        "which no repetition here can reduce"
    )
    if published.floor is not None:
        text += (
            f"; with endless samples of these items the error would still be "
            f"{how.size(published.floor)}{unit}, "
            f"now it is {how.size(pair.se)}{unit}"
        )
    notes = [Note(code="published-floor", text=text)]
    ends = []
    for bound in (published.se_least, published.se_most):
        p = student(pair.difference / bound, df).p if bound else np.nan
        ends.append(
            f"{how.size(bound)}{unit}" + ("" if np.isnan(p) else f" ({p_phrase(float(p), None, alpha)})")
        )
    text = (
        "an aggregate does not tell how the two correlate; independence is assumed, and if they were as "
        f"alike or as opposite as can be the error would be {ends[0]} or {ends[1]}"
    )
    return [*notes, Note(code="published-correlation", text=text)]


def _with(pair: Comparison, **changes: object) -> Comparison:
    import msgspec

    return msgspec.structs.replace(pair, **changes)


def _document(
    table: Table,
    seen: Panel,
    estimand: Estimand,
    pair: Comparison,
    notes: list[Note],
    level: float,
    alpha: float,
    best_of: int | None,
) -> Comparisons:
    pair = _with(pair, notes=tuple(notes))
    claimed = _claim(pair, alpha)
    return Comparisons(
        version=VERSION,
        estimand=estimand,
        methods=Methods(interval=TEST, test=TEST, best_of=best_of, alpha=alpha, level=level),
        summary=sentences((claimed,), Voice(scale([pair]))),
        claims=(claimed,),
        notes=(*seen.notes, *picked(best_of)),
        provenance=table.provenance(),
        comparisons=(pair,),
    )


def _claim(pair: Comparison, alpha: float) -> claims.Claim:
    if pair.p is None or pair.difference is None or pair.value_b is None:
        return claims.Withheld(entries=(pair.a, pair.b), what="difference", why=pair.notes[0].text)
    adjusted = pair.p_adjusted is not None
    return claims.PublishedGap(
        entry=pair.a,
        published=pair.value_b,
        difference=pair.difference,
        separated=pair.verdict in ("a", "b"),
        p=pair.p_adjusted if pair.p_adjusted is not None else pair.p,
        log10_p=None if adjusted else pair.log10_p,
        adjusted=adjusted,
        alpha=alpha,
    )
