"""The study of judges: intervals and tests of corrected scores, beside the judge's own and labels alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.data.people import Truth
from deadheat.evidence.scores import truth_interval
from deadheat.simulating.jobs import Estimates, Job
from deadheat.simulating.study_design import Design, Row, row
from deadheat.simulating.subjects import Source
from deadheat.stats.judged.prediction_powered import Corrected, corrected
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.pvalues import student
from deadheat.stats.score.binomial import wilson

Mask = NDArray[np.bool_]
Errors = tuple[float, float]
JUDGES: dict[str, tuple[Errors, Errors]] = {
    "right": ((1.0, 1.0), (1.0, 1.0)),
    "wrong at 15 %, alike": ((0.85, 0.85), (0.85, 0.85)),
    "wrong at 30 %, alike": ((0.7, 0.7), (0.7, 0.7)),
    "wrong more at one entry": ((0.8, 0.7), (0.95, 0.9)),
}
"""Sensitivity and specificity of a judge at the first entry and at the second."""
LABELS, ITEMS, RATE = (30, 100, 300), 500, 0.7
LEAN = 0.15  # by which what the judge accepts comes earlier to people who pick
CHUNK = 250  # benchmarks held at once
SCORES = ("corrected", "labels alone", "the judge's own")


class Cell(NamedTuple):
    """Labels among items, the true rate of both entries, the judge's errors, whether labels were picked."""

    labels: int
    items: int
    rate: float
    judges: tuple[Errors, Errors]
    picked: bool = False


def judge(design: Design, source: Source) -> list[Job]:
    """How often intervals hold the true score and equal entries are separated, and what correcting pays.

    The benchmarks are its own: two entries with one true rate, whose answers a judge scores.
    """
    items = max(design.items or (ITEMS,))
    rate = (design.rates or (RATE,))[0]
    kinds = list(JUDGES)
    cells = [(kind, labels, False) for kind in kinds for labels in LABELS if labels <= items - 2]
    cells += [(kind, labels, True) for kind, labels, _ in cells if kind == kinds[-1]]
    return [
        Job(
            f"judge/{kind}/{labels}/{picked}/{items}/{rate:g}/{design.alpha:g}/{design.level:g}",
            judge_kernel,
            (Cell(labels, items, rate, JUDGES[kind], picked), design.alpha, design.level),
            _rows(
                {
                    "judge": kind,
                    "labels": labels,
                    "items": items,
                    "rate": rate,
                    "labelled": "what the judge accepts" if picked else "at random",
                }
            ),
        )
        for kind, labels, picked in cells
    ]


def judge_kernel(
    cell: Cell, alpha: float, level: float, *, replicates: int, rng: np.random.Generator
) -> Floats:
    """For each of SCORES: interval holds the rate, entries are separated, error; (replicates, 9)."""
    labels, items, rate, judges, picked = cell
    out = []
    for start in range(0, replicates, CHUNK):
        pair = _drawn(rng, min(CHUNK, replicates - start), items, rate, judges)
        labelled = np.zeros(pair[0][0].shape, dtype=bool)
        labelled[:, :labels] = True
        if picked:
            chance = rng.random(labelled.shape) - LEAN * pair[0][1]
            labelled = np.argsort(np.argsort(chance, axis=1), axis=1) < labels
        some = [np.where(labelled, truth, np.nan) for truth, _ in pair]
        own = [scores for _, scores in pair]
        out.append(
            np.hstack(
                [
                    _corrected(pair, labelled, rate, alpha, level),
                    _plain(some, labels, rate, alpha, level),
                    _plain(own, items, rate, alpha, level),
                ]
            )
        )
    return np.concatenate(out)


def _drawn(
    rng: np.random.Generator, size: int, items: int, rate: float, judges: tuple[Errors, Errors]
) -> list[tuple[Floats, Floats]]:
    """Truth and judge's scores of two entries, (size, items) each; truths correlate over items."""
    from scipy.special import ndtri

    ease, out = rng.normal(size=(size, items)), []
    for sensitivity, specificity in judges:
        own = np.sqrt(0.5) * (ease + rng.normal(size=ease.shape))
        truth = (own < ndtri(rate)).astype(np.float64)
        luck = rng.random(ease.shape)
        out.append((truth, np.where(truth == 1, luck < sensitivity, luck > specificity).astype(np.float64)))
    return out


def _corrected(
    pair: list[tuple[Floats, Floats]], labelled: Mask, rate: float, alpha: float, level: float
) -> Floats:
    present = np.ones_like(labelled)
    a, b = (corrected(scores, truth, present, labelled) for truth, scores in pair)
    found = truth_interval(Truth(a.value, a.se, a.careful, labelled.sum(axis=1)), level, rates=True)
    held = (found.low <= rate) & (rate <= found.high)
    return np.stack([held, _p(a, b, labelled) < alpha, a.se], axis=1)


def _p(a: Corrected, b: Corrected, labelled: Mask) -> Floats:
    """Test the difference as the sum of two strata: labelled items, and the rest."""
    n = labelled.sum(axis=1)
    size = (n, labelled.shape[1] - n)
    parts = [np.where(where, a.parts - b.parts, np.nan) for where in (labelled, ~labelled)]
    one, two = (np.nanvar(part, axis=1, ddof=1) / m for part, m in zip(parts, size, strict=True))
    df = (one + two) ** 2 / np.maximum(one**2 / (size[0] - 1) + two**2 / (size[1] - 1), 1e-300)
    return student((a.value - b.value) / np.sqrt(np.maximum(one + two, 1e-300)), df).p


def _plain(pair: list[Floats], n: int, rate: float, alpha: float, level: float) -> Floats:
    """The same of scores as they are, over n items each; NaN elsewhere."""
    right = np.nansum(pair[0], axis=1)
    found = wilson(right, np.full(len(right), n), level)
    difference = pair[0] - pair[1]
    spread = np.nanstd(difference, axis=1, ddof=1) / np.sqrt(n)
    t = np.nanmean(difference, axis=1) / np.where(spread > 0, spread, np.inf)
    separated = student(t, np.full(len(t), n - 1.0)).p < alpha
    error = np.nanstd(pair[0], axis=1, ddof=1) / np.sqrt(n)
    return np.stack([(found.low <= rate) & (rate <= found.high), separated, error], axis=1)


def _rows(cell: Row) -> Callable[[Estimates], list[Row]]:
    def rows(found: Estimates) -> list[Row]:
        made = []
        for at, scores in enumerate(SCORES):
            about = {**cell, "scores": scores}
            for more, quantity in enumerate(("coverage", "size")):
                place = 3 * at + more
                made.append(row({**about, "quantity": quantity}, found.mean[place], found.error[place]))
        about = {**cell, "scores": "corrected", "quantity": "error ratio"}
        ratio, error = found.mean[2] / found.mean[5], found.error[2] / found.mean[5]
        return [*made, row(about, ratio, error)]

    return rows
