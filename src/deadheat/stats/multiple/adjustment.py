"""Adjustment of p-values for many comparisons; a comparison that could not be made is no hypothesis."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


class Adjustment(Protocol):
    """What every line of ADJUSTMENTS is: p-values in, adjusted p-values of the same shape out."""

    def __call__(self, p: ArrayLike, *, log10: bool = False) -> Floats:
        """Adjust one family."""


def none(p: ArrayLike, *, log10: bool = False) -> Floats:
    """Return the p-values as they are.

    Parameters
    ----------
    p : array_like
        p-values of any shape; NaN where a comparison is undefined.
    log10 : bool
        Kept so that all adjustments are called alike; changes nothing here.

    Returns
    -------
    numpy.ndarray
        A copy of `p`.
    """
    return np.array(p, dtype=np.float64)


def holm(p: ArrayLike, *, log10: bool = False) -> Floats:
    """Adjust by Holm's step-down rule: family-wise error under any dependence.

    Parameters
    ----------
    p : array_like
        p-values of any shape, one family; NaN where a comparison is undefined.
    log10 : bool
        `p` holds log10 p and so does the answer, for p-values below the smallest float. (On the plain
        scale a p of 0.0 stays 0.0 and adjusts all others rightly, for zeros are equal among themselves.)

    Returns
    -------
    numpy.ndarray
        Adjusted p, monotone in `p` and at most 1; NaN stays NaN and is not counted.

    References
    ----------
    Holm (1979), "A simple sequentially rejective multiple test procedure", Scand. J. Statist. 6, 65–70.
    """
    return _stepwise(p, lambda m, rank: m - rank, down=True, log10=log10)


def hochberg(p: ArrayLike, *, log10: bool = False) -> Floats:
    """Adjust by Hochberg's step-up rule: sharper than Holm, for independent or positively dependent tests.

    Parameters
    ----------
    p : array_like
        p-values of any shape, one family; NaN where a comparison is undefined.
    log10 : bool
        `p` holds log10 p and so does the answer.

    Returns
    -------
    numpy.ndarray
        Adjusted p, monotone in `p` and at most 1; NaN stays NaN and is not counted.

    References
    ----------
    Hochberg (1988), "A sharper Bonferroni procedure for multiple tests of significance",
    Biometrika 75, 800–802.
    """
    return _stepwise(p, lambda m, rank: m - rank, down=False, log10=log10)


def bh(p: ArrayLike, *, log10: bool = False) -> Floats:
    """Adjust by Benjamini and Hochberg's rule: the false discovery rate, not the family-wise error.

    Parameters
    ----------
    p : array_like
        p-values of any shape, one family; NaN where a comparison is undefined.
    log10 : bool
        `p` holds log10 p and so does the answer.

    Returns
    -------
    numpy.ndarray
        Adjusted p, monotone in `p` and at most 1; NaN stays NaN and is not counted.

    References
    ----------
    Benjamini & Hochberg (1995), "Controlling the false discovery rate", J. R. Statist. Soc. B 57, 289–300.
    """
    return _stepwise(p, lambda m, rank: m / (rank + 1), down=False, log10=log10)


class BestOf(NamedTuple):
    """p of the best of several comparisons, arrays of one shape."""

    sidak: Floats
    bonferroni: Floats


def best_of(p: ArrayLike, number: ArrayLike) -> BestOf:
    """Adjust the smallest p of several comparisons for having been picked: categories, seeds, rivals.

    Parameters
    ----------
    p : array_like
        The smallest p-value.
    number : array_like of int
        How many comparisons it was picked from; they broadcast.

    Returns
    -------
    BestOf
        `sidak`: 1 - (1 - p)^number, exact for independent comparisons; `bonferroni`: min(1, number p), for
        any.

    References
    ----------
    Šidák (1967), "Rectangular confidence regions for the means of multivariate normal distributions",
    J. Am. Statist. Assoc. 62, 626–633.
    """
    smallest, count = np.asarray(p, dtype=np.float64), np.asarray(number, dtype=np.float64)
    with np.errstate(divide="ignore"):
        sidak = -np.expm1(count * np.log1p(-smallest))
    return BestOf(np.asarray(sidak), np.minimum(count * smallest, 1.0))


def pairs(p: ArrayLike, adjust: Adjustment, *, log10: bool = False) -> Floats:
    """Adjust all pairs of a board as one family.

    Parameters
    ----------
    p : array_like, shape (E, E)
        Symmetric pairwise p-values; NaN where undefined. The diagonal is not read.
    adjust : Adjustment
        A line of ADJUSTMENTS.
    log10 : bool
        `p` holds log10 p and so does the answer.

    Returns
    -------
    numpy.ndarray, shape (E, E)
        Symmetric adjusted p; the diagonal is NaN, for an entry is not compared with itself.
    """
    matrix = np.asarray(p, dtype=np.float64)
    upper = np.triu_indices(len(matrix), 1)
    out = np.full(matrix.shape, np.nan)
    out[upper] = adjust(matrix[upper], log10=log10)
    out.T[upper] = out[upper]
    return out


def _stepwise(p: ArrayLike, factor: Callable[[int, Floats], Floats], *, down: bool, log10: bool) -> Floats:
    """Multiply each p by the factor of its place (0 = smallest) and make the result monotone.

    Equal p-values leave with equal adjusted values, whichever of them a sort puts first: running maxima
    from the smallest (`down`) or minima from the largest carry one value over all of them.
    """
    given = np.asarray(p, dtype=np.float64)
    flat = given.ravel()
    order = np.argsort(flat)  # NaN sorts last
    m = flat.size - int(np.isnan(flat).sum())
    kept = order[:m]
    factors = factor(m, np.arange(m, dtype=np.float64))
    steps = flat[kept] + np.log10(factors) if log10 else flat[kept] * factors
    steps = np.maximum.accumulate(steps) if down else np.minimum.accumulate(steps[::-1])[::-1]
    out = np.full(flat.size, np.nan)
    out[kept] = np.minimum(steps, 0.0 if log10 else 1.0)
    return out.reshape(given.shape)


ADJUSTMENTS: dict[str, Adjustment] = {"none": none, "holm": holm, "hochberg": hochberg, "bh": bh}
