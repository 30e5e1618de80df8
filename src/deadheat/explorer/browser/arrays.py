"""A small stand-in for numpy, so that the engine's files run where numpy cannot: in a page opened from disk.

Only what the calculators of that page use, on plain lists; numpy is what it is tested against. It stays
within what MicroPython understands.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from deadheat.explorer.browser.shapes import broadcast, offsets, picked, places, size_of, strides, within

float64, float32, floating, int64, int32, bool_ = float, float, float, int, int, bool
inf, nan, pi, newaxis = math.inf, math.nan, math.pi, None


class Kind:
    """What kind of values an array holds, by numpy's letter."""

    def __init__(self, kind: str) -> None:
        self.kind = kind


class Array:
    """Values of one kind in row-major order, with a shape."""

    def __init__(self, flat: list[Any], shape: tuple[int, ...]) -> None:
        self.v, self.shape = flat, shape

    @property
    def size(self) -> int:
        """Count the values."""
        return len(self.v)

    @property
    def dtype(self) -> Kind:
        """Tell whole numbers and truth values from reals."""
        first = self.v[0] if self.v else 0.0
        return Kind("b" if isinstance(first, bool) else ("i" if isinstance(first, int) else "f"))

    @property
    def ndim(self) -> int:
        """Count the axes."""
        return len(self.shape)

    @property
    def T(self) -> Array:  # noqa: N802 - numpy's name
        """Rows as columns."""
        if len(self.shape) < 2:
            return self
        rows, columns = self.shape
        return Array([self.v[r * columns + c] for c in range(columns) for r in range(rows)], (columns, rows))

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Any:
        return iter(self.v) if len(self.shape) == 1 else iter([self[i] for i in range(self.shape[0])])

    def __bool__(self) -> bool:
        if len(self.v) != 1:
            raise ValueError("several values have no one truth")
        return bool(self.v[0])

    def item(self) -> Any:
        """The one value."""
        if len(self.v) != 1:
            raise ValueError("several values are no one number")
        return self.v[0]

    def tolist(self) -> Any:
        """Lists of numbers."""
        if not self.shape:
            return self.v[0]
        return list(self.v) if len(self.shape) == 1 else [row.tolist() for row in self]

    def astype(self, kind: Any, copy: bool = True) -> Array:
        """Values of another kind."""
        return Array([kind(x) for x in self.v], self.shape)

    def reshape(self, *shape: Any) -> Array:
        """The same values in another shape."""
        wanted = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else tuple(shape)
        if -1 in wanted:
            known = size_of(tuple([n for n in wanted if n != -1]))
            wanted = tuple([len(self.v) // known if n == -1 else n for n in wanted])
        return Array(self.v, wanted)

    def ravel(self) -> Array:
        """The same values in a row."""
        return Array(self.v, (len(self.v),))

    def copy(self) -> Array:
        """Values of its own."""
        return Array(list(self.v), self.shape)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, Array):
            at = places(key, self)
            return Array([self.v[i] for i in at], (len(at),) if is_mask(key) else key.shape)
        at, shape = picked(key, self.shape)
        if not shape and key is not Ellipsis and key != ():
            return self.v[at[0]]
        return Array([self.v[i] for i in at], shape)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, Array):
            at = places(key, self)
            shape: tuple[int, ...] = (len(at),)
            value = value.ravel() if isinstance(value, Array) and value.shape else value
        else:
            at, shape = picked(key, self.shape)
        for i, x in zip(at, within(asarray(value), shape)):  # noqa: B905 - of one length by now
            self.v[i] = x

    def _reduced(self, axis: Any, keepdims: bool, take: Callable[[list[Any]], Any]) -> Any:
        if axis is None:
            return take(self.v)
        axis = axis % len(self.shape)
        n, inner = self.shape[axis], size_of(self.shape[axis + 1 :])
        starts = [o * n * inner + i for o in range(size_of(self.shape[:axis])) for i in range(inner)]
        found = [take(self.v[s : s + n * inner : inner]) for s in starts]
        return Array(found, self.shape[:axis] + ((1,) if keepdims else ()) + self.shape[axis + 1 :])

    def sum(self, axis: Any = None, keepdims: bool = False) -> Any:
        """Add up."""
        return self._reduced(axis, keepdims, lambda part: sum(part, 0))

    def prod(self, axis: Any = None) -> Any:
        """Multiply."""
        return self._reduced(axis, False, _product)

    def max(self, axis: Any = None, initial: Any = None, keepdims: bool = False) -> Any:
        """The largest."""
        return self._reduced(axis, keepdims, lambda part: max(part if initial is None else [initial, *part]))

    def min(self, axis: Any = None, initial: Any = None, keepdims: bool = False) -> Any:
        """The smallest."""
        return self._reduced(axis, keepdims, lambda part: min(part if initial is None else [initial, *part]))

    def any(self) -> bool:
        """Whether one is true."""
        return any(self.v)

    def all(self) -> bool:
        """Whether all are true."""
        return all(self.v)

    def __neg__(self) -> Array:
        return Array([-x for x in self.v], self.shape)

    def __invert__(self) -> Array:
        return Array([not x for x in self.v], self.shape)

    def __abs__(self) -> Array:
        return Array([abs(x) for x in self.v], self.shape)

    def __add__(self, other: Any) -> Array:
        p, q, shape = paired(self, other)
        return Array([x + y for x, y in zip(p, q)], shape)  # noqa: B905

    __radd__ = __iadd__ = __add__

    def __sub__(self, other: Any) -> Array:
        p, q, shape = paired(self, other)
        return Array([x - y for x, y in zip(p, q)], shape)  # noqa: B905

    __isub__ = __sub__

    def __rsub__(self, other: Any) -> Array:
        return asarray(other).__sub__(self)

    def __mul__(self, other: Any) -> Array:
        p, q, shape = paired(self, other)
        return Array([x * y for x, y in zip(p, q)], shape)  # noqa: B905

    __rmul__ = __imul__ = __mul__

    def __truediv__(self, other: Any) -> Array:
        p, q, shape = paired(self, other)
        try:
            return Array([x / y for x, y in zip(p, q)], shape)  # noqa: B905
        except ZeroDivisionError:
            return Array([_divided(x, y) for x, y in zip(p, q)], shape)  # noqa: B905

    __itruediv__ = __truediv__

    def __rtruediv__(self, other: Any) -> Array:
        return asarray(other).__truediv__(self)

    def __floordiv__(self, other: Any) -> Array:
        p, q, shape = paired(self, other)
        return Array([x // y for x, y in zip(p, q)], shape)  # noqa: B905

    def __mod__(self, other: Any) -> Array:
        p, q, shape = paired(self, other)
        return Array([x % y for x, y in zip(p, q)], shape)  # noqa: B905

    def __pow__(self, other: Any) -> Array:
        p, q, shape = paired(self, other)
        return Array([x**y for x, y in zip(p, q)], shape)  # noqa: B905

    def __rpow__(self, other: Any) -> Array:
        return asarray(other).__pow__(self)

    def __and__(self, other: Any) -> Array:
        p, q, shape = paired(self, other)
        return Array([bool(x and y) for x, y in zip(p, q)], shape)  # noqa: B905

    __iand__ = __and__

    def __or__(self, other: Any) -> Array:
        p, q, shape = paired(self, other)
        return Array([bool(x or y) for x, y in zip(p, q)], shape)  # noqa: B905

    def __lt__(self, other: Any) -> Array:
        p, q, shape = paired(self, other)
        return Array([x < y for x, y in zip(p, q)], shape)  # noqa: B905

    def __le__(self, other: Any) -> Array:
        p, q, shape = paired(self, other)
        return Array([x <= y for x, y in zip(p, q)], shape)  # noqa: B905

    def __gt__(self, other: Any) -> Array:
        p, q, shape = paired(self, other)
        return Array([x > y for x, y in zip(p, q)], shape)  # noqa: B905

    def __ge__(self, other: Any) -> Array:
        p, q, shape = paired(self, other)
        return Array([x >= y for x, y in zip(p, q)], shape)  # noqa: B905

    def __eq__(self, other: Any) -> Any:
        p, q, shape = paired(self, other)
        return Array([x == y for x, y in zip(p, q)], shape)  # noqa: B905

    def __ne__(self, other: Any) -> Any:
        p, q, shape = paired(self, other)
        return Array([x != y for x, y in zip(p, q)], shape)  # noqa: B905

    def __matmul__(self, other: Any) -> Any:
        inner, right = self.shape[-1], asarray(other)
        columns = (
            [right.v] if right.ndim == 1 else [right.v[c :: right.shape[1]] for c in range(right.shape[1])]
        )
        rows = [self.v[r : r + inner] for r in range(0, len(self.v), inner)]
        flat = [sum([x * y for x, y in zip(row, column)], 0.0) for row in rows for column in columns]  # noqa: B905
        return Array(flat, self.shape[:-1] + right.shape[1:])


ndarray = Array


def is_mask(array: Array) -> bool:
    """Tell whether an array picks by yes and no rather than by place."""
    return bool(array.v) and isinstance(array.v[0], bool)


def asarray(value: Any, dtype: Any = None) -> Array:
    """Make an array of numbers, lists of them, or arrays; one number has the shape ()."""
    if isinstance(value, Array):
        return value if dtype is None else value.astype(dtype)
    if isinstance(value, (list, tuple, range)):
        parts = [asarray(each, dtype) for each in value]
        shape = parts[0].shape if parts else ()
        return Array([x for part in parts for x in part.v], (len(parts), *shape))
    return Array([value if dtype is None else dtype(value)], ())


def paired(a: Any, b: Any) -> tuple[list[Any], list[Any], tuple[int, ...]]:
    """Flat values of two arrays or numbers at their common shape."""
    if not hasattr(b, "v"):
        b = asarray(b) if isinstance(b, (list, tuple)) else b
        if not hasattr(b, "v"):
            return a.v, [b] * len(a.v), a.shape
    if a.shape == b.shape:
        return a.v, b.v, a.shape
    shape = broadcast([a.shape, b.shape])
    return within(a, shape), within(b, shape), shape


def _divided(x: Any, y: Any) -> float:
    if y:
        return float(x / y)
    return nan if x == 0 or x != x else math.copysign(inf, x) * math.copysign(1.0, y)


def _product(part: list[Any]) -> Any:
    found: Any = 1
    for x in part:
        found = found * x
    return found


__all__ = ["Array", "asarray", "is_mask", "offsets", "paired", "strides"]
