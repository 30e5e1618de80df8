"""One line of a study: the cell, what the simulation found, and what theory says."""

from __future__ import annotations

from typing import Any

import numpy as np

Row = dict[str, Any]


def row(
    cell: Row,
    simulated: float,
    error: float,
    *,
    exact: float | None = None,
    normal: float | None = None,
    more: Row | None = None,
) -> Row:
    """Make a line of plain values.

    Parameters
    ----------
    cell : dict
        What varies.
    simulated, error : float
        Mean over replicates and its Monte Carlo error; NaN becomes None.
    exact : float or None
        By quadrature or by a sum over every table; None where there is none.
    normal : float or None
        By normal theory with variances by quadrature.
    more : dict or None
        Further columns.
    """
    return {
        **cell,
        "simulated": _plain(simulated),
        "mc_se": _plain(error),
        "exact": _plain(exact),
        "normal": _plain(normal),
        **(more or {}),
    }


def _plain(value: float | None) -> float | None:
    return None if value is None or np.isnan(value) else float(value)
