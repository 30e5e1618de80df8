"""A table under audit as entry x item arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from deadheat.data.table import Table

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Mask = NDArray[np.bool_]

CORE = 1 / 3  # share of the peers that list an item, from which it counts as one of the board's


@dataclass(frozen=True, eq=False)
class Subject:
    """What the checks look at; arrays have a row an entry and a column an item.

    Parameters
    ----------
    table : Table
    """

    table: Table

    @cached_property
    def scored(self) -> Counts:
        """Attempts with a score."""
        return self._dense(self.table.cells.scored)

    @cached_property
    def failed(self) -> Counts:
        """Attempts that failed."""
        return self._dense(self.table.cells.failed)

    @cached_property
    def absent(self) -> Counts:
        """Attempts that are listed without a score."""
        return self._dense(self.table.cells.absent)

    @cached_property
    def total(self) -> Floats:
        """Sum of the scores."""
        dense = np.zeros((len(self.table.entries), len(self.table.items)))
        dense[self.table.cells.entry, self.table.cells.item] = self.table.cells.total
        return dense

    @cached_property
    def mean(self) -> Floats:
        """Mean score of the scored attempts; NaN where there is none."""
        with np.errstate(invalid="ignore"):
            return np.where(self.scored > 0, self.total / np.maximum(self.scored, 1), np.nan)

    @cached_property
    def has(self) -> Mask:
        """Where an item has a score."""
        return self.scored > 0

    @cached_property
    def tried(self) -> Mask:
        """Where an item was attempted, be it that all attempts failed."""
        return (self.scored + self.failed) > 0

    @cached_property
    def listed(self) -> Mask:
        """Where an item is listed at all."""
        return (self.scored + self.failed + self.absent) > 0

    @cached_property
    def board(self) -> Mask:
        """Items that each entry is expected to have: its own, and those a third of its peers list.

        Peers are the entries that share an item with it; the third leaves out items that only strays list.
        """
        seen = self.listed.astype(np.float64)
        peers = (seen @ seen.T > 0).astype(np.float64)
        common = peers @ seen >= CORE * peers.sum(axis=1, keepdims=True)
        return np.asarray(self.listed | common)

    @cached_property
    def unit(self) -> bool:
        """Whether all scores lie in [0, 1]."""
        known = self.mean[self.has]
        return bool(np.all((known >= 0) & (known <= 1)))

    @cached_property
    def single(self) -> bool:
        """Whether no item has more than one attempt."""
        return bool(np.all(self.scored + self.failed + self.absent <= 1))

    @cached_property
    def items(self) -> Mapping[str, frozenset[str]]:
        """Items that each entry lists."""
        names = np.array(self.table.items, dtype=object)
        return {e: frozenset(names[row]) for e, row in zip(self.table.entries, self.listed, strict=True)}

    def name(self, row: int) -> str:
        """What a reader calls an entry."""
        return self.table.entries[row]

    def _dense(self, column: NDArray[np.int32]) -> Counts:
        dense = np.zeros((len(self.table.entries), len(self.table.items)), dtype=np.int64)
        dense[self.table.cells.entry, self.table.cells.item] = column
        return dense
