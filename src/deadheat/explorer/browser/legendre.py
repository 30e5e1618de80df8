"""Legendre polynomials of the stand-in for numpy: nodes, weights and values."""

from __future__ import annotations

import math
from typing import Any

from deadheat.explorer.browser.functions import Array, asarray


def leggauss(many: int) -> tuple[Array, Array]:
    """Nodes and weights of Gauss and Legendre, by Newton's method from Chebyshev's nodes."""
    nodes, weights = [], []
    for i in range(many, 0, -1):
        x, slope = math.cos(math.pi * (i - 0.25) / (many + 0.5)), 1.0
        for _ in range(10):
            values = _values(x, many)
            slope = many * (x * values[many] - values[many - 1]) / (x * x - 1)
            x -= values[many] / slope
        nodes.append(x)
        weights.append(2 / ((1 - x * x) * slope * slope))
    return Array(nodes, (many,)), Array(weights, (many,))


def legvander(x: Any, degree: int) -> Array:
    """Values of degree 0 to the highest, a row a point."""
    points = asarray(x).v
    return Array([value for point in points for value in _values(point, degree)], (len(points), degree + 1))


def _values(x: float, degree: int) -> list[float]:
    found = [1.0, x]
    for k in range(1, degree):
        found.append(((2 * k + 1) * x * found[k] - k * found[k - 1]) / (k + 1))
    return found[: degree + 1]
