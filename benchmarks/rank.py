"""`deadheat rank` as a whole process beside the leaderboards of errorbars and evalstats, on the same file."""

import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.harness import interleaved, peers

DEADHEAT = [sys.executable, "-m", "deadheat"]
COLUMNS = ["--question-col", "item_id", "--model-col", "model"]


def board(entries: int, items: int, path: Path, rng: np.random.Generator) -> None:
    """Write a simulated long table, as CSV or Parquet."""
    import duckdb

    skill = rng.normal(size=(entries, 1))
    right = rng.random((entries, items)) < 1 / (1 + np.exp(1.9 * rng.normal(size=items) - skill))
    rows = {
        "model": np.repeat(np.array([f"model-{e:04d}" for e in range(entries)], dtype=object), items),
        "item_id": np.tile(np.array([f"item-{i:05d}" for i in range(items)], dtype=object), entries),
        "score": right.ravel().astype(np.int64),
    }
    connection = duckdb.connect()
    connection.register("simulated", rows)
    form = "PARQUET" if path.suffix == ".parquet" else "CSV"
    connection.execute(f"COPY simulated TO '{path}' (FORMAT {form})")


def run(quick: bool) -> list[dict]:
    """Measure; the ratio is the peer's time over ours."""
    rng = np.random.default_rng(7)
    rows: list[dict] = []
    bin_ = peers()
    with tempfile.TemporaryDirectory() as folder:
        small, large, huge = (Path(folder) / n for n in ("small.csv", "large.csv", "huge.parquet"))
        board(40, 500, small, rng)
        board(180, 500, large, rng)
        board(*((1000, 2294) if not quick else (100, 500)), huge, rng)
        ours = {
            "40 x 500 csv": [*DEADHEAT, "rank", str(small), "--json"],
            "180 x 500 csv": [*DEADHEAT, "rank", str(large), "--json"],
            "1000 x 2294 parquet": [*DEADHEAT, "rank", str(huge), "--json"],
        }
        theirs = {
            "errorbars leaderboard, 40 x 500": [str(bin_ / "errorbars"), "leaderboard", str(small), *COLUMNS]
        }
        made = interleaved(ours | theirs, 1 if quick else 5)
        if not quick:
            slow = {
                "errorbars leaderboard, 180 x 500": [
                    str(bin_ / "errorbars"),
                    "leaderboard",
                    str(large),
                    *COLUMNS,
                ]
            }
            made |= interleaved(slow, 1, limit=120)
    base = made["40 x 500 csv"].seconds
    for name in ours:
        rows.append(
            {
                "workload": name,
                "ours_s": made[name].seconds,
                "peak_mb": made[name].peak_mb,
                "times our 40 x 500": made[name].seconds / base,
                "exit": made[name].code,
            }
        )
    for name, run_ in made.items():
        if name in ours:
            continue
        mine = made["180 x 500 csv" if "180" in name else "40 x 500 csv"].seconds
        stopped = run_.code is None
        rows.append(
            {
                "workload": name.split(", ")[1],
                "ours_s": mine,
                "peer": name.split(",")[0],
                "peer_s": run_.seconds,
                "ratio": run_.seconds / mine,
                "exit": "stopped" if stopped else run_.code,
                "peak_mb": run_.peak_mb,
            }
        )
    return rows
