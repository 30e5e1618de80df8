"""Functions of the stand-in for numpy."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from deadheat.explorer.browser.arrays import Array as Array
from deadheat.explorer.browser.arrays import asarray as asarray
from deadheat.explorer.browser.arrays import bool_ as bool_
from deadheat.explorer.browser.arrays import float32 as float32
from deadheat.explorer.browser.arrays import float64 as float64
from deadheat.explorer.browser.arrays import floating as floating
from deadheat.explorer.browser.arrays import inf as inf
from deadheat.explorer.browser.arrays import int32 as int32
from deadheat.explorer.browser.arrays import int64 as int64
from deadheat.explorer.browser.arrays import nan as nan
from deadheat.explorer.browser.arrays import ndarray as ndarray
from deadheat.explorer.browser.arrays import paired
from deadheat.explorer.browser.arrays import pi as pi
from deadheat.explorer.browser.shapes import broadcast, within


class errstate:  # noqa: N801 - numpy's name
    """Nothing warns here."""

    def __init__(self, **given: str) -> None:
        self.given = given

    def __enter__(self) -> errstate:
        return self

    def __exit__(self, *what: Any) -> None:
        return None


class finfo:  # noqa: N801 - numpy's name
    """What a double can hold."""

    eps, epsneg, tiny, max = 2.0**-52, 2.0**-53, 2.0**-1022, 1.7976931348623157e308

    def __init__(self, kind: Any) -> None:
        self.kind = kind


def each(f: Callable[..., Any], *given: Any) -> Array:
    """Apply a function of numbers to every value."""
    arrays = [asarray(x) for x in given]
    if len(arrays) == 1:
        return Array([f(x) for x in arrays[0].v], arrays[0].shape)
    shape = broadcast([x.shape for x in arrays])
    return Array(list(map(f, *[within(x, shape) for x in arrays])), shape)


def array(value: Any, dtype: Any = None) -> Array:
    """Copy into an array."""
    return asarray(value, dtype).copy()


def _log(x: float) -> float:
    return math.log(x) if x > 0 else (-inf if x == 0 else nan)


def _exp(x: float) -> float:
    return math.exp(x) if x < 709.7 else (inf if x > 709.8 else 2 * math.exp(x - math.log(2.0)))


def log1p_of(x: float) -> float:
    """log(1 + x) without loss where x is small (Kahan)."""
    if x <= -1 or x == inf:
        return x if x > 0 else (-inf if x == -1 else nan)
    u = 1.0 + x
    return x if u == 1.0 else math.log(u) * x / (u - 1.0)


def log(x: Any) -> Array:
    """Natural logarithm."""
    return each(_log, x)


def log1p(x: Any) -> Array:
    """Logarithm of 1 + x."""
    return each(log1p_of, x)


def exp(x: Any) -> Array:
    """Exponential."""
    return each(_exp, x)


def expm1(x: Any) -> Array:
    """Exponential less 1."""
    return each(math.expm1, x)


def exp2(x: Any) -> Array:
    """Power of two."""
    return each(lambda y: 2.0**y, x)


def sqrt(x: Any) -> Array:
    """Square root; nan of what is negative."""
    given, root = asarray(x), math.sqrt
    return Array([root(y) if y >= 0 else nan for y in given.v], given.shape)


def square(x: Any) -> Array:
    """Square."""
    return each(lambda y: y * y, x)


def floor(x: Any) -> Array:
    """Whole number below, as a real."""
    return each(lambda y: float(math.floor(y)) if abs(y) < 2**53 else y, x)


def ceil(x: Any) -> Array:
    """Whole number above, as a real."""
    return each(lambda y: float(math.ceil(y)) if abs(y) < 2**53 else y, x)


def rint(x: Any) -> Array:
    """Nearest whole number, as a real."""
    return each(lambda y: float(round(y)) if abs(y) < 2**53 else y, x)


def absolute(x: Any) -> Array:
    """Size without sign."""
    return each(abs, x)


def sign(x: Any) -> Array:
    """-1, 0 or 1."""
    return each(lambda y: float((y > 0) - (y < 0)), x)


def isfinite(x: Any) -> Array:
    """Whether a value is a number and not infinite."""
    return each(lambda y: y == y and abs(y) != inf, x)


def isnan(x: Any) -> Array:
    """Whether a value is undefined."""
    return each(lambda y: y != y, x)


def isinf(x: Any) -> Array:
    """Whether a value is infinite."""
    return each(lambda y: abs(y) == inf, x)


def maximum(a: Any, b: Any) -> Array:
    """The larger of two."""
    p, q, shape = paired(asarray(a), b)
    return Array([x if x >= y or x != x else y for x, y in zip(p, q)], shape)  # noqa: B905


def minimum(a: Any, b: Any) -> Array:
    """The smaller of two."""
    p, q, shape = paired(asarray(a), b)
    return Array([x if x <= y or x != x else y for x, y in zip(p, q)], shape)  # noqa: B905


def clip(a: Any, low: Any, high: Any) -> Array:
    """Cut at both ends."""
    return minimum(maximum(a, low), high)


def copysign(a: Any, b: Any) -> Array:
    """The size of one with the sign of the other."""
    return each(math.copysign, a, b)


def where(condition: Any, a: Any, b: Any) -> Array:
    """One or the other."""
    yes, x, y = asarray(condition), asarray(a), asarray(b)
    shape = yes.shape
    if x.shape != shape or y.shape != shape:
        shape = broadcast([shape, x.shape, y.shape])
    p, q, r = within(yes, shape), within(x, shape), within(y, shape)
    return Array([v if t else w for t, v, w in zip(p, q, r)], shape)  # noqa: B905


def add(a: Any, b: Any, dtype: Any = None) -> Array:
    """Sum of two."""
    return asarray(a, dtype) + asarray(b, dtype)


def subtract(a: Any, b: Any) -> Array:
    """Difference of two."""
    return asarray(a) - asarray(b)


def any_(x: Any) -> bool:
    """Whether one is true."""
    return any(asarray(x).v)


def all_(x: Any) -> bool:
    """Whether all are true."""
    return all(asarray(x).v)


def broadcast_arrays(*given: Any) -> list[Array]:
    """Stretch all to their common shape."""
    arrays = [asarray(x) for x in given]
    shape = broadcast([x.shape for x in arrays])
    return [Array(within(x, shape), shape) for x in arrays]


def concatenate(parts: Any) -> Array:
    """One after the other, along the first axis."""
    arrays = [asarray(x) for x in parts]
    rows = sum([x.shape[0] for x in arrays])
    return Array([x for part in arrays for x in part.v], (rows, *arrays[0].shape[1:]))


def correlate(a: Any, b: Any, mode: str) -> Array:
    """Sums of products at every place where the second fits into the first."""
    p, q = asarray(a).v, asarray(b).v
    assert mode == "valid"
    many = len(p) - len(q) + 1
    return Array([sum([x * y for x, y in zip(p[i:], q)]) for i in range(many)], (many,))  # noqa: B905


def flatnonzero(x: Any) -> Array:
    """Places of what is true."""
    found = [i for i, yes in enumerate(asarray(x).v) if yes]
    return Array(found, (len(found),))


def argmin(x: Any) -> int:
    """Place of the least."""
    flat = asarray(x).v
    return flat.index(min(flat))


def argmax(x: Any) -> int:
    """Place of the largest."""
    flat = asarray(x).v
    return flat.index(max(flat))


def diff(x: Any) -> Array:
    """Steps from one to the next."""
    steps: Array = asarray(x)[1:] - asarray(x)[:-1]
    return steps


def ptp(x: Any) -> Any:
    """Largest less least."""
    return max(asarray(x).v) - min(asarray(x).v)


def cumsum(x: Any, axis: int = 0) -> Array:
    """Running sums along the last axis."""
    given = asarray(x)
    width, found, running = given.shape[-1], [], 0
    for i, y in enumerate(given.v):
        running = y if i % width == 0 else running + y
        found.append(running)
    return Array(found, given.shape)


def unique(x: Any, return_inverse: bool = False) -> Any:
    """Distinct values in order, and where each one went."""
    flat = asarray(x).v
    values = sorted(set(flat))
    found = Array(values, (len(values),))
    if not return_inverse:
        return found
    place = {value: i for i, value in enumerate(values)}
    return found, Array([place[value] for value in flat], (len(flat),))
