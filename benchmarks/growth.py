"""How time grows with entries, items, draws and rows: log-log slopes, plotted in results/growth.svg."""

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import bootstrap, pairs
from benchmarks.harness import measured

RESULTS = Path(__file__).resolve().parent / "results"
WORKLOADS = {
    "pairs over entries": ("entries, at 2,000 items", (500, 1000, 2000, 4000), 2.1),
    "pairs over items": ("items, at 1,000 entries", (2000, 4000, 8000, 16_000), 1.1),
    "bootstrap over draws": ("draws, at 180 x 500", (2000, 4000, 8000, 16_000), 1.1),
    "reading over rows": ("rows of CSV", (100_000, 200_000, 400_000, 800_000), None),
}


def calls(name: str, size: int, folder: Path) -> Callable[[], Any]:
    """One workload of one size, ready to be timed."""
    if name == "reading over rows":
        from deadheat.readers import read

        path = folder / f"{size}.csv"
        lines = (f"e{row // 1000},i{row % 1000},{row * 7919 % 3 % 2}" for row in range(size))
        path.write_text("entry,item,score\n" + "\n".join(lines) + "\n")
        return lambda: read(path)
    if name == "bootstrap over draws":
        values = bootstrap.board(180, 500)
        return lambda: bootstrap.scores_and_ranks(values, draws=size)
    values, present = pairs.board(*((size, 2000) if name == "pairs over entries" else (1000, size)))
    return lambda: pairs.ours(values, present)


def seconds(name: str, repeats: int) -> dict[int, float]:
    """Median seconds of each size, the sizes by turns; each is met once before it counts."""
    with tempfile.TemporaryDirectory() as folder:
        ready = {size: calls(name, size, Path(folder)) for size in WORKLOADS[name][1]}
        taken: dict[int, list[float]] = {size: [] for size in ready}
        for turn in range(repeats + 1):
            for size, call in ready.items():
                start = time.perf_counter()
                call()
                if turn:
                    taken[size].append(time.perf_counter() - start)
    return {size: statistics.median(found) for size, found in taken.items()}


def run(quick: bool) -> list[dict[str, Any]]:
    """Measure, each workload in a process of its own; nothing is drawn when quick."""
    rows = []
    for name, (axis, _, _) in WORKLOADS.items():
        found, _ = measured("growth", name, 1 if quick else 5)
        sizes, times = np.array([int(size) for size in found]), np.array(list(found.values()))
        slope = float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
        rows.append(
            {
                "workload": name,
                "over": axis,
                **{
                    f"size {i}": f"{s:,}: {t:.3g} s"
                    for i, (s, t) in enumerate(zip(sizes, times, strict=True), 1)
                },
                "slope": slope,
            }
        )
        rows[-1]["points"] = [[int(s), float(t)] for s, t in zip(sizes, times, strict=True)]
    if not quick:
        draw(rows)
    return [{key: value for key, value in row.items() if key != "points"} for row in rows]


def draw(rows: list[dict[str, Any]]) -> None:
    """Plot seconds over size, both logarithmic, with the line that was fitted."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.fonttype"] = "none"
    matplotlib.rcParams["svg.hashsalt"] = "growth"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(rows), figsize=(3.1 * len(rows), 2.9), layout="constrained")
    for axis, row in zip(axes, rows, strict=True):
        sizes, times = np.array(row["points"]).T
        level = np.exp(np.mean(np.log(times) - row["slope"] * np.log(sizes)))
        axis.loglog(sizes, level * sizes ** row["slope"], color="0.7")
        axis.loglog(sizes, times, "o", color="#1f5fa8")
        axis.set_title(f"{row['workload']}: slope {row['slope']:.2f}", fontsize=9)
        axis.set_xlabel(row["over"], fontsize=8)
        axis.set_ylabel("seconds", fontsize=8)
        axis.tick_params(labelsize=7, which="both")
    RESULTS.mkdir(exist_ok=True)
    figure.savefig(RESULTS / "growth.svg", metadata={"Date": None})


def targets(rows: list[dict[str, Any]]) -> Iterator[tuple[str, str, float, bool]]:
    for row in rows:
        most = WORKLOADS[row["workload"]][2]
        if most is not None:
            yield f"slope, {row['workload']}", f"<= {most}", row["slope"], row["slope"] <= most


if __name__ == "__main__":
    print(json.dumps(seconds(sys.argv[1], int(sys.argv[2]))))
