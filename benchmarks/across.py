"""Several benchmarks as one number, with ranks, beside the mean win rate by a loop.

The peer is how boards compute it: for each benchmark and entry, the share of the other entries that score
less, ties as halves. It gives no error and no rank. Ours is all of `dh.rank(…, across=…)`, with the board.
"""

import numpy as np

import deadheat as dh
from benchmarks.harness import timed


def looped(scores: np.ndarray) -> np.ndarray:
    """Mean win rate of entries, (E, B) scores."""
    entries, benchmarks = scores.shape
    out = np.zeros(entries)
    for entry in range(entries):
        for at in range(benchmarks):
            wins = sum(
                (scores[entry, at] > scores[other, at]) + 0.5 * (scores[entry, at] == scores[other, at])
                for other in range(entries)
                if other != entry
            )
            out[entry] += wins / (entries - 1) / benchmarks
    return out


def workload(entries: int, benchmarks: int, items: int, method: str) -> dict:
    """Time the verb on a table that is in memory, and the loop on its means."""
    rng = np.random.default_rng(0)
    logit = rng.normal(0, 1, (entries, 1)) + rng.normal(0, 1.5, benchmarks * items)
    right = (rng.random(logit.shape) < 1 / (1 + np.exp(-logit))).astype(np.int64)
    names = [f"e{at:04}" for at in range(entries)]
    codes = np.repeat(np.arange(benchmarks), items)
    columns = {
        "entry": np.repeat(np.array(names, dtype=object), len(codes)),
        "item": np.tile(np.array([f"i{at:05}" for at in range(len(codes))], dtype=object), entries),
        "score": right.ravel().astype(float),
        "category": np.tile(np.array([f"b{at:02}" for at in codes], dtype=object), entries),
    }
    table = dh.Table.from_columns(columns)
    ours, board = timed(lambda: dh.rank(table, across=method), repeats=3)
    means = right.reshape(entries, benchmarks, items).mean(axis=2)
    theirs, expected = timed(lambda: looped(means), repeats=1)
    found = {line.entry: line.value for line in board.across.lines}
    wanted = expected if method == "win-rate" else means.mean(axis=1)
    return {
        "workload": f"{method} of {entries} entries over {benchmarks} benchmarks x {items} items",
        "ours_s": ours,
        "peer": "mean win rate by a loop, without errors or ranks",
        "peer_s": theirs,
        "ratio": theirs / ours,
        "equal": bool(np.allclose([found[name] for name in names], wanted, atol=1e-12)),
    }


def run(quick: bool) -> list[dict]:
    size = (40, 10, 50) if quick else (200, 50, 100)
    return [workload(*size, method) for method in ("win-rate", "mean")]


def targets(rows: list[dict]) -> list[tuple[str, str, float, bool]]:
    slowest = max(row["ours_s"] for row in rows)
    met = slowest <= 5 and all(row["equal"] for row in rows)
    return [("across, 50 benchmarks x 200 entries", "<= 5 s", slowest, met)]
