"""How items make up a score: weights, strata, clusters, and the sums that errors are made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.stats.numerics.bounds import Floats

Codes = NDArray[np.integer[Any]]
Values = NDArray[np.floating[Any]]
BLOCK_CELLS = 1 << 18  # 2 MB an array: they stay in the cache


class Groups:
    """Sums of columns by code, for all rows at once; without codes each column is its own group."""

    def __init__(self, codes: Codes | None, columns: int) -> None:
        self.codes = np.arange(columns) if codes is None else np.unique(codes, return_inverse=True)[1]
        self.size = int(self.codes.max()) + 1 if columns else 0
        self.single = self.size == columns and bool(np.all(self.codes == np.arange(columns)))
        self.sorted = bool(np.all(self.codes[1:] >= self.codes[:-1]))
        self.order = np.argsort(self.codes, kind="stable")
        self.starts = np.searchsorted(self.codes[self.order], np.arange(self.size))

    def sum(self, rows: Floats) -> Floats:
        """Sum (E, M) by group into (E, G)."""
        if self.single:
            return rows
        return np.add.reduceat(rows if self.sorted else rows[:, self.order], self.starts, axis=1)

    def first(self, columns: NDArray[Any]) -> NDArray[Any]:
        """Take (M,) labels of items at the first item of each group."""
        return np.asarray(columns[self.order][self.starts])


class Parts(NamedTuple):
    """One block of rows, summed by cluster; a cluster without items has zeros.

    Parameters
    ----------
    mean : (E,) float64
        Score: the weighted mean, or with strata the plain mean of the stratum means.
    total : (E, G) float64
        Sum over the cluster of ``u_j (x_j - centre)``, u normalised weights: its share in the error.
    share : (E, G) float64
        Sum over the cluster of u, scaled to sum to 1 in each stratum.
    square : (E, G) float64
        Sum over the cluster of u squared.
    """

    mean: Floats
    total: Floats
    share: Floats
    square: Floats


def blocks(rows: int, columns: int) -> Iterator[slice]:
    """Slices of rows that bound the cells handled at once."""
    step = max(1, BLOCK_CELLS // max(columns, 1))
    return (slice(start, start + step) for start in range(0, rows, step))


def influence(
    values: Values,
    present: NDArray[np.bool_],
    weights: Values | None,
    stratum: Codes | None,
    shares: Values | None = None,
) -> tuple[Floats, Floats, Floats]:
    """Score of each row, normalised weight of each cell, and what each cell adds to the error.

    Parameters
    ----------
    values, present : (E, M)
        Item values, and where they exist.
    weights : (M,) or None
        Item weights, none negative; 0 is the same as absent.
    stratum : (M,) int or None
        Strata that count alike, whatever their size, or by `shares`.
    shares : (S,) or None
        Share of each stratum in the score, in the order of their codes; they sum to 1.

    Returns
    -------
    score : (E,) float64
        NaN for a row that lacks a whole stratum, or everything.
    u : (E, M) float64
        Weights that sum to 1.
    residual : (E, M) float64
        ``u (x - centre)``; the centre is the score or the mean of the stratum.
    """
    w = present.astype(np.float64)
    if weights is not None:
        w *= weights
    layers = Groups(np.zeros(w.shape[1], dtype=np.intp) if stratum is None else stratum, w.shape[1])
    mass = layers.sum(w)
    mass[mass == 0] = np.nan
    x = np.asarray(values, dtype=np.float64)
    part = np.full(layers.size, 1 / layers.size) if shares is None else shares
    # Not a product of matrices: a row must not depend on how many others there are.
    score = (layers.sum(w * x) / mass * part).sum(axis=1)
    first = np.take_along_axis(x, np.argmax(w > 0, axis=1)[:, None], axis=1)
    x = x - first  # so that a constant has a spread of exactly zero
    centre = layers.sum(w * x) / mass
    u = w / (mass / part)[:, layers.codes]
    residual = np.where(w > 0, u * (x - centre[:, layers.codes]), 0.0)
    return score, u, residual


def parts(
    values: Values,
    present: NDArray[np.bool_],
    groups: Groups,
    weights: Values | None,
    stratum: Codes | None,
    shares: Values | None = None,
) -> Parts:
    """Sum a block of rows by cluster; see `Parts`."""
    score, u, residual = influence(values, present, weights, stratum, shares)
    strata: float | Floats = 1.0
    if stratum is not None:
        codes = np.unique(stratum, return_inverse=True)[1]
        strata = float(codes.max(initial=-1)) + 1 if shares is None else 1 / shares[codes]
    return Parts(score, groups.sum(residual), groups.sum(u * strata), groups.sum(u * u))


def nested(groups: Groups, stratum: Codes | None) -> Codes | None:
    """Stratum of each cluster (all 0 without strata), or None where a cluster reaches over strata."""
    if stratum is None:
        return np.zeros(groups.size, dtype=np.intp)
    codes = np.unique(stratum, return_inverse=True)[1]
    of_cluster = groups.first(codes)
    return of_cluster if np.array_equal(of_cluster[groups.codes], codes) else None
