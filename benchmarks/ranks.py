"""Everything that ranks need, on one large board in one process; Holm's rule beside statsmodels."""

import sys
import time
from itertools import pairwise

import numpy as np

from benchmarks.harness import process

SIZES = {"quick": (200, 500, 2_000), "full": (1000, 2294, 10_000)}


def board(entries: int, items: int, rng: np.random.Generator) -> np.ndarray:
    """Simulate 0/1 scores, best entry first."""
    skill = np.sort(rng.normal(size=entries))[::-1, None]
    right = rng.random((entries, items)) < 1 / (1 + np.exp(1.9 * rng.normal(size=items) - skill))
    values = right.astype(np.float32)
    return values[np.argsort(-values.mean(axis=1), kind="stable")]


def everything(entries: int, items: int, draws: int, tied: bool) -> dict[str, float]:
    """All pairs, Holm, groups, tie lines, letters, both rank intervals: seconds of each step."""
    from deadheat.stats.multiple import adjustment, groups, ranks
    from deadheat.stats.multiple.maxt import max_t
    from deadheat.stats.paired import mcnemar, pairs_mcnemar

    rng = np.random.default_rng(7)
    values = board(entries, items, rng)
    if tied:
        values = (rng.random(values.shape) < values.mean(axis=0)).astype(np.float32)
    present = np.ones(values.shape, dtype=bool)
    order = np.argsort(-values.mean(axis=1), kind="stable")
    marks = [("start", time.perf_counter())]

    def mark(name: str) -> None:
        marks.append((name, time.perf_counter()))

    a_only, _ = pairs_mcnemar.discordant(values, present)
    p = pairs_mcnemar.all_pairs(a_only, mcnemar.mcnemar_exact).p
    mark("all pairs")
    holm = adjustment.pairs(p, adjustment.holm)
    mark("holm")
    groups.anchor_groups(p, order, 0.05)
    groups.tie_lines(p, order, 0.05)
    mark("groups and tie lines")
    groups.letters(p, order, 0.05)
    mark("letters")
    difference = (a_only - a_only.T).astype(np.float64)
    ranks.rank_intervals(holm, difference, 0.05)
    mark("rank intervals, holm")
    ranks.rank_intervals(max_t(values, present, draws=draws, rng=np.random.default_rng(0)), difference, 0.05)
    mark("rank intervals, max-t")
    return {name: at - before for (_, before), (name, at) in pairwise(marks)}


def against_statsmodels(comparisons: int) -> dict:
    """Holm's rule on many p-values."""
    from statsmodels.stats.multitest import multipletests

    from deadheat.stats.multiple.adjustment import holm

    p = np.random.default_rng(1).random(comparisons) ** 3
    times = {"ours": [], "peer": []}
    for _ in range(3):
        start = time.perf_counter()
        ours = holm(p)
        times["ours"].append(time.perf_counter() - start)
        start = time.perf_counter()
        peer = multipletests(p, method="holm")[1]
        times["peer"].append(time.perf_counter() - start)
    ours_s, peer_s = min(times["ours"]), min(times["peer"])
    return {
        "workload": f"holm, {comparisons:,} p-values",
        "ours_s": ours_s,
        "peer": "statsmodels multipletests",
        "peer_s": peer_s,
        "ratio": peer_s / ours_s,
        "equal": bool(np.allclose(ours, peer, rtol=1e-12)),
        "peak_mb": None,
    }


def run(quick: bool) -> list[dict]:
    """Measure whole processes, peak memory included, on a spread board and on one of equal entries."""
    entries, items, draws = SIZES["quick" if quick else "full"]
    rows = []
    for kind in ("spread", "tied"):
        arguments = [str(entries), str(items), str(draws), kind]
        done = process([sys.executable, "-m", "benchmarks.ranks", *arguments], limit=600)
        rows.append(
            {
                "workload": f"{entries} x {items}, {kind}, {draws:,} draws: everything of ranks",
                "ours_s": done.seconds,
                "peer": None,
                "peer_s": None,
                "ratio": None,
                "equal": done.code == 0,
                "peak_mb": done.peak_mb,
            }
        )
    return [*rows, against_statsmodels(entries * (entries - 1) // 2)]


if __name__ == "__main__":
    found = everything(*map(int, sys.argv[1:4]), tied=sys.argv[4] == "tied")
    for step, seconds in found.items():
        print(f"{step:24s} {seconds:8.3f} s")
