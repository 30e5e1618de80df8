"""What a judge's scores and some labels of people tell a plan of more labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.data.panel import panel
from deadheat.data.table import Table
from deadheat.errors import DataError
from deadheat.estimand import Estimand
from deadheat.evidence.judged import people_of
from deadheat.results import Provenance
from deadheat.seeds import stream
from deadheat.stats.judged.label_counts import Link
from deadheat.stats.numerics.bounds import Floats

FEWEST = 10  # labels that say how the judge goes with people
DRAWS = 2_000


@dataclass(frozen=True, eq=False)
class ObservedLabels:
    """How judge and people go together in real results, of one entry or of the difference of two.

    Parameters
    ----------
    entries : tuple of str
    items, labels : int
    link : Link
    drawn : (draws, 2) float64
        Standard deviation and correlation of resamples of the labelled items.
    unit : bool
        Scores within [0, 1].
    level : float
    estimand, provenance
    """

    entries: tuple[str, ...]
    items: int
    labels: int
    link: Link
    drawn: Floats
    unit: bool
    level: float
    estimand: Estimand
    provenance: Provenance


def observe_labels(
    table: Table,
    entries: tuple[str, ...] = (),
    estimand: Estimand | None = None,
    *,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> ObservedLabels:
    """Take from a judge's scores and some labels what a plan of more labels needs.

    Parameters
    ----------
    table : Table
    entries : tuple of str
        One, or the two of a difference; none takes the entry whose judge goes least with people.
    estimand : Estimand or None
    level : float
        Level of the interval that tells how surely the plan is known.
    draws, seed : int
        Resamples of the labelled items behind it.

    Raises
    ------
    DataError
        No labels, fewer than 10, or labels that do not vary.
    """
    estimand = estimand or Estimand()
    seen = panel(table, estimand)
    people, labelled = people_of(table, seen)
    unknown = [name for name in entries if name not in seen.entries]
    if unknown or len(entries) > 2:
        raise DataError(f"one entry or two of these results; found {', '.join(unknown or entries)}")
    rows = (
        [[seen.entries.index(name) for name in entries]]
        if entries
        else [[r] for r in range(len(seen.entries))]
    )
    found = []
    for row in rows:
        both, ran = labelled[row].all(axis=0), seen.present[row].all(axis=0)
        sign = np.array([1.0, -1.0])[: len(row)]
        y, f = sign @ people[row][:, both], sign @ seen.values[row][:, both].astype(np.float64)
        if len(y) >= FEWEST and np.ptp(y) > 0:
            link, drawn = _linked(y, f, draws, stream(seed, "plan", "labels"))
            names = tuple(seen.entries[at] for at in row)
            found.append((link.sd**2 * (1 - link.correlation**2), names, int(ran.sum()), len(y), link, drawn))
    if not found:
        raise DataError(f"a plan of labels needs {FEWEST} labels that differ; found fewer, or all the same")
    _, names, items, labels, link, drawn = max(found, key=lambda one: one[:2])
    return ObservedLabels(names, items, labels, link, drawn, seen.rates, level, estimand, table.provenance())


def _linked(y: Floats, f: Floats, draws: int, rng: np.random.Generator) -> tuple[Link, Floats]:
    """Standard deviation of labels and their correlation with the judge, and those of resamples."""
    counts = np.vstack([np.ones(len(y)), rng.multinomial(len(y), np.full(len(y), 1 / len(y)), size=draws)])
    mean_y, mean_f = counts @ y / len(y), counts @ f / len(y)
    square_y, square_f = counts @ y**2 / len(y) - mean_y**2, counts @ f**2 / len(y) - mean_f**2
    together = counts @ (y * f) / len(y) - mean_y * mean_f
    size = np.sqrt(np.maximum(square_y * square_f, 0.0))
    r = np.where(size > 1e-15, together / np.where(size > 1e-15, size, 1.0), 0.0)
    sd = np.sqrt(np.maximum(square_y, 0.0) * len(y) / (len(y) - 1))
    both = np.column_stack([sd, np.clip(r, 0.0, 1.0)])  # a judge that goes against people gets no weight
    return Link(float(both[0, 0]), float(both[0, 1])), both[1:]
