"""How often tests of two entries reject: simulated, exact where a sum exists, and by normal theory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.simulating.collapsed_tests import COLLAPSED, Collapsed, Sums
from deadheat.stats.drawing.draws import blocks, guide_table, look_up, sums_of_items
from deadheat.stats.drawing.item_worlds import Moments
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.pvalues import critical_z
from deadheat.stats.paired import catalogue
from deadheat.stats.paired.pairs import Pairs
from deadheat.stats.power.effects import z_power
from deadheat.stats.power.unconditional import discordant_probability, pooled_z_rejects


class Truth(NamedTuple):
    """True moments of a pair at one item.

    Parameters
    ----------
    gap : float
        Difference of the rates.
    spread : float
        Variance over items of the difference of the two values.
    own : float
        Sum of the two values' variances, as if the entries had met different items.
    pooled : float
        Mean of the two rates.
    samples : int
    """

    gap: float
    spread: float
    own: float
    pooled: float
    samples: int


def truth_of(pair: Moments, samples: int) -> Truth:
    """Return the same from a world's moments, for any number of samples."""
    own = float(np.trace(pair.items)) + float(pair.samples.sum()) / samples
    gap = float(pair.rate[0] - pair.rate[1])
    return Truth(gap, own - 2 * float(pair.items[0, 1]), own, float(pair.rate.mean()), samples)


class Tables(NamedTuple):
    """What one item does to a pair.

    Parameters
    ----------
    joint : (n + 1, n + 1) float64
        Joint probability of the two counts of right samples.
    samples : int
    """

    joint: Floats
    samples: int

    def symmetric(self) -> Tables:
        """Return the pair in which both entries are equal, with the same share of agreement."""
        return Tables((self.joint + self.joint.T) / 2, self.samples)

    def truth(self) -> Truth:
        """Return the true moments of the pair."""
        c = np.arange(self.samples + 1) / self.samples
        first, second = self.joint.sum(axis=1), self.joint.sum(axis=0)
        rate_a, rate_b = float(c @ first), float(c @ second)
        own = float(c**2 @ first) - rate_a**2 + float(c**2 @ second) - rate_b**2
        both = float(np.einsum("j,jk,k->", c, self.joint, c)) - rate_a * rate_b
        return Truth(rate_a - rate_b, own - 2 * both, own, (rate_a + rate_b) / 2, self.samples)


def fitting(names: Sequence[str], samples: int, items: int, most: int) -> tuple[list[str], list[str]]:
    """Part the tests that fit into those that need sums only and those that draw.

    Parameters
    ----------
    names : sequence of str
    samples, items : int
    most : int
        Items beyond which tests that draw are left out.
    """
    collapsed = [name for name in names if name in COLLAPSED and (samples == 1 or not COLLAPSED[name].single)]
    drawn = [name for name in names if name not in COLLAPSED and items <= most]
    return collapsed, drawn


def collapsed_kernel(
    pmf: Floats,
    items: int,
    samples: int,
    names: tuple[str, ...],
    alpha: float,
    *,
    replicates: int,
    rng: np.random.Generator,
) -> Floats:
    """Whether each test rejects in each replicate, (replicates, tests).

    Parameters
    ----------
    pmf : (2 n + 1,) or (n + 1, n + 1) float64
        Probability of each difference of the two counts at an item, or of both counts.
    items, samples : int
    names : tuple of str
    alpha : float
    """
    if pmf.ndim == 1:
        d = np.arange(-samples, samples + 1)
        found = sums_of_items(pmf, np.stack([d, d * d], axis=1), items, replicates, rng=rng)
        sums = Sums(items, samples, found[:, 0], found[:, 1])
    else:
        a, b = (axis.ravel() for axis in np.indices(pmf.shape))
        features = np.stack([a, b, (a - b) ** 2, a * a, b * b], axis=1)
        of_a, of_b, squares, squares_a, squares_b = sums_of_items(
            pmf.ravel(), features, items, replicates, rng=rng
        ).T
        sums = Sums(items, samples, of_a - of_b, squares, of_a, of_b, squares_a, squares_b)
    return np.stack([COLLAPSED[name].p(sums) < alpha for name in names], axis=1).astype(np.float64)


def drawn_kernel(
    joint: Floats,
    items: int,
    samples: int,
    names: tuple[str, ...],
    alpha: float,
    draws: int,
    *,
    replicates: int,
    rng: np.random.Generator,
) -> Floats:
    """The same with every item simulated, for tests that take the items themselves."""
    guide, base = guide_table(joint.ravel()), samples + 1
    out = np.empty((replicates, len(names)))
    for rows in blocks(replicates, 8 * items):
        shape = (rows.stop - rows.start, items)
        codes = look_up(guide, rng.random(shape[0] * items)).reshape(shape)
        everywhere = np.ones(shape, dtype=bool)
        pairs = Pairs(codes // base / samples, codes % base / samples, everywhere, everywhere)
        for at, name in enumerate(names):
            out[rows, at] = catalogue.P_VALUES[name](pairs, draws=draws, rng=rng).p < alpha
    return out


def exact_rejection(name: str, tables: Tables, items: int, alpha: float) -> float | None:
    """The exact chance that a test rejects, where one sample an item makes it a sum over tables."""
    if tables.samples != 1 or name not in COLLAPSED:
        return None
    joint, test = tables.joint, COLLAPSED[name]
    if name == "unpaired-z":
        return pooled_z_rejects(items, joint, critical_z(1 - alpha))
    if not test.paired:
        return None
    return discordant_probability(_rejects(test, items, alpha), items, float(joint[1, 0]), float(joint[0, 1]))


def _rejects(
    test: Collapsed, items: int, alpha: float
) -> Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[Any]]:
    def event(b: NDArray[np.int64], c: NDArray[np.int64]) -> NDArray[Any]:
        fits = b + c <= items
        return np.asarray(test.p(Sums(items, 1, np.where(fits, b - c, 0), np.where(fits, b + c, 0))) < alpha)

    return event


def normal_rejection(name: str, truth: Truth, items: int, alpha: float) -> float | None:
    """The chance that a test rejects if its statistic were normal, with the true variances by quadrature."""
    if name not in COLLAPSED:
        return None
    supposed = {
        "unpaired-z": 2 * truth.pooled * (1 - truth.pooled) / truth.samples,
        "welch": truth.own,
    }.get(name, truth.spread)
    return float(z_power(truth.gap, supposed, truth.spread, items, alpha))
