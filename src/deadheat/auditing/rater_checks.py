"""Several judges in one table, each as a sample of its own: how they agree, and who puts whom first."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.auditing.subject import Subject
from deadheat.data.batch import RATERS
from deadheat.results import Interval
from deadheat.results.audit import Finding
from deadheat.results.raters import RatedEntry, Rater, RaterPair, Raters
from deadheat.stats.judged.agreement_of_raters import agreement
from deadheat.stats.judged.several_raters import Inferred, alpha, dawid_skene, majority_of_others
from deadheat.stats.numerics.bounds import defined

Floats = NDArray[np.float64]
MOST, FEWEST = 20, 3  # raters that are compared in pairs, and that say which of them errs


class _Rated(NamedTuple):
    """Ratings of each answer, (U, R), NaN for none, with the entry and item of each answer."""

    raters: list[str]
    ratings: Floats
    entry: NDArray[np.int64]
    item: NDArray[np.int64]


def _rated(subject: Subject) -> _Rated | None:
    """Ratings of a table whose samples are judges (`--columns sample=judge`); None where they are not."""
    table = subject.table
    named = next((found for found, part in table.renamed.items() if part == "sample"), "")
    if named.lower() not in RATERS or table.attempts is None:
        return None
    found = table.attempts.connection.execute(
        "SELECT e.code AS entry, i.code AS item, sample, score FROM attempts "
        "JOIN entry_codes e USING (entry) JOIN item_codes i USING (item) "
        "WHERE score IS NOT NULL AND sample IS NOT NULL ORDER BY 1, 2, 3"
    ).fetchnumpy()
    raters, rater = np.unique(found["sample"].astype(str), return_inverse=True)
    if not 2 <= len(raters) <= MOST:
        return None
    key = found["entry"].astype(np.int64) * len(table.items) + found["item"]
    answers, row = np.unique(key, return_inverse=True)
    ratings = np.full((len(answers), len(raters)), np.nan)
    ratings[row, rater] = found["score"]
    return _Rated(raters.tolist(), ratings, answers // len(table.items), answers % len(table.items))


def raters(subject: Subject, level: float) -> Raters | None:
    """Compare several judges of the same answers; None where there are none."""
    rated = _rated(subject)
    if rated is None:
        return None
    names, x, entry = rated.raters, rated.ratings, rated.entry
    known = np.isfinite(x)
    binary = bool(np.isin(x[known], (0.0, 1.0)).all())
    inferred = dawid_skene(x, entry) if binary and len(names) >= FEWEST else None
    most = majority_of_others(x) if binary else np.full(x.shape, np.nan)
    both = known & np.isfinite(most)
    lines = [
        Rater(
            rater=name,
            ratings=int(known[:, at].sum()),
            score=float(x[known[:, at], at].mean()),
            first=_first(subject, rated, at),
            with_others=_mean((x == most)[both[:, at], at]),
            sensitivity=None if inferred is None else float(inferred.sensitivity[at]),
            specificity=None if inferred is None else float(inferred.specificity[at]),
        )
        for at, name in enumerate(names)
    ]
    return Raters(
        alpha=defined(alpha(x)),
        raters=tuple(lines),
        pairs=tuple(_pair(rated, a, b, level, binary=binary) for a, b in combinations(range(len(names)), 2)),
        entries=tuple(_entries(subject, rated, inferred, binary=binary)),
    )


def _mean(values: NDArray[np.bool_]) -> float | None:
    return float(np.mean(values)) if len(values) else None


def _first(subject: Subject, rated: _Rated, at: int) -> tuple[str, ...]:
    """Entries with the highest mean score by one rater, over the items at which it rated every entry."""
    there = np.isfinite(rated.ratings[:, at])
    score, entry, item = rated.ratings[there, at], rated.entry[there], rated.item[there]
    shared = np.bincount(item) == len(np.unique(entry))
    some = shared[item]
    if not some.any():
        return ()
    codes, row = np.unique(entry[some], return_inverse=True)
    mean = np.bincount(row, score[some]) / np.bincount(row)
    sign = -1 if subject.table.lower_is_better else 1
    best = np.flatnonzero(sign * mean >= (sign * mean).max() - 1e-12)
    return tuple(subject.name(int(codes[at])) for at in best)


def _pair(rated: _Rated, a: int, b: int, level: float, *, binary: bool) -> RaterPair:
    x = rated.ratings
    both = np.isfinite(x[:, a]) & np.isfinite(x[:, b])
    blank = RaterPair(a=rated.raters[a], b=rated.raters[b], ratings=int(both.sum()), agreement=0.0)
    if not both.any():
        return blank
    one, other = x[both, a], x[both, b]
    found = agreement(one, other, level, np.unique(rated.item[both], return_inverse=True)[1])
    low, high = float(found.low.kappa), float(found.high.kappa)
    interval = Interval(low=low, high=high, level=level, method="jackknife t") if low < high else None
    return RaterPair(
        a=blank.a,
        b=blank.b,
        ratings=blank.ratings,
        agreement=float(np.mean(one == other)),
        kappa=defined(found.value.kappa),
        kappa_interval=interval,
        ac1=defined(found.value.ac1) if binary else None,
        alpha=defined(found.value.alpha),
    )


def _entries(subject: Subject, rated: _Rated, inferred: Inferred | None, *, binary: bool) -> list[RatedEntry]:
    known = np.isfinite(rated.ratings)
    mean = np.where(known, rated.ratings, 0.0).sum(axis=1) / known.sum(axis=1)
    out = []
    for code in np.unique(rated.entry):
        mine = mean[rated.entry == code]
        out.append(
            RatedEntry(
                entry=subject.name(int(code)),
                score=float(mine.mean()),
                majority=_mean(mine[mine != 0.5] > 0.5) if binary else None,
                dawid_skene=None if inferred is None else float(inferred.rate[code]),
            )
        )
    return out


def divided(found: Raters) -> list[Finding]:
    """Say how far several judges agree, and where they put different entries first."""
    names = [line.rater for line in found.raters]
    text = f"{len(names)} judges rated these answers"
    if found.alpha is not None:
        text = f"{text}; Krippendorff's α of all is {found.alpha:.2f}"
    if any(line.dawid_skene is not None for line in found.entries):
        text = f"{text}. Dawid and Skene's rates hold if the judges err independently of one another"
    out = [Finding(code="several-judges", severity="info", text=text)]
    if len({line.first for line in found.raters}) > 1:
        told = "; ".join(f"by {line.rater} {' and '.join(line.first)}" for line in found.raters if line.first)
        text = f"the judges put different entries first: {told}"
        out.append(Finding(code="judges-disagree", severity="warning", text=text))
    return out
