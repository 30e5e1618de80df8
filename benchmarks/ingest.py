"""Ten million attempts in CSV, JSON Lines and Parquet to an entry x item matrix, as whole processes.

A peer reads the file and takes the mean of each entry's samples at each item. Ours also checks every row,
counts failed and absent attempts and keeps what reruns would need.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import interleaved

ENTRIES, ITEMS = 500, 2000
FORMATS = {"csv": "CSV, HEADER", "jsonl": "JSON", "parquet": "PARQUET"}
PEERS = ("polars", "pyarrow", "pandas")
KEYS = ["model", "item_id"]


def write(path: Path, samples: int) -> None:
    """Write ENTRIES x ITEMS x `samples` rows with scores that a hash makes."""
    import duckdb

    duckdb.connect().execute(
        "COPY (SELECT printf('model-%04d', e) AS model, printf('item-%05d', i) AS item_id, s AS sample, "
        "CAST(hash(e * 1000003 + i * 101 + s * 7) % 100 < 40 + e % 40 AS INTEGER) AS score "
        f"FROM range({ENTRIES}) a(e), range({ITEMS}) b(i), range({samples}) c(s)) "
        f"TO '{path}' (FORMAT {FORMATS[path.suffix[1:]]})"
    )


def of_deadheat(path: Path) -> np.ndarray:
    from deadheat.data.panel import panel
    from deadheat.estimand import Estimand
    from deadheat.readers import read

    return panel(read(path), Estimand()).values.astype(np.float64)


def of_pandas(path: Path) -> np.ndarray:
    import pandas

    if path.suffix == ".jsonl":
        frame = pandas.read_json(path, lines=True)
    else:
        frame = {".csv": pandas.read_csv, ".parquet": pandas.read_parquet}[path.suffix](path)
    return frame.groupby(KEYS)["score"].mean().unstack().to_numpy()


def of_polars(path: Path) -> np.ndarray:
    import polars

    scan = {".csv": polars.scan_csv, ".jsonl": polars.scan_ndjson, ".parquet": polars.scan_parquet}
    means = scan[path.suffix](path).group_by(KEYS).agg(polars.col("score").mean()).collect(engine="streaming")
    return means.sort(KEYS)["score"].to_numpy().reshape(ENTRIES, ITEMS)


def of_pyarrow(path: Path) -> np.ndarray:
    from pyarrow import csv, parquet
    from pyarrow import json as lines

    read = {".csv": csv.read_csv, ".jsonl": lines.read_json, ".parquet": parquet.read_table}
    means = read[path.suffix](path).group_by(KEYS).aggregate([("score", "mean")])
    ordered = means.sort_by([(key, "ascending") for key in KEYS])
    return ordered["score_mean"].to_numpy().reshape(ENTRIES, ITEMS)


READERS = {"ours": of_deadheat, "pandas": of_pandas, "polars": of_polars, "pyarrow": of_pyarrow}


def run(quick: bool) -> list[dict[str, Any]]:
    """Measure whole processes, imports included; pandas is read once, for it takes most of a minute."""
    samples = 1 if quick else 10
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for suffix in FORMATS:
            path = Path(folder) / f"rows.{suffix}"
            write(path, samples)

            def commands(*names: str, path: Path = path) -> dict[str, list[str]]:
                return {name: [sys.executable, "-m", "benchmarks.ingest", name, str(path)] for name in names}

            made = interleaved(commands("ours", *PEERS[:-1]), 1 if quick else 2)
            made |= interleaved(commands("pandas"), 1)
            megabytes = path.stat().st_size / 1e6
            path.unlink()
            answers = {name: json.loads(done.output.splitlines()[-1]) for name, done in made.items()}
            for peer in PEERS:
                rows.append(
                    {
                        "workload": f"{suffix}, {ENTRIES * ITEMS * samples:,} rows, {megabytes:.0f} MB",
                        "ours_s": made["ours"].seconds,
                        "peak_mb": made["ours"].peak_mb,
                        "peer": peer,
                        "peer_s": made[peer].seconds,
                        "peer's peak_mb": made[peer].peak_mb,
                        "ratio": made[peer].seconds / made["ours"].seconds,
                        "equal": bool(np.allclose(answers[peer], answers["ours"], rtol=1e-12)),
                    }
                )
    return rows


def targets(rows: list[dict[str, Any]]) -> list[tuple[str, str, float, bool]]:
    lines = [row for row in rows if row["workload"].startswith("jsonl")]
    found = [
        (f"W6 JSONL, 10^7 rows v {row['peer']}", "> 1 x", row["ratio"], row["ratio"] > 1 and row["equal"])
        for row in lines
        if row["peer"] != "pyarrow"
    ]
    peak = max(row["peak_mb"] for row in lines)
    return [*found, ("W6 JSONL, 10^7 rows: memory", "< 600 MB", peak, peak < 600)]


if __name__ == "__main__":
    matrix = READERS[sys.argv[1]](Path(sys.argv[2]))
    # Our rows are ordered by score: sorted means of rows, and means of columns, are the same in any order.
    print(json.dumps([*np.sort(matrix.mean(axis=1)).tolist(), *matrix.mean(axis=0).tolist()]))
