"""Where a rising function first reaches a target: over reals, and over whole numbers when it wobbles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.bounds import Floats

Ints = NDArray[np.int64]
MOST = 2**53  # whole numbers beyond this are not all doubles
FARTHEST = 2**20  # whole numbers looked at one by one on a side


def bisect(reached: Callable[[float], bool], low: float, high: float, relative: float = 0.0) -> float:
    """Least x in [low, high] from which `reached` holds, to the last digit unless told otherwise.

    Parameters
    ----------
    reached : callable
        False below the answer and true above it; true at `high`.
    low, high : float
        Bracket, low <= high.
    relative : float
        Width of the last bracket, relative to the answer.
    """
    while True:
        middle = low + (high - low) / 2
        if not low < middle < high or high - low <= relative * high:
            return high
        if reached(middle):
            high = middle
        else:
            low = middle


def double(reached: Callable[[float], bool], start: float) -> float | None:
    """First of start, 2 start, 4 start, ... that reaches; None when no size below 2**53 does."""
    size = start
    while size < MOST:
        if reached(size):
            return size
        size *= 2
    return None


def crossing(
    value: Callable[[float], float], target: float, guess: float, top: float, relative: float = 1e-12
) -> float | None:
    """Least x in (0, top] from which a smooth rising function is at or above a target; None if it never is.

    Secants from a guess, kept where both sides of what they find confirm it, else bisection.

    Parameters
    ----------
    value : callable
    target : float
    guess : float
        An approximate answer, in (0, top].
    top : float
        Largest x.
    relative : float
        Width of the last bracket, relative to the answer.
    """
    x, last = guess, 0.98 * guess
    y, before = value(x), value(last)
    for _ in range(12):
        if y == before or not 0 < x <= top or abs(x - last) <= relative / 8 * x:
            break
        last, before, x = x, y, x - (y - target) * (x - last) / (y - before)
        y = value(x) if 0 < x <= top else y
    low, high = x * (1 - relative / 2), min(x * (1 + relative / 2), top)
    if 0 < low < high and value(low) < target <= value(high):
        return high

    def reached(x: float) -> bool:
        return value(x) >= target

    return bisect(reached, 0.0, top, relative) if reached(top) else None


def smallest_whole(value: Callable[[Ints], Floats], target: float, guess: float) -> int | None:
    """Least whole n from which `value` stays at or above a target.

    The power of a test on counts rises with n in a saw's teeth, of a few times the square root of n. Every n
    is looked at from before the first that reaches until none has fallen short for four square roots of n,
    and for twice the stretch over which some reached and some did not.

    Parameters
    ----------
    value : callable
        Takes an array of consecutive whole numbers, 1 or more, gives the value at each.
    target : float
        What is to be reached.
    guess : float
        An approximate answer; a good one saves the search.

    Returns
    -------
    int or None
        None when no n below 2**53 reaches.
    """
    near = max(int(min(guess, MOST)), 1)
    reach = _teeth(near)
    while near < MOST:
        sizes = np.arange(max(near - reach, 1), near + 2 * reach)
        enough = value(sizes) >= target
        if sizes[0] == 1 and enough.all():
            return 1
        if enough.all() or not enough.any():  # a poor guess
            found = _first_crossing(value, target, near)
            if found is None:
                return None
            near, reach = found, _teeth(found)
            continue
        last = int(sizes[~enough][-1])
        wobble = last - int(sizes[enough][0])
        if last + max(_teeth(last), 2 * wobble) < sizes[-1]:
            return last + 1
        if reach > FARTHEST:
            return None
        reach *= 2
    return None


def _first_crossing(value: Callable[[Ints], Floats], target: float, start: int) -> int | None:
    """Some n that reaches the target while n - 1 does not."""

    def reached(n: float) -> bool:
        return bool(value(np.array([int(n)]))[0] >= target)

    above = double(reached, start)
    if above is None:
        return None
    low, high = 0, int(above)
    while high - low > 1:
        middle = (low + high) // 2
        if reached(middle):
            high = middle
        else:
            low = middle
    return high


def _teeth(n: int) -> int:
    """How far a tooth at n may reach; no further than memory does, where n is beyond 1e10."""
    return min(int(4 * np.sqrt(n)) + 20, FARTHEST)
