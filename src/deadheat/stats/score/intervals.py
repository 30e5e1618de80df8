"""Every interval of a score by its name; `deadheat.methods` says what each fits and which is the default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MethodError
from deadheat.methods import SCORES, Shape, choose_score
from deadheat.stats.drawing import resample
from deadheat.stats.numerics.bounds import Bounds, Floats
from deadheat.stats.numerics.pvalues import critical_z
from deadheat.stats.score import bootstrap, clustered, effective
from deadheat.stats.score.binomial import BINOMIAL_INTERVALS
from deadheat.stats.score.item_design import Codes, Groups, Values, nested


@dataclass(frozen=True, eq=False)
class Data:
    """What an interval is made from.

    Parameters
    ----------
    values, present : (E, M)
        Item values, and where they exist.
    samples : (E, M) int or None
        Attempts behind each value; None where each has one.
    cluster, weights, stratum : (M,) or None
    shares : (S,) or None
        As in `clustered.standard_error`.
    """

    values: Values
    present: NDArray[np.bool_]
    samples: NDArray[np.integer[Any]] | None = None
    cluster: Codes | None = None
    weights: Values | None = None
    stratum: Codes | None = None
    shares: Values | None = None

    @property
    def shape(self) -> Shape:
        """What the choice of a method depends on."""
        single = self.samples is None or not bool(np.any(self.samples > 1))
        return Shape(
            binary=single and bool(np.all((self.values == 0) | (self.values == 1))),
            rates=bool(np.all((self.values >= 0) & (self.values <= 1))),
            clustered=self.cluster is not None,
            weighted=self.weights is not None,
            stratified=self.stratum is not None,
            nested=nested(Groups(self.cluster, self.values.shape[1]), self.stratum) is not None,
            composite=self.shares is not None,
        )

    def score(self) -> Floats:
        """Score of each row."""
        return clustered.mean(self.values, self.present, self.weights, self.stratum, self.shares)

    def error(self, kind: clustered.Kind) -> clustered.Error:
        """Standard error of each row's score."""
        return clustered.standard_error(
            self.values, self.present, self.cluster, self.weights, self.stratum, kind, self.shares
        )

    def resampled(self, draws: int, rng: np.random.Generator) -> Floats:
        """Bootstrap scores, (draws, E)."""
        return resample.bootstrap_scores(
            self.values, self.present, self.cluster, self.weights, draws, rng=rng, stratum=self.stratum
        )


def score_interval(
    name: str, data: Data, level: float = 0.95, *, draws: int = 10_000, rng: np.random.Generator | None = None
) -> Bounds:
    """Interval of each row's score by a named method.

    Parameters
    ----------
    name : str
        A name of `methods.SCORES`.
    data : Data
    level : float
        Confidence level.
    draws : int
        Resamples, for methods that draw.
    rng : numpy.random.Generator, optional
        Needed by methods that draw, and by no other.

    Returns
    -------
    Bounds
        (E,); NaN where undefined.

    Raises
    ------
    MethodError
        An unknown name, a level outside (0, 1), or a method that the data do not fit.
    """
    critical_z(level)
    name = choose_score(data.shape, name)
    if not SCORES[name].fit.draws:
        return INTERVALS[name](data, level)
    if rng is None:
        raise MethodError(f"the interval {name} draws resamples and needs a generator")
    if draws < 2:
        raise MethodError(f"the interval {name} needs at least 2 draws (10000 by default); found {draws}")
    return INTERVALS[name](data, level, draws, rng)


def _binomial(interval: Callable[..., Bounds]) -> Callable[[Data, float], Bounds]:
    def function(data: Data, level: float) -> Bounds:
        right = data.values.sum(axis=1, where=data.present, dtype=np.float64)
        return interval(right, data.present.sum(axis=1), level)

    return function


def _effective(data: Data, level: float) -> Bounds:
    return effective.score_interval_effective(
        data.values, data.present, data.cluster, data.weights, data.stratum, level, shares=data.shares
    )


def _t(kind: clustered.Kind) -> Callable[[Data, float], Bounds]:
    return lambda data, level: effective.t_interval(data.score(), data.error(kind), level)


def _wald_attempts(data: Data, level: float) -> Bounds:
    """Wald's interval as if all attempts were independent items: HLE's convention, too narrow for reruns."""
    samples = data.present if data.samples is None else data.samples * data.present
    score = data.score()
    half = critical_z(level) * np.sqrt(np.clip(score * (1 - score), 0, None) / samples.sum(axis=1))
    return Bounds(score - half, score + half)


def _jackknife(data: Data, level: float) -> Bounds:
    left_out = resample.jackknife_scores(data.values, data.present, data.cluster, data.weights)
    return bootstrap.jackknife_interval(data.score(), left_out, level)


def _percentile(data: Data, level: float, draws: int, rng: np.random.Generator) -> Bounds:
    return bootstrap.percentile_interval(data.resampled(draws, rng), level)


def _bca(data: Data, level: float, draws: int, rng: np.random.Generator) -> Bounds:
    left_out = resample.jackknife_scores(data.values, data.present, data.cluster, data.weights)
    return bootstrap.bca_interval(data.resampled(draws, rng), data.score(), left_out, level)


def _studentised(data: Data, level: float, draws: int, rng: np.random.Generator) -> Bounds:
    return bootstrap.studentised_interval(
        data.values, data.present, data.cluster, data.weights, draws, rng=rng, level=level
    )


INTERVALS: dict[str, Callable[..., Bounds]] = {
    **{name: _binomial(f) for name, f in BINOMIAL_INTERVALS.items()},
    "score": _effective,
    "t": _t("CR1"),
    "bell-mccaffrey": _t("CR2"),
    "jackknife": _jackknife,
    "wald-attempts": _wald_attempts,
    "percentile": _percentile,
    "bca": _bca,
    "studentised": _studentised,
}
