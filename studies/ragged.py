"""Fitted scores of ragged boards where the truth is known: bias and coverage; writes studies/ragged.md.

python studies/ragged.py [BOARDS]: boards of 10 entries x 100 items; a fifth as many of 40 x 500.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import stats

from deadheat.stats.ability.fitted_scores import fitted_means, fitted_rates

SHARE = 0.3
ITEMS = 20_000  # items whose mean is the truth
MECHANISMS = ("at random", "by difficulty", "by outcome")


class Found(NamedTuple):
    """What a cell came to: bias of fitted and of own scores, coverage of 95 % intervals and its error."""

    fitted_bias: float
    own_bias: float
    coverage: float
    error: float


def kept(how: str, ease: np.ndarray, right: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Which outcomes there are."""
    chance = np.full(right.shape, 1 - SHARE)
    if how == "by difficulty":  # every other entry leaves hard items out
        order = np.argsort(np.argsort(ease)) / len(ease)
        chance[1::2] = 1 - 2 * SHARE * (1 - order)
    if how == "by outcome":  # what would be wrong is left out twice as often as what would be right
        chance = np.where(right > 0, 1 - SHARE * 2 / 3, 1 - SHARE * 4 / 3)
    return rng.random(right.shape) < chance


def cell(kind: str, how: str, entries: int, items: int, boards: int, seed: int = 0) -> Found:
    """Simulate boards and compare fitted scores with the truth."""
    rng = np.random.default_rng([seed, entries, MECHANISMS.index(how), kind == "real"])
    inside, fitted, own = [], [], []
    far = 1.5 * rng.normal(size=ITEMS)
    for _ in range(boards):
        ability, ease = rng.normal(size=(entries, 1)), 1.5 * rng.normal(size=items)
        if kind == "0/1":
            x = (rng.random((entries, items)) < 1 / (1 + np.exp(-ability - ease))).astype(float)
            truth = (1 / (1 + np.exp(-ability - far))).mean(axis=1)
        else:
            x, truth = ability + ease + rng.normal(size=(entries, items)), ability[:, 0]
        seen = kept(how, ease, x if kind == "0/1" else x > 0, rng)
        share = np.full(items, 1 / items)
        made = (fitted_rates if kind == "0/1" else fitted_means)(x, seen, share)
        able = ~made.boundary
        error = made.values.std(axis=1, ddof=1) / np.sqrt(items)
        off = made.values.mean(axis=1) - truth
        inside.append((np.abs(off) <= stats.t.ppf(0.975, items - 1) * error)[able].mean())
        fitted.append(off[able].mean())
        own.append((np.where(seen, x, 0).sum(axis=1) / seen.sum(axis=1) - truth)[able].mean())
    spread = float(np.std(inside) / np.sqrt(boards))
    return Found(float(np.mean(fitted)), float(np.mean(own)), float(np.mean(inside)), spread)


def main(boards: int) -> str:
    """Run every cell and write the page."""
    lines = [
        "# Fitted scores of ragged boards",
        "",
        f"`python studies/ragged.py {boards}`: 30 % of the outcomes are absent; abilities are standard "
        "normal, items' ease",
        "is normal with a standard deviation of 1.5 logits. Truth is the mean over new items. Real scores "
        "have errors",
        "with a standard deviation of 1. Bias is in points (real scores: in hundredths). Intervals claim "
        "95 %.",
        "",
        "| scores | absent | entries × items | boards | own bias | fitted bias | coverage % | ± MC SE |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for kind in ("0/1", "real"):
        for how in MECHANISMS:
            for entries, items, count in ((10, 100, boards), (40, 500, max(boards // 5, 2))):
                found = cell(kind, how, entries, items, count)
                lines.append(
                    f"| {kind} | {how} | {entries} × {items} | {count} | {100 * found.own_bias:+.1f} | "
                    f"{100 * found.fitted_bias:+.1f} | {100 * found.coverage:.1f} | {100 * found.error:.1f} |"
                )
    lines += [
        "",
        "At random and by difficulty the fitted score is unbiased and its interval holds its level. "
        "*By outcome* (what would",
        "be wrong is left out twice as often) no model of entries and items can know what is missing: the "
        "fitted score is",
        "then wrong too, if less than the own one, and its interval does not say so. Only the bounds hold "
        "there.",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    Path(__file__).with_suffix(".md").write_text(main(number), encoding="utf-8")
