"""Rates that an imperfect judge reported, corrected for the judge's own errors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deadheat.errors import MethodError
from deadheat.stats.numerics.bounds import Bounds
from deadheat.stats.score.binomial import wilson


class Corrected(NamedTuple):
    """True rate implied by a judged rate, and an interval that takes the judge's error rates as known."""

    rate: float
    interval: Bounds


def corrected_rate(k: int, n: int, sensitivity: float, specificity: float, level: float = 0.95) -> Corrected:
    """Correct a judged rate: ``(k/n + specificity - 1) / (sensitivity + specificity - 1)``, kept in [0, 1].

    Parameters
    ----------
    k, n : int
        Items judged right, of n.
    sensitivity, specificity : float
        Share of right answers that the judge accepts, and of wrong ones that it rejects.
    level : float
        Level of the interval, a Wilson interval of the judged rate whose ends are corrected alike. The
        uncertainty of sensitivity and specificity themselves is not in it.

    Returns
    -------
    Corrected
        The interval is NaN where the judged interval lies outside what these error rates allow: the data
        contradict them, and an interval of no width would pass for certainty.

    Raises
    ------
    MethodError
        No items, or a judge that is no better than chance, from whose verdicts nothing follows.

    References
    ----------
    Rogan, W. J. and Gladen, B. (1978). Estimating prevalence from the results of a screening test. American
    Journal of Epidemiology 107, 71-76. Lang, Z. and Reiczigel, J. (2014), Preventive Veterinary Medicine 113.
    """
    for name, value in (("sensitivity", sensitivity), ("specificity", specificity)):
        if not 0 <= value <= 1:
            raise MethodError(f"{name} lies between 0 and 1; found {value}")
    skill = sensitivity + specificity - 1
    if skill <= 0:
        raise MethodError(
            "a judge informs only if sensitivity + specificity exceeds 1; "
            f"found {sensitivity} + {specificity} = {sensitivity + specificity:g}"
        )
    if n < 1 or not 0 <= k <= n:
        raise MethodError(f"a judged rate needs 0 <= k <= n and n >= 1; found k = {k}, n = {n}")

    rates = np.array([k / n, *(float(end) for end in wilson(k, n, level))])
    raw = (rates + specificity - 1) / skill
    rate, low, high = np.clip(raw, 0.0, 1.0)
    if raw[2] <= 0 or raw[1] >= 1:
        low = high = np.float64(np.nan)
    return Corrected(float(rate), Bounds(low, high))
