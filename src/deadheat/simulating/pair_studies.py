"""Studies of two entries: size of every test, power, and the smallest difference that is seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from deadheat.errors import MethodError
from deadheat.simulating import rejections
from deadheat.simulating.board_worlds import BoardWorld
from deadheat.simulating.collapsed_tests import COLLAPSED, TESTS
from deadheat.simulating.jobs import Estimates, Job
from deadheat.simulating.rejections import Tables
from deadheat.simulating.study_design import Design, Row, row
from deadheat.simulating.subjects import GAP, Source, factor_world, items_of, pairs, samples_of
from deadheat.simulating.worlds import Items, World
from deadheat.stats.drawing.collapse import difference_pmf, pair_table
from deadheat.stats.drawing.item_worlds import Moments, moments
from deadheat.stats.power.effects import z_items

ITEMS = (164, 500, 2294)
ROUNDING = 1e-9  # a smaller difference of two rates is that of their last digits
DRAWN_ITEMS = 200  # items beyond which tests that draw take too long to be in a study by default


def calibration(design: Design, source: Source) -> list[Job]:
    """Size of the tests: how often they separate two equal entries."""
    jobs = []
    for labels, world in pairs(design, source, 0.0):
        for samples in samples_of(design, source, (1, 10, 20, 100)):
            tables = _tables(world, samples).symmetric()
            for items in items_of(design, source, ITEMS):
                jobs += _jobs("calibration", labels, tables, items, design, _names(design, TESTS))
    return jobs


def power(design: Design, source: Source) -> list[Job]:
    """Power: how often the tests separate two entries that differ."""
    gap = GAP if design.gap is None else design.gap
    jobs = []
    for labels, world in pairs(design, source, gap):
        for samples in samples_of(design, source, (1, 5, 20)):
            tables = _tables(world, samples)
            needed: Row = {}
            if isinstance(source, BoardWorld):
                needed = _needed(moments(world.types(1)), samples, source.items, design)
            labelled = {**labels, "difference": round(tables.truth().gap, 12)}
            names = _names(design, _default_tests(samples))
            for items in items_of(design, source, ITEMS):
                jobs += _jobs("power", labelled, tables, items, design, names, needed)
            if needed and needed["items_needed"] and needed["items_needed"] <= 20_000:
                jobs += _jobs("power", labelled, tables, needed["items_needed"], design, names[:1], needed)
    return jobs


def mde(design: Design, source: Source) -> list[Job]:
    """Smallest difference that a test sees with the power asked."""
    jobs = []
    for labels, found in pairs(design, source, 0.0):
        world = factor_world(found, "mde")
        for samples in samples_of(design, source, (1, 5, 10, 20, 100)):
            for items in items_of(design, source, ITEMS):
                for name in _names(design, _default_tests(samples)[-1:]):
                    if name not in COLLAPSED or (COLLAPSED[name].single and samples > 1):
                        raise MethodError(f"a smallest difference is found for tests of sums, not for {name}")
                    jobs.append(_mde_job(labels, world, name, items, samples, design))
    return jobs


def _default_tests(samples: int) -> tuple[str, ...]:
    """Exact McNemar for single samples, as boards are tested; t, and the literature's z."""
    return ("mcnemar", "z", "t") if samples == 1 else ("z", "t")


def _names(design: Design, default: Sequence[str]) -> tuple[str, ...]:
    names = default if design.tests is None else design.tests
    for name in names:
        if name not in TESTS:
            raise MethodError(f"no test {name!r} to simulate; known are {', '.join(TESTS)}")
    return tuple(names)


def _tables(world: Items, samples: int) -> Tables:
    return Tables(pair_table(world.types(samples)), samples)


def _jobs(
    study: str,
    labels: Row,
    tables: Tables,
    items: int,
    design: Design,
    names: Sequence[str],
    more: Row | None = None,
) -> list[Job]:
    samples, alpha = tables.samples, design.alpha
    cell = {**labels, "items": items, "samples": samples}
    most = DRAWN_ITEMS if design.tests is None else 10**9
    collapsed, drawn = rejections.fitting(names, samples, items, most)
    if design.tests is None and samples == 1:
        drawn = [name for name in drawn if name != "sign-flip"]  # it is exact McNemar then
    jobs = []
    where = "/".join(str(value) for value in cell.values())
    if collapsed:
        alone = all(COLLAPSED[name].paired for name in collapsed)
        pmf = difference_pmf(tables.joint) if alone else tables.joint
        jobs.append(
            Job(
                f"{study}/{where}",
                rejections.collapsed_kernel,
                (pmf, items, samples, tuple(collapsed), alpha),
                _rows(cell, collapsed, tables, items, alpha, more or {}),
            )
        )
    if drawn:
        jobs.append(
            Job(
                f"{study}/{where}/drawn",
                rejections.drawn_kernel,
                (tables.joint, items, samples, tuple(drawn), alpha, design.draws),
                _rows(cell, drawn, tables, items, alpha, more or {}),
            )
        )
    return jobs


def _rows(
    cell: Row, names: Sequence[str], tables: Tables, items: int, alpha: float, more: Row
) -> Callable[[Estimates], list[Row]]:
    truth = tables.truth()

    def rows(found: Estimates) -> list[Row]:
        return [
            row(
                {**cell, "test": name},
                found.mean[at],
                found.error[at],
                exact=rejections.exact_rejection(name, tables, items, alpha),
                more={"normal": rejections.normal_rejection(name, truth, items, alpha), **more},
            )
            for at, name in enumerate(names)
        ]

    return rows


def _needed(pair: Moments, samples: int, items: int, design: Design) -> Row:
    """What would separate a pair with the power asked: items at these samples, samples at these items."""
    truth = rejections.truth_of(pair, samples)
    noise = float(pair.samples.sum())  # what samples average away, of a difference of single samples
    kept = truth.spread - noise / samples
    if abs(truth.gap) < ROUNDING:
        return {"items_needed": None, "samples_needed": None, "samples_needed_reruns": None}
    per_variance = float(z_items(truth.gap, 1.0, 1.0, design.power, design.alpha))
    allowed = items / per_variance
    return {
        "items_needed": int(np.ceil(per_variance * truth.spread)),
        "samples_needed": int(np.ceil(noise / (allowed - kept))) if allowed > kept else None,
        "samples_needed_reruns": int(np.ceil(noise / allowed)),
    }


def _mde_job(labels: Row, world: World, name: str, items: int, samples: int, design: Design) -> Job:
    centre = float(np.mean(world.rates))

    def at(gap: float) -> World:
        return world.at((centre + gap / 2, centre - gap / 2))

    def by_normal(gap: float) -> float:
        truth = rejections.truth_of(moments(at(gap).types(1)), samples)
        return rejections.normal_rejection(name, truth, items, design.alpha) or 0.0

    def exactly(gap: float) -> float:
        found = rejections.exact_rejection(name, _tables(at(gap), samples), items, design.alpha)
        return float("nan") if found is None else found

    most = 2 * min(centre, 1 - centre) - 1e-6
    normal = _root(by_normal, most, design.power)
    if normal is None:
        raise MethodError(
            f"no difference around a rate of {centre:g} is seen with power {design.power:g} on {items} "
            "items; more items or samples, or a smaller --power, will do"
        )
    exact = _root(exactly, most, design.power) if samples == 1 and COLLAPSED[name].paired else None
    tables = _tables(at(normal), samples)
    step = 1e-4
    slope = (by_normal(normal + step) - by_normal(normal - step)) / (2 * step)
    alone = COLLAPSED[name].paired
    cell = {**labels, "items": items, "samples": samples, "test": name, "power": design.power}

    def rows(found: Estimates) -> list[Row]:
        # The simulated power at the difference of the normal approximation, taken back along its slope.
        simulated = normal + (design.power - found.mean[0]) / slope
        return [row(cell, simulated, found.error[0] / slope, exact=exact, more={"normal": normal})]

    return Job(
        "mde/" + "/".join(str(value) for value in cell.values()),
        rejections.collapsed_kernel,
        (difference_pmf(tables.joint) if alone else tables.joint, items, samples, (name,), design.alpha),
        rows,
    )


def _root(power_at: Callable[[float], float], most: float, target: float) -> float | None:
    """Gap whose power is the target, None where none has it: regula falsi, as the Illinois method has it."""
    low, high = 0.0, most
    below, above = power_at(low) - target, power_at(high) - target
    if above < 0:
        return None
    side = 0
    for _ in range(200):
        middle = high - above * (high - low) / (above - below)
        value = power_at(middle) - target
        if abs(value) < 1e-13 or high - low < 1e-11:
            return middle
        if value > 0:
            high, above = middle, value
            below, side = (below / 2, 1) if side == 1 else (below, 1)
        else:
            low, below = middle, value
            above, side = (above / 2, -1) if side == -1 else (above, -1)
    return high
