"""A measured score against a published number, of which no per-item results are known."""

from __future__ import annotations

import numpy as np

from deadheat.comparing.families import check_pick, picked
from deadheat.comparing.own_score import Ours
from deadheat.comparing.pair_claims import scale
from deadheat.data.panel import Panel, panel
from deadheat.data.table import Table
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.pairwise import SMALLEST, ahead, verdict
from deadheat.readers.given import Results, taken
from deadheat.report.sentences import Voice, sentences
from deadheat.results import Comparison, Comparisons, Interval, Methods, Note, Own, Published, claims
from deadheat.stats.multiple import adjustment
from deadheat.stats.numerics.bounds import Bounds, defined
from deadheat.stats.numerics.pvalues import PValues, critical_t, student
from deadheat.stats.paired.two_rates import Rate, score_difference
from deadheat.stats.paired.unpaired import welch
from deadheat.stats.score.clustered import Error
from deadheat.version import VERSION

SCORE, T = "Miettinen–Nurminen score", "t against a published number"


def compare_published(
    table: Results,
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
    table : Table, dataframe, path or list of paths
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
        No such entry; both or neither of `items` and `se`; a published rate outside [0, 1] with `items`;
        pass@k and its like from other samples an item than the entry's.
    """
    table, estimand = taken(table, estimand)
    check_pick(best_of)
    seen = panel(table, estimand)
    if entry not in seen.entries:
        raise MethodError(f"no entry {entry!r}; found {', '.join(seen.entries[:5])}")
    theirs = _theirs(value, items, se)
    row = seen.entries.index(entry)
    _check_samples(seen, row, estimand, samples)
    ours = Ours.of(seen, row, estimand)
    score, count = ours.score, int(seen.present[row].sum())
    gap = score - value
    test = SCORE if ours.is_rate else T
    bare = Comparison(
        a=entry,
        b=f"published {value:g}",
        items=count,
        value_a=score,
        value_b=value,
        difference=gap,
        test=test,
        unit="rate" if seen.rates else "score",
        ahead=ahead(seen.sign * gap),
        own=Own(items_a=count, items_b=items or 0, value_a=score, value_b=value),
    )
    if np.isnan(ours.error.se[0]) or not (ours.is_rate or ours.error.se[0] > 0):
        text = "the entry's standard error is unknown or 0, so nothing more can be said"
        bare = _with(bare, notes=(Note(code="no-se", text=text),))
        return _document(table, seen, estimand, bare, level, alpha, best_of)
    found, ends, df = _tested(ours, value, theirs, items, level)
    p, decisive = float(found.p[0]), float(adjustment.best_of(found.p[0], best_of or 1).bonferroni)
    known = bool(ours.error.se[0] > 0) and theirs > 0
    total = float(np.hypot(ours.error.se[0], theirs))
    bounds = ours.bounds(value, theirs, items)
    pair = _with(
        bare,
        se=total if known else None,
        interval=Interval(low=float(ends.low[0]), high=float(ends.high[0]), level=level, method=test),
        p=max(p, SMALLEST),
        log10_p=float(found.log10_p[0]),
        p_adjusted=None if best_of is None else max(decisive, SMALLEST),
        df=defined(df),
        verdict=verdict(decisive, seen.sign * gap, alpha),
        published=Published(
            value=value,
            se=theirs if theirs > 0 else None,
            items=items,
            se_least=bounds.least if known else None,
            se_most=bounds.most if known else None,
            share=theirs**2 / total**2 if known else None,
            floor=_floor(ours.error, ours.within, theirs, estimand) if known else None,
        ),
    )
    pair = _with(pair, notes=tuple(_notes(pair)))
    return _document(table, seen, estimand, pair, level, alpha, best_of)


def _tested(
    ours: Ours, value: float, theirs: float, items: int | None, level: float
) -> tuple[PValues, Bounds, float]:
    """Test the difference and bound it: of two rates by the score method, otherwise by Welch's t."""
    se, df = float(ours.error.se[0]), float(ours.error.df[0])
    both = welch(ours.error, Error(np.array([theirs]), np.array([np.inf])))
    if not ours.is_rate:
        half, gap = critical_t(level, both.df) * both.se, ours.score - value
        return student(gap / both.se, both.df), Bounds(gap - half, gap + half), float(both.df[0])
    degrees = np.inf if ours.plain else df if se == 0 else float(both.df[0])
    size = float(items) if items is not None else value * (1 - value) / theirs**2
    found, ends = score_difference(Rate(ours.score, ours.size), Rate(value, size), degrees, level=level)
    return found, ends, degrees


def _theirs(value: float, items: int | None, se: float | None) -> float:
    """The standard error of the published score."""
    if (items is None) == (se is None):
        raise MethodError(
            "a published number has an error of its own: give --published-items (of a rate) or "
            "--published-se, one of the two"
        )
    if se is not None:
        if not se > 0:
            raise MethodError(f"a published standard error is above 0; found {se:g}")
        if value in (0, 1):
            raise MethodError(
                f"a published rate of {value:g} has a standard error of 0 by its formula; found {se:g}: give "
                "--published-items instead"
            )
        return se
    assert items is not None
    if not 0 <= value <= 1 or items < 1:
        raise MethodError(
            f"a published rate of {value:g} of {items} items gives no standard error: a rate lies between 0 "
            "and 1 (0.712, not 71.2) and items are at least 1; use --published-se for other scores"
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


def _floor(ours: Error, within: Error | None, theirs: float, estimand: Estimand) -> float | None:
    """Error of the difference with endless samples of ours on these items; None where samples are single."""
    if estimand.generalises_to == "reruns":
        return theirs
    if within is None or np.isnan(within.se[0]):
        return None
    rest = max(float(ours.se[0]) ** 2 - float(within.se[0]) ** 2, 0.0)
    return float(np.sqrt(theirs**2 + rest))


def _notes(pair: Comparison) -> list[Note]:
    published = pair.published
    assert published is not None
    if published.share is None:
        text = (
            "a score of 0 or 1 has a standard error of 0 by its formula, so those of the difference are "
            "withheld; the score method needs none"
        )
        return [Note(code="boundary", text=text)]
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
    text = (
        "an aggregate does not tell which items the two share or how their outcomes correlate; independence "
        f"is assumed, and whatever they share the error is between {how.size(published.se_least)} and "
        f"{how.size(published.se_most)}{unit}"
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
    level: float,
    alpha: float,
    best_of: int | None,
) -> Comparisons:
    claimed = _claim(pair, alpha)
    return Comparisons(
        version=VERSION,
        estimand=estimand,
        methods=Methods(interval=pair.test, test=pair.test, best_of=best_of, alpha=alpha, level=level),
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
