"""Each entry's own score: value, standard error and interval, by the method that fits the panel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MethodError
from deadheat.panel import Panel
from deadheat.results import Note
from deadheat.stats import binomial, clustered
from deadheat.stats.pvalues import critical_t

Floats = NDArray[np.float64]


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


def is_plain(panel: Panel) -> bool:
    """Whether the scores are single 0/1 attempts at independent, equally weighted items."""
    return panel.binary and panel.cluster is None and panel.weights is None and panel.stratum is None


def scores(panel: Panel, interval: str | None, *, level: float, seed: int) -> Scores:
    """Score every entry.

    Parameters
    ----------
    panel : Panel
    interval : str or None
        A name of INTERVALS; None takes Wilson for single 0/1 attempts, clustered t for other data.
    level : float
        Level of the interval.
    seed : int
        Seed of methods that use luck.

    Raises
    ------
    MethodError
        An interval that does not fit the data.
    """
    plain = is_plain(panel)
    method = interval or ("wilson" if plain else "t")
    value = clustered.mean(panel.values, panel.present, panel.weights, panel.stratum)
    if method in binomial.BINOMIAL_INTERVALS:
        if not plain:
            raise MethodError(
                f"the interval {method} takes single 0/1 attempts at independent, equally weighted items; "
                "for rates, samples, clusters or weights --interval t fits"
            )
        n = panel.present.sum(axis=1)
        k = np.rint(panel.values.sum(axis=1, dtype=np.float64))
        low, high = binomial.BINOMIAL_INTERVALS[method](k, n, level)
        se = binomial.standard_error(k, n)
    elif method == "t":
        se, df = clustered.standard_error(
            panel.values, panel.present, panel.cluster, panel.weights, panel.stratum
        )
        se = np.where(se > 0, se, np.nan)
        half = critical_t(level, df) * se
        low, high = value - half, value + half
    else:
        raise MethodError(
            f"no interval {method!r}; known are {', '.join((*binomial.BINOMIAL_INTERVALS, 't'))}"
        )
    return Scores(method, level, value, se, low, high, _notes(panel, value, se))


def _notes(panel: Panel, value: Floats, se: Floats) -> tuple[tuple[Note, ...], ...]:
    """Say why a standard error is withheld."""
    counts = panel.present.sum(axis=1)
    return tuple(
        () if np.isfinite(error) else (_why(panel, float(v), int(n)),)
        for v, error, n in zip(value, se, counts, strict=True)
    )


def _why(panel: Panel, value: float, items: int) -> Note:
    if items == 0:
        return Note(code="no-scored-items", text="no item carries a score")
    if panel.binary and value in (0.0, 1.0):
        share = "none" if value == 0 else "all"
        text = f"boundary: {share} of {items} right; the SE formula gives 0 there, so the SE is withheld"
        return Note(code="boundary", text=text)
    if items == 1:
        return Note(code="one-item", text="one item only: the SE is undefined")
    if panel.cluster is not None and len(np.unique(panel.cluster)) == 1:
        return Note(code="one-cluster", text="one cluster only: the SE is undefined")
    return Note(code="no-spread", text=f"all {items} items have the same value; the SE is withheld")
