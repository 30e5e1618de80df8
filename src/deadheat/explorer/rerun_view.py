"""The view *Rerun*: a benchmark run 30 times, and which of its intervals cover the truth."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from deadheat.explorer.query import Query
from deadheat.methods import SCORES, Shape, default_interval
from deadheat.report.numbers import Scale
from deadheat.report.numbers import level as level_words
from deadheat.report.words import method as named
from deadheat.seeds import stream
from deadheat.stats.drawing.item_worlds import skill
from deadheat.stats.numerics.bounds import Bounds, Floats
from deadheat.stats.score import exact_coverage as exact
from deadheat.stats.score import intervals
from deadheat.stats.score.binomial import BINOMIAL_INTERVALS, wilson

RERUNS, FURTHER, DRAWS = 30, 1000, 1000
MOST_FURTHER = 250_000  # items x further reruns
METHODS = ("default", *BINOMIAL_INTERVALS, "score", "t", "wald-attempts", "percentile")
MOST_CELLS = 20_000  # items x samples
POINTS = Scale(True, 1)


def rerun(query: Query) -> dict[str, Any]:
    """Run the benchmark again and again.

    Parameters
    ----------
    query : Query
        ``items``, ``samples``, ``rate``, ``spread`` (standard deviation of the items' difficulty, in logits),
        ``method``, ``level``, ``redraw`` (``items`` or ``reruns``), ``seed``.
    """
    items = query.whole("items", 200, 2, 5000)
    samples = query.whole("samples", 1, 1, MOST_CELLS // items)
    rate = query.real("rate", 0.6, 0.001, 0.999)
    spread = query.real("spread", 1.0, 0, 4)
    name = query.choice("method", "default", METHODS)
    level = query.real("level", 0.95, 0.5, 0.999)
    redraw = query.choice("redraw", "items", ("items", "reruns"))
    seed = query.whole("seed", 0, 0, 2**31)
    query.done()
    world = _World(items, samples, rate, spread, redraw == "reruns", seed)
    first = world.data(RERUNS, "rerun")
    name = default_interval(Shape(binary=samples == 1, rates=True)) if name == "default" else name
    ends = _ends(name, first, level, seed)
    covered = _holds(ends, world.truth)
    counts = np.cumsum(covered)
    running = wilson(counts, np.arange(1, RERUNS + 1))
    promise = _promise(name, world, level, seed)
    width = float(np.mean(ends.high - ends.low))
    says = (
        f"{named(name)[:1].upper()}{named(name)[1:]} intervals at {level_words(level)} covered the "
        f"truth in {counts[-1]} of {RERUNS} reruns "
        f"({100 * counts[-1] / RERUNS:.0f} %; with so few reruns the true share may be "
        f"{POINTS.value(running.low[-1])}–{POINTS.value(running.high[-1])} %). "
        f"{promise['says']} On average the intervals are {100 * width:.2f} points wide."
    )
    return {
        "method": name,
        "level": level,
        "truth": world.truth,
        "truth_says": world.says(),
        "score": first.score().tolist(),
        "low": ends.low.tolist(),
        "high": ends.high.tolist(),
        "covered": covered.tolist(),
        "running": {"count": counts.tolist(), "low": running.low.tolist(), "high": running.high.tolist()},
        "promise": promise,
        "mean_width": width,
        "summary": says,
    }


class _World:
    """A benchmark whose items differ in difficulty."""

    def __init__(self, items: int, samples: int, rate: float, spread: float, same: bool, seed: int) -> None:
        self.items, self.samples, self.rate, self.same, self.seed = items, samples, rate, same, seed
        self._skill, self._spread = float(skill(rate, spread)), spread
        self._chance = self._chances(1, stream(seed, "explore", "items"))[0] if same else None
        self.truth = rate if self._chance is None else float(self._chance.mean())

    def _chances(self, reruns: int, rng: np.random.Generator) -> Floats:
        drawn = rng.standard_normal((reruns, self.items))
        return np.asarray(special.expit(self._skill - self._spread * drawn))

    def data(self, reruns: int, name: str) -> intervals.Data:
        """Results of so many reruns, one a row."""
        rng = stream(self.seed, "explore", name)
        if self._chance is not None:
            chance = np.broadcast_to(self._chance, (reruns, self.items))
        elif self.samples == 1:
            # One attempt at a newly drawn item is right with the rate itself, whatever the spread.
            chance = np.broadcast_to(np.float64(self.rate), (reruns, self.items))
        else:
            chance = self._chances(reruns, rng)
        right = rng.binomial(self.samples, chance)
        several = np.full(right.shape, self.samples) if self.samples > 1 else None
        return intervals.Data(right / self.samples, np.ones(right.shape, dtype=bool), several)

    def says(self) -> str:
        """Say what the truth is."""
        if self.same:
            return (
                f"The truth is what these very {self.items:,} items would score if attempted for ever: "
                f"{100 * self.truth:.2f} %. Only the attempts are drawn again. Intervals allow for a draw "
                "of items too, which does not happen: they cover more often than they promise."
            )
        return (
            f"The truth is the rate over all items that could have been drawn: {100 * self.truth:.2f} %. "
            f"Each rerun draws {self.items:,} new items and attempts them anew."
        )


def _ends(name: str, data: intervals.Data, level: float, seed: int) -> Bounds:
    luck = SCORES[name].fit.draws
    rng = stream(seed, "explore", "draws") if luck else None
    return intervals.score_interval(name, data, level, draws=DRAWS, rng=rng)


def _holds(ends: Bounds, truth: float) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Whether each interval holds the truth; rounding must not decide, undefined holds nothing."""
    return (ends.low <= truth + 1e-12) & (ends.high >= truth - 1e-12)


def _promise(name: str, world: _World, level: float, seed: int) -> dict[str, Any]:
    """What the share of covering intervals tends to: exactly where a sum exists, else by more reruns."""
    limit = "bootstrap" if name == "percentile" else name
    if world.samples == 1 and not world.same and limit in exact.COVERAGE_METHODS:
        ends = exact.interval_ends(exact.COVERAGE_METHODS[limit], world.items, level)
        value = float(exact.coverage(ends, world.rate))
        width = float(exact.expected_width(ends, world.rate))
        many = " as its resamples grow without bound" if name == "percentile" else ""
        says = f"With ever more reruns{many} it tends to exactly {100 * value:.2f} %."
        return {"coverage": value, "error": None, "width": width, "says": says}
    if name == "percentile":
        says = "What it tends to is not known exactly here."
        return {"coverage": None, "error": None, "width": None, "says": says}
    many_more = min(FURTHER, MOST_FURTHER // world.items)
    share = _holds(_ends(name, world.data(many_more, "further"), level, seed), world.truth)
    value = float(share.mean())
    low, high = wilson(int(share.sum()), many_more)
    says = (
        f"In {many_more:,} further reruns it was {100 * value:.1f} % "
        f"(so the true share lies in {POINTS.value(float(low))}–{POINTS.value(float(high))} %)."
    )
    return {
        "coverage": value,
        "error": float(np.sqrt(value * (1 - value) / many_more)),
        "width": None,
        "says": says,
    }
