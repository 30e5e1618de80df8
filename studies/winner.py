"""The top score corrected for having been picked: bias, error and coverage of two corrections.

``python studies/winner.py 4000`` simulates boards of 100 items that all entries share. It prints a line per
board: what the observed score, the conditional correction and the score less its optimism are off by, and
how often the intervals of the last two cover, each with its Monte Carlo error.
The table of `docs/methods/ranks.md` is made of it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
from scipy.special import ndtri

from deadheat.stats.multiple import winner

ITEMS, SE = 100, 0.05
BOARDS = {
    "5 equal": [0.6] * 5,
    "2 equal, one below": [0.6, 0.6, 0.45],
    "8, a point apart": [0.6 - 0.01 * at for at in range(8)],
    "a lead of 1 SE over three": [0.6, 0.55, 0.55, 0.55],
    "a lead of 1.8 SE": [0.6, 0.51, 0.5, 0.45],
    "a clear lead": [0.75, 0.55, 0.5, 0.45],
}


def outcomes(rates: Sequence[float], rng: np.random.Generator) -> np.ndarray:
    """Draw 0/1 outcomes with these rates; entries correlate because they share the items."""
    shared, own = rng.normal(size=(1, ITEMS)), rng.normal(size=(len(rates), ITEMS))
    return (np.sqrt(0.6) * shared + np.sqrt(0.4) * own < ndtri(rates)[:, None]).astype(np.float32)


def errors(rates: Sequence[float], replicates: int, rng: np.random.Generator) -> np.ndarray:
    """Errors of the three scores, and whether the intervals of the last two cover: a row per replicate."""
    rows = []
    for _ in range(replicates):
        values = outcomes(rates, rng)
        present = np.ones(values.shape, dtype=bool)
        top = winner.top_score(values, present)
        less = top.score - max(winner.optimism(values, present, rng=rng).iterated, 0.0)
        true = rates[top.row]
        half = 1.984 * np.sqrt(top.score * (1 - top.score) / (ITEMS - 1))
        inside = float(top.hybrid.low) <= true <= float(top.hybrid.high)
        rows.append((top.score - true, top.estimate - true, less - true, inside, abs(less - true) <= half))
    return np.array(rows, dtype=float)


def line(found: np.ndarray) -> str:
    """Bias and RMSE of each score in points and coverage of each interval, all with Monte Carlo errors."""
    root = np.sqrt(len(found))
    off, squares = 100 * found[:, :3], (100 * found[:, :3]) ** 2
    rmse = np.sqrt(squares.mean(axis=0))
    parts = zip(
        off.mean(axis=0), off.std(axis=0) / root, rmse, squares.std(axis=0) / (2 * rmse * root), strict=True
    )
    told = [f"{bias:+.2f} ({se:.2f}), {size:.2f} ({error:.2f})" for bias, se, size, error in parts]
    cover = found[:, 3:].mean(axis=0)
    told += [
        f"{100 * c:.1f} % ({100 * e:.1f})"
        for c, e in zip(cover, np.sqrt(cover * (1 - cover)) / root, strict=True)
    ]
    return " | ".join(told)


if __name__ == "__main__":
    rng = np.random.default_rng(1)
    for name, rates in BOARDS.items():
        print(name, line(errors(rates, int(sys.argv[1]), rng)), sep=" | ", flush=True)
