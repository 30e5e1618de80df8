"""Tests of two entries as functions of sums over items, all that a collapsed simulation keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat import methods
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.pvalues import PValues, normal, student
from deadheat.stats.paired import mcnemar, unpaired
from deadheat.stats.score.clustered import Error

Counts = NDArray[Any]

NOTHING = np.zeros((), dtype=np.int64)


class Sums(NamedTuple):
    """Sums over the items of one pair of entries, arrays of one shape; c are right samples at an item.

    Parameters
    ----------
    items, samples : int
    difference, squares : int
        Sums of (c_a - c_b) and of its square.
    a, b, squares_a, squares_b : int
        Sums of c and of its square for each entry, where a test asks for them.
    """

    items: int
    samples: int
    difference: Counts
    squares: Counts
    a: Counts = NOTHING
    b: Counts = NOTHING
    squares_a: Counts = NOTHING
    squares_b: Counts = NOTHING


def _error(sums: Sums, total: Counts, squares: Counts) -> Error:
    """Standard error of a total over items: 0 where every item adds the same."""
    m = sums.items
    spread = squares - total**2 / m
    spread = np.where(spread <= 1e-9 * squares, 0.0, spread)
    return Error(np.sqrt(spread * m / (m - 1)), np.full(spread.shape, m - 1.0))


def _flat(sums: Sums, p: Floats) -> Floats:
    """Put the sign test over the items where the differences have no spread, as for real results."""
    flat = _error(sums, sums.difference, sums.squares).se == 0
    if not flat.any():
        return p
    plus, minus = (np.where(sign, sums.items, 0) for sign in (sums.difference > 0, sums.difference < 0))
    return np.where(flat, mcnemar.mcnemar_exact(plus, minus).p, p)


def _ratio(difference: Counts, error: Error) -> Floats:
    return np.asarray(difference / np.where(error.se > 0, error.se, np.inf))


def _t(sums: Sums) -> Floats:
    error = _error(sums, sums.difference, sums.squares)
    return _flat(sums, student(_ratio(sums.difference, error), error.df).p)


def _z(sums: Sums) -> Floats:
    """The t statistic against the normal distribution; without spread any difference is one."""
    error = _error(sums, sums.difference, sums.squares)
    known = normal(_ratio(sums.difference, error)).p
    return np.where(error.se > 0, known, np.where(sums.difference == 0, 1.0, 0.0))


def _unpaired(sums: Sums) -> Floats:
    attempts = sums.items * sums.samples
    return unpaired.two_proportions(sums.a, attempts, sums.b, attempts).p


def _welch(sums: Sums) -> Floats:
    of_a, of_b = _error(sums, sums.a, sums.squares_a), _error(sums, sums.b, sums.squares_b)
    error = unpaired.welch(of_a, of_b)
    return _flat(sums, student(_ratio(sums.difference, error), error.df).p)


def _counts(test: Callable[..., PValues]) -> Callable[[Sums], Floats]:
    def p(sums: Sums) -> Floats:
        return test((sums.squares + sums.difference) // 2, (sums.squares - sums.difference) // 2).p

    return p


class Collapsed(NamedTuple):
    """A test as a function of sums.

    Parameters
    ----------
    p : callable
        Two-sided p-values of `Sums`.
    single : bool
        Whether it takes one sample an item only.
    paired : bool
        Whether the differences alone decide.
    """

    p: Callable[[Sums], Floats]
    single: bool = False
    paired: bool = True


COLLAPSED: dict[str, Collapsed] = {
    "mcnemar": Collapsed(_counts(mcnemar.mcnemar_exact), single=True),
    "mid-p": Collapsed(_counts(mcnemar.mcnemar_mid_p), single=True),
    "mcnemar-cc": Collapsed(_counts(mcnemar.mcnemar_cc), single=True),
    "mcnemar-chi2": Collapsed(_counts(mcnemar.mcnemar_chi2), single=True),
    "t": Collapsed(_t),
    "z": Collapsed(_z),
    "unpaired-z": Collapsed(_unpaired, paired=False),
    "welch": Collapsed(_welch, paired=False),
}
"""Tests that need no more than sums. `z` is t against the normal distribution, as often in print."""

DRAWN = tuple(name for name, test in methods.TESTS.items() if test.fit.draws)
"""Tests that draw, for which every item is simulated and the test of real results is called."""

TESTS = (*COLLAPSED, *DRAWN)
