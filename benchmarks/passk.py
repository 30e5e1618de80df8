"""pass@k of a whole board for many k, beside the published estimator called for every item.

The peer is the estimator of Chen et al. (2021), a product over the right samples, in words of our own;
calling it for each item, each entry and each k is how it is used.
"""

import numpy as np

from benchmarks.harness import timed
from deadheat.stats.samples.curves import band, item_curves
from deadheat.stats.samples.metrics import curve


def published(n: int, c: int, k: int) -> float:
    """1 - C(n - c, k) / C(n, k) as a product of n - c + 1 ... n terms."""
    if n - c < k:
        return 1.0
    return 1.0 - float(np.prod(1.0 - k / np.arange(n - c + 1, n + 1)))


def looped(n: int, c: np.ndarray, ks: np.ndarray) -> np.ndarray:
    return np.array([[np.mean([published(n, int(one), int(k)) for one in row]) for k in ks] for row in c])


def workload(entries: int, items: int, n: int, ks: np.ndarray, sampled: int) -> dict:
    """Time all entries at once, and the loop over `sampled` entries times `entries / sampled`."""
    rng = np.random.default_rng(0)
    c = rng.binomial(n, rng.beta(0.5, 0.5, (entries, items)))
    ours, found = timed(lambda: curve(n, c, ks))
    theirs, expected = timed(lambda: looped(n, c[:sampled], ks), repeats=1)
    theirs *= entries / sampled
    extrapolated = "" if sampled == entries else f" (measured on {sampled} entries)"
    return {
        "workload": f"{entries} entries x {items} items, n = {n}, k = {ks[0]}..{ks[-1]}",
        "ours_s": ours,
        "peer": "HumanEval's estimator, looped" + extrapolated,
        "peer_s": theirs,
        "ratio": theirs / ours,
        "equal": bool(np.allclose(found[:sampled], expected, rtol=1e-11, atol=1e-13)),
    }


def looped_band(gap: np.ndarray, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Means of resampled items, a draw at a time: what a band for all k at once is usually made from."""
    return np.array([gap[rng.integers(0, len(gap), len(gap))].mean(axis=0) for _ in range(draws)])


def banded(entries: int, items: int, n: int, draws: int, sampled: int) -> dict:
    """Time the curves of a whole board, k = 1..n, with the band of the difference of its first two."""
    rng = np.random.default_rng(1)
    c = rng.binomial(n, rng.beta(0.5, 0.5, (entries, items)))
    samples = np.full(items, n)

    def ours() -> object:
        curve(n, c, np.arange(1, n + 1))
        gap = np.subtract(*(item_curves(samples, c[row], n, "pass@k") for row in (0, 1)))
        return gap, band(gap, np.ones(items), 0.95, draws, np.random.default_rng(2))

    seconds, (gap, found) = timed(ours)
    theirs, means = timed(lambda: looped_band(gap, sampled, np.random.default_rng(3)), repeats=1)
    theirs *= draws / sampled
    spread = np.abs(means - gap.mean(axis=0)) / means.std(axis=0)
    critical = float(np.quantile(spread.max(axis=1), 0.95))
    return {
        "workload": f"curves of {entries} entries x {items} items, k = 1..{n}, and a band of {draws:,} draws",
        "ours_s": seconds,
        "peer": f"resampled items, looped (measured on {sampled:,} draws), the band alone",
        "peer_s": theirs,
        "ratio": theirs / seconds,
        "equal": abs(critical - found.critical) < 0.15,
    }


def run(quick: bool) -> list[dict]:
    ks = np.arange(1, 101)
    if quick:
        return [workload(50, 100, 200, ks[::10], 5), banded(50, 100, 50, 2_000, 1_000)]
    rows = [workload(20, 164, 200, ks, 20), workload(500, 1000, 200, ks, 2)]
    return [*rows, banded(500, 1000, 200, 10_000, 2_000)]


def targets(rows: list[dict]) -> list[tuple[str, str, float, bool]]:
    *point, over_k = rows
    least = min(row["ratio"] for row in point)
    met = least >= 1000 and all(row["equal"] for row in point)
    return [
        ("W3 pass@k, every size", ">= 1,000 x HumanEval's loop", least, met),
        (f"W3 {over_k['workload']}", "<= 2 s", over_k["ours_s"], over_k["ours_s"] <= 2 and over_k["equal"]),
    ]
