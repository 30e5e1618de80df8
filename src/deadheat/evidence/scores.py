"""Each entry's own score: value, standard error and interval, by the method that fits the panel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel, Truth
from deadheat.errors import MethodError
from deadheat.estimand import GeneralisesTo
from deadheat.methods import FEW_CLUSTERS, NO_RERUNS, SCORES, choose_score
from deadheat.results import Note
from deadheat.seeds import stream
from deadheat.stats.numerics.bounds import Bounds
from deadheat.stats.numerics.pvalues import critical_t, critical_z
from deadheat.stats.score import binomial, clustered, effective
from deadheat.stats.score.bootstrap import QUANTILE_RULE
from deadheat.stats.score.intervals import Data, score_interval

Floats = NDArray[np.float64]
PPI = "ppi++"
LARGE = 20  # labels x rate x (1 - rate) from which the normal interval of a corrected score holds its level


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of a panel's rows.

    Parameters
    ----------
    method : str
        The interval method that ran.
    level : float
        The level it claims.
    value, se, low, high : (E,) float64
        NaN where withheld; `entry_notes` says why.
    entry_notes : tuple of tuples of Note
        Doubts of each entry's numbers.
    notes : tuple of Note
        Doubts of all of them.
    """

    method: str
    level: float
    value: Floats
    se: Floats
    low: Floats
    high: Floats
    entry_notes: tuple[tuple[Note, ...], ...]
    notes: tuple[Note, ...] = ()

    @property
    def quantile_rule(self) -> str | None:
        """How quantiles are read between draws, where the interval takes any."""
        drawn = self.method in SCORES and SCORES[self.method].fit.draws
        return QUANTILE_RULE if drawn else None


def scores(
    panel: Panel,
    interval: str | None,
    *,
    level: float,
    seed: int,
    draws: int = 10_000,
    generalises_to: GeneralisesTo = "items",
    rates: bool = False,
) -> Scores:
    """Score every entry.

    Parameters
    ----------
    panel : Panel
    interval : str or None
        A name of INTERVALS; None takes the default for this kind of data.
    level : float
        Level of the interval.
    seed, draws : int
        Seed and number of draws of methods that use luck.
    generalises_to : str
        ``items``: the error of drawing comparable items; ``reruns``: that of attempting these again.
    rates : bool
        The values are pseudo-values of rates: their means lie in [0, 1], they themselves need not.

    Raises
    ------
    MethodError
        An interval that does not fit the data, or reruns asked of single samples.
    """
    if generalises_to == "reruns":
        return _reruns(panel, interval, level)
    if panel.truth is not None and panel.cluster is None and interval is None:
        return _of_truth(panel, panel.truth, level)
    data = Data(
        panel.values,
        panel.present,
        panel.samples,
        panel.cluster,
        panel.weights,
        panel.stratum,
        panel.shares,
    )
    method = choose_score(panel.shape()._replace(rates=True) if rates else panel.shape(), interval)
    rng = stream(seed, "bootstrap", "scores") if SCORES[method].fit.draws else None
    if rates and method == "score":
        design = panel.cluster, panel.weights, panel.stratum
        ends = effective.score_interval_effective(
            panel.values, panel.present, *design, level=level, shares=panel.shares
        )
    else:
        ends = score_interval(method, data, level, draws=draws, rng=rng)
    if SCORES[method].fit.binary:
        right = panel.values.sum(axis=1, where=panel.present, dtype=np.float64)
        se = binomial.standard_error(np.rint(right), panel.present.sum(axis=1))
    else:
        se = data.error("CR1").se
    notes = _clusters(panel, data) if panel.cluster is not None else ()
    return _written(panel, method, level, data.score(), se, ends, notes)


def truth_interval(truth: Truth, level: float, *, rates: bool) -> Bounds:
    """Interval of corrected scores: the normal one of the method; with few labels one that holds its level.

    Parameters
    ----------
    truth : Truth
    level : float
    rates : bool
        Scores lie in [0, 1]: with few labels the score interval at the effective size, otherwise by t.
    """
    labels = np.maximum(truth.labels, 1)  # an entry without any score has none, and no interval
    least = 1 / (2 * labels)
    rate = np.clip(truth.value, least, 1 - least)
    df = np.maximum(truth.labels - 2, 1).astype(np.float64)
    if rates:
        low, high = effective.rerun_interval(rate, clustered.Error(truth.careful, df), labels, level)
    else:
        half = critical_t(level, df) * truth.careful
        low, high = truth.value - half, truth.value + half
    plain, large = critical_z(level) * truth.se, _large(truth, rates=rates)
    low, high = np.where(large, truth.value - plain, low), np.where(large, truth.value + plain, high)
    return Bounds(np.minimum(low, truth.value), np.maximum(high, truth.value))


def _large(truth: Truth, *, rates: bool) -> NDArray[np.bool_]:
    rate = np.clip(truth.value, 0, 1)
    return np.asarray(truth.labels * (rate * (1 - rate) if rates else 0.2) >= LARGE)


def _of_truth(panel: Panel, truth: Truth, level: float) -> Scores:
    se = np.where(_large(truth, rates=panel.rates), truth.se, truth.careful)
    ends = truth_interval(truth, level, rates=panel.rates)
    return _written(panel, PPI, level, truth.value, se, ends, ())


def _reruns(panel: Panel, interval: str | None, level: float) -> Scores:
    """Scores with the error of attempting these very items again."""
    if panel.within is None or panel.samples is None:
        raise MethodError(NO_RERUNS)
    value = clustered.mean(panel.values, panel.present, panel.weights, panel.stratum)
    error = clustered.rerun_error(panel.within, panel.present, panel.samples, panel.weights, panel.stratum)
    method = choose_score(panel.shape("reruns"), interval)
    attempts = np.where(panel.present, panel.samples, 0).sum(axis=1)
    ends = (
        effective.rerun_interval(value, error, attempts, level)
        if method == "score"
        else effective.t_interval(value, error, level)
    )
    unknown = np.isnan(panel.within) & panel.present
    notes: tuple[Note, ...] = ()
    if unknown.any():
        text = (
            f"{int(unknown.sum())} of {int(panel.present.sum())} (entry, item) pairs have too few samples to "
            "show what a rerun would do; they are given the entry's average"
        )
        notes = (Note(code="too-few-samples-for-reruns", text=text),)
    if panel.cluster is not None:
        text = "clusters play no part in reruns: the items stay, and their samples are independent"
        notes += (Note(code="clusters-without-part", text=text),)
    return _written(panel, method, level, value, error.se, ends, notes)


def _written(
    panel: Panel, method: str, level: float, value: Floats, se: Floats, ends: Bounds, notes: tuple[Note, ...]
) -> Scores:
    """Withhold what is no estimate, and say why."""
    se = np.where(se > 0, se, np.nan)
    drawn = method in SCORES and SCORES[method].fit.draws
    flat = (ends.low == ends.high) & drawn
    low, high = np.where(flat, np.nan, ends.low), np.where(flat, np.nan, ends.high)
    counts = panel.present.sum(axis=1)
    entry_notes = []
    for row in range(len(value)):
        found = [] if np.isfinite(se[row]) else [_why(panel, row, float(value[row]), int(counts[row]))]
        if drawn and np.isnan(low[row]) and counts[row] > 0:
            text = _no_ends(method, level, constant=bool(np.isnan(se[row])), flat=bool(flat[row]))
            found.append(Note(code="degenerate", text=text))
        entry_notes.append(tuple(found))
    return Scores(method, level, value, se, low, high, tuple(entry_notes), notes)


def _no_ends(method: str, level: float, *, constant: bool, flat: bool) -> str:
    """Say why an interval by resampling is withheld."""
    if constant:
        return f"degenerate: every resample gives the same score, so there is no {method} interval"
    if flat:
        return f"degenerate: the resamples hardly differ, so there is no {method} interval"
    tail = f"{50 * (1 - level):.3g} %"
    return (
        f"degenerate: {tail} of the resamples or more have no spread of their own, as near a rate of 0 or 1, "
        f"so an end of the {method} interval is unknown"
    )


def _why(panel: Panel, row: int, value: float, items: int) -> Note:
    """Say why a standard error is withheld."""
    if items == 0:
        return Note(code="no-scored-items", text="no item carries a score")
    if items > 1 and panel.cluster is not None and np.unique(panel.cluster[panel.present[row]]).size == 1:
        return Note(code="one-cluster", text="one cluster only: the SE and the interval are undefined")
    if panel.truth is not None:
        text = "neither the labels nor the judge's scores differ: the SE is withheld"
        return Note(code="no-spread", text=text)
    if value in (0.0, 1.0) and panel.values[row].min() >= 0 and panel.values[row].max() <= 1:
        share = "none" if value == 0 else "all"
        text = f"boundary: {share} of {items} right; the SE formula gives 0 there, so the SE is withheld"
        return Note(code="boundary", text=text)
    if items == 1:
        return Note(code="one-item", text="one item only: the SE is undefined")
    if panel.stratum is not None and len(np.unique(panel.stratum[panel.present[row]])) < len(
        np.unique(panel.stratum)
    ):
        text = "no item of one of the categories, so the average over categories is undefined"
        return Note(code="category-missing", text=text)
    if np.unique(panel.values[row, panel.present[row]]).size == 1:
        return Note(code="no-spread", text=f"all {items} items have the same value; the SE is withheld")
    if panel.stratum is not None:
        return Note(code="no-se", text="a category with a single item or cluster: the SE is undefined")
    text = "the scores differ by less than their squares can hold: the SE is withheld"
    return Note(code="no-se", text=text)


def _clusters(panel: Panel, data: Data) -> tuple[Note, ...]:
    """Say how little few or unequal clusters are."""
    assert panel.cluster is not None
    sizes = np.bincount(np.unique(panel.cluster, return_inverse=True)[1])
    notes = []
    if len(sizes) < FEW_CLUSTERS and len(sizes) > 1:
        text = f"{len(sizes)} clusters only: errors and tests lean on few independent units"
        notes.append(Note(code="few-clusters", text=text))
    if len(sizes) > 1:
        df = _degrees(panel, data)
        if df is not None and df < (len(sizes) - 1) / 2:
            text = (
                f"{len(sizes)} clusters, the largest with {int(sizes.max())} of {int(sizes.sum())} items: "
                f"worth about {df:.1f} degrees of freedom, not {len(sizes) - 1}"
            )
            notes.append(Note(code="unequal-clusters", text=text))
    return tuple(notes)


def _degrees(panel: Panel, data: Data) -> float | None:
    """Median Bell-McCaffrey degrees of freedom; None where clusters reach over categories."""
    try:
        df = data.error("CR2").df
    except MethodError:
        return None
    return None if np.isnan(df).all() else float(np.nanmedian(df))
