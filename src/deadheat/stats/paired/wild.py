"""Random signs shared by all entries: a draw of every pair's difference under the null hypothesis.

A draw gives every cluster (item) a random sign, the same for all entries: the wild cluster bootstrap with
the null hypothesis imposed. Each pair is measured in units of the root of its own sum of squares, which no
sign changes. So each pair alone has its exact sign-flip distribution, however few of its items differ, and
the draws add what Holm's rule leaves out: how the pairs hang together.

References
----------
Cameron, Gelbach & Miller (2008), "Bootstrap-based improvements for inference with clustered errors",
Rev. Econ. Statist. 90, 414–427.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MethodError
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.score.item_design import Codes, Groups, Values, influence

Ints = NDArray[np.int64]
Signs = NDArray[np.floating[Any]]

DRAWS = 512  # draws in one block; fixed, for the blocks must not change the stream
PAIRS = 256  # pairs measured together: with the draws of a block they fill the cache
RAGGED = 10**8  # cells of pairs x clusters that a board with absent items may take (800 MB)


def sign_draws(clusters: int, draws: int, dtype: Any, rng: np.random.Generator) -> Iterator[Signs]:
    """Yield blocks (draws, clusters) of random signs; a draw does not depend on the draws asked for."""
    for start in range(0, draws, DRAWS):
        count = min(DRAWS, draws - start)
        width = -(-clusters // 8)
        bits = np.frombuffer(rng.bytes(count * width), dtype=np.uint8).reshape(count, width)
        yield 1 - 2 * np.unpackbits(bits, axis=1)[:, :clusters].astype(dtype)


class Product:
    """One block of draws of every entry's sum; the same for all pairs, for all entries have all items."""

    def __init__(self, sums: Signs) -> None:
        self.sums, self.draws = sums, sums.shape[1]
        self.far = np.abs(sums - sums.mean(axis=0)).max(axis=1).astype(np.float64)

    def differences(self, first: Ints, second: Ints) -> Signs:
        """First - second in every draw, (pairs, draws)."""
        out = self.sums[first]
        out -= self.sums[second]
        return out

    def reach(self, first: Ints, second: Ints) -> Floats:
        """Bound of the differences over all draws of the block."""
        return np.asarray(self.far[first] + self.far[second]) * (1 + 1e-4)


class Complete:
    """A board on which every entry has every item: a draw of one sum an entry serves all pairs."""

    def __init__(self, sums: Floats, whole: bool) -> None:
        self.dtype: Any = np.float32 if whole else np.float64  # whole numbers add up exactly in float32
        self.slack = 1e-5 if whole else 1e-9
        self.sums: Signs = sums.astype(self.dtype)
        self.clusters = sums.shape[1]
        exact = self.sums.astype(np.float64)
        self.total = exact.sum(axis=1)
        self.gram = exact @ exact.T

    def observed(self, first: Ints, second: Ints) -> tuple[Floats, Floats]:
        """The t of each pair, and 1 / root of its sum of squares (0 where the entries are equal)."""
        size = np.diag(self.gram)
        square = size[first] + size[second] - 2 * self.gram[first, second]
        doubt = np.flatnonzero(square <= 1e-6 * (size[first] + size[second]))
        for start in range(0, doubt.size, PAIRS):  # nearly equal rows: no difference of large numbers
            near = doubt[start : start + PAIRS]
            gap = self.sums[first[near]].astype(np.float64) - self.sums[second[near]]
            square[near] = (gap * gap).sum(axis=1)
        return _studentise(self.total[first] - self.total[second], square)

    def draw(self, signs: Signs) -> Product:
        """Sum every entry under a block of signs."""
        return Product(np.ascontiguousarray(self.sums @ signs.T))


class RaggedProduct:
    """One block of draws on a board with absent items: each pair has its own items, and its own sums."""

    def __init__(self, board: Ragged, signs: Signs) -> None:
        self.board, self.signs, self.draws = board, signs, len(signs)

    def differences(self, first: Ints, second: Ints) -> Signs:
        """First - second in every draw, (pairs, draws)."""
        return np.asarray(self.board.contrast(first, second) @ self.signs.T)

    def reach(self, first: Ints, second: Ints) -> Floats:
        """No bound is cheaper than the differences themselves."""
        return np.full(len(first), 1e150)


class Ragged:
    """A board with absent items: every pair is compared on the items that both entries have."""

    dtype: Any = np.float64
    slack = 1e-9

    def __init__(
        self,
        values: Values,
        present: NDArray[np.bool_],
        groups: Groups,
        weights: Values | None,
        stratum: Codes | None,
    ) -> None:
        entries = len(values)
        first, second = np.triu_indices(entries, 1)
        self.clusters = groups.size
        self.sums = np.empty((first.size, groups.size))
        self.at = np.zeros((entries, entries), dtype=np.int64)
        self.at[first, second] = self.at[second, first] = np.arange(first.size)
        for start in range(0, first.size, PAIRS):
            a, b = first[start : start + PAIRS], second[start : start + PAIRS]
            both = present[a] & present[b]
            gap = np.where(both, values[a].astype(np.float64) - values[b], 0.0)
            difference, u, _ = influence(gap, both, weights, stratum)
            known = np.isfinite(difference)[:, None]
            self.sums[start : start + PAIRS] = groups.sum(np.where(known, u * gap, np.nan))

    def contrast(self, first: Ints, second: Ints) -> Floats:
        """Weighted differences of the shared items by cluster, (pairs, clusters); NaN if undefined."""
        return self.sums[self.at[first, second]] * np.where(first < second, 1.0, -1.0)[:, None]

    def observed(self, first: Ints, second: Ints) -> tuple[Floats, Floats]:
        """The t of each pair (NaN where undefined), and 1 / root of its sum of squares."""
        total, square = np.empty(len(first)), np.empty(len(first))
        for start in range(0, len(first), PAIRS):
            part = slice(start, start + PAIRS)
            sums = self.contrast(first[part], second[part])
            total[part], square[part] = sums.sum(axis=1), (sums * sums).sum(axis=1)
        return _studentise(total, square)

    def draw(self, signs: Signs) -> RaggedProduct:
        """Make a block of signs ready for any pair."""
        return RaggedProduct(self, signs)


def _studentise(total: Floats, square: Floats) -> tuple[Floats, Floats]:
    """t and its scale; equal entries have t = 0, undefined ones NaN."""
    scale = np.divide(1.0, np.sqrt(square), out=np.zeros_like(square), where=square > 0)
    return np.where(np.isnan(square), np.nan, total * scale), scale


def board(
    values: Values,
    present: NDArray[np.bool_],
    cluster: Codes | None,
    weights: Values | None,
    stratum: Codes | None,
) -> Complete | Ragged:
    """Sum items by cluster, in the way that fits boards with or without absent items.

    Raises
    ------
    MethodError
        Absent items on a board that is too large for sums of every pair.
    """
    groups = Groups(cluster, values.shape[1])
    if not present.all():
        cells = len(values) * (len(values) - 1) // 2 * groups.size
        if cells > RAGGED:
            raise MethodError(
                f"max-t was asked of {len(values)} entries that do not all have the same {values.shape[1]} "
                f"items, which takes a sum for each pair and item: {cells:.1e} of them, and up to "
                f"{RAGGED:.0e} will do; the holm adjustment or a board of shared items would do"
            )
        return Ragged(values, present, groups, weights, stratum)
    if weights is None and stratum is None:
        whole = bool(np.all((values == 0) | (values == 1)))
        return Complete(groups.sum(np.asarray(values, dtype=np.float64)), whole)
    _, u, _ = influence(values[:1], present[:1], weights, stratum)
    return Complete(groups.sum(values * u * values.shape[1]), False)
