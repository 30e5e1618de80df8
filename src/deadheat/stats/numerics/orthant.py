"""Chance that several jointly normal variables all exceed their limits."""

from __future__ import annotations

import numpy as np
from scipy import special

from deadheat.errors import MethodError
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.quadrature import unit_lattice

POINTS = 2**17  # about 1e-6 in up to six dimensions


def orthant(mean: Floats, covariance: Floats, points: int = POINTS) -> float:
    """P(X > 0) in every coordinate, X normal.

    Parameters
    ----------
    mean : (D,) float64
    covariance : (D, D) float64
        Positive definite.
    points : int
        Lattice points.

    Returns
    -------
    float

    Raises
    ------
    MethodError
        A covariance that is not positive definite.

    References
    ----------
    Genz, A. (1992). Numerical computation of multivariate normal probabilities. Journal of Computational and
    Graphical Statistics 1, 141-149.
    """
    try:
        root = np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError as error:
        raise MethodError("a covariance of scores must be positive definite; this one is not") from error
    size = len(mean)
    first = float(special.ndtr(mean[0] / root[0, 0]))
    if size == 1:
        return first
    u = unit_lattice(points, size - 1)
    chance = np.full(points, first)
    below = np.full(points, float(special.ndtr(-mean[0] / root[0, 0])))
    z = np.empty((size - 1, points))
    for at in range(1, size):
        # The upper part of the normal is reached by its mirror, which keeps the digits of small chances.
        z[at - 1] = -special.ndtri(np.clip((1 - u[:, at - 1]) * (1 - below), 1e-300, 1.0))
        limit = (-mean[at] - root[at, :at] @ z[:at]) / root[at, at]
        below = special.ndtr(limit)
        chance = chance * special.ndtr(-limit)
    return float(chance.mean())
