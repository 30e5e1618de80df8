"""What paired tests, intervals and margins do when the truth is known: `python studies/paired.py [N]`.

Writes studies/paired.md: exact values by enumeration for single 0/1 attempts, N (2,000) simulated data sets a
cell for clusters. Tests under the null of two equal entries are `deadheat simulate calibration`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from deadheat.seeds import stream
from deadheat.stats.paired import bayes, equivalence
from deadheat.stats.paired.catalogue import ENDS, P_VALUES
from deadheat.stats.paired.mcnemar import mcnemar_exact, mcnemar_mid_p
from deadheat.stats.paired.paired_intervals import PAIRED_INTERVALS
from deadheat.stats.paired.pairs import Pairs

HERE = Path(__file__).resolve().parent
Array = NDArray[np.float64]
SHARES, GAPS = (0.05, 0.1, 0.2, 0.4), (0.0, 0.02, 0.05, 0.1)
CLUSTERS = {
    "20 of 10 items": np.repeat(np.arange(20), 10),
    "12 uneven, 500 items": np.repeat(np.arange(12), [231, 75, 44, 34, 32, 22, 22, 19, 10, 8, 2, 1]),
    "5 of 40 items": np.repeat(np.arange(5), 40),
}
DRAWS = 499


def tables(n: int) -> Iterator[tuple[int, int, int]]:
    """Every split of n items into a only, b only and the rest."""
    return ((b, c, n - b - c) for b, c in product(range(n + 1), repeat=2) if b + c <= n)


def chances(counts: NDArray[np.int64], p: tuple[float, float, float]) -> Array:
    """Multinomial probabilities of the splits."""
    from scipy.special import gammaln, xlogy

    n = counts.sum(axis=1)
    return np.asarray(np.exp(gammaln(n + 1) - gammaln(counts + 1).sum(axis=1) + xlogy(counts, p).sum(axis=1)))


def cells() -> Iterator[tuple[float, float, tuple[float, float, float]]]:
    """Discordant share, true difference, and the three probabilities."""
    for share, gap in product(SHARES, GAPS):
        if gap <= share:
            yield share, gap, ((share + gap) / 2, (share - gap) / 2, 1 - share)


def coverage(n: int) -> list[str]:
    """Exact coverage of 95 % intervals, their least and their mean over the cells, and their mean width."""
    counts = np.array(list(tables(n)))
    b, c, rest = counts.T
    ends = {name: run(rest, b, c, 0 * rest) for name, run in PAIRED_INTERVALS.items() if name != "newcombe"}
    half = rest // 2
    ends["newcombe"] = PAIRED_INTERVALS["newcombe"](half, b, c, rest - half)
    if n <= 50:
        ends["bayes"] = bayes.bayes_interval(rest, b, c, 0 * rest)
    lines = []
    for name, (low, high) in ends.items():
        found, widths = [], []
        for _, gap, p in cells():
            weight = chances(counts, p)
            found.append(float(weight[(low <= gap) & (gap <= high)].sum()))
            widths.append(float((weight * (high - low)).sum()))
        lines.append(f"| {n} | {name} | {min(found):.3f} | {np.mean(found):.3f} | {np.mean(widths):.3f} |")
    return lines


def margins(n: int) -> list[str]:
    """Exact chance to pass as non-inferior: of an entry worse by the margin, and of one that is equal."""
    counts = np.array(list(tables(n)))
    b, c, _ = counts.T
    lines = []
    for margin, share in ((0.02, 0.05), (0.02, 0.2), (0.05, 0.1), (0.05, 0.3)):
        row = [f"| {n} | {margin} | {share}"]
        for run in (equivalence.score_margin, equivalence.wald_margin):
            passed = np.isin(equivalence.decide(run(n, b, c, margin)), (2, 3))
            for gap in (-margin, 0.0):
                weight = chances(counts, ((share + gap) / 2, (share - gap) / 2, 1 - share))
                row.append(f"{weight[passed].sum():.3f}")
        lines.append(" | ".join(row) + " |")
    return lines


def conditional(n: int) -> str:
    """Size of the exact and the mid-p test given n discordant items, at 5 %."""
    b = np.arange(n + 1)
    from scipy.special import gammaln

    weight = np.exp(gammaln(n + 1) - gammaln(b + 1) - gammaln(n - b + 1) - n * np.log(2))
    exact, mid = (float(weight[run(b, n - b).p < 0.05].sum()) for run in (mcnemar_exact, mcnemar_mid_p))
    return f"| {n} | {exact:.4f} | {mid:.4f} |"


def clustered(name: str, replicates: int) -> list[str]:
    """Size of tests and coverage of intervals for differences that clusters share, true difference 0."""
    cluster = CLUSTERS[name]
    rng = stream(0, "paired study", name)
    shape = (replicates, len(cluster))
    mood = rng.normal(0, 0.8, (replicates, int(cluster.max()) + 1))[:, cluster]
    hard = rng.normal(0, 1.5, shape)
    a, b = (rng.random(shape) < 1 / (1 + np.exp(hard - sign * mood)) for sign in (0.5, -0.5))
    everything = np.ones(shape, dtype=bool)
    pairs = Pairs(a.astype(np.float64), b.astype(np.float64), everything, everything, cluster=cluster)
    lines = []
    for test in ("t", "bell-mccaffrey", "sign-flip", "bootstrap"):
        size = float((P_VALUES[test](pairs, draws=DRAWS, rng=rng).p < 0.05).mean())
        lines.append(f"| {name} | {test} | {size:.3f} | |")
    ignoring = Pairs(pairs.a, pairs.b, everything, everything)
    size = float((P_VALUES["mcnemar"](ignoring, draws=DRAWS, rng=rng).p < 0.05).mean())
    lines.append(f"| {name} | mcnemar, clusters ignored | {size:.3f} | |")
    for interval in ("t", "bell-mccaffrey", "percentile", "bca", "studentised"):
        low, high = ENDS[interval](pairs, level=0.95, draws=DRAWS, rng=rng)
        lines.append(f"| {name} | {interval} interval | | {float(((low <= 0) & (high >= 0)).mean()):.3f} |")
    return lines


def main() -> None:
    """Write the tables."""
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    error = 100 * np.sqrt(0.05 * 0.95 / replicates)
    parts = [
        "# Paired comparisons, measured",
        "Written by `python studies/paired.py`. Tables without a number of replicates are exact sums.",
        "## Coverage of 95 % intervals of a paired difference of rates",
        "Over discordant shares of 5 to 40 % and differences of 0 to 10 points; Newcombe with the concordant "
        "items half right, half wrong.",
        "| items | interval | least | mean | mean width |\n|---|---|---|---|---|\n"
        + "\n".join(line for n in (20, 50, 150) for line in coverage(n)),
        "## Non-inferiority at 5 %: chance to pass",
        "| items | margin | discordant | score, worse by the margin | score, equal | Wald, worse by the "
        "margin | Wald, equal |\n|---|---|---|---|---|---|---|\n"
        + "\n".join(line for n in (50, 200, 500) for line in margins(n)),
        "## Size of McNemar's tests at 5 %, given the number of discordant items",
        "| discordant | exact | mid-p |\n|---|---|---|\n"
        + "\n".join(conditional(n) for n in (5, 10, 20, 50, 100, 500, 2000)),
        "## Clusters that share differences, no true difference",
        f"{replicates:,} data sets a line, Monte Carlo error {error:.1f} points; {DRAWS} draws.",
        "| clusters | method | rejected at 5 % | coverage of 95 % |\n|---|---|---|---|\n"
        + "\n".join(line for name in CLUSTERS for line in clustered(name, replicates)),
    ]
    (HERE / "paired.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
