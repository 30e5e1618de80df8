"""Error spent over a history: a newcomer tested because it is ahead, and levels for tests that never end."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.stats.numerics.bounds import Floats

SCALE = 0.07720838  # makes the shares of error of endless tests sum to 1, as LORD's authors have it


def selective_p(b: ArrayLike, c: ArrayLike) -> Floats:
    """p of a newcomer that is tested only because it is ahead: P(X >= b) / P(X > n/2), X ~ Bin(b + c, 1/2).

    Parameters
    ----------
    b, c : array_like of int
        Items right for the newcomer only, for the holder only; they broadcast.

    Returns
    -------
    numpy.ndarray
        1 where the newcomer is not ahead.

    References
    ----------
    Fithian, Sun & Taylor (2014), "Optimal inference after model selection", arXiv:1410.2597.
    """
    from scipy.special import gammaln

    from deadheat.stats.paired.mcnemar import mcnemar_exact

    b, c = np.broadcast_arrays(np.asarray(b, dtype=np.int64), np.asarray(c, dtype=np.int64))
    n = b + c
    middle = np.exp(gammaln(n + 1.0) - 2 * gammaln(n / 2 + 1.0) - n * np.log(2.0))
    tie = np.where(n % 2 == 0, middle, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = mcnemar_exact(b, c).p / (1 - tie)  # both tails over P(X != n/2), which is twice P(X > n/2)
    return np.asarray(np.where(b > c, np.minimum(p, 1.0), 1.0))


class Online(NamedTuple):
    """Levels of tests in the order in which they came, and which of them rejected; (T,) each."""

    levels: Floats
    rejected: NDArray[np.bool_]


def lord(p: ArrayLike, alpha: float = 0.05) -> Online:
    """LORD++: false discovery rate over a stream of tests, each decided when it comes.

    Parameters
    ----------
    p : (T,) array_like
        p-values in order; NaN takes its turn and rejects nothing.
    alpha : float
        False discovery rate.

    References
    ----------
    Javanmard & Montanari (2018), "Online rules for control of false discovery rate and false discovery
    exceedance", Ann. Statist. 46, 526–554. Ramdas, Yang, Wainwright & Jordan (2017), "Online control of the
    false discovery rate with decaying memory", NeurIPS 30.
    """
    p = np.asarray(p, dtype=np.float64)
    gamma, start = _shares(len(p)), alpha / 2
    levels, rejected = np.zeros(len(p)), np.zeros(len(p), dtype=bool)
    wealth = start * gamma  # what each coming test may spend; a rejection earns more for those after it
    for at, value in enumerate(p):
        levels[at] = wealth[at]
        if value <= levels[at]:
            earned = alpha - start if not rejected.any() else alpha
            rejected[at] = True
            wealth[at + 1 :] += earned * gamma[: len(p) - at - 1]
    return Online(levels, rejected)


def _shares(number: int) -> Floats:
    """Shares of error, one per test."""
    j = np.arange(1, number + 1, dtype=np.float64)
    return np.asarray(SCALE * np.log(np.maximum(j, 2)) / (j * np.exp(np.sqrt(np.log(j)))))
