"""Slow and plain statistics of attempts: loops and sums as a textbook has them; nothing of deadheat.

A board here is a list of attempts (dicts of entry, item, sample, score and perhaps cluster, category). What
deadheat computes with matrix products for all pairs at once is done here for one pair at a time.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations
from typing import Any

from scipy import stats

Attempt = dict[str, Any]
Claim = dict[str, Any]
CHECKERS: dict[str, Callable[[Claim, Case], None]] = {}


@dataclass
class Case:
    """Attempts, what was asked of them, and the document that came."""

    attempts: list[Attempt]
    options: dict[str, Any]
    document: dict[str, Any] = field(default_factory=dict)

    @property
    def alpha(self) -> float:
        return float(self.document["methods"]["alpha"])

    @cached_property
    def scores(self) -> dict[str, dict[str, list[float]]]:
        """Scores of the samples: entry -> item -> list."""
        found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for attempt in self.attempts:
            if attempt["score"] is not None:  # a failed attempt counts as 0, and is written so
                found[attempt["entry"]][attempt["item"]].append(float(attempt["score"]))
        return {entry: dict(items) for entry, items in found.items()}

    @cached_property
    def cells(self) -> dict[str, dict[str, float]]:
        """Mean of the samples: entry -> item -> value."""
        return {
            entry: {item: math.fsum(x) / len(x) for item, x in items.items()}
            for entry, items in self.scores.items()
        }

    @cached_property
    def clusters(self) -> dict[str, str] | None:
        """Cluster of each item, where the errors are asked to respect them."""
        if self.options.get("cluster") is None:
            return None
        return {attempt["item"]: attempt["cluster"] for attempt in self.attempts}

    @cached_property
    def usual(self) -> int:
        """Items that entries typically have: the block of entries with the most pairs times items."""
        counts = [len(items) for items in self.cells.values()]
        blocks = {m: sum(n >= m for n in counts) ** 2 * m for m in counts}
        return max(m for m in blocks if blocks[m] == max(blocks.values()))

    @cached_property
    def entries(self) -> list[str]:
        """Entries that take part: with a share of the usual items, where the document asks for one."""
        share = self.document.get("methods", {}).get("min_share") or 0
        return sorted(entry for entry, items in self.cells.items() if len(items) >= share * self.usual)

    def score(self, entry: str) -> float:
        values = self.cells[entry].values()
        return math.fsum(values) / len(values)

    def shared(self, a: str, b: str) -> list[str]:
        return sorted(set(self.cells[a]) & set(self.cells[b]))

    def difference(self, a: str, b: str) -> float:
        items = self.shared(a, b)
        found = math.fsum(self.cells[a][i] - self.cells[b][i] for i in items) / len(items)
        return 0.0 if abs(found) < 1e-12 else found

    def p(self, a: str, b: str, test: str) -> float | None:
        """Two-sided p of one pair; None where it is undefined."""
        items = self.shared(a, b)
        if not items:
            return None
        gaps = [self.cells[a][i] - self.cells[b][i] for i in items]
        if test == "mcnemar":
            return mcnemar(sum(g > 0 for g in gaps), sum(g < 0 for g in gaps))
        if test == "betting":
            return min(1.0, 1 / wealth(gaps))
        if test not in ("t", "bell-mccaffrey", "rerun-t"):
            raise NotImplementedError(test)
        units = len(items) if self.clusters is None else len({self.clusters[i] for i in items})
        return two_sided(*error_of(self, a, b, test), None if test == "rerun-t" else 2.0 ** (1 - units))

    @cached_property
    def deciding(self) -> dict[tuple[str, str], float | None]:
        """The p of every pair that decides: the adjusted one, where an adjustment was asked for."""
        methods = self.document["methods"]
        pairs = list(combinations(self.entries, 2))
        p = [self.p(a, b, methods["test"]) for a, b in pairs]
        if methods.get("adjust") not in (None, "none"):
            p = adjusted(p, methods["adjust"])
        return {**dict(zip(pairs, p, strict=True)), **{(b, a): x for (a, b), x in zip(pairs, p, strict=True)}}


def checks(code: str) -> Callable[[Callable[[Claim, Case], None]], Callable[[Claim, Case], None]]:
    def enter(checker: Callable[[Claim, Case], None]) -> Callable[[Claim, Case], None]:
        assert code not in CHECKERS, f"two checkers of {code}"
        CHECKERS[code] = checker
        return checker

    return enter


def mcnemar(b: int, c: int) -> float:
    """Exact two-sided p from whole numbers."""
    tail = sum(math.comb(b + c, k) for k in range(min(b, c) + 1))
    return min(1.0, 2 * tail / 2 ** (b + c))


def wealth(gaps: list[float], difference: float = 0.0, side: str = "both") -> float:
    """What one euro, bet on all differences together, has become: an integral over bets by Simpson's rule.

    `above` bets that the mean difference is larger than the one stated, `below` that it is smaller.
    """
    mean = (1 + difference) / 2
    edge = 2 * math.asin(math.sqrt(mean))
    low, high = {"both": (0.0, math.pi), "above": (edge, math.pi), "below": (0.0, edge)}[side]
    steps, total = 800, []
    for k in range(steps + 1):
        theta = math.sin((low + (high - low) * k / steps) / 2) ** 2
        held = math.prod((1 + g) / 2 * theta / mean + (1 - g) / 2 * (1 - theta) / (1 - mean) for g in gaps)
        total.append((1 if k in (0, steps) else 4 if k % 2 else 2) * held)
    return math.fsum(total) / (3 * steps)


@cache
def mcnemar_power(n: int, share: float, difference: float, alpha: float) -> float:
    """Chance that exact McNemar rejects: summed over how many of n items differ, and which way."""
    power = 0.0
    for t in range(n + 1):
        chance = stats.binom.pmf(t, n, share)
        if chance < 1e-12:
            continue
        rejected = [x for x in range(t + 1) if mcnemar(x, t - x) < alpha]
        power += chance * float(stats.binom.pmf(rejected, t, (share + difference) / (2 * share)).sum())
    return power


def one_sided(b: int, c: int) -> float:
    """P(X >= b) of b + c fair coins: the evidence that the side with b is the better one."""
    return sum(math.comb(b + c, k) for k in range(b, b + c + 1)) / 2 ** (b + c)


def error_of(case: Case, a: str, b: str, test: str) -> tuple[float, float, float]:
    """Mean difference of a pair, its standard error and degrees of freedom; NaN where there is no error."""
    items = case.shared(a, b)
    gaps = [case.cells[a][i] - case.cells[b][i] for i in items]
    mean = math.fsum(gaps) / len(gaps)
    clusters = None if case.clusters is None else [case.clusters[i] for i in items]
    if test == "bell-mccaffrey":
        return mean, *_cr2(gaps, clusters or [])
    if test == "rerun-t":
        return mean, *_rerun([[case.scores[name][i] for i in items] for name in (a, b)])
    return mean, *_cr1(gaps, clusters)


def rerun_error(cells: dict[str, list[float]]) -> tuple[float, float]:
    """Standard error of a score when the same items are attempted again, and its degrees of freedom.

    An item with one sample takes the mean variance of a sample over the other items.
    """
    own = {i: statistics.variance(x) for i, x in cells.items() if len(x) > 1}
    typical = math.fsum(own.values()) / len(own)
    terms = {i: own.get(i, typical) / len(x) / len(cells) ** 2 for i, x in cells.items()}
    fourth = math.fsum(terms[i] ** 2 / (len(cells[i]) - 1) for i in own)
    df = math.fsum(terms[i] for i in own) ** 2 / fourth if fourth else math.inf
    return math.sqrt(math.fsum(terms.values())), df


def _cr1(gaps: list[float], clusters: list[str] | None) -> tuple[float, float]:
    """Error of a mean of items, or of cluster totals by CR1; 0 where nothing varies."""
    n, mean = len(gaps), math.fsum(gaps) / len(gaps)
    sums: dict[Any, float] = defaultdict(float)
    for at, gap in enumerate(gaps):
        sums[at if clusters is None else clusters[at]] += gap - mean
    units = len(sums)
    if units < 2:
        return math.nan, math.nan
    variance = math.fsum(x * x for x in sums.values()) / n**2 * units / (units - 1)
    return _error(variance, gaps), units - 1


def _error(variance: float, gaps: list[float]) -> float:
    """The root; 0 for what rounding alone leaves."""
    flat = variance * len(gaps) ** 2 <= 1e-12 * max(math.fsum(g * g for g in gaps), 1e-300)
    return 0.0 if flat else math.sqrt(variance)


def _cr2(gaps: list[float], clusters: list[str]) -> tuple[float, float]:
    """The CR2 error of a mean, with the degrees of freedom of Bell and McCaffrey (2002)."""
    n, mean = len(gaps), math.fsum(gaps) / len(gaps)
    sums: dict[str, float] = defaultdict(float)
    sizes: dict[str, int] = defaultdict(int)
    for gap, cluster in zip(gaps, clusters, strict=True):
        sums[cluster] += gap - mean
        sizes[cluster] += 1
    if len(sizes) < 2:
        return math.nan, math.nan
    variance = math.fsum(sums[g] ** 2 / (1 - m / n) for g, m in sizes.items()) / n**2
    scale = {g: (1 - m / n) ** -0.5 for g, m in sizes.items()}
    trace = squares = 0.0
    for g, m in sizes.items():
        trace += scale[g] ** 2 * (m - m * m / n)
        for h, k in sizes.items():
            squares += (scale[g] * scale[h] * ((m if g == h else 0) - m * k / n)) ** 2
    return _error(variance, gaps), trace**2 / squares


def _rerun(sides: list[list[list[float]]]) -> tuple[float, float]:
    """Error of the difference of two scores over reruns of the same items, each with two samples or more."""
    variance = fourth = 0.0
    for side in sides:
        for x in side:
            own = statistics.variance(x) / len(x)
            variance += own
            fourth += own * own / (len(x) - 1)
    if variance <= 1e-24:
        return 0.0, math.nan
    return math.sqrt(variance) / len(sides[0]), variance**2 / fourth


def two_sided(mean: float, se: float, df: float, flat: float | None) -> float | None:
    """p by t; where nothing varies 1 for no difference, or `flat`."""
    if math.isnan(se):
        return None
    if se == 0:
        return 1.0 if abs(mean) < 1e-12 else flat
    return float(2 * stats.t.sf(abs(mean) / se, df))


def adjusted(p: list[float | None], how: str) -> list[float | None]:
    """Holm, Hochberg or Benjamini-Hochberg; an undefined p stays so and is not counted."""
    known = sorted((x, at) for at, x in enumerate(p) if x is not None)
    m, out = len(known), list(p)
    if how == "holm":
        worst = 0.0
        for k, (x, at) in enumerate(known):
            worst = max(worst, min(1.0, (m - k) * x))
            out[at] = worst
        return out
    best = 1.0
    for k in range(m - 1, -1, -1):
        x, at = known[k]
        best = min(best, {"hochberg": (m - k) * x, "bh": m / (k + 1) * x}[how])
        out[at] = best
    return out
