"""Whether scores are fractions of 1 or percentages, so that runs on different scales are not subtracted."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from deadheat.errors import MethodError


def scale_of(scores: ArrayLike) -> float:
    """Return what a full score is: 1 for fractions, 100 for percentages.

    Parameters
    ----------
    scores : array_like, shape (n,)
        Scores of one run; NaN where missing.

    Returns
    -------
    float
        1.0 where all lie in [0, 1], 100.0 where some lie above 1 and all in [0, 100].

    Raises
    ------
    MethodError
        For scores outside [0, 100], which are on neither scale, or none at all.
    """
    given = np.asarray(scores, dtype=np.float64)
    seen = given[~np.isnan(given)]
    if not seen.size:
        raise MethodError("the scale of no scores was asked for; it takes at least one")
    if seen.min() < 0 or seen.max() > 100:
        raise MethodError(
            f"scores from {seen.min():g} to {seen.max():g} are neither fractions of 1 nor percentages"
        )
    return 1.0 if seen.max() <= 1 else 100.0
