"""Shapes and places of the stand-in for numpy: what goes beside what, and where an index points."""

from __future__ import annotations

from typing import Any

from deadheat.explorer.browser.language import _slice

Shape = tuple[int, ...]


def size_of(shape: Shape) -> int:
    """Count the values of a shape."""
    found = 1
    for n in shape:
        found *= n
    return found


def strides(shape: Shape) -> list[int]:
    """Steps in row-major order from one place of an axis to the next."""
    found, step = [], 1
    for n in reversed(list(shape)):
        found.append(step)
        step *= n
    return list(reversed(found))


def broadcast(shapes: list[Shape]) -> Shape:
    """The common shape of several."""
    most = max([len(shape) for shape in shapes])
    padded = [(1,) * (most - len(shape)) + tuple(shape) for shape in shapes]
    common = []
    for axis in range(most):
        sizes = [shape[axis] for shape in padded if shape[axis] != 1]
        if any(n != sizes[0] for n in sizes):
            raise ValueError(f"shapes {shapes} do not go together")
        common.append(sizes[0] if sizes else 1)
    return tuple(common)


def offsets(axes: list[list[int]]) -> list[int]:
    """Places reached by one step of every axis, last axis fastest."""
    found = [0]
    for steps in axes:
        found = [at + step for at in found for step in steps]
    return found


def within(array: Any, shape: Shape) -> list[Any]:
    """Flat values of an array stretched to a shape."""
    if array.shape == shape:
        return array.v  # type: ignore[no-any-return]  # nobody writes into it
    if len(array.v) == 1:
        return [array.v[0]] * size_of(shape)
    own = (1,) * (len(shape) - len(array.shape)) + tuple(array.shape)
    many = size_of(shape) // len(array.v)
    if own == (1,) * (len(own) - len(array.shape)) + shape[len(own) - len(array.shape) :]:
        return array.v * many  # type: ignore[no-any-return]  # rows repeated
    if own[:1] == shape[:1] and size_of(own[1:]) == 1:
        return [x for x in array.v for _ in range(many)]
    axes = []
    for n, have, step in zip(shape, own, strides(own)):  # noqa: B905 - of one length by now
        if have not in (1, n):
            raise ValueError(f"{array.shape} does not fit {shape}")
        axes.append([0] * n if have == 1 else [i * step for i in range(n)])
    return [array.v[at] for at in offsets(axes)]


def places(key: Any, array: Any) -> list[int]:
    """Flat places that an index of whole numbers, or a mask, points to; whole numbers run along one axis."""
    if key.v and isinstance(key.v[0], bool):
        return [at for at, yes in enumerate(key.v) if yes]
    return [at if at >= 0 else at + array.shape[0] for at in map(int, key.v)]


def picked(key: Any, shape: Shape) -> tuple[list[int], Shape]:
    """Flat places, and their shape, that whole numbers, slices, `None` and `...` point to."""
    parts = list(key) if isinstance(key, tuple) else [key]
    taken = len([part for part in parts if part is not None and part is not Ellipsis])
    if Ellipsis in parts:
        at = parts.index(Ellipsis)
        parts = parts[:at] + [_slice[:]] * (len(shape) - taken) + parts[at + 1 :]
    else:
        parts = parts + [_slice[:]] * (len(shape) - taken)
    axes, found, axis, steps = [], [], 0, strides(shape)
    for part in parts:
        if part is None:
            found.append(1)
            continue
        n, step = shape[axis], steps[axis]
        axis += 1
        if isinstance(part, slice):
            chosen = list(range(n))[part]
            axes.append([i * step for i in chosen])
            found.append(len(chosen))
        else:
            axes.append([(int(part) % n) * step])
    return offsets(axes), tuple(found)
