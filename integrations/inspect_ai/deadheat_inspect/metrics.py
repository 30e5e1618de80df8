"""Metrics for Inspect scorers: the interval of a score, and its standard error."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Value, metric, value_to_float

import deadheat as dh
from deadheat.data.panel import panel
from deadheat.evidence.scores import Scores
from deadheat.evidence.scores import scores as score_entries


@metric
def interval(cluster: str | None = None, level: float = 0.95) -> Metric:
    """Interval of the mean score over items.

    Parameters
    ----------
    cluster : str or None
        Key of the samples' metadata that groups items of shared difficulty.
    level : float
        Level of the interval.

    Returns
    -------
    Metric
        Gives ``low`` and ``high``; NaN where there is no interval.
    """

    def compute(scores: list[SampleScore]) -> Value:
        found = _score(scores, cluster, level)
        if found is None:
            return {"low": math.nan, "high": math.nan}
        return {"low": float(found.low[0]), "high": float(found.high[0])}

    return compute


@metric
def standard_error(cluster: str | None = None) -> Metric:
    """Standard error of the mean score over items; NaN where it is undefined, never 0 for want of data.

    Parameters
    ----------
    cluster : str or None
        Key of the samples' metadata that groups items of shared difficulty.
    """

    def compute(scores: list[SampleScore]) -> Value:
        found = _score(scores, cluster, 0.95)
        return math.nan if found is None else float(found.se[0])

    return compute


def _score(scores: Sequence[SampleScore], cluster: str | None, level: float) -> Scores | None:
    """Score items as deadheat does; None without a finite score."""
    to_float = value_to_float()
    values = [to_float(score.score.value) for score in scores]
    kept = [(score, value) for score, value in zip(scores, values, strict=True) if math.isfinite(value)]
    if not kept:
        return None
    columns = {
        "entry": np.full(len(kept), "model", dtype=object),
        "item": np.array([f"{position}" for position in range(len(kept))], dtype=object),
        "score": np.array([value for _, value in kept]),
    }
    if cluster is not None:
        labels = [(score.sample_metadata or {}).get(cluster) for score, _ in kept]
        if any(label is None for label in labels):
            raise ValueError(
                f"a sample has no {cluster!r} in its metadata, by which items were to be grouped"
            )
        columns["cluster"] = np.array([str(label) for label in labels], dtype=object)
    table = dh.Table.from_columns(columns, origin="scores")
    estimand = dh.Estimand(cluster="cluster" if cluster else None)
    return score_entries(panel(table, estimand), None, level=level, seed=0)
