"""The study of clusters: how much less items tell when they share difficulty."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MethodError
from deadheat.simulating.board_worlds import BoardWorld
from deadheat.simulating.jobs import Estimates, Job
from deadheat.simulating.study_design import Design, Row, row
from deadheat.simulating.subjects import Source, factor_world, items_of, samples_of, singles
from deadheat.simulating.worlds import World
from deadheat.stats.drawing.collapse import convolution_power, count_pmf
from deadheat.stats.drawing.draws import sums_of_items
from deadheat.stats.drawing.item_worlds import moments
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.search import bisect
from deadheat.stats.samples.sample_layout import variance_factor

Ints = NDArray[np.int64]


class Truth(NamedTuple):
    """What is true of an entry's values at the items of clusters.

    Parameters
    ----------
    rate, variance, shared : float
        Mean and variance of an item's value, and covariance of two values of one cluster.
    icc : float
        Correlation of two single samples at different items of one cluster.
    """

    rate: float
    variance: float
    shared: float
    icc: float


def clusters(design: Design, source: Source) -> list[Job]:
    """Inflation of the variance by clusters of items, and the independent items that would tell as much."""
    jobs = []
    for at, (labels, found) in enumerate(singles(design, source)):
        world = factor_world(found, "clusters")
        for items in items_of(design, source, (2294,)):
            sizes = cluster_sizes(design, source, items)
            for samples in samples_of(design, source, (1,)):
                for rho in _rhos(design, source, world, at):
                    jobs.append(_job(labels, world, sizes, samples, rho))
    return jobs


def cluster_sizes(design: Design, source: Source, items: int) -> Ints:
    """Sizes of the clusters: the board's own, or equal ones with a smaller last."""
    if isinstance(source, BoardWorld) and source.cluster is not None and design.cluster_size is None:
        return np.unique(source.cluster, return_counts=True)[1].astype(np.int64)
    size = design.cluster_size or 12
    sizes = np.full(-(-items // size), size, dtype=np.int64)
    sizes[-1] = items - size * (len(sizes) - 1)
    return sizes


def _rhos(design: Design, source: Source, world: World, entry: int) -> tuple[float, ...]:
    """Shares of difficulty that clusters have in common: as asked, as fits the board, or the study's own."""
    if design.rho is not None:
        return design.rho
    if not isinstance(source, BoardWorld):
        return (0.2, 0.4)
    if source.cluster is None:
        raise MethodError(
            "clusters of a board were asked for without saying which: --cluster COLUMN names them, or "
            "--rho and --cluster-size state them"
        )
    target = source.cluster_icc(entry)
    if np.isnan(target):
        raise MethodError("the board's clusters say nothing of what their items share; --rho states it")

    def reached(rho: float) -> bool:
        return truth(world, 1, rho).icc >= target

    return (bisect(reached, 0.0, 1.0) if reached(1.0) else 1.0,)


def truth(world: World, samples: int, rho: float) -> Truth:
    """Find the exact moments of an entry's values at clustered items."""
    parts = moments(world.types(1))
    rate, noise = float(parts.rate[0]), float(parts.samples[0])
    variance = float(parts.items[0, 0]) + noise / samples
    weight, types = world.clustered(1, rho)
    means = np.array([float(each.mean[0] @ each.weight) for each in types])
    shared = float(weight @ (means - rate) ** 2)
    return Truth(rate, variance, shared, shared / (rate * (1 - rate)))


def _job(labels: Row, world: World, sizes: Ints, samples: int, rho: float) -> Job:
    known = truth(world, samples, rho)
    weight, types = world.clustered(samples, rho)
    given = np.stack([count_pmf(each)[0] for each in types])
    counted = [
        (int(size), int(count)) for size, count in zip(*np.unique(sizes, return_counts=True), strict=True)
    ]
    totals = tuple((size, count, weight @ convolution_power(given, size)) for size, count in counted)
    items = int(sizes.sum())
    cell = {**labels, "items": items, "samples": samples, "clusters": len(sizes), "rho": rho}
    name = "/".join(str(value) for value in (*cell.values(), *counted))
    return Job(
        f"clusters/{name}",
        cluster_kernel,
        (totals, samples, known.rate, known.variance),
        _rows(cell, sizes, samples, known),
    )


def cluster_kernel(
    totals: tuple[tuple[int, int, Floats], ...],
    samples: int,
    rate: float,
    variance: float,
    *,
    replicates: int,
    rng: np.random.Generator,
) -> Floats:
    """Inflation of the score's variance, and correlation within clusters, (replicates, 2).

    Parameters
    ----------
    totals : tuple of (size, count, (size * samples + 1,) float64)
        Sizes of clusters, how many there are, and the distribution of their right samples.
    samples : int
    rate, variance : float
        True mean and variance of an item's value.
    """
    items = sum(size * count for size, count, _ in totals)
    pairs = sum(size * (size - 1) * count for size, count, _ in totals)
    away, spread = np.zeros(replicates), np.zeros(replicates)
    for size, count, pmf in totals:
        c = np.arange(len(pmf))
        sums = sums_of_items(pmf, np.stack([c, c * c], axis=1), count, replicates, rng=rng)
        first, second = sums[:, 0] / samples, sums[:, 1] / samples**2
        away += first - count * size * rate
        spread += second - 2 * size * rate * first + count * (size * rate) ** 2
    inflation = away**2 / (items * variance)
    icc = (spread - items * variance) / (max(pairs, 1) * rate * (1 - rate))
    return np.stack([inflation, icc], axis=1)


def _rows(cell: Row, sizes: Ints, samples: int, known: Truth) -> Callable[[Estimates], list[Row]]:
    items = int(sizes.sum())
    correlation = known.shared / known.variance
    inflation = float(variance_factor(cluster_size=float((sizes**2).sum()) / items, icc=correlation))
    equal = float(variance_factor(cluster_size=float(sizes.max()), icc=correlation))

    def rows(found: Estimates) -> list[Row]:
        value, icc = found.mean
        error = found.error[0]
        return [
            _row(cell, "correlation within clusters", icc, found.error[1], known.icc, known.icc),
            _row(cell, "variance inflation", value, error, inflation, equal),
            _row(
                cell,
                "effective items",
                items / value,
                items * error / value**2,
                items / inflation,
                items / equal,
            ),
        ]

    return rows


def _row(cell: Row, quantity: str, value: float, error: float, exact: float, equal: float) -> Row:
    """A line; `equal` is for clusters that are all as large as the largest, as in the textbook's formula."""
    return row({**cell, "quantity": quantity}, value, error, exact, {"equal_clusters": equal})
