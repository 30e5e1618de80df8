"""Power and items for one design and one claim: by formula, and exactly where a sum over counts exists."""

from __future__ import annotations

import math
from dataclasses import dataclass

from deadheat.errors import MethodError
from deadheat.planning.plan_design import Claim, Design
from deadheat.stats.power import power_margin, power_paired, power_unpaired
from deadheat.stats.power.effects import least_items, margin_power, refuse_points, t_power, z_items, z_power

MOST_DISCORDANT = power_paired.MOST_DISCORDANT
MOST_ITEMS = power_margin.MOST_ITEMS
MOST_SEPARATE = power_unpaired.MOST_ITEMS
MOST_SUMMED = 100_000_000  # items up to which a single exact power of separate items is summed


@dataclass(frozen=True)
class Goal:
    """What is to be shown, and how surely.

    Parameters
    ----------
    claim : str
        ``difference``: a two-sided test of size alpha rejects. ``non-inferiority``: the first entry is shown
        not to be worse than the second by the margin. ``equivalence``: they are shown to differ by less than
        the margin. The last two are one-sided tests of size alpha.
    margin : float or None
        Largest difference that does not matter.
    alpha : float
    """

    claim: Claim = "difference"
    margin: float | None = None
    alpha: float = 0.05

    def check(self, design: Design) -> None:
        """Refuse a claim that no number of items can show."""
        if self.claim not in ("difference", "non-inferiority", "equivalence"):
            raise MethodError(
                f"no claim {self.claim!r}; there are difference, non-inferiority and equivalence"
            )
        gap = design.difference
        if self.claim == "difference":
            if self.margin is not None:
                raise MethodError("a margin belongs to the claims non-inferiority and equivalence")
            if gap == 0:
                raise MethodError(
                    "a difference of 0 was given: no finite number of items separates entries that do not "
                    "differ; to show that they differ by little, claim equivalence with a margin"
                )
            return
        if design.unit:
            refuse_points("margin", self.margin)
        if self.margin is None or not self.margin >= 0 or (self.margin == 0 and self.claim == "equivalence"):
            raise MethodError(
                f"{self.claim} needs a margin above 0, the largest difference that does not matter"
            )
        if gap <= -self.margin or (self.claim == "equivalence" and gap >= self.margin):
            raise MethodError(
                f"{self.claim} within {self.margin:g} was asked for with a true difference of {gap:g}: it is "
                "not within the margin, so no number of items shows that it is"
            )


def test_of(design: Design, goal: Goal) -> str:
    """The test that a plan is about."""
    if not design.counts:
        of = "clusters" if design.layout.cluster_size > 1 else "items"
        test = f"t on the differences of {of}" if design.paired else f"two-sample t on {of}"
        return test if goal.claim == "difference" else f"one-sided {test}"
    if goal.claim != "difference":
        return "one-sided score test (Tango)" if design.paired else "one-sided z of two proportions"
    return "McNemar" if design.paired else "two-proportion z, pooled variance"


def formula(design: Design, goal: Goal) -> str:
    """What the number by formula is computed with."""
    if not design.counts:
        return "noncentral t distribution"
    if goal.claim != "difference":
        return "Nam's normal" if design.paired else "normal approximation with the true variance"
    return "Connor's unconditional normal" if design.paired else "Fleiss' normal, no continuity correction"


def power_of(design: Design, goal: Goal, items: float) -> float:
    """Power by the formula of the design's test; NaN where the items leave no degree of freedom."""
    spread = design.spread * design.layout.factor
    df = math.inf if design.counts else design.df(items)
    if goal.claim != "difference":
        if df <= 0:
            return math.nan
        if design.counts and design.paired:
            return power_margin.nam_power(*_counts(design), items, goal.margin or 0.0, goal.alpha, goal.claim)
        wide = goal.claim == "equivalence"
        return margin_power(
            design.difference, spread, items, df, goal.margin or 0.0, goal.alpha, equivalence=wide
        )
    if design.counts:
        return float(z_power(design.difference, design.null, spread, items, goal.alpha))
    return float(t_power(design.difference, spread, items, df, goal.alpha))


def items_for(design: Design, goal: Goal, power: float) -> float:
    """Real number of items by the formula of the design's test."""
    if design.counts and goal.claim == "difference":
        return float(z_items(design.difference, design.null, design.spread, power, goal.alpha))
    start = design.layout.cluster_size * (1.0 if design.counts else 1.5)
    return least_items(lambda items: power_of(design, goal, items), power, start)


def summed(design: Design, goal: Goal) -> bool:
    """Whether an exact sum exists: of single 0/1 attempts, for a difference, or on shared items."""
    return design.counts and (design.paired or goal.claim == "difference")


def exact_power(design: Design, goal: Goal, items: int) -> float | None:
    """Power of the design's test without approximation; None where it is not summed."""
    if not summed(design, goal):
        return None
    if not design.paired:
        assert design.rates is not None
        if items > MOST_SUMMED:
            return None
        return float(power_unpaired.unpaired_power_exact(*design.rates, items, goal.alpha))
    if goal.claim != "difference":
        if items > MOST_ITEMS:
            return None
        return float(
            power_margin.exact_margin_power(
                *_counts(design), items, goal.margin or 0.0, goal.alpha, goal.claim
            )
        )
    if items * design.null > MOST_DISCORDANT:
        return None
    return float(power_paired.paired_power_exact(*_counts(design), items, goal.alpha))


def exact_items(design: Design, goal: Goal, power: float) -> int | None:
    """Least items from which the exact power stays at or above `power`; None where it is not summed."""
    if not summed(design, goal):
        return None
    if design.paired and goal.claim != "difference":
        if not items_for(design, goal, power) <= MOST_ITEMS:
            return None
        return power_margin.exact_margin_items(
            *_counts(design), goal.margin or 0.0, power, goal.alpha, goal.claim
        )
    guess = items_for(design, goal, power)
    if design.paired:
        if guess * design.null > MOST_DISCORDANT:
            return None
        return power_paired.paired_items_exact(*_counts(design), power, goal.alpha)
    if guess > MOST_SEPARATE:
        return None
    assert design.rates is not None
    return power_unpaired.unpaired_items_exact(*design.rates, power, goal.alpha)


def items_to_run(design: Design, goal: Goal, power: float) -> float:
    """Items that the test needs: the exact number where it is summed, or the formula's; inf for none."""
    exact = exact_items(design, goal, power)
    return exact if exact is not None else whole(items_for(design, goal, power))


def best_power(design: Design, goal: Goal, items: int) -> float:
    """Power of the test that runs: exact where it is summed, or the formula's."""
    exact = exact_power(design, goal, items)
    return exact if exact is not None else power_of(design, goal, items)


def whole(items: float) -> float:
    """The next whole number of items, at least 1; inf stays."""
    return max(math.ceil(items - 1e-9), 1) if math.isfinite(items) else items


def _counts(design: Design) -> tuple[float, float]:
    """Difference and discordance of single attempts at shared items."""
    return design.difference, design.null
