"""The order of a panel's rows: by what they scored, never by a name."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def by_content(
    values: NDArray[Any], present: NDArray[np.bool_], weights: Floats | None = None, sign: int = 1
) -> NDArray[Any]:
    """Order rows by mean, best first, then by their very content: equal keys mean equal rows.

    Parameters
    ----------
    values, present : (E, M)
        Values, 0 where absent, and where they exist.
    weights : (M,) or None
        Item weights.
    sign : int
        -1 where lower is better.
    """
    means = _means(values, present, weights, sign)
    order = np.argsort(-means, kind="stable")
    ends = np.flatnonzero(means[order][1:] != means[order][:-1]) + 1
    for run in np.split(order, ends):  # views: sorting one sorts the order
        if len(run) > 1:
            run[:] = sorted(run, key=lambda i: values[i].tobytes() + present[i].tobytes())
    return order


def _means(values: NDArray[Any], present: NDArray[np.bool_], weights: Floats | None, sign: int) -> Floats:
    """Signed weighted mean of each row over its present items, -inf for an empty row (sorts last)."""
    mass = present.sum(axis=1) if weights is None else present @ weights
    total = (values if weights is None else values * weights).sum(axis=1, dtype=np.float64)
    return np.where(mass > 0, sign * total / np.where(mass > 0, mass, 1.0), -np.inf)
