"""How many labels of people a judged score needs, and how to share a budget between labels and items."""

from __future__ import annotations

import math
from typing import NamedTuple


class Link(NamedTuple):
    """How a judge goes with people: the spread of labels, and their correlation with the judge's scores.

    The same holds for differences of two entries, with the labels' and the judge's differences.
    """

    sd: float
    correlation: float

    def variance(self, labels: float, items: float) -> float:
        """Variance of a corrected score with so many labels among so many judged items.

        References
        ----------
        Angelopoulos, Duchi & Zrnic (2023), arXiv:2311.01453: with the tuning that makes it least, the
        variance is sd^2 ((1 - r^2) / labels + r^2 / items).
        """
        shared = self.correlation**2
        return self.sd**2 * ((1 - shared) / labels + shared / items)

    def labels(self, variance: float, items: float) -> float:
        """Labels for a variance; infinity where labels of all the items would not reach it."""
        shared = self.correlation**2
        room = variance - self.sd**2 * shared / items
        if room <= 0 and shared < 1:
            return math.inf
        needed = 0.0 if shared >= 1 else self.sd**2 * (1 - shared) / room
        return needed if needed <= items + 1e-9 else math.inf

    def split(self, label_cost: float, item_cost: float, budget: float) -> tuple[float, float]:
        """Labels and items that make the most of a budget.

        Each judged item costs `item_cost`, each label `label_cost` besides. By Cauchy's inequality labels
        and items go as the roots of (1 - r^2) / label cost and r^2 / item cost, labels at most as items.
        """
        shared = self.correlation**2
        ratio = math.sqrt((1 - shared) / label_cost), math.sqrt(shared / item_cost)
        if ratio[0] >= ratio[1]:
            both = budget / (label_cost + item_cost)
            return both, both
        scale = budget / (ratio[0] * label_cost + ratio[1] * item_cost)
        return ratio[0] * scale, ratio[1] * scale


def link_of_rates(rate: float, sensitivity: float, specificity: float) -> Link:
    """The link of 0/1 labels to a judge that so often accepts right and rejects wrong answers."""
    accepted = rate * sensitivity + (1 - rate) * (1 - specificity)
    own, its = rate * (1 - rate), accepted * (1 - accepted)
    together = own * (sensitivity + specificity - 1)
    return Link(math.sqrt(own), 0.0 if own * its <= 0 else together / math.sqrt(own * its))
