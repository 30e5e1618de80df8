"""The whole grid, methods without draws: `nice python studies/calibration.py [REPLICATES]`.

Writes calibration.json, calibration.md; calibration_plots.py draws them. Coverage of intervals of a score in
the worlds of `calibration_intervals.py`, over 20 to 2,000 items, rates of .01 to .99, 1 to 20 samples and
clusters of 1 to 50 items; size of paired tests of two equal entries over the same, and over how alike the two
are.
"""

import json
import sys
from pathlib import Path

import numpy as np
from calibration_intervals import clusters, noise, skill
from calibration_intervals import study as coverage
from scipy import special

from deadheat.methods import SCORES
from deadheat.seeds import stream
from deadheat.stats.paired.catalogue import P_VALUES
from deadheat.stats.paired.pairs import Pairs

HERE = Path(__file__).resolve().parent
ITEMS, SAMPLES, RATES = (20, 50, 200, 500, 2000), (1, 5, 20), (0.01, 0.1, 0.5, 0.9, 0.99)
SIZES, ALIKE = (1, 12, 50), (0.0, 0.5, 0.9)
SHARED, ALPHA = 0.2, 0.05
BLOCK = 4_000_000  # attempts that are drawn at a time
INTERVAL_METHODS = [name for name, method in SCORES.items() if not method.fit.draws]
TEST_METHODS = ["mcnemar", "mid-p", "mcnemar-cc", "mcnemar-chi2", "t", "bell-mccaffrey", "unpaired-z"]


def cells() -> list[tuple]:
    """Cells with at least two clusters."""
    return [
        (items, samples, rate, size)
        for size in SIZES
        for items in ITEMS
        for samples in SAMPLES
        for rate in RATES
        if items > size
    ]


def two(rng: np.random.Generator, rows: int, cell: tuple, alike: float) -> tuple[np.ndarray, np.ndarray]:
    """Item values of two equal entries whose chances at an item are alike to a degree from 0 to 1."""
    items, samples, rate, size = cell
    spread, level = np.hypot(1.9, 0.6), skill(rate)
    cluster = clusters(items, size)

    def latent() -> np.ndarray:
        z = rng.standard_normal((rows, items))
        if cluster is None:
            return z
        common = rng.standard_normal((rows, int(cluster[-1]) + 1))[:, cluster]
        return SHARED**0.5 * common + (1 - SHARED) ** 0.5 * z

    both = latent()
    a, b = (
        special.expit(level + spread * (alike**0.5 * both + (1 - alike) ** 0.5 * latent())) for _ in range(2)
    )
    return rng.binomial(samples, a) / samples, rng.binomial(samples, b) / samples


def sizes(cell: tuple, alike: float, replicates: int) -> list[dict]:
    """How often each test that fits separates two equal entries."""
    items, samples, rate, size = cell
    cluster = clusters(items, size)
    plain = samples == 1 and cluster is None
    names = [name for name in TEST_METHODS if plain or name in ("t", "bell-mccaffrey")]
    rng = stream(0, "calibration of tests", *map(str, (*cell, alike)))
    found: dict[str, int] = dict.fromkeys(names, 0)
    block = min(replicates, max(BLOCK // items, 1))
    for start in range(0, replicates, block):
        a, b = two(rng, min(block, replicates - start), cell, alike)
        everything = np.ones(a.shape, dtype=bool)
        pairs = Pairs(a, b, everything, everything, cluster=cluster)
        for name in names:
            found[name] += int((P_VALUES[name](pairs, draws=0, rng=rng).p < ALPHA).sum())
    return [
        {
            "items": items,
            "samples": samples,
            "rate": rate,
            "cluster_size": size,
            "alike": alike,
            "test": name,
            "size": round(count / replicates, 5),
            "mc_se": round((max(count, 1) / replicates * (1 - count / replicates) / replicates) ** 0.5, 5),
            "replicates": replicates,
        }
        for name, count in found.items()
    ]


def summary(rows: list[dict], by: str, value: str, worst: str) -> list[str]:
    """A table: method x (items), the least or greatest value over the other axes."""
    pick = min if worst == "least" else max
    names = list(dict.fromkeys(row[by] for row in rows))
    lines = ["| method | " + " | ".join(f"{items:,} items" for items in ITEMS) + " |"]
    lines.append("|---|" + "---:|" * len(ITEMS))
    for name in names:
        line = [name]
        for items in ITEMS:
            here = [row[value] for row in rows if row[by] == name and row["items"] == items]
            line.append(f"{100 * pick(here):.1f}" if here else "")
        lines.append("| " + " | ".join(line) + " |")
    return lines


def report(intervals: list[dict], tests: list[dict], replicates: int) -> str:
    """Put what was found into tables."""
    lines = [
        "# Coverage and size over the whole grid",
        "",
        f"`python studies/calibration.py {replicates}`: {replicates:,} simulated benchmarks a cell; "
        f"{len(cells())} cells of {', '.join(f'{m:,}' for m in ITEMS)} items x 1, 5, 20 samples x rates of "
        ".01, .1, .5, .9, .99 x clusters of 1, 12, 50 items. The Monte Carlo error of 95 % is "
        f"{noise(replicates):.2f} points. Every cell stands in calibration.json.",
        "",
        "## Least coverage of 95 % intervals of a score, in per cent",
    ]
    for title, few in (
        ("Rates of .1 to .9", (0.1, 0.5, 0.9)),
        ("Rates of .01 and .99", (0.01, 0.99)),
    ):
        for clustered in (False, True):
            here = [
                row for row in intervals if row["rate"] in few and (row["cluster_size"] != 1) == clustered
            ]
            default = [{**row, "method": "the default"} for row in here if row["default"]]
            words = "clusters of 12 and 50" if clustered else "independent items"
            lines += [
                "",
                f"### {title}, {words}",
                "",
                *summary(default + here, "method", "coverage", "least"),
            ]
    lines += ["", "## Greatest size of paired tests of two equal entries at 5 %, in per cent"]
    for alike in ALIKE:
        for clustered in (False, True):
            here = [row for row in tests if row["alike"] == alike and (row["cluster_size"] != 1) == clustered]
            words = "clusters of 12 and 50" if clustered else "independent items"
            lines += [
                "",
                f"### Entries alike to {alike:g}, {words}",
                "",
                *summary(here, "test", "size", "most"),
            ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Run the grid and write what was found."""
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    intervals, tests = [], []
    for cell in cells():
        intervals += coverage(cell, replicates, INTERVAL_METHODS)
        for alike in ALIKE:
            tests += sizes(cell, alike, replicates)
        print(*cell, flush=True)
    rows = {"intervals": intervals, "tests": tests}
    text = ",\n".join(f'"{k}": [\n' + ",\n".join(map(json.dumps, v)) + "\n]" for k, v in rows.items())
    (HERE / "calibration.json").write_text("{\n" + text + "\n}\n")
    (HERE / "calibration.md").write_text(report(intervals, tests, replicates))


if __name__ == "__main__":
    main()
