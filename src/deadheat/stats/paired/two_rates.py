"""The difference of two independent rates by the score method, which has an answer at 0 and at 1 too."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.bounds import Bounds
from deadheat.stats.numerics.pvalues import PValues, critical_t, student
from deadheat.stats.numerics.search import bisect

Floats = NDArray[np.float64]


class Rate(NamedTuple):
    """A rate and the number of independent 0/1 items that would give its standard error."""

    value: float
    size: float

    @property
    def variance(self) -> float:
        """Of the rate, at its own value."""
        return self.value * (1 - self.value) / self.size


def score_statistic(a: Rate, b: Rate, difference: float) -> float:
    """Miettinen and Nurminen's statistic of a true difference a - b.

    The variance is taken at the most likely rates that differ by so much, which a cubic equation gives.

    Parameters
    ----------
    a, b : Rate
        Sizes need not be whole.
    difference : float
        Between -1 and 1.

    References
    ----------
    Miettinen and Nurminen (1985), Comparative analysis of two rates, Statistics in Medicine 4, 213-226.
    """
    total, right = a.size + b.size, a.size * a.value + b.size * b.value
    right_b = b.size * b.value
    l2 = (a.size + 2 * b.size) * difference - total - right
    l1 = (b.size * difference - total - 2 * right_b) * difference + right
    l0 = right_b * difference * (1 - difference)
    third = l2 / (3 * total)
    q = third**3 - l1 * l2 / (6 * total**2) + l0 / (2 * total)
    p = np.copysign(np.sqrt(max(third**2 - l1 / (3 * total), 0.0)), q)
    angle = (np.pi + np.arccos(np.clip(q / p**3, -1.0, 1.0) if p else 1.0)) / 3
    rate_b = float(np.clip(2 * p * np.cos(angle) - third, max(0.0, -difference), min(1.0, 1 - difference)))
    rate_a = rate_b + difference
    spread = rate_a * (1 - rate_a) / a.size + rate_b * (1 - rate_b) / b.size
    gap = a.value - b.value - difference
    if abs(gap) < 1e-15:
        return 0.0
    if spread <= 0:
        return float(np.copysign(np.inf, gap))
    return float(gap / np.sqrt(spread * total / max(total - 1, 1.0)))


def score_difference(a: Rate, b: Rate, df: float = np.inf, *, level: float = 0.95) -> tuple[PValues, Bounds]:
    """Test the difference of two independent rates, and give the interval of all that is not rejected.

    Parameters
    ----------
    a, b : Rate
    df : float
        Degrees of freedom of the statistic: infinite for counts, fewer where a size is an estimate.
    level : float
        Confidence level.

    Returns
    -------
    (PValues, Bounds)
        Of the difference a - b; ends within [-1, 1].
    """
    critical = float(critical_t(level, np.array([df]))[0])
    gap = a.value - b.value

    def above(difference: float) -> bool:
        return score_statistic(a, b, difference) <= critical

    def below(difference: float) -> bool:
        return score_statistic(a, b, difference) <= -critical

    low = -1.0 if above(-1.0) else bisect(above, -1.0, gap, relative=1e-12)
    high = 1.0 if not below(1.0) else bisect(below, gap, 1.0, relative=1e-12)
    found = student(np.array([score_statistic(a, b, 0.0)]), np.array([df]))
    return found, Bounds(np.array([low]), np.array([high]))


class ErrorBounds(NamedTuple):
    """The least and the most that the error of a difference can be, whatever the two scores share."""

    least: float
    most: float


def attainable(
    variance_a: float, items_a: float, variance_b: float, items_b: float, *, rates: tuple[float, float] | None
) -> ErrorBounds:
    """Bound the error of a difference of two means of which nobody knows how many items they share.

    At most all items of the smaller set are among those of the larger, and on these the outcomes agree, or
    disagree, as far as two rates allow; the covariance of the means is then that of one item, divided by the
    larger number of items.

    Parameters
    ----------
    variance_a, variance_b : float
        Variance of one item's value.
    items_a, items_b : float
        Numbers of items.
    rates : (float, float) or None
        The rates of two 0/1 outcomes, which bound their covariance (Fréchet); None for other scores, bound
        by Cauchy and Schwarz.
    """
    if rates is None:
        highest = np.sqrt(variance_a * variance_b)
        lowest = -highest
    else:
        a, b = rates
        highest, lowest = min(a, b) - a * b, max(0.0, a + b - 1) - a * b
    total, larger = variance_a / items_a + variance_b / items_b, max(items_a, items_b)
    least, most = (np.sqrt(max(total - 2 * part / larger, 0.0)) for part in (highest, lowest))
    return ErrorBounds(float(least), float(most))
