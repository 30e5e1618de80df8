"""Tests and intervals for pairs of entries, each under one name with the data that it fits."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from deadheat.errors import MethodError
from deadheat.stats.anytime.pair_wealth import pair_log_e, pair_sequence, units
from deadheat.stats.drawing.resample import bootstrap_scores, jackknife_scores
from deadheat.stats.numerics.bounds import Bounds, Floats
from deadheat.stats.numerics.pvalues import PValues, from_log, undefined_unless
from deadheat.stats.paired import bayes, mcnemar, paired_intervals, unpaired
from deadheat.stats.paired.pairs import Pairs, error, own_difference, rerun_error, t_values, unpaired_error
from deadheat.stats.paired.signflip import sign_flip
from deadheat.stats.score.bootstrap import bca_interval, percentile_interval, studentised_interval
from deadheat.stats.score.clustered import Kind
from deadheat.stats.score.effective import t_interval
from deadheat.stats.score.item_design import Groups, influence


class Testing(Protocol):
    """Give two-sided p-values of the pairs; methods without luck ignore `draws` and `rng`."""

    def __call__(self, pairs: Pairs, *, draws: int, rng: np.random.Generator) -> PValues:
        """Test each pair."""


class Bounding(Protocol):
    """Give the ends of an interval for the difference a - b of each pair."""

    def __call__(self, pairs: Pairs, *, level: float, draws: int, rng: np.random.Generator) -> Bounds:
        """Bound each difference."""


class Fit(NamedTuple):
    """What data a method fits.

    Parameters
    ----------
    binary : bool
        Single 0/1 attempts only.
    plain : bool
        Independent, equally weighted items only: no clusters, weights or strata.
    unstratified : bool
        No strata (categories that count alike).
    draws : bool
        Uses luck.
    paired : bool
        Uses that both entries met the same items.
    reruns : bool
        Speaks of these very items attempted again, not of comparable items.
    bounded : bool
        Scores in [0, 1] only.
    """

    binary: bool = False
    plain: bool = False
    unstratified: bool = False
    draws: bool = False
    paired: bool = True
    reruns: bool = False
    bounded: bool = False


class Test(NamedTuple):
    """A test: how it runs, what it fits, and the interval that is shown with it."""

    run: Testing
    fit: Fit
    interval: str


class Interval(NamedTuple):
    """An interval: how it runs and what it fits."""

    run: Bounding
    fit: Fit


def check(name: str, fit: Fit, pairs: Pairs, *, binary: bool) -> None:
    """Refuse a method that does not fit.

    Parameters
    ----------
    name : str
        The method.
    fit : Fit
        What it fits.
    pairs : Pairs
        The data.
    binary : bool
        Whether every value is one 0/1 attempt.

    Raises
    ------
    MethodError
        Says what was found and what would do.
    """
    extra = [
        what
        for what, there in (
            ("clusters", pairs.cluster),
            ("weights", pairs.weights),
            ("strata", pairs.stratum),
        )
        if there is not None
    ]
    if fit.binary and not binary:
        raise MethodError(
            f"{name} takes single 0/1 attempts; these values are rates or real numbers: t, sign-flip and "
            "bootstrap fit them"
        )
    if fit.plain and extra:
        raise MethodError(
            f"{name} takes items as independent and equally weighted; found {', '.join(extra)}: t, sign-flip "
            "and bootstrap fit them"
        )
    if fit.bounded and not pairs.in_unit.all():
        raise MethodError(
            f"{name} is a bet on scores in [0, 1]; these scores are outside: rescale them by bounds that "
            "hold for every possible score"
        )
    if fit.unstratified and pairs.stratum is not None:
        raise MethodError(f"{name} does not take categories that count alike: t and percentile do")


def _mcnemar(test: Callable[..., PValues]) -> Testing:
    def run(pairs: Pairs, *, draws: int, rng: np.random.Generator) -> PValues:
        _, b, c, _ = pairs.cells
        return undefined_unless(pairs.shared > 0, test(b, c))

    return run


def _t(kind: Kind) -> Testing:
    def run(pairs: Pairs, *, draws: int, rng: np.random.Generator) -> PValues:
        return t_values(pairs, error(pairs, kind))

    return run


def _rerun_t(pairs: Pairs, *, draws: int, rng: np.random.Generator) -> PValues:
    return t_values(pairs, rerun_error(pairs), constant_is_evidence=False)


def _sign_flip(pairs: Pairs, *, draws: int, rng: np.random.Generator) -> PValues:
    difference, u, _ = influence(pairs.gap, pairs.both, pairs.weights, pairs.stratum)
    sums = Groups(pairs.cluster, u.shape[1]).sum(np.where(np.isnan(u), 0.0, u) * pairs.gap)
    found = sign_flip(sums, draws, rng=rng)
    return undefined_unless(~np.isnan(difference), PValues(found.p, found.log10_p))


def _bootstrap(pairs: Pairs, *, draws: int, rng: np.random.Generator) -> PValues:
    """Share of resamples that stray from the observed difference as far as it lies from 0."""
    found = _resampled(pairs, draws, rng)
    far = np.abs(pairs.difference)
    reached = (np.abs(found - pairs.difference) >= far - 1e-9 * far).sum(axis=0)
    p = (1 + reached) / (1 + (~np.isnan(found)).sum(axis=0))
    return undefined_unless(~np.isnan(pairs.difference), PValues(p, np.log10(p)))


def _resampled(pairs: Pairs, draws: int, rng: np.random.Generator) -> Floats:
    return bootstrap_scores(
        pairs.gap, pairs.both, pairs.cluster, pairs.weights, draws, rng=rng, stratum=pairs.stratum
    )


def _two_proportions(pairs: Pairs, *, draws: int, rng: np.random.Generator) -> PValues:
    return unpaired.two_proportions(*pairs.totals())


def _welch(pairs: Pairs, *, draws: int, rng: np.random.Generator) -> PValues:
    return t_values(pairs, unpaired_error(pairs), own_difference(pairs))


def _cells(interval: paired_intervals.PairedInterval) -> Bounding:
    def run(pairs: Pairs, *, level: float, draws: int, rng: np.random.Generator) -> Bounds:
        return interval(*pairs.cells, level=level)

    return run


def _t_ends(kind: Kind) -> Bounding:
    def run(pairs: Pairs, *, level: float, draws: int, rng: np.random.Generator) -> Bounds:
        return t_interval(pairs.difference, error(pairs, kind), level)

    return run


def _rerun_ends(pairs: Pairs, *, level: float, draws: int, rng: np.random.Generator) -> Bounds:
    return t_interval(pairs.difference, rerun_error(pairs), level)


def _percentile(pairs: Pairs, *, level: float, draws: int, rng: np.random.Generator) -> Bounds:
    return percentile_interval(_resampled(pairs, draws, rng), level)


def _bca(pairs: Pairs, *, level: float, draws: int, rng: np.random.Generator) -> Bounds:
    left_out = jackknife_scores(pairs.gap, pairs.both, pairs.cluster, pairs.weights)
    return bca_interval(_resampled(pairs, draws, rng), pairs.difference, left_out, level)


def _studentised(pairs: Pairs, *, level: float, draws: int, rng: np.random.Generator) -> Bounds:
    return studentised_interval(
        pairs.gap, pairs.both, pairs.cluster, pairs.weights, draws, rng=rng, level=level
    )


def _betting(pairs: Pairs, *, draws: int, rng: np.random.Generator) -> PValues:
    """p = 1/E of the mixture e-value, which holds at every look."""
    return from_log(-pair_log_e(units(pairs)))


def _betting_ends(pairs: Pairs, *, level: float, draws: int, rng: np.random.Generator) -> Bounds:
    return pair_sequence(units(pairs), 1 - level)


def _newcombe_unpaired(pairs: Pairs, *, level: float, draws: int, rng: np.random.Generator) -> Bounds:
    return unpaired.newcombe_unpaired(*pairs.totals(), level=level)


def _welch_ends(pairs: Pairs, *, level: float, draws: int, rng: np.random.Generator) -> Bounds:
    return t_interval(own_difference(pairs), unpaired_error(pairs), level)


ANYTIME = "betting"  # the test, and its interval, that hold at every look
BINARY, UNPAIRED_RATE = Fit(binary=True, plain=True), Fit(plain=True, paired=False)
TESTS: dict[str, Test] = {
    "mcnemar": Test(_mcnemar(mcnemar.mcnemar_exact), BINARY, "tango"),
    "mid-p": Test(_mcnemar(mcnemar.mcnemar_mid_p), BINARY, "tango"),
    "mcnemar-cc": Test(_mcnemar(mcnemar.mcnemar_cc), BINARY, "tango"),
    "mcnemar-chi2": Test(_mcnemar(mcnemar.mcnemar_chi2), BINARY, "tango"),
    "t": Test(_t("CR1"), Fit(), "t"),
    "bell-mccaffrey": Test(_t("CR2"), Fit(), "bell-mccaffrey"),
    "sign-flip": Test(_sign_flip, Fit(draws=True), "t"),
    "bootstrap": Test(_bootstrap, Fit(draws=True), "percentile"),
    ANYTIME: Test(_betting, Fit(unstratified=True, bounded=True), ANYTIME),
    "rerun-t": Test(_rerun_t, Fit(reruns=True), "rerun-t"),
    "unpaired-z": Test(_two_proportions, UNPAIRED_RATE, "newcombe-unpaired"),
    "welch": Test(_welch, Fit(paired=False), "welch"),
}
INTERVALS: dict[str, Interval] = {
    **{name: Interval(_cells(ends), BINARY) for name, ends in paired_intervals.PAIRED_INTERVALS.items()},
    "bayes": Interval(_cells(bayes.bayes_interval), BINARY),
    "t": Interval(_t_ends("CR1"), Fit()),
    "bell-mccaffrey": Interval(_t_ends("CR2"), Fit()),
    "percentile": Interval(_percentile, Fit(draws=True)),
    "bca": Interval(_bca, Fit(draws=True, unstratified=True)),
    "studentised": Interval(_studentised, Fit(draws=True, unstratified=True)),
    ANYTIME: Interval(_betting_ends, Fit(unstratified=True, bounded=True)),
    "rerun-t": Interval(_rerun_ends, Fit(reruns=True)),
    "newcombe-unpaired": Interval(_newcombe_unpaired, UNPAIRED_RATE),
    "welch": Interval(_welch_ends, Fit(paired=False)),
}
