"""The items that people labelled beside the others: whether the judge scores them alike."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.results import Note, claims

Mask = NDArray[np.bool_]
RARE = 2.6  # standard errors by which labelled items hardly differ from others by chance


class Contrast(NamedTuple):
    """The judge's mean score where there are labels and where there are none, entries counting alike."""

    labelled: float
    others: float
    error: float


def contrast(seen: Panel, labelled: Mask) -> Contrast:
    """Compare the judge's scores on labelled items with those on others, entry by entry.

    The error is that of drawing the labelled items at random, each item with all of its entries.
    """
    rest = seen.present & ~labelled
    both = labelled.any(axis=1) & rest.any(axis=1)
    total, means, values = np.zeros(len(seen.items)), [], seen.values[both]
    for sign, where in ((1, labelled[both]), (-1, rest[both])):
        n = where.sum(axis=1, keepdims=True)
        mean = np.where(where, values, 0).sum(axis=1, keepdims=True, dtype=np.float64) / n
        total += sign * (np.where(where, values - mean, 0.0) / np.sqrt(n * np.maximum(n - 1, 1))).mean(axis=0)
        means.append(float(mean.mean()))
    return Contrast(means[0], means[1], float(np.sqrt((total**2).sum())))


def assumption(found: Contrast, *, rates: bool) -> Note:
    """Say what the correction takes for granted, and how the labelled items look beside the others."""
    shown = [f"{100 * x:.1f} %" if rates else f"{x:.4g}" for x in found[:2]]
    text = (
        "the correction takes the labelled items as drawn at random from all: the judge's mean score is "
        f"{shown[0]} on them and {shown[1]} on the others"
    )
    return Note(code="labels-at-random", text=text)


def picked(found: Contrast) -> claims.LabelsPicked | None:
    """Whether labelled and other items differ more than by chance."""
    apart = abs(found.labelled - found.others)
    if not found.error > 0 or apart <= RARE * found.error:
        return None
    errors = round(apart / found.error, 12)
    return claims.LabelsPicked(labelled=found.labelled, others=found.others, errors=errors)
