"""Exact coverage at 2,000 true rates: sorted ends and tails against a loop over statsmodels intervals."""

import time
from typing import Any

import numpy as np
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from deadheat.stats.score.exact_coverage import COVERAGE_METHODS, coverage, interval_ends

PEER = {"wald": "normal", "wilson": "wilson", "clopper-pearson": "beta"}


def _ours(method: str, n: int, p: np.ndarray) -> np.ndarray:
    return coverage(interval_ends(COVERAGE_METHODS[method], n), p)


def _peer(method: str, n: int, p: np.ndarray) -> np.ndarray:
    """Each interval once, by statsmodels; then the sum of the covering counts' probabilities at each rate."""
    k = np.arange(n + 1)
    low, high = proportion_confint(k, n, method=PEER[method])
    out = np.empty(p.size)
    for i, rate in enumerate(p):
        out[i] = stats.binom.pmf(k, n, rate)[(low <= rate) & (rate <= high)].sum()
    return out


def _seconds(call: Any, repeats: int) -> tuple[float, np.ndarray]:
    best, value = np.inf, None
    for _ in range(repeats):
        start = time.perf_counter()
        value = call()
        best = min(best, time.perf_counter() - start)
    return best, value


def run(quick: bool) -> list[dict[str, Any]]:
    """A row a method and size, and one for all of them together; `equal` within 1e-10."""
    points, sizes = 2000, (20, 200) if quick else (20, 200, 2000)
    p = (np.arange(points) + 0.5) / points
    rows: list[dict[str, Any]] = []
    for n in sizes:
        for method in PEER:
            ours_s, ours = _seconds(lambda m=method, n=n: _ours(m, n, p), 5)
            peer_s, peer = _seconds(lambda m=method, n=n: _peer(m, n, p), 1)
            rows.append(
                {
                    "workload": f"coverage of {method}, {n} items, {points} rates",
                    "ours_s": ours_s,
                    "peer": "statsmodels proportion_confint once, scipy binom.pmf summed at each rate",
                    "peer_s": peer_s,
                    "ratio": peer_s / ours_s,
                    "equal": bool(np.max(np.abs(ours - peer)) < 1e-10),
                }
            )
    ours_s, peer_s = (sum(row[key] for row in rows) for key in ("ours_s", "peer_s"))
    total = {
        "workload": f"coverage of three methods, {', '.join(map(str, sizes))} items, {points} rates",
        "ours_s": ours_s,
        "peer": rows[0]["peer"],
        "peer_s": peer_s,
        "ratio": peer_s / ours_s,
        "equal": all(row["equal"] for row in rows),
    }
    return [total, *rows]


def targets(rows: list[dict[str, Any]]) -> list[tuple[str, str, float, bool]]:
    total = rows[0]
    met = total["ratio"] >= 100 and total["equal"]
    return [("W4 coverage, all methods and sizes", ">= 100 x statsmodels' loop", total["ratio"], met)]
