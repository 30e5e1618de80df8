"""One entry's real results as the ground of a plan: its rate, its variance, and how surely both are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat.data.panel import panel
from deadheat.data.table import Table
from deadheat.errors import DataError
from deadheat.estimand import Estimand
from deadheat.planning.plan_design import Layout
from deadheat.planning.sampled import (
    DRAWS,
    Ends,
    Sampled,
    cluster_sizes,
    counts,
    in_unit,
    refuse_other_weights,
    self_weighted,
    spreads,
)
from deadheat.seeds import stream
from deadheat.stats.numerics.bounds import defined


@dataclass(frozen=True, eq=False)
class ObservedScore(Sampled):
    """One entry's results.

    Parameters
    ----------
    items, clusters : int
        Items, and the clusters they come from (the items themselves without clusters).
    samples : float
        Mean attempts of an entry at an item.
    binary, unit, weighted : bool
        Attempts of 0 or 1 whose mean is the score, each item counting once; scores within [0, 1]; items that
        count by weights.
    cluster_size : float
        Items of a cluster that an item finds itself in, on average: sum n^2 / sum n.
    found, drawn : Spread
        Variances of these values, and of resamples of their clusters.
    level : float
        Level of the intervals of the plan.
    estimand, provenance, notes
        What was asked of the table, where it came from, and what was noted when it was read.
    entry : str
    """

    entry: str

    @property
    def rate(self) -> float:
        """Mean value."""
        return float(self.found.gap[0])

    def variance(self, layout: Layout) -> float:
        """Variance of the value from one attempt; of a single 0/1 attempt by its rate alone."""
        return self.rate * (1 - self.rate) if self.binary and layout.plain else self.single

    def ends(self, layout: Layout, answer: Callable[[float], float]) -> Ends:
        """Interval of an answer that rises with the variance."""
        drawn = (
            self.drawn.gap * (1 - self.drawn.gap) if self.binary and layout.plain else self.singles(layout)
        )
        return [defined(answer(float(end))) for end in np.quantile(drawn, self.tails)]

    def assumptions(self) -> dict[str, Any]:
        """Where rate and variance come from."""
        return {"from": [self.entry], **self.from_clusters()}


def observe_score(
    table: Table,
    entry: str | None = None,
    estimand: Estimand | None = None,
    *,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> ObservedScore:
    """Take from one entry's results what the plan of a margin needs: rate, variance, noise, clusters.

    Parameters
    ----------
    table : Table
    entry : str or None
        None takes the best of the board.
    estimand : Estimand or None
        With `cluster`, whole clusters are what is drawn.
    level : float
        Level of the interval that tells how surely the plan is known.
    draws, seed : int
        Resamples behind it.

    Raises
    ------
    DataError
        An entry that is not there, fewer than two items or clusters, one value everywhere.
    MethodError
        Weights, categories that count alike, or reruns of the same items: a plan is about more items.
    """
    estimand = estimand or Estimand()
    seen = panel(table, estimand)
    refuse_other_weights(seen, estimand)
    if entry is not None and entry not in seen.entries:
        raise DataError(f"no entry {entry!r}; found {', '.join(seen.entries[:10])}")
    row = 0 if entry is None else seen.entries.index(entry)
    name, here = seen.entries[row], seen.present[row]
    values = seen.values[row][here].astype(np.float64)
    if values.size < 2:
        raise DataError(f"{name} has {values.size} item; a plan needs at least 2")
    cluster = None if seen.cluster is None else seen.cluster[here]
    weights = None if seen.weights is None else seen.weights[here]
    sizes = cluster_sizes(cluster, values.size)
    one = [row]
    found, drawn = spreads(
        values,
        None if seen.within is None else seen.within[one][:, here],
        None if seen.samples is None else seen.samples[one][:, here],
        cluster,
        weights,
        draws,
        rng=stream(seed, "plan", "score"),
    )
    if not found.plain[0] > 0 or not found.clustered[0] > 0:
        raise DataError(f"{name} has the same score everywhere: no variance to plan with")
    return ObservedScore(
        entry=name,
        items=values.size,
        clusters=len(sizes),
        samples=1.0 if seen.samples is None else float(seen.samples[row][here].mean()),
        binary=counts(table, seen, estimand),
        unit=in_unit(values),
        weighted=weights is not None,
        cluster_size=self_weighted(sizes),
        found=found,
        drawn=drawn,
        level=level,
        estimand=estimand,
        provenance=table.provenance(),
        notes=seen.notes,
    )
