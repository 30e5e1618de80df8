"""A hundred million attempts of Parquet ranked under a limit of 1 GB, as a whole process, beside polars.

The attempts are larger than the limit once their texts are unpacked. Polars streams them and takes the means
alone; ours ranks all pairs as well.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import process
from benchmarks.ingest import ENTRIES, ITEMS, write

SAMPLES = 100


def run(quick: bool) -> list[dict[str, Any]]:
    """Measure once each: minutes."""
    samples = 2 if quick else SAMPLES
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        write(path, samples)
        ours = process(
            [sys.executable, "-m", "deadheat", "rank", str(path), "--memory", "1GB", "--json", "--quiet"],
            limit=600,
        )
        peer = process([sys.executable, "-m", "benchmarks.ingest", "polars", str(path)], limit=600)
        megabytes = path.stat().st_size / 1e6
    assert ours.code == peer.code == 0
    board = json.loads(ours.output)
    scores = sorted(entry["value"] for entry in board["entries"])
    expected = json.loads(peer.output.splitlines()[-1])[:ENTRIES]
    return [
        {
            "workload": f"rank --memory 1GB, parquet, {ENTRIES * ITEMS * samples:,} rows, {megabytes:.0f} MB",
            "ours_s": ours.seconds,
            "peak_mb": ours.peak_mb,
            "peer": "polars, means only",
            "peer_s": peer.seconds,
            "peer's peak_mb": peer.peak_mb,
            "equal": bool(np.allclose(scores, expected, rtol=1e-9)),
        }
    ]


def targets(rows: list[dict[str, Any]]) -> list[tuple[str, str, float, bool]]:
    (row,) = rows
    met = row["peak_mb"] < 1000 and row["equal"]
    return [("memory, 10^8 Parquet rows, rank --memory 1GB", "< 1,000 MB", row["peak_mb"], met)]


if __name__ == "__main__":
    print(json.dumps(run(quick="--quick" in sys.argv)))
