"""What the items of a run that stands alone could resolve, had an equally good run met them too."""

from __future__ import annotations

import numpy as np

from deadheat.data.panel import Panel
from deadheat.methods import default_test
from deadheat.results import Note, Resolution, Visible
from deadheat.stats.paired.visible import POWER, visible_mean
from deadheat.stats.power.twin import visible_beside_twin
from deadheat.stats.score.intervals import Data

CORRELATIONS = (0.0, 0.5)
MOST = 200_000  # items up to which the exact power is inverted


def resolution(panel: Panel, row: int, value: float, alpha: float) -> Resolution:
    """Say how small a difference from an equal twin these items would show.

    Parameters
    ----------
    panel : Panel
    row : int
        The entry.
    value : float
        Its score.
    alpha : float
        Size of the two-sided test.
    """
    items = int(panel.present[row].sum())
    shape = panel.shape()
    test = default_test(shape if items <= MOST else shape._replace(binary=False))
    plain = test == "mcnemar"
    found = [
        _plain(value, items, rho, alpha) if plain else _by_error(panel, row, rho, alpha)
        for rho in CORRELATIONS
    ]
    notes: tuple[Note, ...] = ()
    if None in found:
        text = "on these items not even the largest difference would be detected with 80 % power"
        notes = (Note(code="nothing-visible", text=text),)
    return Resolution(
        entry=panel.entries[row],
        items=items,
        test=test,
        power=POWER,
        visible=tuple(
            Visible(correlation=rho, difference=gap) for rho, gap in zip(CORRELATIONS, found, strict=True)
        ),
        notes=notes,
    )


def _plain(value: float, items: int, rho: float, alpha: float) -> float | None:
    return visible_beside_twin(value, items, rho, POWER, alpha)


def _by_error(panel: Panel, row: int, rho: float, alpha: float) -> float | None:
    """By the entry's own error: the error of a difference from a twin is sqrt(2 (1 - rho)) times it."""
    data = Data(
        panel.values, panel.present, panel.samples, panel.cluster, panel.weights, panel.stratum, panel.shares
    )
    error = data.error("CR1")
    gap = float(visible_mean(error.se[row] * np.sqrt(2 * (1 - rho)), error.df[row], alpha))
    rates = bool(((panel.values >= 0) & (panel.values <= 1)).all())
    return None if not np.isfinite(gap) or (rates and gap > 1) else gap
