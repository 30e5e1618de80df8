"""Real results as the ground of a plan: what their differences vary by, and how surely that is known."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from deadheat.data.panel import Panel, panel
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError, NothingShared
from deadheat.estimand import Estimand
from deadheat.planning.plan_design import Design, Layout
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
from deadheat.results import Note
from deadheat.seeds import stream
from deadheat.stats.numerics.bounds import Floats, defined
from deadheat.stats.power.effects import refuse_points
from deadheat.stats.power.spread import Spread


@dataclass(frozen=True, eq=False)
class Observed(Sampled):
    """Two entries' results on the items they share: of each item, their difference.

    Parameters
    ----------
    items, clusters : int
        Shared items, and the clusters they come from (the items themselves without clusters).
    samples : float
        Mean attempts of an entry at an item.
    binary, unit, weighted : bool
        Attempts of 0 or 1 whose mean is the score, each item counting once; scores within [0, 1]; items that
        count by weights.
    cluster_size : float
        Items of a cluster that an item finds itself in, on average: sum n^2 / sum n.
    found, drawn : Spread
        Variances of these differences, and of resamples of their clusters.
    level : float
        Level of the intervals of the plan.
    estimand, provenance, notes
        What was asked of the table, where it came from, and what was noted when it was read.
    entries : (str, str)
    rates : (float, float)
    """

    entries: tuple[str, str]
    rates: tuple[float, float]

    @property
    def difference(self) -> float:
        """Mean difference, first entry less second."""
        return float(self.found.gap[0])

    def design(self, difference: float | None = None, layout: Layout | None = None) -> Design:
        """The comparison of these entries on more such items, at the difference given or as observed."""
        gap = self.difference if difference is None else difference
        if self.unit:
            refuse_points("difference", gap)
        return self.at(gap, layout or self.layout(), float(self.discordances(self.found)[0]), self.single)

    def discordances(self, spread: Spread) -> Floats:
        """Share of items on which one attempt of each entry differs."""
        once = spread.attempt + spread.gap**2
        return np.where(np.isnan(spread.single), spread.square, once)

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
        known = discordance if self.binary else None
        return Design(gap, null, spread, True, self.binary, rates, layout, known, self.unit)

    def ends(self, layout: Layout) -> list[tuple[float, float]]:
        """Discordance and variance at both ends of their intervals.

        Every answer about a given difference moves one way with them, so that its interval ends there too.
        """
        pairs = zip(
            np.quantile(self.discordances(self.drawn), self.tails),
            np.quantile(self.singles(layout), self.tails),
            strict=True,
        )
        return [(float(square), float(single)) for square, single in pairs]

    def given(self, made: Design, answer: Callable[[Design], float]) -> Ends:
        """Interval of an answer about a difference that was given."""
        found = [
            answer(self.at(made.difference, made.layout, max(square, abs(made.difference)), single))
            for square, single in self.ends(made.layout)
        ]
        return [defined(end) for end in sorted(found)]

    def taken(
        self,
        made: Design,
        answer: Callable[[Design], float],
        stated: Callable[[Design], float] | None = None,
        flipped: float | None = None,
        rises: bool | None = None,
    ) -> Ends:
        """Interval of an answer about the observed difference, which is resampled with its variance.

        `answer` puts the resamples in order, and `stated`, if given, is what is said of those at the ends.
        `flipped` stands for the answer where a resample has the entries in the other order, or level. `rises`
        says which way the answer moves with the size of the difference in units of its standard deviation,
        where it moves with nothing else: then only the resamples at the ends are asked about.
        """
        gap, square, single = self.drawn.gap, self.discordances(self.drawn), self.singles(made.layout)
        kept = np.full(gap.shape, True) if flipped is None else gap * self.difference > 0

        def ask(at: int, of: Callable[[Design], float]) -> float:
            if not kept[at]:
                return float(flipped or 0.0)
            big = max(float(square[at]), abs(float(gap[at])))
            return of(self.at(float(gap[at]), made.layout, big, float(single[at])))

        if rises is None or made.counts:
            order = np.array([ask(at, answer) for at in range(gap.size)])
        else:
            size = np.divide(np.abs(gap), np.sqrt(single), out=np.full(gap.shape, np.inf), where=single > 0)
            order = np.where(kept & (gap != 0), size, 0.0) * (1 if rises else -1)
        ends = [
            ask(int(np.argmax(order == end)), stated or answer)
            for end in np.quantile(order, self.tails, method="inverted_cdf")
        ]
        return [defined(end) for end in ends]

    def assumptions(self) -> dict[str, Any]:
        """Where the variances come from."""
        return {"from": list(self.entries), **self.from_clusters()}

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
        return notes + self.estimates()


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
    refuse_other_weights(seen, estimand)
    rows = _rows(seen, a, b)
    both = seen.present[rows].all(axis=0)
    names = (seen.entries[rows[0]], seen.entries[rows[1]])
    if both.sum() < 2:
        raise NothingShared(
            f"{names[0]} and {names[1]} share {int(both.sum())} items; a plan needs at least 2"
        )
    values = seen.values[rows][:, both].astype(np.float64)
    cluster = None if seen.cluster is None else seen.cluster[both]
    weights = None if seen.weights is None else seen.weights[both]
    sizes = cluster_sizes(cluster, values.shape[1])
    found, drawn = spreads(
        values[0] - values[1],
        None if seen.within is None else seen.within[rows][:, both],
        None if seen.samples is None else seen.samples[rows][:, both],
        cluster,
        weights,
        draws,
        rng=stream(seed, "plan", "observed"),
    )
    if not found.plain[0] > 0 or not found.clustered[0] > 0:
        raise DataError(
            f"{names[0]} and {names[1]} never differ, or differ by the same on every item: no variance to "
            "plan with"
        )
    return Observed(
        entries=names,
        items=values.shape[1],
        clusters=len(sizes),
        samples=1.0 if seen.samples is None else float(seen.samples[rows][:, both].mean()),
        rates=(float(np.average(values[0], weights=weights)), float(np.average(values[1], weights=weights))),
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
