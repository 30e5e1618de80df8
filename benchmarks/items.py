"""Diagnostics of the items of a whole board, beside a correlation per item by numpy.

The peer is what is usually written: for each item `numpy.corrcoef` of its column with the score on the
others. Ours is the whole of `dh.items`: intervals and p-values, a Rasch fit, reliability, twins, sets.
"""

import numpy as np

import deadheat as dh
from benchmarks.harness import timed
from deadheat.stats.items.item_analysis import discrimination


def looped(values: np.ndarray) -> np.ndarray:
    total = values.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.array([np.corrcoef(column, total - column)[0, 1] for column in values.T])


def workload(entries: int, items: int) -> dict:
    """Time the verb on a table that is in memory, and the loop on its numbers."""
    rng = np.random.default_rng(0)
    chance = 1 / (1 + np.exp(-rng.normal(0, 1, (entries, 1)) - rng.normal(0, 1.5, items)))
    right = (rng.random((entries, items)) < chance).astype(np.int64)
    labels = [[f"{kind}{at:05}" for at in range(size)] for kind, size in (("e", entries), ("i", items))]
    table = dh.Table.from_counts(*labels, right, 1)
    ours, _ = timed(lambda: dh.items(table), repeats=2)
    theirs, expected = timed(lambda: looped(right.astype(float)), repeats=2)
    found = discrimination(right, np.ones(right.shape, dtype=bool)).r
    return {
        "workload": f"items of {entries} entries x {items} items",
        "ours_s": ours,
        "peer": "numpy.corrcoef for each item, correlations alone",
        "peer_s": theirs,
        "ratio": theirs / ours,
        "equal": bool(np.allclose(found, expected, atol=1e-10, equal_nan=True)),
    }


def run(quick: bool) -> list[dict]:
    return [workload(40, 500)] if quick else [workload(40, 500), workload(1000, 2294)]


def targets(rows: list[dict]) -> list[tuple[str, str, float, bool]]:
    largest = rows[-1]["ours_s"]
    return [("items, 1000 x 2294", "<= 5 s", largest, largest <= 5 and all(row["equal"] for row in rows))]
