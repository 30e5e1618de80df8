"""Some entries of a panel against one other: which methods run, and every number they give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.errors import MethodError
from deadheat.methods import ANYTIME, BY_T, DIFFERENCES, SIGN, TESTS
from deadheat.seeds import stream
from deadheat.stats.numerics.bounds import Bounds
from deadheat.stats.numerics.pvalues import PValues
from deadheat.stats.paired import bayes, paired_intervals, visible
from deadheat.stats.paired.catalogue import ENDS, P_VALUES
from deadheat.stats.paired.pairs import (
    Cells,
    Pairs,
    clusters,
    error,
    own_difference,
    rerun_error,
    unpaired_error,
)
from deadheat.stats.score import clustered
from deadheat.stats.score.bootstrap import QUANTILE_RULE
from deadheat.stats.score.clustered import Error, Kind

Floats = NDArray[np.float64]
Counts = NDArray[np.float64] | NDArray[np.int64]

KINDS: dict[str, Kind] = {"bell-mccaffrey": "CR2"}
SEPARATE = "unpaired-z"


@dataclass(frozen=True)
class Methods:
    """The methods of a comparison, by name, and their settings."""

    test: str
    interval: str
    level: float = 0.95
    alpha: float = 0.05
    draws: int = 10_000
    seed: int = 0

    @property
    def draws_used(self) -> int | None:
        """Draws, where a method draws."""
        return self.draws if TESTS[self.test].fit.draws or DIFFERENCES[self.interval].fit.draws else None

    @property
    def quantile_rule(self) -> str | None:
        """How quantiles are read between draws, where the interval takes any."""
        return QUANTILE_RULE if DIFFERENCES[self.interval].fit.draws else None


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known of P pairs; arrays are (P,), NaN where undefined.

    Parameters
    ----------
    pairs : Pairs
    methods : Methods
    found : PValues
        Two-sided p and its logarithm.
    difference : float64
        a - b on shared items; for unpaired methods, of the two scores each over its own items.
    error : Error
        Standard error of the difference and its degrees of freedom, as the test takes them.
    se : float64
        The standard error that is shown: CR1 where the test takes CR2.
    bounds : Bounds
    cut : bool
        Whether an end of the interval was cut at -1 or 1, beyond which no difference of rates lies.
    values : (Floats, Floats)
        Scores of a and of b on the items that the difference is about.
    cells : Cells or None
        None for other than single 0/1 attempts at independent, equally weighted items.
    sign : int
        1 where a higher score is better, -1 where a lower one is.
    judged : bool
        Scores of a judge corrected by labels: strata are items with labels, and items without.
    """

    pairs: Pairs
    methods: Methods
    found: PValues
    difference: Floats
    error: Error
    se: Floats
    bounds: Bounds
    cut: NDArray[np.bool_]
    values: tuple[Floats, Floats]
    cells: Cells | None
    sign: int = 1
    judged: bool = False

    @property
    def lead(self) -> Floats:
        """How much better a is than b."""
        return self.sign * self.difference

    def better_only(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Items on which only a, and only b, has the better of the two outcomes."""
        assert self.cells is not None
        cells = self.cells.a_only, self.cells.b_only
        return cells if self.sign > 0 else cells[::-1]

    @property
    def paired(self) -> bool:
        """Whether the test uses that both met the same items."""
        return TESTS[self.methods.test].fit.paired

    @property
    def of_rates(self) -> bool:
        """Whether the test is of McNemar's family."""
        return TESTS[self.methods.test].fit.binary

    def test_of(self, at: int) -> str:
        """The test that gave the p of one pair: a sign test where t has no spread to divide by."""
        flat = self.error.se[at] == 0 and self.difference[at] != 0
        return SIGN if flat and self.methods.test in BY_T else self.methods.test

    def correlation(self) -> Floats:
        """Correlation of the two entries over the items they share."""
        return visible.correlation(self.pairs.a, self.pairs.b, self.pairs.both, self.pairs.weights)

    def unpaired(self) -> Floats:
        """Standard error the difference would have on separate items; NaN where the test is not of pairs."""
        if not self.paired or TESTS[self.methods.test].fit.reruns:
            return np.full(self.difference.shape, np.nan)
        if self.of_rates:
            return _rates_error(self.values, self.pairs.shared, self.pairs.shared)
        shared = replace(self.pairs, in_a=self.pairs.both, in_b=self.pairs.both)
        return unpaired_error(shared).se

    def smallest_visible(self) -> Floats:
        """Smallest difference that the test detects on these items with 80 % power; NaN for betting."""
        if self.methods.test == ANYTIME:
            return np.full(self.difference.shape, np.nan)
        if self.of_rates:
            assert self.cells is not None
            discordant = self.cells.a_only + self.cells.b_only
            return visible.visible_rates(self.pairs.shared, discordant, self.methods.alpha, self.methods.test)
        if self.separate_rates is not None:
            return self.separate_rates[0]
        found = visible.visible_mean(*self.error, self.methods.alpha)
        # Between scores in [0, 1] no difference is above 1.
        return np.where(self.pairs.in_unit & (found > 1), np.nan, found)

    def items_to_separate(self) -> Floats:
        """Items on which a difference like this one would be separated with 80 % power; NaN for betting."""
        alpha, test = self.methods.alpha, self.methods.test
        if test == ANYTIME:
            return np.full(self.difference.shape, np.nan)
        if self.of_rates:
            assert self.cells is not None
            split = self.cells.a_only, self.cells.b_only
            return visible.items_for_rates(self.pairs.shared, *split, alpha, test)
        if self.separate_rates is not None:
            return self.separate_rates[1]
        return visible.items_for_mean(self.comparable_items(), self.difference, *self.error, alpha)

    @cached_property
    def separate_rates(self) -> tuple[Floats, Floats] | None:
        """Smallest detectable difference, and items, of rates of single attempts; None for other tests."""
        if self.methods.test != SEPARATE:
            return None
        _, n_a, _, n_b = self.pairs.totals()
        if (n_a + n_b != self.pairs.in_a.sum(axis=1) + self.pairs.in_b.sum(axis=1)).any():
            return None
        return visible.of_separate_rates(*self.values, self.comparable_items(), self.methods.alpha)

    def comparable_items(self) -> Floats:
        """Shared items; for unpaired tests those of each entry, if both had as many and the same error."""
        if self.paired:
            return self.pairs.shared.astype(np.float64)
        a, b = self.pairs.in_a.sum(axis=1), self.pairs.in_b.sum(axis=1)
        return np.asarray(2 * a * b / np.maximum(a + b, 1))

    def probability_better(self) -> Floats | None:
        """Posterior probability that a is better; None for other than single 0/1 attempts."""
        if self.cells is None:
            return None
        known = np.where(self.pairs.shared > 0, 1.0, np.nan)
        return bayes.probability_better(*self.better_only()) * known

    def degrees(self) -> Floats:
        """Degrees of freedom that the clusters are worth (Bell and McCaffrey); NaN where not defined."""
        try:
            return error(self.pairs, "CR2").df
        except MethodError:  # clusters that reach over strata
            return np.full(self.difference.shape, np.nan)

    def clusters(self) -> NDArray[np.int64] | None:
        """Clusters that both entries have; None without clusters."""
        return None if self.pairs.cluster is None else clusters(self.pairs)


def pairs_of(panel: Panel, first: Sequence[int] | NDArray[np.intp], second: int | NDArray[np.intp]) -> Pairs:
    """Pair some rows of a panel with one other, or each with its own."""
    rows = np.asarray(first, dtype=np.intp)
    shape = (len(rows), len(panel.items))

    def other(array: NDArray[np.generic] | None) -> NDArray[np.generic] | None:
        return None if array is None else np.broadcast_to(array[second], shape)

    return Pairs(
        a=panel.values[rows],
        b=np.broadcast_to(panel.values[second], shape),
        in_a=panel.present[rows],
        in_b=np.broadcast_to(panel.present[second], shape),
        cluster=panel.cluster,
        weights=panel.weights,
        stratum=panel.stratum,
        samples_a=None if panel.samples is None else panel.samples[rows],
        samples_b=None if panel.samples is None else np.broadcast_to(panel.samples[second], shape),
        within_a=None if panel.within is None else panel.within[rows],
        within_b=None if panel.within is None else np.broadcast_to(panel.within[second], shape),
        shares=panel.shares,
    )


def weigh(panel: Panel, pairs: Pairs, methods: Methods) -> Evidence:
    """Run the methods on all pairs."""
    fit = TESTS[methods.test].fit
    cells = pairs.cells if panel.binary and panel.shape().plain and fit.paired else None

    def luck() -> np.random.Generator:
        return stream(methods.seed, "pairs")  # the same draws for test and interval

    in_a, in_b = (pairs.both, pairs.both) if fit.paired else (pairs.in_a, pairs.in_b)
    values = (
        clustered.mean(pairs.a, in_a, pairs.weights, pairs.stratum, pairs.shares),
        clustered.mean(pairs.b, in_b, pairs.weights, pairs.stratum, pairs.shares),
    )
    taken = _error(pairs, methods.test, values, cells)
    ends = ENDS[methods.interval](pairs, level=methods.level, draws=methods.draws, rng=luck())
    edge = 1.0 if panel.rates else np.inf
    return Evidence(
        pairs=pairs,
        methods=methods,
        found=P_VALUES[methods.test](pairs, draws=methods.draws, rng=luck()),
        difference=pairs.difference if fit.paired else own_difference(pairs),
        error=taken,
        se=error(pairs).se if methods.test in KINDS else taken.se,
        bounds=Bounds(np.maximum(ends.low, -edge), np.minimum(ends.high, edge)),
        cut=(ends.low < -edge) | (ends.high > edge),
        values=values,
        cells=cells,
        sign=panel.sign,
        judged=panel.truth is not None,
    )


def _error(pairs: Pairs, test: str, values: tuple[Floats, Floats], cells: Cells | None) -> Error:
    """The error that belongs to a test, with its degrees of freedom; a z test has infinitely many."""
    fit = TESTS[test].fit
    endless = np.full(len(pairs.shared), np.inf)
    if fit.reruns:
        return rerun_error(pairs)
    if test == SEPARATE:
        _, n_a, _, n_b = pairs.totals()
        return Error(_rates_error(values, n_a, n_b), endless)
    if not fit.paired:
        return unpaired_error(pairs)
    if fit.binary:
        assert cells is not None
        return Error(paired_intervals.wald_se(pairs.shared, cells.a_only, cells.b_only), endless)
    return error(pairs, KINDS.get(test, "CR1"))


def _rates_error(values: tuple[Floats, Floats], n_a: Counts, n_b: Counts) -> Floats:
    """Standard error of the difference of two independent rates."""
    a, b = (p * (1 - p) / np.where(n > 0, n, np.nan) for p, n in zip(values, (n_a, n_b), strict=True))
    return np.asarray(np.sqrt(np.maximum(a + b, 0)))
