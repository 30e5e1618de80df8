"""A planned comparison: what one item adds to the difference, how items are laid out, which test will run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from deadheat.errors import MethodError
from deadheat.planning import refusals
from deadheat.stats.power.effects import refuse_points
from deadheat.stats.power.power_paired import discordance as discordance_of
from deadheat.stats.power.power_unpaired import variances
from deadheat.stats.samples.sample_layout import variance_factor

Claim = Literal["difference", "non-inferiority", "equivalence"]


@dataclass(frozen=True)
class Layout:
    """How items are attempted and drawn.

    Parameters
    ----------
    samples : int
        Attempts of each entry at each item.
    noise : float or None
        Share of the variance of a single attempt (of the difference of one attempt each, on shared items)
        that comes from rerunning. Needed when there are several samples.
    cluster_size : float
        Items in a cluster.
    icc : float
        Correlation of single attempts at two items of one cluster (of their differences, on shared items).

    Raises
    ------
    MethodError
        No sample, several without `noise`, an `icc` that no data can have.
    """

    samples: int = 1
    noise: float | None = None
    cluster_size: float = 1.0
    icc: float = 0.0

    def __post_init__(self) -> None:
        if self.samples < 1 or self.samples != int(self.samples):
            raise MethodError(f"{self.samples} samples of an item were given; at least 1 is needed")
        if self.samples > 1 and self.noise is None:
            raise MethodError(
                f"{self.samples} samples of an item were given; how much they help depends on the share of "
                "the variance that comes from rerunning: give `noise`, or take it from real results"
            )
        refusals.share("noise", self.noise or 0.0)
        if not self.cluster_size >= 1 or math.isinf(self.cluster_size):
            raise MethodError(f"clusters of {self.cluster_size} items were given; a cluster has at least 1")
        rest = 1 - (self.noise or 0.0)
        least = -rest / (self.cluster_size - 1) if self.cluster_size > 1 else -1.0
        if not least * (1 + 1e-12) <= self.icc <= rest or self.factor <= 0:
            raise MethodError(
                f"an intraclass correlation of {self.icc} was given; with clusters of {self.cluster_size:g} "
                f"items and a noise of {self.noise or 0:g} it lies from {least:.3g} to "
                f"{rest:g}"
            )
        if self.icc != 0 and self.cluster_size == 1:
            raise MethodError(f"an intraclass correlation of {self.icc} was given without `cluster_size`")

    @property
    def factor(self) -> float:
        """Variance of a mean, in units of independent items attempted once."""
        return float(variance_factor(self.samples, self.noise or 0.0, self.cluster_size, self.icc))

    @property
    def plain(self) -> bool:
        """Whether every item is attempted once and stands alone."""
        return self.samples == 1 and self.cluster_size == 1

    def assumptions(self) -> dict[str, Any]:
        """The same for a reader; empty when plain."""
        if self.plain:
            return {}
        parts: dict[str, Any] = {"samples": self.samples}
        if self.noise is not None:
            parts["noise"] = self.noise
        if self.cluster_size > 1:
            parts |= {"cluster_size": self.cluster_size, "icc": self.icc}
        return parts | {"variance_factor": self.factor}


@dataclass(frozen=True)
class Design:
    """One comparison, ready for the formulas.

    Parameters
    ----------
    difference : float
        True difference, first entry less second.
    null, spread : float
        Variance of one item's (single attempt's) difference, as the test supposes it when nothing differs,
        and as it is.
    paired, binary : bool
        Shared items; 0/1 scores.
    rates : (float, float) or None
    layout : Layout
    discordance : float or None
        Share of items on which one attempt of each entry differs, where attempts are 0 or 1 and shared.
    unit : bool
        Scores within [0, 1], whose differences are points.
    """

    difference: float
    null: float
    spread: float
    paired: bool
    binary: bool
    rates: tuple[float, float] | None
    layout: Layout
    discordance: float | None = None
    unit: bool = False

    @property
    def counts(self) -> bool:
        """Whether the scores are counts: single 0/1 attempts at independent items."""
        return self.binary and self.layout.plain

    def df(self, items: float) -> float:
        """Degrees of freedom of the t test."""
        clusters = items / self.layout.cluster_size
        return clusters - 1 if self.paired else 2 * clusters - 2

    def assumptions(self) -> dict[str, Any]:
        """What the plan stands on, for a reader."""
        parts: dict[str, Any] = {"design": "shared items" if self.paired else "separate items"}
        if self.rates is not None:
            parts["rates"] = list(self.rates)
        parts["difference"] = self.difference
        if self.discordance is not None:
            parts["discordance"] = self.discordance
        if not self.counts:
            parts["sd_difference"] = math.sqrt(self.spread)
        return parts | self.layout.assumptions()


def design(
    rates: Sequence[float] | None = None,
    *,
    difference: float | None = None,
    discordance: float | None = None,
    correlation: float | None = None,
    sd: float | None = None,
    sd_difference: float | None = None,
    layout: Layout | None = None,
) -> Design:
    """Build a design from what is known; parameters as in `deadheat.planning.items`.

    Raises
    ------
    MethodError
        Too little, too much, or what cannot be.
    """
    layout = layout or Layout()
    if discordance is not None and correlation is not None:
        raise MethodError(
            "discordance and correlation were both given; each follows from the other: give one"
        )
    if correlation is not None and not -1 <= correlation <= 1:
        raise MethodError(f"a correlation of {correlation} was given; it lies from -1 to 1")
    if sd is not None or sd_difference is not None:
        if rates is not None or discordance is not None:
            raise MethodError("rates and discordance are of 0/1 scores, sd of other scores; give one kind")
        return _scores(difference, sd, sd_difference, correlation, layout)
    pair = None if rates is None else _pair(rates, difference)
    if pair is not None:
        difference = round(pair[0] - pair[1], 15)  # 0.65 - 0.60 is meant to be 0.05
    if difference is None:
        raise MethodError("a difference is needed: give `rates`, or `difference`")
    refuse_points("difference", difference)
    if discordance is None and correlation is None:
        if pair is None:
            raise MethodError(
                "how much 0/1 scores vary is not known: give both `rates`, or `discordance` with the "
                "difference, or `sd` for other scores"
            )
        null, spread = (float(part) for part in variances(*pair))
        return Design(difference, null, spread, False, True, pair, layout, None, True)
    if correlation is not None:
        if pair is None:
            raise MethodError(
                "a correlation of 0/1 scores needs both `rates`; without them give `discordance`"
            )
        discordance = float(discordance_of(*pair, correlation))
        refusals.correlation(correlation, discordance, pair)
    assert discordance is not None
    refusals.discordance(discordance, difference, pair)
    spread = max(discordance - difference**2, 0.0)
    return Design(difference, discordance, spread, True, True, pair, layout, discordance, True)


def _pair(rates: Sequence[float], difference: float | None) -> tuple[float, float]:
    if len(rates) != 2:
        raise MethodError(f"{len(rates)} rates were given; a comparison has two")
    first, second = rates
    refusals.rate(first)
    refusals.rate(second)
    if difference is not None and not math.isclose(first - second, difference, abs_tol=1e-12):
        raise MethodError(
            f"rates {first:g} and {second:g} differ by {first - second:g}, but a difference of "
            f"{difference:g} was given; give one or the other"
        )
    return first, second


def _scores(
    difference: float | None,
    sd: float | None,
    sd_difference: float | None,
    correlation: float | None,
    layout: Layout,
) -> Design:
    """Scores of any kind, by their standard deviation."""
    if difference is None:
        raise MethodError("a difference is needed beside the standard deviation")
    if sd_difference is not None:
        if sd is not None or correlation is not None:
            raise MethodError("sd_difference already holds sd and correlation; give it alone")
        refusals.positive("sd_difference", sd_difference)
        return Design(difference, sd_difference**2, sd_difference**2, True, False, None, layout)
    assert sd is not None
    refusals.positive("sd", sd)
    spread = 2 * sd**2 * (1 - (correlation or 0.0))
    if spread == 0:
        raise MethodError(
            "a correlation of 1 was given; scores that always move together leave no doubt to plan"
        )
    return Design(difference, spread, spread, correlation is not None, False, None, layout)
