"""Nodes and weights for expectations over standard normal variables."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.stats.numerics.bounds import Floats

NODES = 160  # of which about 80 carry weight; rates and variances of this package's worlds to 1e-11
REACH = 9.0  # standard deviations beyond which nothing is left


class Nodes(NamedTuple):
    """Places of a standard normal variable and their weights, which sum to 1."""

    x: Floats
    weight: Floats


@lru_cache
def gauss_hermite(count: int = NODES) -> Nodes:
    """Gauss-Hermite nodes for a standard normal variable; those that weigh nothing are left out.

    Parameters
    ----------
    count : int
        Nodes before the lightest, in sum below 1e-18, are dropped.

    Returns
    -------
    Nodes
        Read-only arrays.

    References
    ----------
    Golub, G. H. and Welsch, J. H. (1969). Calculation of Gauss quadrature rules. Mathematics of Computation
    23, 221-230.
    """
    x, weight = np.polynomial.hermite_e.hermegauss(count)
    weight = weight / weight.sum()
    kept = weight > 1e-20
    return _frozen(x[kept], weight[kept] / weight[kept].sum())


@lru_cache
def cut_normal(cut: float, count: int = 96) -> Nodes:
    """Gauss-Legendre nodes on both sides of a place where the integrand jumps.

    Parameters
    ----------
    cut : float
        The place, in standard deviations.
    count : int
        Nodes on each side.

    Returns
    -------
    Nodes
        For a standard normal variable; read-only arrays.
    """
    unit, share = np.polynomial.legendre.leggauss(count)
    x, weight = [], []
    inside = min(max(cut, -REACH), REACH)
    for low, high, mass in ((-REACH, inside, special.ndtr(cut)), (inside, REACH, special.ndtr(-cut))):
        place = low + (high - low) * (unit + 1) / 2
        density = share * np.exp(-(place**2) / 2)
        x.append(place)
        weight.append(density / max(density.sum(), np.finfo(float).tiny) * mass)
    return _frozen(np.concatenate(x), np.concatenate(weight))


@lru_cache
def even_normal(count: int) -> Nodes:
    """Evenly spaced nodes, for integrands too steep for Gauss-Hermite nodes: logits that spread widely.

    Parameters
    ----------
    count : int
        Nodes between -9 and 9.

    Returns
    -------
    Nodes
        The trapezoidal rule for a standard normal variable; read-only arrays.

    References
    ----------
    Trefethen, L. N. and Weideman, J. A. C. (2014). The exponentially convergent trapezoidal rule. SIAM Review
    56, 385-458.
    """
    x = np.linspace(-REACH, REACH, count)
    weight = np.exp(-(x**2) / 2)
    return _frozen(x, weight / weight.sum())


def normal_nodes(spread: float) -> Nodes:
    """Nodes that resolve a logistic curve whose argument has this standard deviation."""
    return gauss_hermite() if spread <= 2 else even_normal(int(np.ceil(2 * REACH * spread / 0.6)))


def normal_lattice(count: int, dimension: int) -> Floats:
    """Points of a rank-1 lattice turned into independent standard normal coordinates.

    Parameters
    ----------
    count : int
        Points; all weigh alike.
    dimension : int
        Coordinates of a point.

    Returns
    -------
    (count, dimension) float64

    References
    ----------
    Richtmyer, R. D. (1951). The evaluation of definite integrals, and a quasi-Monte-Carlo method based on the
    properties of algebraic numbers. Los Alamos report LA-1342.
    """
    return np.asarray(special.ndtri(unit_lattice(count, dimension)))


def unit_lattice(count: int, dimension: int) -> Floats:
    """The same points in the open unit cube, folded so that the integrand need not be periodic."""
    step = np.sqrt(_primes(dimension).astype(np.float64)) % 1.0
    place = (np.arange(count)[:, None] + 0.5) * step % 1.0
    return np.asarray(np.clip(1 - np.abs(2 * place - 1), 1e-15, 1 - 1e-15))


def _primes(count: int) -> NDArray[np.int64]:
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % prime for prime in found):
            found.append(number)
        number += 1
    return np.array(found)


def _frozen(x: Floats, weight: Floats) -> Nodes:
    for array in (x, weight):
        array.flags.writeable = False
    return Nodes(x, weight)
