"""One score and its error from independent parts: micro and macro averages, weighted composites."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from deadheat.errors import DataError
from deadheat.stats.numerics.bounds import Floats


class Composite(NamedTuple):
    """A weighted mean of parts and its standard error; NaN where a part's error is not known."""

    score: float
    se: float


def composite(scores: ArrayLike, errors: ArrayLike, weights: ArrayLike | None = None) -> Composite:
    """Average independent parts: ``sum w s / sum w``, with error ``sqrt(sum w^2 se^2) / sum w``.

    Weights equal to the parts' sizes give the micro average, equal weights (None) the macro average.

    Parameters
    ----------
    scores, errors : array_like, shape (n,)
        Parts and their standard errors. NaN as an error (withheld) makes the composite's error NaN.
    weights : array_like, shape (n,), optional
        None negative, not all 0; a part of weight 0 is left out.

    Returns
    -------
    Composite

    Raises
    ------
    DataError
        For no parts, other lengths, or weights that weigh nothing.

    References
    ----------
    Cochran, W. G. (1977). Sampling Techniques, 3rd ed., section 5.3 (stratified mean).
    """
    s, e = (
        np.atleast_1d(np.asarray(scores, dtype=np.float64)),
        np.atleast_1d(np.asarray(errors, dtype=np.float64)),
    )
    w = np.ones_like(s) if weights is None else np.atleast_1d(np.asarray(weights, dtype=np.float64))
    if not s.size or not s.shape == e.shape == w.shape:
        raise DataError(
            f"a composite needs as many errors and weights as scores; found {s.size}, {e.size}, {w.size}"
        )
    if not np.all(w >= 0) or not w.sum() > 0 or not np.all(np.isfinite(w)):
        raise DataError("the weights of a composite are finite, not negative and not all zero")
    kept = w > 0
    w = w[kept] / w[kept].sum()
    return Composite(float(w @ s[kept]), float(np.sqrt(w**2 @ e[kept] ** 2)))


def rate_errors(k: ArrayLike, n: ArrayLike) -> Floats:
    """Standard error of each part's rate with divisor n - 1, ``sqrt(p (1 - p) / (n - 1))``.

    Parameters
    ----------
    k, n : array_like
        Right items and items of each part.

    Returns
    -------
    numpy.ndarray
        0 at a boundary rate, where the plug-in variance sees nothing: a composite of such parts states a
        lower bound of its error. NaN where n < 2.
    """
    k, n = np.broadcast_arrays(np.asarray(k, dtype=np.float64), np.asarray(n, dtype=np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(n > 1, np.sqrt(k / n * (1 - k / n) / (n - 1)), np.nan)
