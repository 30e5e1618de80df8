"""All pairs of a panel's entries under one test: the evidence that groups, ranks and comparisons stand on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.errors import MethodError
from deadheat.estimand import GeneralisesTo
from deadheat.evidence import memory
from deadheat.methods import ANYTIME, NO_RERUNS, TESTS, choose_pair
from deadheat.stats.numerics.bounds import Bounds
from deadheat.stats.numerics.pvalues import critical_t, undefined_unless
from deadheat.stats.paired import mcnemar, paired_intervals, pairs_mcnemar
from deadheat.stats.paired.pairs_rerun import all_pairs_rerun
from deadheat.stats.paired.pairs_t import all_pairs_t
from deadheat.stats.score.clustered import Kind

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

SMALLEST = 5e-324  # the smallest double: a p-value is never 0
MCNEMAR = {
    "mcnemar": mcnemar.mcnemar_exact,
    "mid-p": mcnemar.mcnemar_mid_p,
    "mcnemar-chi2": mcnemar.mcnemar_chi2,
    "mcnemar-cc": mcnemar.mcnemar_cc,
}
CLUSTERED: dict[str, Kind] = {"t": "CR1", "bell-mccaffrey": "CR2"}
CLOSED = ("tango", *CLUSTERED, "rerun-t")
"""Intervals that follow from the arrays of `Pairwise`."""


@dataclass(frozen=True, eq=False)
class Pairwise:
    """E x E arrays, row entry v column entry; NaN where undefined, as where two entries share no item.

    Parameters
    ----------
    test : str
        The test that gave the p-values.
    interval : str
        The interval that is shown with it.
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
    generalises_to : str
        ``items`` or ``reruns``.
    """

    test: str
    interval: str
    p: Floats
    log10_p: Floats
    difference: Floats
    se: Floats
    shared: Ints
    a_only: Ints | None
    df: Floats | None = None
    test_se: Floats | None = None
    generalises_to: GeneralisesTo = "items"

    @property
    def one_sided(self) -> Floats:
        """p of the side that is ahead: half of p; of an e-value E = 1/p it is 1/(2E - 1) at most.

        E is the mean of two one-sided e-values, and that of the side that is behind is at most 1.
        """
        return np.asarray(self.p / (2 - self.p) if self.test == ANYTIME else self.p / 2)


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
        A name of `methods.TESTS`; None takes the default of this kind of data.
    generalises_to : str
        ``reruns``: the test is about the same items, attempted again.
    draws, seed : int
        For tests that draw.

    Raises
    ------
    MethodError
        A test that does not fit the data.
    """
    memory.fits(*panel.values.shape)
    test, interval = choose_pair(panel.shape(generalises_to), test, None)
    if not TESTS[test].fit.paired:
        raise MethodError(
            f"a board tests pairs on the items they share; found --test {test}, which takes entries as if on "
            "different items: use compare"
        )
    if test in MCNEMAR:
        return _mcnemar(panel, test)
    if test in CLUSTERED:
        return _t(panel, test)
    if test == "rerun-t":
        return _rerun(panel)
    from deadheat.evidence import any_test  # the tests that few boards ask for take their time to load

    found = any_test.all_pairs(panel, test, draws=draws, seed=seed)
    plain = _t(panel, interval if interval in CLUSTERED else "t")
    return replace(plain, test=test, interval=interval, p=found.p, log10_p=found.log10_p)


def _mcnemar(panel: Panel, test: str) -> Pairwise:
    a_only, shared = pairs_mcnemar.discordant(panel.values, panel.present)
    found = undefined_unless(shared > 0, pairs_mcnemar.all_pairs(a_only, MCNEMAR[test]))
    difference = (a_only - a_only.T) / np.where(shared > 0, shared, np.nan)
    se = paired_intervals.wald_se(shared, a_only, a_only.T)
    return Pairwise(test, TESTS[test].interval, found.p, found.log10_p, difference, se, shared, a_only)


def _t(panel: Panel, test: str) -> Pairwise:
    data = (panel.values, panel.present, panel.cluster, panel.weights, panel.stratum, panel.shares)
    found = all_pairs_t(*data)
    if panel.binary:
        a_only, shared = pairs_mcnemar.discordant(panel.values, panel.present)
    else:
        a_only, shared = None, _shared(panel)
    plain = Pairwise(test, test, found.p, found.log10_p, found.difference, found.se, shared, a_only, found.df)
    if CLUSTERED[test] == "CR1":
        return plain
    found = all_pairs_t(*data, kind=CLUSTERED[test])
    return replace(plain, p=found.p, log10_p=found.log10_p, df=found.df, test_se=found.se)


def _rerun(panel: Panel) -> Pairwise:
    if panel.within is None or panel.samples is None:
        raise MethodError(NO_RERUNS)
    found = all_pairs_rerun(
        panel.values, panel.present, panel.within, panel.samples, panel.weights, panel.stratum
    )
    return Pairwise(
        "rerun-t",
        "rerun-t",
        found.p,
        found.log10_p,
        found.difference,
        found.se,
        _shared(panel),
        None,
        found.df,
        generalises_to="reruns",
    )


def _shared(panel: Panel) -> Ints:
    """Count the items that both entries of each pair have."""
    present = panel.present.astype(np.float32)
    return np.asarray((present @ present.T).astype(np.int32))


def intervals(
    pairs: Pairwise, rows: NDArray[Any], second: NDArray[Any] | int, level: float
) -> tuple[str, Bounds]:
    """Tango's score interval or that of a t-test, one of CLOSED; rows broadcast."""
    if pairs.interval != "tango":
        assert pairs.df is not None
        error = pairs.se if pairs.test_se is None else pairs.test_se
        half = critical_t(level, pairs.df[rows, second]) * error[rows, second]
        gap = pairs.difference[rows, second]
        return pairs.interval, Bounds(gap - half, gap + half)
    assert pairs.a_only is not None
    b, c = pairs.a_only[rows, second], pairs.a_only[second, rows]
    neither = pairs.shared[rows, second] - b - c
    return "tango", paired_intervals.tango(np.zeros_like(b), b, c, neither, level=level)


def ahead(lead: float) -> Literal["a", "b"] | None:
    """Which of two scores better, by a lead of a over b; None where neither does."""
    return "a" if lead > 0 else "b" if lead < 0 else None


def verdict(p: float, lead: float, alpha: float) -> Literal["a", "b", "not separated"] | None:
    """A pair is separated when p < alpha; at p = alpha it is not, nor with a lead of 0."""
    if np.isnan(p):
        return None
    return "not separated" if p >= alpha else ahead(lead) or "not separated"
