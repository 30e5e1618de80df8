"""What real results tell of how means of such items vary: samples, clusters, and how surely that is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from deadheat.planning.plan_design import Layout
from deadheat.results import Note, Provenance
from deadheat.stats.numerics.bounds import Floats, defined
from deadheat.stats.power.spread import Spread, observed_spread, resampled_spread, sums
from deadheat.stats.score.item_design import Codes

DRAWS = 1_000
FEW = 10  # clusters below which a variance between them is hardly known

Ends = list[float | None]


@dataclass(frozen=True, eq=False)
class Sampled:
    """Values at items, and resamples of them; parameters as in `Observed` and `ObservedScore`."""

    items: int
    clusters: int
    samples: float
    binary: bool
    unit: bool
    weighted: bool
    cluster_size: float
    found: Spread
    drawn: Spread
    level: float
    estimand: Estimand
    provenance: Provenance
    notes: tuple[Note, ...]

    @property
    def single(self) -> float:
        """Variance of the value from one attempt; of the items' own where reruns are unknown."""
        return float(self.found.attempt[0])

    @property
    def noise(self) -> float | None:
        """Share of it that comes from rerunning; None where no item was attempted twice."""
        return defined(self.found.noise[0])

    def layout(self, samples: int | None = None) -> Layout:
        """Clusters and noise as observed, with as many samples as asked (None: as there are).

        Raises
        ------
        MethodError
            Other samples than there are, where the data do not tell what they would give.
        """
        number = round(self.samples) if samples is None else samples
        noise = self.noise
        if noise is None and number != round(self.samples):
            raise MethodError(
                f"{number} samples of an item were asked for; these results have one attempt of each item "
                "and do not tell what more would give"
            )
        return Layout(1 if noise is None else number, noise, self.cluster_size, self._icc())

    def _icc(self) -> float:
        """The correlation within clusters that makes plain errors into the observed clustered ones."""
        if self.cluster_size <= 1:
            return 0.0
        rest = 1 - (self.noise or 0.0)
        return min(max(float(self._excess(self.found)[0]), -rest / (self.cluster_size - 1)), rest)

    def _excess(self, spread: Spread) -> Floats:
        """Correlation within clusters by the excess of the clustered variance; it may leave [-1, 1]."""
        return np.asarray((spread.clustered - spread.plain) / spread.attempt / (self.cluster_size - 1))

    @property
    def tails(self) -> list[float]:
        """Shares of resamples below either end of an interval."""
        return [(1 - self.level) / 2, (1 + self.level) / 2]

    def singles(self, layout: Layout) -> Floats:
        """Resampled variances of single attempts, of which the layout makes what the resample says."""
        there = self.drawn.clustered if self.noise is None else self.drawn.per_item(layout.samples)
        return np.asarray(np.maximum(there / layout.factor, 1e-12 * self.single))

    def from_clusters(self) -> dict[str, Any]:
        """Number of clusters and the level, for a reader."""
        parts = {"from_clusters": self.clusters} if self.cluster_size > 1 else {}
        return {"from_items": self.items, **parts, "interval_level": self.level}

    def estimates(self) -> list[Note]:
        """Say where an estimate is at its boundary, or rests on too little to be known."""
        notes = [*self.notes]
        if self.noise is not None and not 0 < self.noise < 1:
            what = "the share of the variance that comes from rerunning"
            parts = self.drawn.plain - self.drawn.rerun + self.drawn.single
            notes.append(self._boundary(what, self.noise, np.minimum(self.drawn.single / parts, 1)))
        if self.cluster_size > 1:
            rest, icc = 1 - (self.noise or 0.0), self._icc()
            if icc in (rest, -rest / (self.cluster_size - 1)):
                what = "the correlation within clusters"
                notes.append(self._boundary(what, icc, np.clip(self._excess(self.drawn), -1, 1)))
            if self.clusters < FEW:
                text = f"{self.clusters} clusters only: the variance between them is hardly known"
                notes.append(Note(code="few-clusters", text=text))
        if self.weighted:
            text = "items count by their weights, and the plan is for more items with such weights"
            notes.append(Note(code="weighted", text=text))
        return notes

    def _boundary(self, what: str, value: float, drawn: Floats) -> Note:
        low, high = np.nanquantile(drawn, self.tails)
        text = (
            f"{what} is estimated at its boundary, {value:.3g} ({100 * self.level:.6g} % interval "
            f"{low:.3g} to {high:.3g}): an estimate, not a property of the benchmark"
        )
        return Note(code="boundary", text=text)


def refuse_other_weights(seen: Panel, estimand: Estimand) -> None:
    """Refuse what is not about more items like these."""
    if seen.stratum is not None or estimand.generalises_to == "reruns":
        raise MethodError(
            "a plan is about more items like these; categories that count equally and reruns of the same "
            "items are not planned for: use --weights item and --generalises-to items"
        )


def counts(table: Table, seen: Panel, estimand: Estimand) -> bool:
    """Whether one attempt at an item is a 0 or 1 of a plain mean, so that a plan may count them."""
    return table.binary and estimand.metric == "mean" and seen.weights is None


def in_unit(values: Floats) -> bool:
    """Whether every score lies in [0, 1]."""
    return bool(np.all((values >= 0) & (values <= 1)))


def spreads(
    values: Floats,
    within: Floats | None,
    samples: Codes | None,
    cluster: Codes | None,
    weights: Floats | None,
    draws: int,
    *,
    rng: np.random.Generator,
) -> tuple[Spread, Spread]:
    """Spread of values and of resamples of them.

    Parameters
    ----------
    values : (M,) float64
        Value at each item, a sum of signed means of `samples` attempts.
    within, samples : (E, M) or None
        Variance of each of these means under reruns, and its attempts; None where reruns are unknown.
    cluster, weights : (M,) or None
    draws : int
    """
    reruns = () if within is None or samples is None else tuple(zip(within, samples, strict=True))
    parts = sums(values, reruns, cluster, weights)
    return observed_spread(parts), resampled_spread(parts, draws, rng=rng)


def cluster_sizes(cluster: Codes | None, items: int) -> Floats:
    """Items in each cluster; refused if all are in one."""
    sizes = np.ones(items) if cluster is None else np.unique(cluster, return_counts=True)[1]
    if len(sizes) < 2:
        raise DataError("all items are in one cluster; a plan needs at least 2 clusters")
    return np.asarray(sizes, dtype=np.float64)


def self_weighted(sizes: Floats) -> float:
    """Size of the cluster that an item finds itself in, on average; 1 where each stands alone."""
    return float((sizes**2).sum() / sizes.sum())
