"""Worlds in which the truth is known: entries with true rates, and items that they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.data.table import Table
from deadheat.errors import MethodError
from deadheat.seeds import stream
from deadheat.stats.drawing.item_worlds import Types, factor_types, given_types, skill
from deadheat.stats.numerics.quadrature import cut_normal, normal_nodes

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class World:
    """Entries whose chance at an item depends on its difficulty and on a turn of their own.

    The logit of entry e at an item is ``skill - loading * difficulty + own * turn``, difficulty and turn
    standard normal; skills are solved so that the mean rates are `rates`, failed attempts counted as zeros.

    Parameters
    ----------
    names : tuple of str
    rates : tuple of float
        True rates, strictly between 0 and 1.
    loading, own : tuple of float
        Standard deviations in logits, one of each an entry.
    failed : float
        Chance that an attempt breaks.
    """

    names: tuple[str, ...]
    rates: tuple[float, ...]
    loading: tuple[float, ...]
    own: tuple[float, ...]
    failed: float = 0.0

    @classmethod
    def of(
        cls,
        rates: Sequence[float],
        *,
        difficulty: float = 1.9,
        affinity: float = 0.6,
        failed: float = 0.0,
        names: Sequence[str] | None = None,
    ) -> World:
        """Make a world in which all entries feel difficulty alike.

        Parameters
        ----------
        rates : sequence of float
        difficulty, affinity : float
            Standard deviations in logits: of the items' difficulty, and of each entry's turn on an item. The
            more of the first, the more entries agree on which items are hard.
        failed : float
            Chance that an attempt breaks.
        names : sequence of str, optional
        """
        count = len(rates)
        names = [f"entry {at + 1}" for at in range(count)] if names is None else names
        return cls(tuple(names), tuple(rates), (difficulty,) * count, (affinity,) * count, failed)

    @property
    def spread(self) -> Floats:
        """Standard deviation (E,) of an entry's logits over items."""
        return np.hypot(self.loading, self.own)

    def skills(self) -> Floats:
        """Skills (E,) that give the true rates."""
        worst = max(self.rates)
        if worst >= 1 - self.failed:
            raise MethodError(
                f"a true rate of {worst:g} was asked for where {self.failed:g} of all attempts fail; a rate "
                f"stays below {1 - self.failed:g}"
            )
        nodes = normal_nodes(float(self.spread.max()))
        return skill(np.asarray(self.rates) / (1 - self.failed), self.spread, nodes)

    def pick(self, entries: Sequence[int]) -> World:
        """Return the world of some of the entries."""
        rows = list(entries)
        return World(
            names=tuple(self.names[at] for at in rows),
            rates=tuple(self.rates[at] for at in rows),
            loading=tuple(self.loading[at] for at in rows),
            own=tuple(self.own[at] for at in rows),
            failed=self.failed,
        )

    def at(self, rates: Sequence[float]) -> World:
        """Return the same world with other true rates."""
        return replace(self, rates=tuple(rates))

    def types(self, samples: int) -> Types:
        """Return the types of items for so many samples."""
        nodes = normal_nodes(float(np.abs(self.loading).max()))
        return factor_types(self.skills(), self.loading, self.own, samples, nodes=nodes, failed=self.failed)

    def clustered(self, samples: int, rho: float) -> tuple[Floats, list[Types]]:
        """Return types of clusters: their shares, and the types of items within each.

        Parameters
        ----------
        samples : int
        rho : float
            Share of the variance of difficulty that the items of a cluster have in common.
        """
        skills, loading = self.skills(), np.asarray(self.loading)
        x, weight = normal_nodes(float(np.abs(loading).max()) * float(np.sqrt(rho)))
        inside = loading * np.sqrt(1 - rho)
        nodes = normal_nodes(float(np.abs(inside).max()))
        return weight, [
            factor_types(
                skills - loading * np.sqrt(rho) * u,
                inside,
                self.own,
                samples,
                nodes=nodes,
                failed=self.failed,
            )
            for u in x
        ]

    def memorised(self, samples: int, share: float, *, hard_first: bool) -> tuple[Types, Floats]:
        """Return types of items, and the share (G,) of each that is memorised.

        Parameters
        ----------
        samples : int
        share : float
            Share of items; with `hard_first` those whose difficulty lies beyond the (1 - share) quantile.
        hard_first : bool
        """
        if not hard_first:
            types = self.types(samples)
            return types, np.full(types.weight.shape, share)
        cut = float(special.ndtri(1 - share))
        nodes = cut_normal(cut)
        types = factor_types(self.skills(), self.loading, self.own, samples, nodes=nodes, failed=self.failed)
        return types, (nodes.x > cut).astype(np.float64)

    def table(
        self,
        items: int,
        samples: int = 1,
        *,
        seed: int = 0,
        cluster_size: int = 1,
        rho: float = 0.0,
        memorised: float = 0.0,
        solved: float = 0.97,
        hard_first: bool = False,
    ) -> Table:
        """Simulate one benchmark.

        Parameters
        ----------
        items, samples : int
        seed : int
        cluster_size : int
            Items of a cluster, named in the column ``cluster``; a last one may be smaller.
        rho : float
            Share of the variance of difficulty that the items of a cluster have in common.
        memorised, solved, hard_first
            Share of items that every entry knows by heart, what becomes of them, and whether the hardest are
            taken.

        Returns
        -------
        Table
            Failed attempts have the status ``failed``.
        """
        rng = stream(seed, "world")
        cluster = np.arange(items) // cluster_size
        shared = rng.standard_normal(int(cluster[-1]) + 1)[cluster]
        x = np.sqrt(rho) * shared + np.sqrt(1 - rho) * rng.standard_normal(items)
        turn = rng.standard_normal((len(self.names), items))
        p = special.expit(
            self.skills()[:, None] - np.outer(self.loading, x) + np.asarray(self.own)[:, None] * turn
        )
        if memorised:
            order = np.argsort(-x) if hard_first else rng.permutation(items)
            p[:, order[: round(memorised * items)]] = solved
        return drawn(self.names, p, samples, self.failed, rng, {"cluster": labels("cluster", cluster)})


@dataclass(frozen=True, eq=False)
class Points:
    """A world of finitely many kinds of items: real items, or points that stand for a distribution.

    Parameters
    ----------
    names, rates : tuple
    chance : (E, G) float64
        Chance of each entry to be right at each kind; all kinds are alike frequent.
    """

    names: tuple[str, ...]
    rates: tuple[float, ...]
    chance: Floats

    def pick(self, entries: Sequence[int]) -> Points:
        """Return the world of some of the entries."""
        rows = list(entries)
        names, rates = tuple(self.names[at] for at in rows), tuple(self.rates[at] for at in rows)
        return Points(names, rates, self.chance[rows])

    def types(self, samples: int) -> Types:
        """Return the types of items for so many samples."""
        return given_types(self.chance, samples)

    def table(self, items: int, samples: int = 1, *, seed: int = 0) -> Table:
        """Simulate one benchmark: kinds of items are drawn with replacement, then samples."""
        rng = stream(seed, "world")
        kinds = rng.integers(self.chance.shape[1], size=items)
        return drawn(self.names, self.chance[:, kinds], samples, 0.0, rng, {})


def drawn(
    names: Sequence[str],
    p: Floats,
    samples: int,
    failed: float,
    rng: np.random.Generator,
    attributes: dict[str, NDArray[Any]],
) -> Table:
    """Draw the attempts of a table from the chances at its items."""
    broken = rng.binomial(samples, failed, size=p.shape)
    right = rng.binomial(samples - broken, p)
    by_name = np.argsort(np.array(names, dtype=object))
    made = Table.from_counts(
        [names[at] for at in by_name],
        list(labels("item", np.arange(p.shape[1]))),
        right[by_name],
        np.full(p.shape, samples),
        attributes,
    )
    lost = broken[by_name].ravel().astype(np.int32)
    return replace(made, cells=replace(made.cells, scored=made.cells.scored - lost, failed=lost))


def labels(word: str, numbers: NDArray[np.integer[Any]]) -> NDArray[Any]:
    """Names that sort as their numbers do."""
    width = len(str(int(numbers.max(initial=0))))
    return np.array([f"{word} {number:0{width}d}" for number in numbers], dtype=object)


Items = World | Points
