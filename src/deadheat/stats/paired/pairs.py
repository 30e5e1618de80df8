"""Pairs of entries on shared items: differences, cells, and the errors of a mean difference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MethodError
from deadheat.methods import NO_RERUNS
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.pvalues import PValues, student_or_sign
from deadheat.stats.paired import mcnemar, unpaired
from deadheat.stats.score import clustered
from deadheat.stats.score.clustered import Error, Kind
from deadheat.stats.score.item_design import Codes, Groups, Values

GRID = 40  # differences are rounded to 2**-40 of the largest value, so that equal differences are equal
FINEST = 1000  # 2**1024 would overflow


class Cells(NamedTuple):
    """Items that both, only a, only b, and neither got right, (P,) each."""

    both: NDArray[np.int64]
    a_only: NDArray[np.int64]
    b_only: NDArray[np.int64]
    neither: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Pairs:
    """P pairs of entries over M items.

    Parameters
    ----------
    a, b : (P, M)
        Values of the two entries of each pair.
    in_a, in_b : (P, M) bool
        Where each entry has a value.
    cluster, stratum : (M,) int, optional
        Clusters of items, and strata that count alike.
    weights : (M,), optional
        Item weights.
    samples_a, samples_b : (P, M) int, optional
        Attempts behind each value; one each by default.
    within_a, within_b : (P, M) float64, optional
        Estimated variance of each value under reruns; NaN where there are too few samples.
    shares : (S,), optional
        Shares of the strata in the score, where they do not count alike.
    """

    a: Values
    b: Values
    in_a: NDArray[np.bool_]
    in_b: NDArray[np.bool_]
    cluster: Codes | None = None
    weights: Values | None = None
    stratum: Codes | None = None
    samples_a: NDArray[np.integer[Any]] | None = None
    samples_b: NDArray[np.integer[Any]] | None = None
    within_a: Floats | None = None
    within_b: Floats | None = None
    shares: Values | None = None

    @cached_property
    def both(self) -> NDArray[np.bool_]:
        """Items that both entries of a pair have."""
        return self.in_a & self.in_b

    @cached_property
    def shared(self) -> NDArray[np.int64]:
        """Number of items that both have."""
        return np.asarray(self.both.sum(axis=1))

    @cached_property
    def in_unit(self) -> NDArray[np.bool_]:
        """Whether all shared values of a pair lie in [0, 1]."""
        inside = (self.a >= 0) & (self.a <= 1) & (self.b >= 0) & (self.b <= 1)
        return np.asarray((inside | ~self.both).all(axis=1))

    @cached_property
    def gap(self) -> Floats:
        """Differences a - b, (P, M), 0 where not shared; on a binary grid: equal ones are equal."""
        largest = max(
            float(np.abs(x, where=has, out=np.zeros(has.shape)).max(initial=0.0))
            for x, has in ((self.a, self.both), (self.b, self.both))
        )
        # The least numbers lie on a binary grid by themselves, and their scale would be infinite.
        scale = 2.0 ** min(GRID - np.ceil(np.log2(largest)), FINEST) if largest > 0 else 1.0
        gap = np.where(self.both, self.a, 0).astype(np.float64) - np.where(self.both, self.b, 0)
        return np.asarray(np.rint(gap * scale) / scale)

    @cached_property
    def difference(self) -> Floats:
        """Mean difference of each pair; NaN where nothing is shared."""
        return clustered.mean(self.gap, self.both, self.weights, self.stratum, self.shares)

    @cached_property
    def cells(self) -> Cells:
        """The two-by-two table of each pair.

        Raises
        ------
        MethodError
            When a shared value is neither 0 nor 1.
        """
        a, b = np.where(self.both, self.a, 0), np.where(self.both, self.b, 0)
        if not (np.isin(a, (0, 1)).all() and np.isin(b, (0, 1)).all()):
            raise MethodError(mcnemar.NOT_BINARY)
        a, b = a == 1, b == 1
        both, first, second = ((x & y).sum(axis=1) for x, y in ((a, b), (a, ~b), (~a, b)))
        return Cells(both, first, second, self.shared - both - first - second)

    def totals(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Right answers and attempts of a, then of b, each over its own items."""
        one = np.ones(1, dtype=np.int64)
        n_a = np.where(self.in_a, one if self.samples_a is None else self.samples_a, 0)
        n_b = np.where(self.in_b, one if self.samples_b is None else self.samples_b, 0)
        k_a = (np.where(self.in_a, self.a, 0) * n_a).sum(axis=1, dtype=np.float64)
        k_b = (np.where(self.in_b, self.b, 0) * n_b).sum(axis=1, dtype=np.float64)
        return k_a, n_a.sum(axis=1, dtype=np.float64), k_b, n_b.sum(axis=1, dtype=np.float64)


def error(pairs: Pairs, kind: Kind = "CR1") -> Error:
    """Standard error and degrees of freedom of the mean difference, over items or clusters drawn anew."""
    return clustered.standard_error(
        pairs.gap, pairs.both, pairs.cluster, pairs.weights, pairs.stratum, kind, pairs.shares
    )


def rerun_error(pairs: Pairs) -> Error:
    """Standard error of the mean difference if both entries attempted the same items again."""
    if pairs.within_a is None or pairs.within_b is None:
        raise MethodError(NO_RERUNS)
    sides = ((pairs.within_a, pairs.samples_a), (pairs.within_b, pairs.samples_b))
    a, b = (
        clustered.rerun_error(
            within,
            pairs.both,
            np.ones(pairs.both.shape, dtype=np.int64) if samples is None else samples,
            pairs.weights,
            pairs.stratum,
        )
        for within, samples in sides
    )
    return unpaired.welch(a, b)


def unpaired_error(pairs: Pairs, kind: Kind = "CR1") -> Error:
    """Error of the difference as if the two had been run on separate items, each over its own."""
    sides = ((pairs.a, pairs.in_a), (pairs.b, pairs.in_b))
    a, b = (
        clustered.standard_error(x, has, pairs.cluster, pairs.weights, pairs.stratum, kind)
        for x, has in sides
    )
    return unpaired.welch(a, b)


def own_difference(pairs: Pairs) -> Floats:
    """Difference of the two scores, each over its own items."""
    a, b = (
        clustered.mean(x, has, pairs.weights, pairs.stratum, pairs.shares)
        for x, has in ((pairs.a, pairs.in_a), (pairs.b, pairs.in_b))
    )
    return a - b


def clusters(pairs: Pairs) -> NDArray[np.int64]:
    """Number of clusters, or items without them, that both entries of a pair have."""
    groups = Groups(pairs.cluster, pairs.both.shape[1])
    return np.asarray((groups.sum(pairs.both.astype(np.float64)) > 0).sum(axis=1))


def t_values(
    pairs: Pairs, found: Error, difference: Floats | None = None, *, constant_is_evidence: bool = True
) -> PValues:
    """p of the mean difference by t.

    Differences without spread have no t. Where all are 0, p is 1; where all are the same, it is that of a
    sign test over the clusters, or NaN unless `constant_is_evidence`.
    """
    gap = pairs.difference if difference is None else difference
    return student_or_sign(gap, *found, clusters(pairs), constant_is_evidence=constant_is_evidence)
