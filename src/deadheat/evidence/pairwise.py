"""All pairs of a panel's entries under one test: the evidence that groups, ranks and comparisons stand on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.errors import MethodError
from deadheat.estimand import GeneralisesTo
from deadheat.results import Comparison, Interval, Note
from deadheat.stats.numerics.bounds import Bounds
from deadheat.stats.numerics.pvalues import critical_t, undefined_unless
from deadheat.stats.paired import mcnemar, paired_intervals, pairs_mcnemar
from deadheat.stats.paired.pairs_cr2 import all_pairs_cr2
from deadheat.stats.paired.pairs_rerun import all_pairs_rerun
from deadheat.stats.paired.pairs_t import all_pairs_t
from deadheat.stats.score import clustered

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

BELL, RERUN = "bell-mccaffrey", "rerun-t"
SMALLEST = 5e-324  # the smallest double: a p-value is never 0
MCNEMAR = {
    "mcnemar": mcnemar.mcnemar_exact,
    "mid-p": mcnemar.mcnemar_mid_p,
    "mcnemar-chi2": mcnemar.mcnemar_chi2,
    "mcnemar-cc": mcnemar.mcnemar_cc,
}


CLOSED = (*MCNEMAR, "t", BELL, RERUN)
"""Tests that take no draws."""


@dataclass(frozen=True, eq=False)
class Pairwise:
    """E x E arrays, row entry v column entry; NaN where undefined, as where two entries share no item.

    Parameters
    ----------
    test : str
        The test that gave the p-values.
    p, log10_p : (E, E) float64
        Two-sided p-values and their logarithms; the diagonal is not read.
    difference, se : (E, E) float64
        Row - column on the items they share, and its standard error (CR1 with clusters).
    shared : (E, E) int32
        Items that both have.
    a_only : (E, E) int32 or None
        Items right for the row entry only; None where scores are not single 0/1 attempts.
    df : (E, E) float64 or None
        Degrees of freedom of a t-test; None for other tests.
    test_se : (E, E) float64 or None
        The error that the t-test and its interval are made with, where it is not `se`.
    """

    test: str
    p: Floats
    log10_p: Floats
    difference: Floats
    se: Floats
    shared: Ints
    a_only: Ints | None
    df: Floats | None = None
    test_se: Floats | None = None


def is_plain(panel: Panel) -> bool:
    """Whether the scores are single 0/1 attempts at independent, equally weighted items."""
    return panel.binary and panel.cluster is None and panel.weights is None and panel.stratum is None


def pairwise(
    panel: Panel,
    test: str | None = None,
    generalises_to: GeneralisesTo = "items",
    *,
    draws: int = 10_000,
    seed: int = 0,
) -> Pairwise:
    """Test every pair of entries on the items they share.

    Parameters
    ----------
    panel : Panel
    test : str or None
        A name of `everypair.names`; None takes exact McNemar for plain panels, ``bell-mccaffrey`` with
        clusters, else ``t``.
    generalises_to : str
        ``reruns``: the test speaks of these very items, attempted again; ``t`` and ``rerun-t`` name it.
    draws, seed : int
        For tests that use luck.

    Raises
    ------
    MethodError
        A test that does not fit the data.
    """
    if panel.shares is not None and (generalises_to == "reruns" or test not in (None, "t", BELL)):
        asked = "reruns" if generalises_to == "reruns" else f"the test {test}"
        raise MethodError(
            f"{asked} of a composite was asked for; its tests are t and {BELL}, about new items"
        )
    if generalises_to == "reruns":
        return _rerun(panel, test)
    test = test or ("mcnemar" if is_plain(panel) else "t" if panel.cluster is None else BELL)
    if test in MCNEMAR:
        return _mcnemar(panel, test)
    if test == "t":
        return _t(panel)
    if test == BELL:
        return _bell(panel)
    from deadheat.evidence import any_test  # the tests that few boards ask for take their time to load

    if test not in any_test.names():
        raise MethodError(f"no test {test!r} for all pairs; known are {', '.join(any_test.names())}")
    found = any_test.all_pairs(panel, test, draws=draws, seed=seed)
    return replace(_t(panel), test=test, p=found.p, log10_p=found.log10_p)


def _mcnemar(panel: Panel, test: str) -> Pairwise:
    if not panel.binary:
        raise MethodError(
            f"the test {test} compares single 0/1 attempts; these values are rates or real numbers: "
            "--test t fits them"
        )
    if not is_plain(panel):
        raise MethodError(
            f"the test {test} takes items as independent and equally weighted; with clusters, weights or "
            "categories that count alike, --test t fits"
        )
    a_only, shared = pairs_mcnemar.discordant(panel.values, panel.present)
    found = undefined_unless(shared > 0, pairs_mcnemar.all_pairs(a_only, MCNEMAR[test]))
    difference = (a_only - a_only.T) / np.where(shared > 0, shared, np.nan)
    se = paired_intervals.wald_se(shared, a_only, a_only.T)
    return Pairwise(test, found.p, found.log10_p, difference, se, shared, a_only)


def _t(panel: Panel) -> Pairwise:
    found = all_pairs_t(
        panel.values, panel.present, panel.cluster, panel.weights, panel.stratum, panel.shares
    )
    if panel.binary:
        a_only, shared = pairs_mcnemar.discordant(panel.values, panel.present)
    else:
        seen = panel.present.astype(np.float32)
        a_only, shared = None, (seen @ seen.T).astype(np.int32)
    return Pairwise("t", found.p, found.log10_p, found.difference, found.se, shared, a_only, found.df)


def _bell(panel: Panel) -> Pairwise:
    if panel.cluster is None:
        raise MethodError(
            f"the test {BELL} is made for clusters (--cluster COLUMN); without them --test t fits"
        )
    found = all_pairs_cr2(
        panel.values, panel.present, panel.cluster, panel.weights, panel.stratum, panel.shares
    )
    plain = _t(panel)
    return replace(plain, test=BELL, p=found.p, log10_p=found.log10_p, df=found.df, test_se=found.se)


def _rerun(panel: Panel, test: str | None) -> Pairwise:
    if test not in (None, "t", RERUN):
        raise MethodError(f"the test {test} speaks of comparable items; for reruns --test t fits")
    if panel.within is None or panel.samples is None:
        raise MethodError(
            "reruns of these items were asked about, but every item has one sample, which says nothing of "
            "what another would give; more samples, or --generalises-to items"
        )
    found = all_pairs_rerun(
        panel.values, panel.present, panel.within, panel.samples, panel.weights, panel.stratum
    )
    seen = panel.present.astype(np.float32)
    shared = (seen @ seen.T).astype(np.int32)
    return Pairwise(RERUN, found.p, found.log10_p, found.difference, found.se, shared, None, found.df)


def contrasts(
    panel: Panel, pairs: Pairwise, firsts: Sequence[int], second: int, *, level: float, alpha: float
) -> list[Comparison | None]:
    """Describe some entries' differences to one other entry.

    Parameters
    ----------
    panel, pairs
        The entries and the test of all their pairs.
    firsts, second : int
        Rows; each of `firsts` is compared with `second`.
    level, alpha : float
        Level of the intervals; a pair is separated when p < alpha.

    Returns
    -------
    list of Comparison or None
        None for the entry itself.
    """
    rows = np.asarray(firsts, dtype=np.intp)
    both = panel.present[rows] & panel.present[second]
    of_a, of_b = (
        clustered.mean(values, both, panel.weights, panel.stratum, panel.shares)
        for values in (panel.values[rows], np.broadcast_to(panel.values[second], both.shape))
    )
    method, bounds = intervals(pairs, rows, second, level)
    return [
        None
        if row == second
        else _contrast(
            panel,
            pairs,
            (int(row), second),
            (float(of_a[at]), float(of_b[at])),
            Interval(low=float(bounds.low[at]), high=float(bounds.high[at]), level=level, method=method),
            alpha,
        )
        for at, row in enumerate(rows)
    ]


def intervals(
    pairs: Pairwise, rows: NDArray[Any], second: NDArray[Any] | int, level: float
) -> tuple[str, Bounds]:
    """The interval that belongs to the test: Tango's score interval to McNemar's, else t; rows broadcast."""
    if pairs.df is not None:
        error = pairs.se if pairs.test_se is None else pairs.test_se
        half = critical_t(level, pairs.df[rows, second]) * error[rows, second]
        gap = pairs.difference[rows, second]
        method = pairs.test if pairs.test in ("t", BELL, RERUN) else "t"
        return method, Bounds(gap - half, gap + half)
    assert pairs.a_only is not None
    b, c = pairs.a_only[rows, second], pairs.a_only[second, rows]
    neither = pairs.shared[rows, second] - b - c
    return "tango", paired_intervals.tango(np.zeros_like(b), b, c, neither, level=level)


def _contrast(
    panel: Panel,
    pairs: Pairwise,
    at: tuple[int, int],
    values: tuple[float, float],
    interval: Interval,
    alpha: float,
) -> Comparison:
    a, b = (panel.entries[row] for row in at)
    shared = int(pairs.shared[at])
    gap, se, p = (float(x[at]) for x in (pairs.difference, pairs.se, pairs.p))
    if np.isnan(p):
        note = (
            Note(code="nothing-shared", text="no item in common, so nothing can be said of their difference")
            if shared == 0
            else Note(code="too-few-shared", text="too few shared items or clusters for this test")
        )
        known = None if np.isnan(gap) else gap
        return Comparison(a=a, b=b, test=pairs.test, items=shared, difference=known, notes=(note,))
    notes: tuple[Note, ...] = ()
    if se == 0:
        text = (
            "the two never differ on the items they share: the SE is withheld"
            if gap == 0
            else "the difference is the same on every item: p is that of a sign test, the SE is withheld"
        )
        notes = (Note(code="no-spread", text=text),)
    return Comparison(
        a=a,
        b=b,
        test=pairs.test,
        items=shared,
        value_a=values[0],
        value_b=values[1],
        difference=gap,
        se=se if se > 0 else None,
        interval=interval if interval.method == "tango" or se > 0 else None,
        p=max(p, SMALLEST),  # log10_p says how far below it lies
        log10_p=float(pairs.log10_p[at]),
        a_only=None if pairs.a_only is None else int(pairs.a_only[at]),
        b_only=None if pairs.a_only is None else int(pairs.a_only.T[at]),
        verdict=verdict(p, panel.sign * gap, alpha),
        ahead=ahead(panel.sign * gap),
        notes=notes,
    )


def ahead(lead: float) -> Literal["a", "b"] | None:
    """Which of two scores better, by a lead of a over b; None where neither does."""
    return "a" if lead > 0 else "b" if lead < 0 else None


def verdict(p: float, lead: float, alpha: float) -> Literal["a", "b", "not separated"] | None:
    """A pair is separated when p < alpha; at p = alpha it is not, nor with a lead of 0."""
    if np.isnan(p):
        return None
    return "not separated" if p >= alpha else ahead(lead) or "not separated"
