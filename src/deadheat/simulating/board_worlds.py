"""Worlds made from real results: fitted to their moments, or made of their very items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import panel
from deadheat.data.table import Table
from deadheat.errors import DataError
from deadheat.estimand import Estimand
from deadheat.results import Note, Provenance
from deadheat.simulating.worlds import Points, World
from deadheat.stats.drawing.fitting import latent, latent_points, observed_moments
from deadheat.stats.drawing.item_worlds import Moments
from deadheat.stats.samples.components import components

Floats = NDArray[np.float64]
Kind = Literal["fitted", "empirical"]

OWN = (
    0.1  # share of item variance that is an entry's own where the data cannot say; that of the default world
)


@dataclass(frozen=True, eq=False)
class BoardWorld:
    """Entries of real results, best first, on the items that all of them attempted.

    Parameters
    ----------
    names, rates : tuple
    right, samples : (E, M) int
        Right samples, and samples.
    kind : str
        ``fitted``: new items come from a distribution with the board's moments. ``empirical``: they are drawn
        from the board's own items, with the rates found there.
    cluster : (M,) int or None
        Codes of clusters.
    provenance, notes
        Where the board comes from, and what was decided.
    """

    names: tuple[str, ...]
    rates: tuple[float, ...]
    right: NDArray[Any]
    samples: NDArray[Any]
    kind: Kind = "fitted"
    cluster: NDArray[Any] | None = None
    provenance: Provenance = field(default_factory=Provenance)
    notes: tuple[Note, ...] = ()

    @classmethod
    def of(
        cls, table: Table, *, kind: Kind = "fitted", cluster: str | None = None, top: int = 3
    ) -> BoardWorld:
        """Make a board of the best entries of a table.

        Parameters
        ----------
        table : Table
            Of 0/1 scores.
        kind : str
            ``fitted`` or ``empirical``.
        cluster : str or None
            Column that names items sharing difficulty.
        top : int
            How many entries to take, best first.

        Raises
        ------
        DataError
            Scores that are not 0/1, or fewer than two items that the entries share.
        """
        if not table.binary:
            raise DataError("a simulated world has 0/1 scores; found others, which no world here can have")
        seen = panel(table, Estimand(cluster=cluster))
        seen = seen.rows(range(min(top, len(seen.entries))))
        everyone = np.asarray(seen.present.all(axis=0))
        if int(everyone.sum()) < 2:
            raise DataError(
                f"a world needs at least two items that all of {', '.join(seen.entries)} attempted; found "
                f"{int(everyone.sum())}"
            )
        seen = seen.select(everyone)
        samples = np.ones(seen.values.shape, int) if seen.samples is None else seen.samples
        right = np.rint(seen.values * samples).astype(np.int64)
        notes = [*seen.notes, _about(kind, len(everyone), int(everyone.sum()))]
        if not np.any(samples > 1):
            text = (
                "one sample an item: how much of the variance is rerunning cannot be known; the world takes "
                f"{OWN:.0%} of an entry's item variance as its own, shared with no other entry"
            )
            notes.append(Note(code="one-sample", text=text))
        return cls(
            names=seen.entries,
            rates=tuple(float(rate) for rate in (right / samples).mean(axis=1)),
            right=right,
            samples=samples,
            kind=kind,
            cluster=seen.cluster,
            provenance=table.provenance(),
            notes=tuple(notes),
        )

    @property
    def items(self) -> int:
        """Items of the board."""
        return int(self.right.shape[1])

    @property
    def usual_samples(self) -> int:
        """Samples that most items have."""
        return int(np.median(self.samples))

    def pick(self, entries: Sequence[int]) -> World | Points:
        """Return the world of some of the entries, fitted to them.

        Raises
        ------
        DataError
            An entry that solved nothing or everything, which no distribution can be fitted to.
        """
        rows = list(entries)
        names, rates = tuple(self.names[at] for at in rows), tuple(self.rates[at] for at in rows)
        if self.kind == "empirical":
            return Points(names, rates, self.right[rows] / self.samples[rows])
        for name, rate in zip(names, rates, strict=True):
            if not 0 < rate < 1:
                raise DataError(
                    f"{name} has a rate of {rate:g}, to which no world can be fitted; --world empirical can"
                )
        every = self.moments()
        found = latent(Moments(every.rate[rows], every.items[np.ix_(rows, rows)], every.samples[rows]))
        if len(rows) > 2:
            return Points(names, rates, latent_points(found, np.array(rates)))
        shared = 1.0 if len(rows) == 1 else float(found.correlation[0, 1])
        signs = np.array([1.0, np.sign(shared)])[: len(rows)]
        return World(
            names,
            rates,
            tuple(float(x) for x in found.spread * np.sqrt(abs(shared)) * signs),
            tuple(float(x) for x in found.spread * np.sqrt(1 - abs(shared))),
        )

    def moments(self) -> Moments:
        """Return rates and variances of the entries, estimated without bias."""
        return observed_moments(self.right, self.samples, OWN)

    def cluster_icc(self, entry: int) -> float:
        """Correlation of two items of one cluster, of single samples of an entry; NaN where unknown."""
        value = (self.right / self.samples)[[entry]]
        found = components(value, np.ones(value.shape, dtype=bool), cluster=self.cluster)
        total = found.total[0] + self.moments().samples[entry] * (1 - 1 / self.usual_samples)
        return float(found.clusters[0] / total)


def _about(kind: Kind, items: int, shared: int) -> Note:
    where = f"{shared} items that all of the entries attempted" + (f" of {items}" if shared < items else "")
    text = {
        "fitted": "a world with the rates, item variances and correlations of the board, estimated from the ",
        "empirical": "a world that draws its items, with the rates found there, from the ",
    }[kind]
    return Note(code=f"world-{kind}", text=text + where)
