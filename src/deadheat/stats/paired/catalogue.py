"""Tests and intervals for pairs of entries, by name; `deadheat.methods` says which data each fits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from deadheat.methods import ANYTIME
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
    """Give two-sided p-values of the pairs; methods without draws ignore `draws` and `rng`."""

    def __call__(self, pairs: Pairs, *, draws: int, rng: np.random.Generator) -> PValues:
        """Test each pair."""


class Bounding(Protocol):
    """Give the ends of an interval for the difference a - b of each pair."""

    def __call__(self, pairs: Pairs, *, level: float, draws: int, rng: np.random.Generator) -> Bounds:
        """Bound each difference."""


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


P_VALUES: dict[str, Testing] = {
    "mcnemar": _mcnemar(mcnemar.mcnemar_exact),
    "mid-p": _mcnemar(mcnemar.mcnemar_mid_p),
    "mcnemar-cc": _mcnemar(mcnemar.mcnemar_cc),
    "mcnemar-chi2": _mcnemar(mcnemar.mcnemar_chi2),
    "t": _t("CR1"),
    "bell-mccaffrey": _t("CR2"),
    "sign-flip": _sign_flip,
    "bootstrap": _bootstrap,
    ANYTIME: _betting,
    "rerun-t": _rerun_t,
    "unpaired-z": _two_proportions,
    "welch": _welch,
}
"""The tests of `methods.TESTS`."""

ENDS: dict[str, Bounding] = {
    **{name: _cells(ends) for name, ends in paired_intervals.PAIRED_INTERVALS.items()},
    "bayes": _cells(bayes.bayes_interval),
    "t": _t_ends("CR1"),
    "bell-mccaffrey": _t_ends("CR2"),
    "percentile": _percentile,
    "bca": _bca,
    "studentised": _studentised,
    ANYTIME: _betting_ends,
    "rerun-t": _rerun_ends,
    "newcombe-unpaired": _newcombe_unpaired,
    "welch": _welch_ends,
}
"""The intervals of `methods.DIFFERENCES`."""
