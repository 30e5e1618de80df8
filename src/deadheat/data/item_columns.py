"""Columns of items as arrays: clusters and categories as codes, weights as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.data.table import Table
from deadheat.errors import MethodError

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]


def codes_of(labels: NDArray[Any], what: str, items: Sequence[str]) -> Codes:
    """Number labels in sorted order, refusing items that have none."""
    missing = [items[i] for i in np.flatnonzero(labels == None)[:5]]  # noqa: E711 - elementwise
    if missing:
        raise MethodError(f"every item needs a {what}; found none at {', '.join(missing)}")
    _, codes = np.unique(labels.astype(str), return_inverse=True)
    return codes.astype(np.int32)


def weights_of(table: Table) -> Floats | None:
    """Item weights if the table has them: finite, not negative, not all zero; None when all are equal."""
    if not table.has("weight"):
        return None
    raw = table.attribute("weight")
    if any(w is None for w in raw):
        raise MethodError("a column `weight` gives a weight to every item; some items have none")
    weights: Floats = raw.astype(np.float64)
    if not np.all(np.isfinite(weights)) or np.any(weights < 0) or not np.any(weights > 0):
        raise MethodError("weights are finite, not negative and not all zero")
    return None if np.all(weights == weights[0]) else weights
