"""`rank`, `compare` and `--help` as whole processes beside errorbars, evalstats and evalci on the same files.

Peers' memory is capped, and so is their time. What they give differs: errorbars' leaderboard has no rank
intervals and no groups; evalstats reads a wide table.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import Run, interleaved, peers

DEADHEAT = [sys.executable, "-m", "deadheat"]
COLUMNS = ["--question-col", "item_id", "--model-col", "model"]
CAP_GB = 20.0  # of a peer's memory
LIMIT, SHORT = 120.0, 60.0  # seconds of errorbars, which must not finish in 120; of evalstats
LONG = 240.0  # of evalstats at the size at which its memory runs out
SMALL, LARGE, HUGE = "rank, 40 x 500 csv", "rank, 180 x 500 csv", "rank, 1000 x 2294 parquet"
RAGGED = "rank --absent fitted, 1000 x 2294 csv, 30 % missing"


def board(entries: int, items: int, path: Path, rng: np.random.Generator, missing: float = 0.0) -> np.ndarray:
    """Write a simulated long table, as CSV or Parquet, some of its rows left out; the scores."""
    import duckdb

    skill = rng.normal(size=(entries, 1))
    right = rng.random((entries, items)) < 1 / (1 + np.exp(1.9 * rng.normal(size=items) - skill))
    rows = {
        "model": np.repeat(np.array([f"model-{e:04d}" for e in range(entries)], dtype=object), items),
        "item_id": np.tile(np.array([f"item-{i:05d}" for i in range(items)], dtype=object), entries),
        "score": right.ravel().astype(np.int64),
    }
    connection = duckdb.connect()
    if missing:
        kept = rng.random(entries * items) >= missing
        rows = {name: column[kept] for name, column in rows.items()}
    connection.register("simulated", rows)
    form = "PARQUET" if path.suffix == ".parquet" else "CSV"
    connection.execute(f"COPY simulated TO '{path}' (FORMAT {form})")
    return right.astype(np.int64)


def wide(scores: np.ndarray, path: Path) -> None:
    """Write the same scores as a column an entry."""
    lines = [",".join(["input", *(f"model-{e:04d}" for e in range(len(scores)))])]
    lines += [f"item-{i:05d}," + ",".join(map(str, row)) for i, row in enumerate(scores.T.tolist())]
    path.write_text("\n".join(lines) + "\n")


def single(scores: np.ndarray, path: Path) -> None:
    """Write one entry's scores."""
    rows = [f"item-{i:05d},{score}" for i, score in enumerate(scores.tolist())]
    path.write_text("\n".join(["item_id,score", *rows]) + "\n")


def _rows(made: dict[str, Run], ours: str) -> list[dict[str, Any]]:
    """A line for our process, and one for each peer beside it; the ratio is the peer's time over ours."""
    mine = made[ours]
    rows = [{"workload": ours, "ours_s": mine.seconds, "peak_mb": mine.peak_mb, "exit": mine.code}]
    for name, peer in made.items():
        if name != ours:
            rows.append(
                {
                    "workload": ours,
                    "ours_s": mine.seconds,
                    "peer": name,
                    "peer_s": peer.seconds,
                    "ratio": peer.seconds / mine.seconds,
                    "peer's peak_mb": peer.peak_mb,
                    "exit": _exit(peer),
                }
            )
    return rows


def _exit(peer: Run) -> int | str:
    if peer.code is None:
        return f"stopped after {peer.seconds:.0f} s"
    return f"{peer.code}: {peer.output[:100]}" if peer.code else 0


def run(quick: bool) -> list[dict[str, Any]]:
    """Measure; processes that are compared run in turn."""
    rng = np.random.default_rng(7)
    bin_, repeats = peers(), 1 if quick else 5
    errorbars, evalstats, evalci = (str(bin_ / name) for name in ("errorbars", "evalstats", "evalci"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small, large, huge, ragged = (
            folder / n for n in ("small.csv", "large.csv", "huge.parquet", "ragged.csv")
        )
        scores = {path: board(e, m, path, rng) for path, e, m in ((small, 40, 500), (large, 180, 500))}
        scores[huge] = board(*((1000, 2294) if not quick else (100, 500)), huge, rng)
        board(*((1000, 2294) if not quick else (100, 500)), ragged, rng, missing=0.3)
        for path in scores:
            wide(scores[path], path.with_suffix(".wide.csv"))
        a, b = folder / "a.csv", folder / "b.csv"
        single(scores[small][0], a)
        single(scores[small][1], b)

        def analyze(path: Path) -> list[str]:
            return [evalstats, "analyze", str(path.with_suffix(".wide.csv")), "--format", "wide", "--brief"]

        groups = [
            (
                SMALL,
                {
                    SMALL: [*DEADHEAT, "rank", str(small), "--json"],
                    LARGE: [*DEADHEAT, "rank", str(large), "--json"],
                    "errorbars leaderboard": [errorbars, "leaderboard", str(small), *COLUMNS],
                },
            ),
            (HUGE, {HUGE: [*DEADHEAT, "rank", str(huge), "--json"]}),
            (RAGGED, {RAGGED: [*DEADHEAT, "rank", str(ragged), "--absent", "fitted", "--json"]}),
            (
                "compare, two files of 500",
                {
                    "compare, two files of 500": [*DEADHEAT, "compare", str(a), str(b), "--json"],
                    "evalci compare": [
                        evalci,
                        "compare",
                        str(a),
                        str(b),
                        "--format",
                        "csv",
                        "--method",
                        "mcnemar",
                    ],
                },
            ),
            (
                "--help",
                {
                    "--help": [*DEADHEAT, "--help"],
                    "errorbars --help": [errorbars, "--help"],
                    "evalstats --help": [evalstats, "--help"],
                    "evalci --help": [evalci, "--help"],
                },
            ),
        ]
        made: dict[str, Run] = {}
        rows: list[dict[str, Any]] = []
        for ours, commands in groups:
            found = interleaved(commands, repeats)
            made |= found
            second = {LARGE: found.pop(LARGE)} if LARGE in found else {}
            rows += _rows(found, ours) + (_rows(second, LARGE) if second else [])
        if quick:
            return rows
        slow = [
            (LARGE, "errorbars leaderboard", [errorbars, "leaderboard", str(large), *COLUMNS], LIMIT),
            (SMALL, f"evalstats analyze, {CAP_GB:g} GB", analyze(small), SHORT),
            (LARGE, f"evalstats analyze, {CAP_GB:g} GB", analyze(large), LONG),
            (HUGE, f"evalstats analyze, {CAP_GB:g} GB", analyze(huge), SHORT),
        ]
        for ours, peer, command, limit in slow:
            done = interleaved({peer: command}, 1, limit=limit, memory_gb=CAP_GB)
            rows += _rows({ours: made[ours]} | done, ours)[1:]
    return rows


def targets(rows: list[dict[str, Any]]) -> list[tuple[str, str, float, bool]]:
    alone = {row["workload"]: row for row in rows if "peer" not in row}
    beside = {(row["workload"], row["peer"]): row for row in rows if "peer" in row}
    small, large, huge = (alone[name] for name in (SMALL, LARGE, HUGE))
    ratio = beside[SMALL, "errorbars leaderboard"]["ratio"]
    stopped = beside[LARGE, "errorbars leaderboard"]
    exhausted = beside[LARGE, f"evalstats analyze, {CAP_GB:g} GB"]
    growth = large["ours_s"] / small["ours_s"]
    compared, helped = alone["compare, two files of 500"], alone["--help"]
    return [
        ("W7 rank, 40 x 500: share of errorbars' time", "<= 1/3", 1 / ratio, ratio >= 3),
        (
            "W7 errorbars, 180 x 500",
            "does not finish in 120 s",
            stopped["peer_s"],
            str(stopped["exit"]).startswith("stopped"),
        ),
        (
            f"W7 evalstats, 180 x 500, under {CAP_GB:g} GB",
            "its memory runs out",
            exhausted["peer's peak_mb"],
            "Unable to allocate" in str(exhausted["exit"]),
        ),
        ("W7 rank, 180 x 500 over our 40 x 500", "<= 1.5", growth, growth <= 1.5),
        ("W7 rank, 1000 x 2294: seconds", "<= 3 s", huge["ours_s"], huge["ours_s"] <= 3),
        (f"W7 {RAGGED}", "<= 5 s", alone[RAGGED]["ours_s"], alone[RAGGED]["ours_s"] <= 5),
        ("W7 rank, 1000 x 2294: memory", "<= 400 MB", huge["peak_mb"], huge["peak_mb"] <= 400),
        ("W7 compare, two files of 500", "<= 0.6 s", compared["ours_s"], compared["ours_s"] <= 0.6),
        ("W8 --help", "<= 0.35 s", helped["ours_s"], helped["ours_s"] <= 0.35),
    ]
