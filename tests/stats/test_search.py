"""Searches for a smallest number: by hand, and against looking at every number."""

import numpy as np
import pytest

from deadheat.stats.numerics.search import bisect, crossing, double, smallest_whole


def every(value, target, most):
    """The least n from which the value stays at or above the target, by looking at every one."""
    sizes = np.arange(1, most)
    short = sizes[value(sizes) < target]
    return 1 if not len(short) else int(short[-1]) + 1


def teeth(n):
    """A rising saw."""
    return 1 - 1 / (1 + n / 30) + 0.02 * (n % 7 == 0)


@pytest.mark.parametrize("guess", [1, 5, 100, 3000, 1e6])
@pytest.mark.parametrize("target", [0.001, 0.3, 0.5, 0.9])
def test_smallest_whole(guess, target):
    assert smallest_whole(teeth, target, guess) == every(teeth, target, 5000)


def test_nothing_reaches():
    assert smallest_whole(lambda n: 0.5 * np.ones(n.shape), 0.9, 10) is None
    assert double(lambda n: False, 3) is None


def test_crossing_of_a_line_and_of_a_flat_one():
    for guess in (0.1, 3.0, 90.0):
        assert crossing(lambda x: 2 * x, 7.0, guess, 100.0, 1e-9) == pytest.approx(3.5, rel=1e-8)
    assert crossing(lambda x: float(x >= 3.5), 1.0, 3.0, 100.0, 1e-9) == pytest.approx(3.5, rel=1e-8)
    assert crossing(lambda x: np.tanh(9 * (x - 20)), 0.5, 1.0, 100.0, 1e-9) == pytest.approx(
        20 + np.arctanh(0.5) / 9, rel=1e-8
    )


def test_bisect():
    assert bisect(lambda x: x * x >= 2, 1.0, 2.0) == pytest.approx(2**0.5, rel=1e-15)


def test_a_crossing_that_secants_come_to_slowly():
    assert crossing(lambda x: x**15, 3.0**15, 40.0, 1e6) == pytest.approx(3.0, rel=1e-11)


def test_teeth_without_an_end_are_given_up():
    assert smallest_whole(lambda n: np.where(n % 3 == 0, 0.4, 0.6), 0.5, 10) is None


def test_a_guess_beyond_every_size_finds_nothing():
    assert smallest_whole(teeth, 0.5, 1e300) is None
