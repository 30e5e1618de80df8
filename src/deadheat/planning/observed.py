"""Real results as the ground of a plan: what their differences vary by, and how surely that is known."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat.errors import DataError, MethodError, NothingShared
from deadheat.estimand import Estimand
from deadheat.panel import Panel, panel
from deadheat.planning.design import Design, Layout
from deadheat.results import Note, Provenance
from deadheat.seeds import stream
from deadheat.stats.bounds import Floats
from deadheat.stats.spread import Spread, observed_spread, resampled_spread, sums
from deadheat.table import Table

DRAWS = 1_000
FEW = 10  # clusters below which a variance between them is hardly known

Ends = list[float | None]


@dataclass(frozen=True, eq=False)
class Observed:
    """Two entries' results on the items they share.

    Parameters
    ----------
    entries : (str, str)
    items, clusters : int
        Shared items, and the clusters they come from (the items themselves without clusters).
    samples : float
        Mean attempts of an entry at an item.
    rates : (float, float)
    binary : bool
        Single 0/1 attempts.
    cluster_size : float
        Items of a cluster that an item finds itself in, on average: sum n^2 / sum n.
    found, drawn : Spread
        Variances of these differences, and of resamples of their clusters.
    level : float
        Level of the intervals of the plan.
    estimand, provenance
        What was asked of the table, and where it came from.
    """

    entries: tuple[str, str]
    items: int
    clusters: int
    samples: float
    rates: tuple[float, float]
    binary: bool
    cluster_size: float
    found: Spread
    drawn: Spread
    level: float
    estimand: Estimand
    provenance: Provenance

    @property
    def difference(self) -> float:
        """Mean difference, first entry less second."""
        return float(self.found.gap[0])

    @property
    def single(self) -> float:
        """Variance of the difference of one attempt each; of the items' own where reruns are unknown."""
        if np.isnan(self.found.single[0]):
            return float(self.found.plain[0])
        return float(max(self.found.plain[0] - self.found.rerun[0], 0.0) + self.found.single[0])

    @property
    def noise(self) -> float | None:
        """Share of it that comes from rerunning; None where no item was attempted twice."""
        if np.isnan(self.found.single[0]):
            return None
        return float(min(self.found.single[0] / self.single, 1.0))

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
        """The correlation within clusters that makes plain errors into the clustered ones that were found."""
        if self.cluster_size <= 1:
            return 0.0
        excess = float(self.found.clustered[0] - self.found.plain[0]) / self.single / (self.cluster_size - 1)
        rest = 1 - (self.noise or 0.0)
        return min(max(excess, -rest / (self.cluster_size - 1)), rest)

    def design(self, difference: float | None = None, layout: Layout | None = None) -> Design:
        """The comparison of these entries on more such items, at the difference given or as observed."""
        gap = self.difference if difference is None else difference
        return self.at(gap, layout or self.layout(), float(self.found.square[0]), self.single)

    def at(self, gap: float, layout: Layout, discordance: float, single: float) -> Design:
        """The comparison of these entries if their difference and its variances were these."""
        counts = self.binary and layout.plain
        if counts and discordance < abs(gap) * (1 - 1e-12):
            raise MethodError(
                f"a difference of {gap:g} was asked about; {self.entries[0]} and {self.entries[1]} differ on "
                f"{discordance:.4g} of the shared items, which is less"
            )
        null, spread = (discordance, max(discordance - gap**2, 0.0)) if counts else (single, single)
        rates = self.rates if counts and math.isclose(gap, self.difference) else None
        return Design(gap, null, spread, True, self.binary, rates, layout)

    def _singles(self, layout: Layout) -> Floats:
        """Resampled variances of single attempts, of which the layout makes what the resample says."""
        there = self.drawn.clustered if self.noise is None else self.drawn.per_item(layout.samples)
        return np.asarray(np.maximum(there / layout.factor, 1e-12 * self.single))

    def ends(self, layout: Layout) -> list[tuple[float, float]]:
        """Discordance and variance at both ends of their intervals.

        Every answer about a given difference moves one way with them, so that its interval ends there too.
        """
        tails = [(1 - self.level) / 2, (1 + self.level) / 2]
        pairs = zip(
            np.quantile(self.drawn.square, tails), np.quantile(self._singles(layout), tails), strict=True
        )
        return [(float(square), float(single)) for square, single in pairs]

    def given(self, made: Design, answer: Callable[[Design], float]) -> Ends:
        """Interval of an answer about a difference that was given."""
        found = [
            answer(self.at(made.difference, made.layout, max(square, abs(made.difference)), single))
            for square, single in self.ends(made.layout)
        ]
        return [float(end) if math.isfinite(end) else None for end in sorted(found)]

    def taken(self, made: Design, answer: Callable[[Design], float], flipped: float | None = None) -> Ends:
        """Interval of an answer about the observed difference, which is resampled with its variance.

        `flipped` stands for the answer where a resample has the entries in the other order, or level.
        """
        values = np.array(
            [
                answer(self.at(gap, made.layout, max(square, abs(gap)), single))
                if flipped is None or gap * self.difference > 0
                else flipped
                for gap, square, single in zip(
                    *map(np.ndarray.tolist, (self.drawn.gap, self.drawn.square, self._singles(made.layout))),
                    strict=True,
                )
            ]
        )
        tails = [(1 - self.level) / 2, (1 + self.level) / 2]
        found = np.quantile(values, tails, method="inverted_cdf")
        return [float(end) if math.isfinite(end) else None for end in found]

    def assumptions(self) -> dict[str, Any]:
        """Where the variances come from."""
        parts: dict[str, Any] = {"from": list(self.entries), "from_items": self.items}
        if self.cluster_size > 1:
            parts["from_clusters"] = self.clusters
        return parts | {"interval_level": self.level}

    def doubts(self, planned_on_observed: bool, ends: Ends) -> list[Note]:
        """What a reader of a plan made of these results should know."""
        notes = []
        if planned_on_observed:
            text = (
                f"the observed difference of {self.entries[0]} and {self.entries[1]} is taken for the true "
                "one; a difference that was picked because it is large is likely smaller"
            )
            notes.append(Note(code="observed-difference", text=text))
        if None in ends:
            text = (
                "these results do not exclude that the entries are equal: no number of items is surely enough"
            )
            notes.append(Note(code="unbounded", text=text))
        if self.cluster_size > 1 and self.clusters < FEW:
            text = f"{self.clusters} clusters only: the variance between them is hardly known"
            notes.append(Note(code="few-clusters", text=text))
        return notes


def observe(
    table: Table,
    a: str | None = None,
    b: str | None = None,
    estimand: Estimand | None = None,
    *,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Observed:
    """Take from real results what a plan needs: variance, discordance, noise and correlation within clusters.

    Parameters
    ----------
    table : Table
    a, b : str or None
        The two entries; None takes the two best of the board.
    estimand : Estimand or None
        With `cluster`, whole clusters are what is drawn.
    level : float
        Level of the intervals that tell how surely the plan is known.
    draws, seed : int
        Resamples behind these intervals.

    Raises
    ------
    DataError
        An entry that is not there, no shared items, no difference anywhere.
    MethodError
        Weights, categories that count alike, or reruns of the same items: a plan is about more items.
    """
    estimand = estimand or Estimand()
    seen = panel(table, estimand)
    if seen.weights is not None or seen.stratum is not None or estimand.generalises_to == "reruns":
        raise MethodError(
            "a plan is about more items like these, each counting alike; weights, categories that count "
            "alike and reruns of the same items are not planned for"
        )
    rows = _rows(seen, a, b)
    both = seen.present[rows].all(axis=0)
    names = (seen.entries[rows[0]], seen.entries[rows[1]])
    if both.sum() < 2:
        raise NothingShared(
            f"{names[0]} and {names[1]} share {int(both.sum())} items; a plan needs at least 2"
        )
    values = seen.values[rows][:, both].astype(np.float64)
    nothing = np.full(values.shape[1], np.nan)
    rerun = single = nothing
    if seen.within is not None and seen.samples is not None:
        within, samples = seen.within[rows][:, both], seen.samples[rows][:, both]
        rerun, single = within.sum(axis=0), (within * samples).sum(axis=0)
    cluster = None if seen.cluster is None else seen.cluster[both]
    sizes = np.ones(values.shape[1]) if cluster is None else np.unique(cluster, return_counts=True)[1]
    if len(sizes) < 2:
        raise DataError("all shared items are in one cluster; a plan needs at least 2 clusters")
    parts = sums(values[0] - values[1], rerun, single, cluster)
    found = observed_spread(parts)
    if not found.plain[0] > 0 or not found.clustered[0] > 0:
        raise DataError(f"{names[0]} and {names[1]} never differ, or always alike: no variance to plan with")
    return Observed(
        entries=names,
        items=values.shape[1],
        clusters=len(sizes),
        samples=1.0 if seen.samples is None else float(seen.samples[rows][:, both].mean()),
        rates=(float(values[0].mean()), float(values[1].mean())),
        binary=seen.binary,
        cluster_size=1.0 if cluster is None else float((sizes**2).sum() / sizes.sum()),
        found=found,
        drawn=resampled_spread(parts, draws, rng=stream(seed, "plan", "observed")),
        level=level,
        estimand=estimand,
        provenance=table.provenance(),
    )


def _rows(seen: Panel, a: str | None, b: str | None) -> list[int]:
    rows = []
    for name in (a, b):
        if name is None:
            rest = [
                row for row in range(len(seen.entries)) if row not in rows and seen.entries[row] not in (a, b)
            ]
            if not rest:
                raise DataError("a plan of a comparison needs two entries; found one")
            rows.append(rest[0])
        elif name not in seen.entries:
            raise DataError(f"no entry {name!r}; found {', '.join(seen.entries[:10])}")
        else:
            rows.append(seen.entries.index(name))
    if rows[0] == rows[1]:
        raise DataError(f"{seen.entries[rows[0]]} was named twice; a comparison has two entries")
    return rows
