"""One line of a study: the cell, what the simulation found, and what theory says."""

from __future__ import annotations

from typing import Any

import numpy as np

Row = dict[str, Any]


def row(
    cell: Row, simulated: float, error: float, exact: float | None = None, more: Row | None = None
) -> Row:
    """Make a line of plain values; what is not a number becomes None.

    Parameters
    ----------
    cell : dict
        What varies.
    simulated, error : float
        Mean over replicates and its Monte Carlo error.
    exact : float or None
        By quadrature or by a sum over every table; None where there is none.
    more : dict or None
        Further columns: `normal` is by normal theory with variances by quadrature.
    """
    found = {"simulated": simulated, "mc_se": error, "exact": exact, **(more or {})}
    return {**cell, **{key: _plain(value) for key, value in found.items()}}


def _plain(value: float | None) -> float | None:
    if value is None or isinstance(value, int):
        return value
    return None if np.isnan(value) else float(value)
