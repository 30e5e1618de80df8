"""Every interval of a score by its name, and the default for each kind of data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MethodError
from deadheat.stats.drawing import resample
from deadheat.stats.numerics.bounds import Bounds, Floats
from deadheat.stats.numerics.pvalues import critical_z
from deadheat.stats.score import bootstrap, clustered, effective
from deadheat.stats.score.binomial import BINOMIAL_INTERVALS
from deadheat.stats.score.item_design import Codes, Groups, Values, nested

Needs = Literal["counts", "items", "draws"]


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
    def plain(self) -> bool:
        """Whether every value is one 0/1 attempt at an independent item that counts like every other."""
        alike = self.cluster is None and self.weights is None and self.stratum is None
        single = self.samples is None or not bool(np.any(self.samples > 1))
        return alike and single and bool(np.all((self.values == 0) | (self.values == 1)))

    @property
    def rates(self) -> bool:
        """Whether every value lies in [0, 1]."""
        return bool(np.all((self.values >= 0) & (self.values <= 1)))

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
        if self.shares is not None:
            raise MethodError("a composite is not resampled; its intervals are score, t and bell-mccaffrey")
        return resample.bootstrap_scores(
            self.values, self.present, self.cluster, self.weights, draws, rng=rng, stratum=self.stratum
        )


@dataclass(frozen=True)
class Method:
    """An interval method.

    Parameters
    ----------
    function : callable
        ``(data, level)``, and for methods that need draws ``(data, level, draws, rng)``, to Bounds.
    needs : str
        ``counts``: single 0/1 attempts at independent items. ``items``: any item values. ``draws``: those,
        and luck.
    """

    function: Callable[..., Bounds]
    needs: Needs


def default_interval(data: Data) -> str:
    """Name the interval for this kind of data.

    Parameters
    ----------
    data : Data

    Returns
    -------
    str
        ``wilson`` for single 0/1 attempts at independent items, ``score`` for other rates in [0, 1] whose
        clusters, if any, lie within strata, else ``bell-mccaffrey`` with clusters and ``t`` without.
    """
    if data.plain:
        return "wilson"
    if data.stratum is not None and not _within_strata(data):
        return "t"
    if data.rates:
        return "score"
    return "t" if data.cluster is None else "bell-mccaffrey"


def score_interval(
    name: str, data: Data, level: float = 0.95, *, draws: int = 10_000, rng: np.random.Generator | None = None
) -> Bounds:
    """Interval of each row's score by a named method.

    Parameters
    ----------
    name : str
        A name of `INTERVALS`.
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
    if name not in INTERVALS:
        raise MethodError(f"no interval {name!r}; known are {', '.join(INTERVALS)}")
    critical_z(level)
    method = INTERVALS[name]
    if method.needs == "counts" and not data.plain:
        raise MethodError(
            f"the interval {name} takes single 0/1 attempts at independent items that count alike; found "
            f"{_obstacle(data)}: {default_interval(data)} would do"
        )
    if name == "score" and not data.rates:
        raise MethodError("the interval score takes rates in [0, 1]; found values outside: t would do")
    if method.needs != "draws":
        return method.function(data, level)
    if rng is None:
        raise MethodError(f"the interval {name} draws resamples and needs a generator")
    if draws < 2:
        raise MethodError(f"the interval {name} needs at least 2 draws, better 10000; {draws} were asked for")
    return method.function(data, level, draws, rng)


def _obstacle(data: Data) -> str:
    if data.cluster is not None:
        return "clusters"
    if data.weights is not None or data.stratum is not None:
        return "weights"
    if data.samples is not None and np.any(data.samples > 1):
        return "several samples of an item"
    return "values other than 0 and 1"


def _within_strata(data: Data) -> bool:
    return nested(Groups(data.cluster, data.values.shape[1]), data.stratum) is not None


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
    _no_strata("jackknife", data)
    left_out = resample.jackknife_scores(data.values, data.present, data.cluster, data.weights)
    return bootstrap.jackknife_interval(data.score(), left_out, level)


def _percentile(data: Data, level: float, draws: int, rng: np.random.Generator) -> Bounds:
    return bootstrap.percentile_interval(data.resampled(draws, rng), level)


def _bca(data: Data, level: float, draws: int, rng: np.random.Generator) -> Bounds:
    _no_strata("bca", data)
    left_out = resample.jackknife_scores(data.values, data.present, data.cluster, data.weights)
    return bootstrap.bca_interval(data.resampled(draws, rng), data.score(), left_out, level)


def _studentised(data: Data, level: float, draws: int, rng: np.random.Generator) -> Bounds:
    _no_strata("studentised", data)
    return bootstrap.studentised_interval(
        data.values, data.present, data.cluster, data.weights, draws, rng=rng, level=level
    )


def _no_strata(name: str, data: Data) -> None:
    if data.stratum is not None:
        raise MethodError(f"the interval {name} knows no macro average; score, t or percentile would do")


INTERVALS: dict[str, Method] = {
    **{name: Method(_binomial(f), "counts") for name, f in BINOMIAL_INTERVALS.items()},
    "score": Method(_effective, "items"),
    "t": Method(_t("CR1"), "items"),
    "bell-mccaffrey": Method(_t("CR2"), "items"),
    "jackknife": Method(_jackknife, "items"),
    "wald-attempts": Method(_wald_attempts, "items"),
    "percentile": Method(_percentile, "draws"),
    "bca": Method(_bca, "draws"),
    "studentised": Method(_studentised, "draws"),
}
