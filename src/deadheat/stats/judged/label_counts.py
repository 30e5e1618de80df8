"""How many labels of people a judged score needs, and how to share a budget between labels and items."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FEWEST = 2.0  # labels, of which one alone has no spread


class Link(NamedTuple):
    """How a judge goes with people: the spread of labels, and their correlation with the judge's scores.

    The same holds for differences of two entries, with the labels' and the judge's differences. Both may be
    arrays, of resamples for example.
    """

    sd: Any
    correlation: Any

    def variance(self, labels: float, items: float) -> Any:
        """Variance of a corrected score with so many labels among so many judged items.

        References
        ----------
        Angelopoulos, Duchi & Zrnic (2023), arXiv:2311.01453: with the tuning that makes it least, the
        variance is sd^2 ((1 - r^2) / labels + r^2 / items).
        """
        shared = self.correlation**2
        return self.sd**2 * ((1 - shared) / labels + shared / items)

    def labels(self, variance: float, items: float) -> Floats:
        """Labels for a variance, whole and at least 2; infinity where labels of all items are too few."""
        own, shared = np.asarray(self.sd**2), np.asarray(self.correlation**2)
        room = variance - own * shared / items
        needed = np.where(room > 0, own * (1 - shared) / np.where(room > 0, room, 1.0), np.inf)
        needed = np.where(needed <= items + 1e-9, needed, np.inf)
        return np.maximum(np.ceil(needed - 1e-9), FEWEST)

    def split(self, label_cost: float, item_cost: float, budget: float) -> tuple[float, float]:
        """Labels, at least 2, and items that make the most of a budget.

        Each judged item costs `item_cost`, each label `label_cost` besides.
        """
        labels, items = self._proportion(label_cost, item_cost)
        scale = budget / (labels * label_cost + items * item_cost)
        if labels * scale >= FEWEST:
            return labels * scale, items * scale
        return FEWEST, (budget - FEWEST * label_cost) / item_cost

    def cheapest(self, label_cost: float, item_cost: float, variance: float) -> tuple[float, float]:
        """Labels, at least 2, and items that reach a variance at the least cost; see `split`."""
        labels, items = self._proportion(label_cost, item_cost)
        scale = self.variance(labels, items) / variance if labels > 0 else 0.0
        if labels * scale >= FEWEST:
            return labels * scale, items * scale
        shared = self.correlation**2
        room = variance - self.sd**2 * (1 - shared) / FEWEST
        return FEWEST, max(float(self.sd**2 * shared / room), FEWEST)

    def _proportion(self, label_cost: float, item_cost: float) -> tuple[float, float]:
        """By Cauchy's inequality labels and items go as the roots of (1 - r^2) / label cost and r^2 / item
        cost, with labels at most as many as items.
        """
        shared = self.correlation**2
        labels, items = math.sqrt((1 - shared) / label_cost), math.sqrt(shared / item_cost)
        return (1.0, 1.0) if labels >= items else (labels, items)


def link_of_rates(rate: float, sensitivity: float, specificity: float) -> Link:
    """The link of 0/1 labels to a judge that so often accepts right and rejects wrong answers."""
    accepted = rate * sensitivity + (1 - rate) * (1 - specificity)
    own, its = rate * (1 - rate), accepted * (1 - accepted)
    together = own * (sensitivity + specificity - 1)
    return Link(math.sqrt(own), 0.0 if own * its <= 0 else together / math.sqrt(own * its))
