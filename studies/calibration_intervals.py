"""Coverage of every interval of a score: `nice python studies/calibration_intervals.py [REPLICATES]`.

Writes calibration_intervals.json and .md beside this file. Items are as in the published simulation of code
benchmarks: a sample is right with probability expit(skill - difficulty + affinity); difficulty is normal
with standard deviation 1.9, a share of its variance common to a cluster, affinity normal with 0.6, and the
skill is solved for the true rate.
"""

import json
import sys
from collections.abc import Collection
from pathlib import Path

import numpy as np
from scipy import optimize, special, stats

from deadheat.methods import SCORES, default_interval
from deadheat.seeds import stream
from deadheat.stats.score.binomial import wilson
from deadheat.stats.score.intervals import INTERVALS, Data, score_interval

HERE = Path(__file__).resolve().parent
ITEMS, SAMPLES, RATES, SIZES = (20, 50, 164, 500), (1, 5, 20), (0.02, 0.1, 0.5, 0.9), (1, 12)
UNEVEN = (231, 75, 44, 34, 32, 22, 22, 19, 10, 8, 2, 1)
LEVEL, SHARED, DRAWS = 0.95, 0.2, 1000
FEWER = 10  # of so many replicates one is used for intervals that draw
TOGETHER = 100  # replicates that share draws


def skill(rate: float) -> float:
    """Solve the skill whose mean chance to be right is `rate`."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    spread = np.hypot(1.9, 0.6)
    return optimize.brentq(
        lambda s: weights @ special.expit(s - spread * nodes) / weights.sum() - rate, -30, 30
    )


def clusters(items: int, size: int) -> np.ndarray | None:
    """Clusters of equal size, the last one smaller; size 0 stands for the uneven twelve."""
    if size == 1:
        return None
    return np.repeat(np.arange(12), UNEVEN) if size == 0 else np.arange(items) // size


def draw(rng: np.random.Generator, rows: int, items: int, samples: int, rate: float, size: int) -> np.ndarray:
    """Item values of `rows` independent benchmarks."""
    cluster = clusters(items, size)
    difficulty = rng.standard_normal((rows, items))
    if cluster is not None:
        common = rng.standard_normal((rows, cluster[-1] + 1))[:, cluster]
        difficulty = SHARED**0.5 * common + (1 - SHARED) ** 0.5 * difficulty
    affinity = 0.6 * rng.standard_normal((rows, items))
    return rng.binomial(samples, special.expit(skill(rate) - 1.9 * difficulty + affinity)) / samples


def data_of(values: np.ndarray, samples: int, cluster: np.ndarray | None) -> Data:
    counts = np.full(values.shape, samples, dtype=np.int32) if samples > 1 else None
    return Data(values, np.ones(values.shape, dtype=bool), counts, cluster)


def ends(name: str, data: Data, cell: tuple) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of the replicates that a method is given."""
    if not SCORES[name].fit.draws:
        return score_interval(name, data, LEVEL)
    low, high = [], []
    for start in range(0, len(data.values) // FEWER, TOGETHER):
        rows = slice(start, start + TOGETHER)
        samples = None if data.samples is None else data.samples[rows]
        part = Data(data.values[rows], data.present[rows], samples, data.cluster)
        found = score_interval(name, part, LEVEL, draws=DRAWS, rng=stream(0, "draws", *map(str, cell), start))
        low.append(found.low)
        high.append(found.high)
    return np.concatenate(low), np.concatenate(high)


def study(cell: tuple, replicates: int, names: Collection[str] = tuple(INTERVALS)) -> list[dict]:
    """Coverage and width of every method that fits one cell."""
    items, samples, rate, size = cell
    cluster = clusters(items, size)
    values = draw(stream(0, "calibration", *map(str, cell)), replicates, items, samples, rate, size)
    data = data_of(values, samples, cluster)
    chosen = default_interval(data.shape)
    rows = []
    for name, method in SCORES.items():
        if name not in names or (method.fit.binary and not (data.shape.binary and data.shape.plain)):
            continue
        low, high = ends(name, data, cell)
        known = np.isfinite(low)
        covered = known & (low <= rate) & (rate <= high)
        coverage = float(covered.mean())
        rows.append(
            {
                "items": items,
                "samples": samples,
                "rate": rate,
                "cluster_size": size or "uneven",
                "clusters": items if cluster is None else int(cluster[-1]) + 1,
                "method": name,
                "default": name == chosen,
                "coverage": round(coverage, 5),
                "mc_se": round((max(coverage * (1 - coverage), 1e-9) / len(low)) ** 0.5, 5),
                "width": round(float(np.mean(high[known] - low[known])), 5) if known.any() else None,
                "withheld": round(float(1 - known.mean()), 5),
                "replicates": len(low),
                "exact": exact(items, rate) if name == "wilson" else None,
            }
        )
    return rows


def exact(items: int, rate: float) -> float:
    """Coverage of Wilson's interval summed over all counts."""
    k = np.arange(items + 1)
    low, high = wilson(k, items, LEVEL)
    return float(stats.binom.pmf(k, items, rate)[(low <= rate) & (rate <= high)].sum())


def cells() -> list[tuple]:
    grid = [(m, n, r, size) for size in SIZES for m in ITEMS for n in SAMPLES for r in RATES]
    return grid + [(500, n, r, 0) for n in SAMPLES for r in RATES]


def table(rows: list[dict]) -> str:
    """Put the rows into words: the default first, then the others."""
    replicates = max(row["replicates"] for row in rows)
    lines = [
        "# Coverage of the intervals of a score",
        "",
        f"`python studies/calibration_intervals.py {replicates}`: {replicates:,} simulated benchmarks a "
        "cell, "
        f"{replicates // FEWER:,} for intervals that draw ({DRAWS:,} draws); nominal {100 * LEVEL:g} %. "
        "Coverage is of the rate over all items that might have been drawn, in per cent; a withheld interval "
        f"does not cover. The Monte Carlo error of 95 % is {noise(replicates):.2f} points "
        f"({noise(replicates // FEWER):.2f} for intervals that draw).",
        "",
        "## The default",
        "",
        *judged(rows),
        "",
    ]
    for size in (*SIZES, "uneven"):
        here = [row for row in rows if row["cluster_size"] == size]
        names = [name for name in INTERVALS if any(row["method"] == name for row in here)]
        lines += [
            f"## {titles(size)}",
            "",
            "| items | samples | rate | default | " + " | ".join(names) + " |",
        ]
        lines += ["|---:|---:|---:|---:|" + "---:|" * len(names)]
        for key in dict.fromkeys((row["items"], row["samples"], row["rate"]) for row in here):
            of = {r["method"]: r for r in here if (r["items"], r["samples"], r["rate"]) == key}
            chosen = next(row for row in of.values() if row["default"])
            shown = [f"{100 * of[name]['coverage']:.1f}" if name in of else "" for name in names]
            lines.append(
                f"| {key[0]} | {key[1]} | {key[2]:g} | **{100 * chosen['coverage']:.1f}** "
                + f"{chosen['method']} | "
                + " | ".join(shown)
                + " |"
            )
        lines.append("")
    return "\n".join(lines)


def noise(replicates: int) -> float:
    """Monte Carlo error of a coverage of 95 %, in points."""
    return 100 * (0.95 * 0.05 / replicates) ** 0.5


def titles(size: int | str) -> str:
    if size == 1:
        return "Independent items"
    return "Twelve clusters of 1 to 231 items" if size == "uneven" else f"Clusters of {size}"


def judged(rows: list[dict]) -> list[str]:
    """Say where the default leaves 93 to 97 %."""
    default = [row for row in rows if row["default"]]
    least = min(default, key=lambda row: row["coverage"])
    out = [row for row in default if row["items"] >= 50 and not 0.93 <= row["coverage"] <= 0.97]
    large = [row for row in default if row["items"] >= 50]
    lines = [
        f"Over all {len(default)} cells the default covers {100 * least['coverage']:.1f} % or more. "
        f"With 50 items or more it stays within 93 to 97 % in {len(large) - len(out)} of {len(large)} cells; "
        "outside are:",
        "",
    ]
    for row in out:
        true = f", exactly {100 * row['exact']:.2f} %" if row["exact"] else ""
        lines.append(
            f"- {row['items']} items x {row['samples']}, rate {row['rate']:g}, "
            f"{titles(row['cluster_size']).lower()}: {100 * row['coverage']:.1f} % ({row['method']}{true})"
        )
    few = stats.binom.cdf([2, 3], 50, 0.02)
    return [
        *lines,
        "",
        f"At 50 items x 1 and rate 0.02 counts of at most 2 make up {100 * few[0]:.2f} % and of at most 3 "
        f"{100 * few[1]:.2f} %, so no interval of the count can lie between. The others are cells of few "
        "successes or of five clusters: there even the smallest counts leave the truth inside, so that it "
        "hardly ever lies above the interval (in 0 to 0.9 % of replicates instead of 2.5 %), and an interval "
        "that is fair at its lower end covers 97.5 %.",
    ]


def main() -> None:
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    rows = []
    for cell in cells():
        rows += study(cell, replicates)
        print(
            cell,
            {r["method"]: r["coverage"] for r in rows[-12:] if r["default"]},
            file=sys.stderr,
            flush=True,
        )
    (HERE / "calibration_intervals.json").write_text(json.dumps(rows, indent=0) + "\n")
    (HERE / "calibration_intervals.md").write_text(table(rows))


if __name__ == "__main__":
    main()
