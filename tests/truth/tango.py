"""Tango's score test and interval, and their power summed over every table: slow and plain."""

from __future__ import annotations

import math
from functools import cache

from scipy import optimize, stats


def z(n: int, b: int, c: int, delta: float) -> float:
    """The score statistic of b for one entry, c for the other among n items, against a difference."""
    big, middle, last = 2 * n, -b - c + (2 * n - b + c) * delta, -c * delta * (1 - delta)
    q = (math.sqrt(max(middle * middle - 4 * big * last, 0.0)) - middle) / (2 * big)
    spread = n * (2 * q + delta * (1 - delta))
    gap = b - c - n * delta
    if abs(gap) < 1e-12 * n:
        return 0.0
    return gap / math.sqrt(spread) if spread > 1e-300 else math.copysign(math.inf, gap)


def tango_p(n: int, b: int, c: int, margin: float) -> float:
    """One-sided p against "a is worse by the margin or more", by Tango's score statistic."""
    return math.erfc(z(n, b, c, -margin) / math.sqrt(2)) / 2


def interval(n: int, b: int, c: int, level: float) -> tuple[float, float]:
    """The differences that the two-sided score test does not reject."""
    reach, middle = stats.norm.ppf((1 + level) / 2), (b - c) / n

    def end(side: float, edge: float) -> float:
        if abs(z(n, b, c, edge)) < reach or abs(middle - edge) < 1e-9:
            return edge
        return float(optimize.brentq(lambda d: z(n, b, c, d) - side * reach, middle, edge, xtol=1e-13))

    return end(1, -1 + 1e-12), end(-1, 1 - 1e-12)


@cache
def shown(n: int, b: int, c: int, margin: float, alpha: float) -> int:
    """What the test shows of one table: 1 non-inferior, 2 equivalent, -1 inferior, 0 neither."""
    p = tango_p(n, b, c, margin)
    if p < alpha:
        return 2 if tango_p(n, c, b, margin) < alpha else 1
    return -1 if 1 - p < alpha else 0


@cache
def chances(n: int, share: float, gap: float, margin: float, alpha: float) -> dict[str, float]:
    """How often it shows each: the sum over every table."""
    better, worse = max(share + gap, 0.0) / 2, max(share - gap, 0.0) / 2
    found = {-1: 0.0, 0: 0.0, 1: 0.0, 2: 0.0}
    for b in range(n + 1):
        row = math.comb(n, b) * better**b
        if row * (1 - better) ** (n - b) < 1e-12:
            continue
        for c in range(n - b + 1):
            chance = row * math.comb(n - b, c) * worse**c * (1 - share) ** (n - b - c)
            if chance > 1e-12:
                found[shown(n, b, c, margin, alpha)] += chance
    return {"non-inferiority": found[1] + found[2], "equivalence": found[2], "inferiority": found[-1]}


def tango_power(n: int, share: float, gap: float, margin: float, alpha: float) -> tuple[float, float]:
    """Chances that the test shows non-inferiority, and inferiority."""
    found = chances(n, share, gap, margin, alpha)
    return found["non-inferiority"], found["inferiority"]
