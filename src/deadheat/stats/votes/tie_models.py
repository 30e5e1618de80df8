"""Models of a vote with ties: likelihood, scores and information in the log odds and in the tie parameter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.bounds import Floats

Codes = NDArray[np.integer[Any]]
WON, TIED, LOST = 0, 1, 2
"""Outcomes of a vote, for the entry that is named first."""


class Terms(NamedTuple):
    """Per row: log-likelihood, score and information in the log odds, and in the tie parameter.

    `tie` is the score in the tie parameter and `cross`, `ties` its information with the log odds and itself.
    """

    log: Floats
    score: Floats
    information: Floats
    tie: Floats
    cross: Floats
    ties: Floats


def half(gap: Floats, tie: float, outcome: Codes) -> Terms:
    """Bradley and Terry's model, a tie counting as half a win of each."""
    p = 1 / (1 + np.exp(-gap))
    result = 1 - outcome / 2
    log = -np.logaddexp(0, -gap) * result - np.logaddexp(0, gap) * (1 - result)
    none = np.zeros_like(gap)
    return Terms(log, result - p, p * (1 - p), none, none, none)


def davidson(gap: Floats, tie: float, outcome: Codes) -> Terms:
    """Davidson's model: odds of win, tie and loss are e^(gap/2) : ν : e^(-gap/2), and `tie` is log ν."""
    weights = np.stack([gap / 2, np.full_like(gap, tie), -gap / 2])
    top = weights.max(axis=0)
    p = np.exp(weights - top)
    total = p.sum(axis=0)
    p /= total
    at = np.arange(len(gap))
    mean = (p[0] - p[2]) / 2
    return Terms(
        log=weights[outcome, at] - top - np.log(total),
        score=(1 - outcome) / 2 - mean,
        information=(p[0] + p[2]) / 4 - mean**2,
        tie=(outcome == TIED) - p[1],
        cross=-mean * p[1],
        ties=p[1] * (1 - p[1]),
    )


def rao_kupper(gap: Floats, tie: float, outcome: Codes) -> Terms:
    """Rao and Kupper's model: a win needs a lead above the threshold log κ, which is `tie`."""
    a, b = 1 / (1 + np.exp(tie - gap)), 1 / (1 + np.exp(tie + gap))
    kappa = np.exp(2 * tie)
    step = 2 * kappa / max(kappa - 1, 1e-300)  # derivative of log(κ² - 1) in log κ
    drawn = a * b * (kappa - 1)
    log = np.choose(outcome, [np.log(a), np.log(np.maximum(drawn, 1e-300)), np.log(b)])
    scores = np.stack([1 - a, b - a, b - 1])
    ties = np.stack([a - 1, step - (1 - a) - (1 - b), b - 1])
    p, at = np.stack([a, drawn, b]), np.arange(len(gap))
    return Terms(
        log,
        scores[outcome, at],
        (p * scores**2).sum(axis=0),
        ties[outcome, at],
        (p * scores * ties).sum(axis=0),
        (p * ties**2).sum(axis=0),
    )


Model = Callable[[Floats, float, Codes], Terms]
MODELS: dict[str, Model] = {"half": half, "davidson": davidson, "rao-kupper": rao_kupper}
"""Models of a vote: what a tie is. ``half``: half a win of each entry."""
