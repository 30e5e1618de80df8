"""Family-wise error and coverage of everything `rank` says about order: `python studies/ranks.py [N]`.

Writes studies/ranks.md and studies/ranks.json: for every cell the replicates and the Monte Carlo error.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from deadheat.seeds import stream
from deadheat.stats.multiple import adjustment, ranks
from deadheat.stats.multiple.maxt import max_t, may_be_best
from deadheat.stats.multiple.winner import optimism, top_score
from deadheat.stats.paired import mcnemar, pairs_mcnemar

HERE = Path(__file__).resolve().parent
ALPHA, DRAWS = 0.05, 999
FEWER = 10  # of so many boards, one is used for what is only compared with, and for what is slow
Array = NDArray[np.float64]
Difficulty = Callable[[np.random.Generator, int], Array]

DIFFICULTIES: dict[str, Difficulty] = {
    "spread": lambda rng, items: rng.beta(2, 1, items),
    "easy": lambda rng, items: np.full(items, 0.9),
    "hard or easy": lambda rng, items: rng.beta(0.3, 0.3, items),
}
TIES = [(20, 500), (60, 60), (90, 30)]
UNEVEN = np.repeat(np.arange(12), [231, 75, 44, 34, 32, 22, 22, 19, 10, 8, 2, 1])
"""Clusters as uneven as a well-known board's repositories: 12 of 500 items, the largest with 231."""


def clustered(rng: np.random.Generator, entries: int) -> Array:
    """Equal entries whose luck is shared within clusters."""
    mood = rng.normal(size=(entries, 12))[:, UNEVEN] * 0.5
    logit = rng.normal(size=len(UNEVEN)) * 1.5 + 0.7 + mood
    return (rng.random((entries, len(UNEVEN))) < 1 / (1 + np.exp(-logit))).astype(np.float32)


def exact(values: Array) -> tuple[Array, Array]:
    """Exact McNemar p-values of all pairs, and the differences."""
    a_only, _ = pairs_mcnemar.discordant(values, np.ones(values.shape, dtype=bool))
    p = pairs_mcnemar.all_pairs(a_only, mcnemar.mcnemar_exact).p
    np.fill_diagonal(p, np.nan)
    return p, (a_only - a_only.T).astype(np.float64)


def with_replacement(values: Array, rng: np.random.Generator) -> float:
    """Smallest p of single-step max-t when items are drawn with replacement: what max-t here replaces."""
    entries, items = values.shape
    counts = rng.multinomial(items, np.full(items, 1 / items), size=DRAWS).astype(np.float32)
    moved = (counts @ values.T / items - values.mean(axis=1)).T
    size = values.sum(axis=1)
    gap = (size[:, None] - size) / items
    square = (size[:, None] + size - 2 * values @ values.T) / items
    se = np.sqrt(np.maximum(square - gap**2, 0) / (items - 1))
    unit = np.divide(1, se, out=np.zeros_like(se), where=se > 0)
    peak = np.zeros(DRAWS)
    for i in range(entries - 1):
        peak = np.maximum(peak, (np.abs(moved[i + 1 :] - moved[i]) * unit[i, i + 1 :, None]).max(axis=0))
    return float((1 + (peak >= (np.abs(gap) * unit).max() - 1e-6).sum()) / (1 + DRAWS))


def ties(cell: tuple[str, int, int], replicate: int) -> dict[str, float]:
    """One board of equal entries: which methods separate a pair."""
    name, entries, items = cell
    rng = stream(0, "ties", name, entries, items, replicate)
    if name == "12 uneven clusters":
        values = clustered(rng, entries)
        everything = np.ones(values.shape, dtype=bool)
        found = {"max-t": max_t(values, everything, cluster=UNEVEN, draws=DRAWS, rng=rng)}
        found["max-t, clusters ignored"] = max_t(values, everything, draws=DRAWS, rng=rng)
        return {key: float(np.nanmin(p) < ALPHA) for key, p in found.items()}
    values = (rng.random((entries, items)) < DIFFICULTIES[name](rng, items)).astype(np.float32)
    everything = np.ones(values.shape, dtype=bool)
    p, _ = exact(values)
    smallest = {
        key: np.nanmin(adjustment.pairs(p, adjustment.ADJUSTMENTS[key])) for key in ("holm", "hochberg", "bh")
    }
    smallest["max-t"] = np.nanmin(max_t(values, everything, draws=DRAWS, rng=rng))
    best = may_be_best(values, everything, draws=DRAWS, rng=rng)
    out = {key: float(value < ALPHA) for key, value in smallest.items()}
    out |= {"winner set: a best one left out": float((best < ALPHA).mean())}
    if replicate % FEWER == 0:
        out["bootstrap max-t"] = float(with_replacement(values, rng) < ALPHA)
    return out


def board(entries: int, items: int, gap: float, rng: np.random.Generator) -> tuple[Array, Array]:
    """A board whose true rates are `gap` apart, with pairs of exact ties among the first six entries."""
    behind = np.arange(entries, dtype=np.float64)
    behind[:6] = [0, 0, 2, 2, 4, 4]
    rate = 0.15 + 0.8 * rng.beta(2, 1, items)
    down = behind[:, None] * gap
    return (rng.random((entries, items)) < rate - down * rate / 0.7).astype(np.float32), -behind


def covered(low: Array, high: Array, truth: Array) -> NDArray[np.bool_]:
    """Whether each interval holds every rank that its entry may claim: all of them, where it truly ties."""
    best = 1 + (truth[None] > truth[:, None]).sum(axis=1)
    worst = (truth[None] >= truth[:, None]).sum(axis=1)
    return np.asarray((low <= best) & (worst <= high))


def intervals(cell: tuple[int, int, float], replicate: int) -> dict[str, float]:
    """One board with near-ties: which rank intervals hold, and how wide they are."""
    entries, items, gap = cell
    rng = stream(0, "intervals", entries, items, str(gap), replicate)
    values, truth = board(entries, items, gap, rng)
    everything = np.ones(values.shape, dtype=bool)
    p, difference = exact(values)
    made = {
        "holm, simultaneous": adjustment.pairs(p, adjustment.holm),
        "max-t, simultaneous": max_t(values, everything, draws=DRAWS, rng=rng),
        "holm, marginal": np.array([adjustment.holm(row) for row in p]),
        "max-t, marginal": max_t(values, everything, draws=DRAWS, simultaneous=False, rng=rng),
    }
    out: dict[str, float] = {}
    for name, adjusted in made.items():
        low, high = ranks.rank_intervals(adjusted, difference, ALPHA)
        held = covered(low, high, truth)
        out[f"{name}: together"], out[f"{name}: each"] = float(held.all()), float(held.mean())
        out[f"{name}: width"] = float((high - low).mean())
    best = may_be_best(values, everything, draws=DRAWS, rng=rng)
    out["winner set: holds a best"] = float(best[0] >= ALPHA)
    out["winner set: size"] = float((best >= ALPHA).sum())
    if replicate % FEWER:
        return out
    counts = rng.multinomial(items, np.full(items, 1 / items), size=DRAWS)
    drawn = (-(counts @ values.T)).argsort(axis=1).argsort(axis=1) + 1.0
    low, high = np.quantile(drawn, [ALPHA / 2, 1 - ALPHA / 2], axis=0)
    held = covered(low, high, truth)
    out["bootstrap percentiles: together"] = float(held.all())
    out["bootstrap percentiles: each"] = float(held.mean())
    out["bootstrap percentiles: width"] = float((high - low).mean())
    return out


def winners(cell: tuple[int, int, float], replicate: int) -> dict[str, float]:
    """One board: what its top score says of the true rate of the entry that has it."""
    entries, items, gap = cell
    rng = stream(0, "winners", entries, items, str(gap), replicate)
    rate = 0.15 + 0.8 * rng.beta(2, 1, items)
    down = np.arange(entries)[:, None] * gap
    values = (rng.random((entries, items)) < rate - down * rate / 0.7).astype(np.float32)
    everything = np.ones(values.shape, dtype=bool)
    mean = 0.15 + 0.8 * 2 / 3
    top = top_score(values, everything)
    truth = mean - top.row * gap * mean / 0.7
    z = 1.959963984540054
    n, k = items, top.score * items
    middle, half = (k + z * z / 2) / (n + z * z), z / (n + z * z) * np.sqrt(k * (n - k) / n + z * z / 4)
    out = {
        "Wilson as if not picked": float(abs(truth - middle) <= half),
        "conditional": float(top.conditional.low <= truth <= top.conditional.high),
        "hybrid": float(top.hybrid.low <= truth <= top.hybrid.high),
        "hybrid: width": float(top.hybrid.high - top.hybrid.low),
        "Wilson: width": float(2 * half),
        "excess": top.score - truth,
        "excess after correction": top.estimate - truth,
    }
    if replicate % FEWER == 0:
        gain = optimism(values, everything, rng=rng)
        out |= {"bootstrap estimate of the excess": gain.once, "iterated": gain.iterated}
    return out


STUDIES: dict[str, tuple[Callable[..., dict[str, float]], list[tuple[object, ...]]]] = {
    "Exact ties: share of boards on which some pair is separated": (
        ties,
        [(name, *size) for size in TIES for name in DIFFICULTIES] + [("12 uneven clusters", 20, 500)],
    ),
    "Near-ties: rank intervals and the winner set": (
        intervals,
        [(30, 500, 0.002), (30, 500, 0.01), (30, 100, 0.01), (60, 60, 0.005)],
    ),
    "The top score": (winners, [(40, 500, 0.0), (40, 500, 0.005), (5, 200, 0.01)]),
}


def block(study: str, cell: tuple[object, ...], start: int, stop: int) -> list[dict[str, float]]:
    """Some replicates of one cell."""
    make = STUDIES[study][0]
    return [make(cell, replicate) for replicate in range(start, stop)]


def run(replicates: int, workers: int) -> list[dict[str, object]]:
    """Every cell of every study: mean and Monte Carlo standard error of each measure."""
    rows: list[dict[str, object]] = []
    step = max(1, replicates // 20)
    with ProcessPoolExecutor(workers) as pool:
        for study, (_, cells) in STUDIES.items():
            for cell in cells:
                starts = range(0, replicates, step)
                jobs = [pool.submit(block, study, cell, s, min(s + step, replicates)) for s in starts]
                found = [row for job in jobs for row in job.result()]
                for measure in found[0]:
                    values = np.array([row[measure] for row in found if measure in row])
                    error = float(values.std(ddof=1) / np.sqrt(len(values)))
                    rows.append(
                        {
                            "study": study,
                            "cell": list(cell),
                            "measure": measure,
                            "value": round(float(values.mean()), 6),
                            "mc_se": round(error, 6),
                            "replicates": len(values),
                        }
                    )
                print(study, cell, file=sys.stderr)
    return rows


def markdown(rows: list[dict[str, object]], replicates: int) -> str:
    """The measurements as tables: a line a measure, a column a cell."""
    lines = [
        "# Ranks, measured",
        "",
        f"`python studies/ranks.py {replicates}`: {replicates:,} simulated boards a cell, alpha {ALPHA}, "
        f"{DRAWS} draws; Monte Carlo standard errors in brackets. Cells are entries x items, then what the "
        "board is like: how difficult its items are, or how far apart neighbours' true rates are.",
    ]
    for study in STUDIES:
        part = [row for row in rows if row["study"] == study]
        cells = list(dict.fromkeys(json.dumps(row["cell"]) for row in part))
        measures = list(dict.fromkeys(str(row["measure"]) for row in part))
        head = ["", *(_title(json.loads(cell)) for cell in cells)]
        lines += ["", f"## {study}", "", "| " + " | ".join(head) + " |", "|---" + "|---:" * len(cells) + "|"]
        found = {(json.dumps(r["cell"]), r["measure"]): r for r in part}
        for measure in measures:
            words = []
            for cell in cells:
                row = found.get((cell, measure))
                words.append("" if row is None else f"{row['value']:.4g} ({row['mc_se']:.2g})")
            lines.append(f"| {measure} | " + " | ".join(words) + " |")
    return "\n".join(lines) + "\n"


def _title(cell: list[object]) -> str:
    if isinstance(cell[0], str):
        return f"{cell[1]} x {cell[2]}, {cell[0]}"
    return f"{cell[0]} x {cell[1]}, {cell[2]} apart"


def main() -> None:
    """Run, and write both files."""
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    rows = run(replicates, workers=int(sys.argv[2]) if len(sys.argv) > 2 else 2)
    (HERE / "ranks.json").write_text(json.dumps({"replicates": replicates, "rows": rows}, indent=1) + "\n")
    (HERE / "ranks.md").write_text(markdown(rows, replicates))


if __name__ == "__main__":
    main()
