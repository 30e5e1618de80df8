"""The study of rankings: how often one evaluation puts entries into their true order."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from deadheat.simulating.jobs import Estimates, Job
from deadheat.simulating.study_design import Design, Row, row
from deadheat.simulating.subjects import Source, everyone, items_of, samples_of
from deadheat.stats.drawing.collapse import difference_pmf, pair_table, sum_above
from deadheat.stats.drawing.item_worlds import Types, moments
from deadheat.stats.drawing.totals import Plan, plan, totals
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.numerics.orthant import orthant

TIES = ("broken at random", "counted wrong", "counted right")
MOST = 12  # entries beyond which the normal orthants are left out


class Theory(NamedTuple):
    """What normal theory says of the order and of the top, one each of TIES, and the expected tau."""

    order: list[float | None]
    best: list[float | None]
    tau: float


def flips(design: Design, source: Source) -> list[Job]:
    """How often the full order is right, the best entry on top, and Kendall's tau to the true order."""
    world = everyone(design, source)
    jobs = []
    for samples in samples_of(design, source, (1,)):
        types = world.types(samples)
        made = plan(types)
        for items in items_of(design, source, (164, 500, 2294)):
            cell = {"entries": len(world.names), "items": items, "samples": samples}
            rates = ", ".join(f"{rate:.4g}" for rate in world.rates)
            jobs.append(
                Job(
                    f"flips/{rates}/{items}/{samples}",
                    order_kernel,
                    (tuple(made), items),
                    _rows(cell, _theory(types, items, samples)),
                )
            )
    return jobs


def order_kernel(
    made: tuple[int, Floats, Floats, tuple[Floats, ...]],
    items: int,
    *,
    replicates: int,
    rng: np.random.Generator,
) -> Floats:
    """Order, top and tau of each replicate, (replicates, 7): each of the first two under the three rules.

    Parameters
    ----------
    made : Plan as a plain tuple
        Of entries in their true order, best first.
    items : int
    """
    found = totals(Plan(*made), items, replicates, rng=rng)
    step = np.diff(found, axis=1)
    weak, strict = (step <= 0).all(axis=1), (step < 0).all(axis=1)
    # A run of r equal scores comes out right in one of r! breakings: 1/r! is the product of 1/2, 1/3, ...
    run, chance = np.ones(replicates), np.ones(replicates)
    for at in range(step.shape[1]):
        run = np.where(step[:, at] == 0, run + 1, 1.0)
        chance /= run
    rest = found[:, 1:].max(axis=1)
    beside = (found[:, 1:] == found[:, :1]).sum(axis=1)
    top, first = found[:, 0] >= rest, found[:, 0] > rest
    entries = found.shape[1]
    signs = np.zeros(replicates)
    for a in range(entries - 1):
        signs += np.sign(found[:, a, None] - found[:, a + 1 :]).sum(axis=1)
    tau = signs / (entries * (entries - 1) / 2)
    columns = [weak * chance, strict, weak, top / (1 + beside), first, top, tau]
    return np.stack(columns, axis=1).astype(np.float64)


def _theory(types: Types, items: int, samples: int) -> Theory:
    entries = len(types.pmf)
    found = moments(types)
    total = found.score_covariance(items, samples) * (items * samples) ** 2
    mean = found.rate * (items * samples)
    chain = np.eye(entries)[:-1] - np.eye(entries)[1:]
    star = np.eye(entries)[:1] - np.eye(entries)[1:]

    def chances(contrast: Floats) -> list[float | None]:
        if entries > MOST:
            return [None, None, None]
        # Totals are whole numbers: ties lie between -1/2 and 1/2, and half of each is won at random.
        covariance = contrast @ total @ contrast.T
        return [orthant(contrast @ mean + shift, covariance) for shift in (0.0, -0.5, 0.5)]

    tau = 0.0
    for a in range(entries - 1):
        for b in range(a + 1, entries):
            above, equal = sum_above(difference_pmf(pair_table(types, a, b)), items)
            tau += above - (1 - above - equal)
    return Theory(chances(chain), chances(star), tau / (entries * (entries - 1) / 2))


def _rows(cell: Row, theory: Theory) -> Callable[[Estimates], list[Row]]:
    def rows(found: Estimates) -> list[Row]:
        made = []
        for quantity, start, by_theory in (("full order", 0, theory.order), ("best on top", 3, theory.best)):
            for at, ties in enumerate(TIES):
                about = {**cell, "quantity": quantity, "ties": ties}
                mean, error = found.mean[start + at], found.error[start + at]
                made.append(row(about, mean, error, more={"normal": by_theory[at]}))
        about = {**cell, "quantity": "Kendall's tau", "ties": "counted as 0"}
        return [*made, row(about, found.mean[6], found.error[6], theory.tau, {"normal": None})]

    return rows
