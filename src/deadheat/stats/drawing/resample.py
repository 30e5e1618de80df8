"""Resampled scores: the same draws of items, or of whole clusters, for every row at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MethodError
from deadheat.stats.drawing.multinomial import resampling_weights
from deadheat.stats.numerics import popcount
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.score.item_design import Codes, Groups, Values, nested

FLOAT32 = 24  # binary digits of a whole number that float32 holds
PACKS = 256  # units from which half a product wins back what taking two sums apart costs


class Layer(NamedTuple):
    """Sums over the resampling units (clusters, or items) of one stratum.

    Parameters
    ----------
    total, mass : (E, G) float64
        Sums of weight times value and of weight, on a grid on which every sum of a resample is exact.
    even : bool
        Whether every row has the same mass 1 in every unit: then a resample's mass is known.
    small : bool
        Whether every sum of a resample is a whole number that float32 holds exactly.
    """

    total: Floats
    mass: Floats
    even: bool
    small: bool


def layers(
    values: Values,
    present: NDArray[np.bool_],
    cluster: Codes | None = None,
    weights: Values | None = None,
    stratum: Codes | None = None,
) -> list[Layer]:
    """Sum a panel by resampling unit, one layer for each stratum; see `bootstrap_scores` for the arrays.

    Raises
    ------
    MethodError
        Clusters that reach over strata: they cannot be drawn within them.
    """
    groups = Groups(cluster, values.shape[1])
    layer = nested(groups, stratum)
    if layer is None:
        raise MethodError("a bootstrap draws clusters within categories; found clusters that reach over them")
    mass = present.astype(np.float64)
    if weights is not None:
        mass *= weights
    total = groups.sum(mass * values)
    mass = groups.sum(mass)
    strata = np.unique(layer)
    if len(strata) == 1:
        return [_layer(total, mass)]
    return [_layer(total[:, here], mass[:, here]) for here in (layer == s for s in strata)]


def _layer(total: Floats, mass: Floats) -> Layer:
    even = bool(np.all(mass == 1))
    if _small(total) and (even or _small(mass)):
        return Layer(total, mass, even, small=True)
    return Layer(_on_grid(total), _on_grid(mass), even, small=False)


def _small(sums: Floats) -> bool:
    """Whether the sums of every resample are whole numbers that float32 holds exactly."""
    largest = max(float(sums.max(initial=0.0)), -float(sums.min(initial=0.0)))
    return largest * sums.shape[1] < 2**FLOAT32 and bool(np.all(sums == np.rint(sums)))


def _on_grid(sums: Floats) -> Floats:
    """Round to a binary grid so coarse that no sum of a resample rounds: then no order of summing matters.

    The grid is about 2^-52 of the largest possible sum, so a score moves by 1e-13 at the very most, while
    draws become the same to the last bit on any number of threads and any machine.
    """
    largest = float(np.abs(sums).max(initial=0.0)) * sums.shape[1]
    if largest == 0:
        return sums
    scale = 2.0 ** np.floor(52 - np.log2(largest))
    return np.asarray(np.rint(sums * scale) / scale)


def bootstrap_scores(
    values: Values,
    present: NDArray[np.bool_],
    cluster: Codes | None = None,
    weights: Values | None = None,
    draws: int = 10_000,
    *,
    rng: np.random.Generator,
    stratum: Codes | None = None,
) -> Floats:
    """Scores of every row in resamples of the items, or of whole clusters, that all rows share.

    Parameters
    ----------
    values, present : (E, M)
        Item values, and where they exist.
    cluster : (M,) int, optional
        Clusters to draw; items by default.
    weights : (M,), optional
        Item weights, none negative.
    draws : int
        Number of resamples.
    rng : numpy.random.Generator
    stratum : (M,) int, optional
        Strata that count alike; units are drawn within each.

    Returns
    -------
    (draws, E) float64
        NaN where a resample has nothing of a row. Differences of two columns are paired. Columns are
        contiguous.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 6 and 13.
    """
    return resampled(layers(values, present, cluster, weights, stratum), draws, rng=rng)


def resampled(parts: list[Layer], draws: int, *, rng: np.random.Generator) -> Floats:
    """Scores in resamples of the units of each layer; see `bootstrap_scores`."""
    out = np.zeros((len(parts[0].total), draws))  # a row's draws lie together in memory, ready to be sorted
    for part in parts:
        start = 0
        for total, mass in _sums(part, draws, rng):
            block = slice(start, start + total.shape[1])
            start = block.stop
            with np.errstate(invalid="ignore"):
                if len(parts) == 1:
                    np.divide(total, mass, out=out[:, block], dtype=np.float64)
                else:
                    out[:, block] += np.divide(total, mass, dtype=np.float64) / len(parts)
    return out.T


def orders(parts: list[Layer], draws: int, *, rng: np.random.Generator) -> Iterator[NDArray[Any]]:
    """What orders the rows in each resample, block by block, for ranks that need no scores.

    Yields
    ------
    (b, E) int32 or float64
        Whole totals where every resample has the same mass for all; scores otherwise, NaN where a resample
        has nothing of a row. Over all blocks the resamples are those of `resampled`.
    """
    if len(parts) > 1:
        yield resampled(parts, draws, rng=rng)
        return
    for total, mass in _sums(parts[0], draws, rng):
        if parts[0].even and parts[0].small:
            yield total.astype(np.int32, copy=False).T
        else:
            with np.errstate(invalid="ignore"):
                yield np.divide(total, mass, dtype=np.float64).T


def _sums(
    part: Layer, draws: int, rng: np.random.Generator
) -> Iterator[tuple[NDArray[Any], NDArray[Any] | int]]:
    """Total and mass of every row in the next resamples, (E, b)."""
    entries, units = part.total.shape
    rows = part.total if part.even else np.concatenate([part.total, part.mass])
    dtype, product = _product(rows, part.small, draws)
    weights = resampling_weights(units, draws, rng=rng, dtype=dtype)
    for counts in _ahead(weights) if dtype is np.uint8 else weights:
        sums = product(counts)
        yield sums[:entries], units if part.even else sums[entries:]


def _ahead(weights: Iterator[NDArray[Any]]) -> Iterator[NDArray[Any]]:
    """Draw the next weights in a thread of their own while the last are used, in threads too."""
    with ThreadPoolExecutor(1) as pool:
        following = pool.submit(next, weights, None)
        while (counts := following.result()) is not None:
            following = pool.submit(next, weights, None)
            yield counts


def _product(
    rows: Floats, small: bool, draws: int
) -> tuple[type[np.number[Any]], Callable[[NDArray[Any]], NDArray[Any]]]:
    """How to add up rows (R, G) by counts of the units (b, G), and the type of these: exact in every way."""
    if not small:
        return np.float64, lambda counts: rows @ counts.T
    number, units = rows.shape
    if popcount.pays(number * draws, units) and bool(((rows == 0) | (rows == 1)).all()):
        bits = popcount.pack(rows)
        return np.uint8, lambda counts: popcount.counts_product(bits, counts)
    digits = int(units * rows.max(initial=0.0)).bit_length()
    single = rows.astype(np.float32)
    if units < PACKS or 2 * digits > FLOAT32 or rows.min(initial=0.0) < 0:
        return np.float32, lambda counts: single @ counts.T
    half = (number + 1) // 2  # two rows in one: their sums are the low and the high digits of its sum
    single[: number - half] += 2.0**digits * single[half:]

    def product(counts: NDArray[np.float32]) -> NDArray[np.int32]:
        both = (single[:half] @ counts.T).astype(np.int32)
        sums = np.empty((number, len(counts)), dtype=np.int32)
        np.bitwise_and(both, (1 << digits) - 1, out=sums[:half])
        np.right_shift(both[: number - half], digits, out=sums[half:])
        return sums

    return np.float32, product


def jackknife_scores(
    values: Values,
    present: NDArray[np.bool_],
    cluster: Codes | None = None,
    weights: Values | None = None,
) -> Floats:
    """Score of each row without each unit in turn.

    Parameters
    ----------
    values, present, cluster, weights
        As in `bootstrap_scores`.

    Returns
    -------
    (E, G) float64
        NaN where the row has nothing of the unit, or nothing else.
    """
    (part,) = layers(values, present, cluster, weights)
    total = part.total.sum(axis=1, keepdims=True) - part.total
    mass = part.mass.sum(axis=1, keepdims=True) - part.mass
    some = (part.mass > 0) & (mass > 1e-12 * mass.max(axis=1, keepdims=True))
    return np.asarray(np.divide(total, mass, out=np.full_like(total, np.nan), where=some))
