"""Where a rising function first reaches a target: over reals, and over whole numbers when it wobbles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.bounds import Floats

Ints = NDArray[np.int64]
MOST = 2**53  # whole numbers beyond this are not all doubles


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


def smallest_whole(value: Callable[[Ints], Floats], target: float, guess: float) -> int | None:
    """Least whole n from which `value` stays at or above a target.

    The power of a test on counts rises with n in a saw's teeth. The teeth reach back over at most a few times
    the square root of n, and only there is every n looked at.

    Parameters
    ----------
    value : callable
        Takes an array of whole numbers, 1 or more, gives the value at each.
    target : float
        What is to be reached.
    guess : float
        An approximate answer.

    Returns
    -------
    int or None
        None when no n below 2**53 reaches.
    """

    def reached(n: float) -> bool:
        return bool(value(np.array([int(n)]))[0] >= target)

    above = double(reached, max(int(guess), 1))
    if above is None:
        return None
    low, high = 0, int(above)
    while high - low > 1:
        middle = (low + high) // 2
        if reached(middle):
            high = middle
        else:
            low = middle
    reach = int(4 * np.sqrt(high)) + 20
    near = np.arange(max(high - reach, 1), high + reach + 1)
    short = near[value(near) < target]
    return int(short[-1]) + 1 if short.size else int(near[0])
