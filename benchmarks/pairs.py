"""Exact McNemar tests of all pairs of a board with absent items, beside loops over statsmodels and scipy.

Each size runs in a process of its own. `with numba` counts from bits, compiled beforehand; all other columns
are of the plain products. The peers are timed on some of the pairs, for on all they would take hours, and
their time is taken to grow in proportion; a pair's time includes counting its items in numpy.
"""

import json
import sys
import time
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.harness import by_turns, measured, sgemm

SIZES = {(40, 500): 780, (180, 500): 2000, (1000, 2294): 2000, (5000, 10_000): 400}  # and pairs for the peers
FLOAT = 1e-250  # below it the peers' incomplete beta function gives 0.0


def board(entries: int, items: int, absent: float = 0.02) -> tuple[np.ndarray, np.ndarray]:
    """0/1 scores of entries of unequal skill at items of unequal difficulty, and which of them exist."""
    rng = np.random.default_rng(entries + items)
    values = np.empty((entries, items), dtype=np.float32)
    present = np.empty((entries, items), dtype=bool)
    difficulty = 1.9 * rng.normal(size=items)
    for row, skill in enumerate(rng.normal(size=entries)):
        values[row] = rng.random(items) < 1 / (1 + np.exp(difficulty - skill))
        present[row] = rng.random(items) >= absent
    return np.where(present, values, 0), present


def ours(values: np.ndarray, present: np.ndarray, bits: bool = False) -> tuple[Any, Any, Any]:
    """Counts and p-values of all pairs, the counts by products or from bits."""
    from deadheat.stats.numerics import popcount
    from deadheat.stats.paired.mcnemar import mcnemar_exact
    from deadheat.stats.paired.pairs_mcnemar import all_pairs, discordant

    popcount.PAYS = 0 if bits else np.inf
    a_only, shared = discordant(values, present)
    return a_only, shared, all_pairs(a_only, mcnemar_exact)


def _table(values: np.ndarray, present: np.ndarray, a: int, b: int) -> list[list[int]]:
    both = present[a] & present[b]
    x, y = values[a][both] == 1, values[b][both] == 1
    return [[int((x & y).sum()), int((x & ~y).sum())], [int((~x & y).sum()), int((~x & ~y).sum())]]


def measure(entries: int, items: int, subset: int) -> dict[str, Any]:
    from scipy.stats import binomtest
    from statsmodels.stats.contingency_tables import mcnemar

    values, present = board(entries, items)
    rng = np.random.default_rng(1)
    first, second = np.triu_indices(entries, 1)
    pick = np.sort(rng.choice(first.size, subset, replace=False))
    some = list(zip(first[pick].tolist(), second[pick].tolist(), strict=True))
    pairs = first.size
    del first, second

    def statsmodels_loop() -> list[float]:
        return [float(mcnemar(_table(values, present, a, b), exact=True).pvalue) for a, b in some]

    def scipy_loop() -> list[float]:
        found = []
        for a, b in some:
            (_, only_a), (only_b, _) = _table(values, present, a, b)
            found.append(binomtest(only_a, only_a + only_b).pvalue if only_a + only_b else 1.0)
        return found

    made = by_turns(
        {
            "ours": lambda: ours(values, present),
            "bits": lambda: ours(values, present, bits=True),
            "statsmodels": statsmodels_loop,
            "scipy": scipy_loop,
            "sgemm": lambda: sgemm(4096 if entries > 1000 else 2048),
        },
        3 if entries > 1000 else 5,
    )
    seconds, (*counts, p) = made["ours"]
    assert all(np.array_equal(a, b) for a, b in zip(counts, made["bits"][1], strict=False))
    found = np.array([p.p[a, b] for a, b in some])
    known = found > FLOAT
    equal = all(
        np.allclose(found[known], np.array(made[peer][1])[known], rtol=1e-9, atol=0)
        for peer in ("statsmodels", "scipy")
    )
    scale = pairs / subset
    # A-only counts need a full product, and shared items one over a triangle: 3 E^2 M operations.
    operations = 3.0 * entries**2 * items
    return {
        "workload": f"all pairs, {entries} x {items}, 2 % absent",
        "pairs": pairs,
        "ours_s": seconds,
        "with numba_s": made["bits"][0],
        "statsmodels_s": made["statsmodels"][0] * scale,
        "scipy_s": made["scipy"][0] * scale,
        "peers' pairs": "all" if scale == 1 else f"{subset:,} timed, extrapolated",
        "x statsmodels": made["statsmodels"][0] * scale / seconds,
        "x scipy": made["scipy"][0] * scale / seconds,
        "Gflop/s": operations / seconds / 1e9,
        "sgemm Gflop/s": made["sgemm"][1] / 1e9,
        "share of sgemm": operations / seconds / made["sgemm"][1],
        "equal": equal,
    }


def memory(entries: int, items: int) -> dict[str, Any]:
    """A process that does nothing but simulate the board and test its pairs once; seconds of its steps."""
    marks = [time.perf_counter()]
    values, present = board(entries, items)
    marks.append(time.perf_counter())
    ours(values, present)
    marks.append(time.perf_counter())
    return dict(zip(("board", "pairs"), (b - a for a, b in pairwise(marks)), strict=True))


def run(quick: bool) -> list[dict[str, Any]]:
    """Measure; `share of sgemm` counts 3 E^2 M operations, p-values take time and count none."""
    rows = []
    for (entries, items), subset in SIZES.items():
        if quick and entries > 180:
            continue
        row, _ = measured("pairs", "measure", entries, items, subset)
        _, peak = measured("pairs", "memory", entries, items)
        rows.append(row | {"peak_mb": peak})
    return rows


def targets(rows: list[dict[str, Any]]) -> list[tuple[str, str, float, bool]]:
    by = {row["workload"].split(", ")[1]: row for row in rows}
    middle, large = by["1000 x 2294"], by["5000 x 10000"]
    equal = all(row["equal"] for row in rows)
    return [
        (
            "W1 1000 x 2294, p-values included",
            ">= 500 x statsmodels' loop",
            middle["x statsmodels"],
            middle["x statsmodels"] >= 500 and equal,
        ),
        (
            "W1 5000 x 10000",
            ">= 60 % of sgemm",
            100 * large["share of sgemm"],
            large["share of sgemm"] >= 0.6 and equal,
        ),
        ("memory, all pairs of 5000 x 10000", "<= 1500 MB", large["peak_mb"], large["peak_mb"] <= 1500),
    ]


if __name__ == "__main__":
    kind, *sizes = sys.argv[1:]
    print(json.dumps({"measure": measure, "memory": memory}[kind](*map(int, sizes))))
