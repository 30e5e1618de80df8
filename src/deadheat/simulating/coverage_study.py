"""The study of intervals: how often each holds the true rate, or the true difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from deadheat.errors import MethodError
from deadheat.methods import SCORES
from deadheat.simulating.cluster_study import cluster_sizes
from deadheat.simulating.jobs import Estimates, Job
from deadheat.simulating.study_design import Design, Row, row
from deadheat.simulating.subjects import Source, factor_world, items_of, samples_of, singles
from deadheat.simulating.worlds import Items
from deadheat.stats.drawing.collapse import count_pmf
from deadheat.stats.drawing.draws import blocks, guide_table, look_up
from deadheat.stats.drawing.item_worlds import moments
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.expectation import binomial_expectation
from deadheat.stats.score import intervals
from deadheat.stats.score.binomial import BINOMIAL_INTERVALS

Ends = tuple[int, ...]


def coverage(design: Design, source: Source) -> list[Job]:
    """How often every interval of a score holds the true rate, and how wide it is."""
    jobs = []
    for labels, world in singles(design, source):
        rate = float(moments(world.types(1)).rate[0])
        for items in items_of(design, source, (164,)):
            for samples in samples_of(design, source, (1, 10)):
                cell = {**labels, "items": items, "samples": samples, "clusters": None, "rho": None}
                names = _names(design, single=samples == 1)
                jobs.append(_plain(cell, world, rate, names, design))
            for rho in design.rho or (() if source is not None else (0.4,)):
                jobs.append(_clustered(labels, world, rate, items, rho, design, source))
    return jobs


def _names(design: Design, *, single: bool) -> tuple[str, ...]:
    names: Sequence[str] = tuple(SCORES) if design.intervals is None else design.intervals
    for name in names:
        if name not in SCORES:
            raise MethodError(f"no interval {name!r}; known are {', '.join(SCORES)}")
    return tuple(name for name in names if single or not SCORES[name].fit.binary)


def _plain(cell: Row, world: Items, rate: float, names: tuple[str, ...], design: Design) -> Job:
    items, samples = cell["items"], cell["samples"]
    pmf = count_pmf(world.types(samples))
    return Job(
        "coverage/" + "/".join(str(value) for value in cell.values()),
        cover_kernel,
        (np.ones(1), pmf, (1,) * items, samples, rate, names, design.level, design.draws),
        _rows(cell, names, items, rate, design.level),
    )


def _clustered(
    labels: Row, found: Items, rate: float, items: int, rho: float, design: Design, source: Source
) -> Job:
    world = factor_world(found, "coverage of clustered items")
    sizes = cluster_sizes(design, source, items)
    weight, types = world.clustered(1, rho)
    given = np.stack([count_pmf(each)[0] for each in types])
    cell = {**labels, "items": items, "samples": 1, "clusters": len(sizes), "rho": rho}
    names = _names(design, single=False)
    return Job(
        "coverage/" + "/".join(str(value) for value in (*cell.values(), *sizes[[0, -1]])),
        cover_kernel,
        (weight, given, tuple(int(size) for size in sizes), 1, rate, names, design.level, design.draws),
        _rows(cell, names, items, rate, design.level),
    )


def cover_kernel(
    weight: Floats,
    pmf: Floats,
    sizes: Ends,
    samples: int,
    rate: float,
    names: tuple[str, ...],
    level: float,
    draws: int,
    *,
    replicates: int,
    rng: np.random.Generator,
) -> Floats:
    """Whether each interval holds the rate, and its width, (replicates, 2 x intervals).

    Parameters
    ----------
    weight : (H,) float64
        Share of clusters of each type.
    pmf : (H, n + 1) float64
        Probability of the counts at an item of a cluster of each type.
    sizes : tuple of int
        Items of each cluster; all 1 where there are none.
    samples : int
    rate, level : float
    names : tuple of str
        Of INTERVALS.
    draws : int
        Resamples, shared by the replicates of a piece of a block.
    """
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    items, base = len(cluster), samples + 1
    joint = guide_table((weight[:, None] * pmf).ravel())
    kinds = guide_table(weight)
    clustered = max(sizes) > 1
    out = np.empty((replicates, 2 * len(names)))
    for rows in blocks(replicates, items):
        shape = (rows.stop - rows.start, items)
        u = rng.random(shape)
        if clustered:
            kind = look_up(kinds, rng.random(shape[0] * len(sizes))).reshape(shape[0], -1)[:, cluster]
            upper = joint.upper[samples::base]
            lower = np.concatenate([[0.0], upper[:-1]])
            u = np.minimum(lower[kind] + u * (upper - lower)[kind], np.nextafter(upper, 0)[kind])
        counts = look_up(joint, u.ravel()).reshape(shape) % base
        data = intervals.Data(
            values=counts / samples,
            present=np.ones(shape, dtype=bool),
            samples=None if samples == 1 else np.full(shape, samples),
            cluster=cluster if clustered else None,
        )
        for at, name in enumerate(names):
            drawn = rng if SCORES[name].fit.draws else None
            low, high = intervals.score_interval(name, data, level, draws=draws, rng=drawn)
            # Rounding must not decide whether an end that is the rate holds it; undefined holds nothing.
            out[rows, 2 * at] = (low <= rate + 1e-12) & (high >= rate - 1e-12)
            out[rows, 2 * at + 1] = np.where(np.isnan(high - low), 0.0, high - low)
    return out


def _rows(
    cell: Row, names: Sequence[str], items: int, rate: float, level: float
) -> Callable[[Estimates], list[Row]]:
    def rows(found: Estimates) -> list[Row]:
        made = []
        for at, name in enumerate(names):
            for offset, quantity in ((0, "coverage"), (1, "mean width")):
                made.append(
                    row(
                        {**cell, "interval": name, "quantity": quantity},
                        found.mean[2 * at + offset],
                        found.error[2 * at + offset],
                        exact=_exact(name, cell, items, rate, level)[offset],
                    )
                )
        return made

    return rows


def _exact(name: str, cell: Row, items: int, rate: float, level: float) -> tuple[float | None, float | None]:
    """Coverage and mean width of single samples at independent items, by a sum over every count."""
    if name not in BINOMIAL_INTERVALS or cell["samples"] != 1:
        return None, None
    low, high = BINOMIAL_INTERVALS[name](np.arange(items + 1), items, level)
    holds = ((low <= rate + 1e-12) & (high >= rate - 1e-12)).astype(np.float64)
    return float(binomial_expectation(holds, items, rate)), float(
        binomial_expectation(high - low, items, rate)
    )
