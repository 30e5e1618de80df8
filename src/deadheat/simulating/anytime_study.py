"""A study of looking early: how often a test that is looked at again and again errs, and when it stops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.errors import MethodError
from deadheat.methods import ANYTIME
from deadheat.simulating.jobs import Estimates, Job
from deadheat.simulating.rejections import Tables
from deadheat.simulating.study_design import Design, Row, row
from deadheat.simulating.subjects import GAP, Source, items_of, pairs, samples_of
from deadheat.stats.anytime import betting, crossing
from deadheat.stats.drawing.collapse import difference_pmf, pair_table
from deadheat.stats.drawing.draws import blocks, guide_table, look_up
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.paired.mcnemar import mcnemar_exact

ITEMS, SAMPLES, CLUSTER, RHO = (500,), (1, 5), 5, 0.3
FIXED, ABOVE = "mcnemar", "non-inferior"
CELLS = 20_000_000  # states x looks up to which margins are summed


class Units(NamedTuple):
    """What a pair bets on: differences of a unit and their chances; true mean difference and discordance."""

    values: Floats
    chance: Floats

    @property
    def mean(self) -> float:
        """True mean difference."""
        return float(self.values @ self.chance)

    @property
    def whole(self) -> bool:
        """Whether every unit is one 0/1 attempt of each."""
        return len(self.values) == 3


def anytime(design: Design, source: Source) -> list[Job]:
    """Equal pairs looked at often by McNemar and by betting, pairs that differ, clusters, and a margin."""
    check(design)
    gap = GAP if design.gap is None else design.gap
    jobs = []
    for labels, world in pairs(design, source, gap):
        for samples in samples_of(design, source, SAMPLES):
            tables = Tables(pair_table(world.types(samples)), samples)
            equal, apart = (_items(each) for each in (tables.symmetric(), tables))
            for items in items_of(design, source, ITEMS):
                cell = {**labels, "units": "items", "looks": items, "samples": samples}
                jobs += _jobs({**cell, "truth": "equal"}, equal, items, design, "false stop")
                jobs += _jobs({**cell, "truth": "different"}, apart, items, design, "stops")
                if samples == 1:
                    jobs += _clusters(labels, equal, items, design)
                    jobs += _margin(labels, equal, items, design)
    return jobs


def _items(tables: Tables) -> Units:
    n = tables.samples
    return Units(np.arange(-n, n + 1) / n, difference_pmf(tables.joint))


def _clusters(labels: Row, pair: Units, items: int, design: Design) -> list[Job]:
    """Equal entries whose clusters lean to one side or the other: sums of items given the side, mixed."""
    size, rho = design.cluster_size or CLUSTER, (design.rho or (RHO,))[0]
    lean, total = np.sqrt(rho), np.zeros(2 * size + 1)
    discordant = 1 - pair.chance[1]
    for sign in (1, -1):
        one = np.array([1 - sign * lean, 0, 1 + sign * lean]) * discordant / 2
        one[1] = 1 - discordant
        made = np.ones(1)
        for _ in range(size):
            made = np.convolve(made, one)
        total += made / 2
    units = Units(np.arange(-size, size + 1) / size, total)
    cell = {**labels, "units": f"clusters of {size}", "looks": items // size, "samples": 1, "truth": "equal"}
    return _jobs(cell, units, items // size, design, "false stop") if items >= 2 * size else []


def _margin(labels: Row, equal: Units, items: int, design: Design) -> list[Job]:
    """An entry that is worse by exactly the margin, and how often it passes as non-inferior."""
    discordant = 1 - equal.chance[1]
    if design.margin >= discordant:
        return []
    shares = np.array([discordant + design.margin, 2 * (1 - discordant), discordant - design.margin]) / 2
    cell = {**labels, "units": "items", "looks": items, "samples": 1, "truth": f"worse by {design.margin:g}"}
    return _jobs(cell, Units(equal.values, shares), items, design, "false stop", (ABOVE,))


def _jobs(
    cell: Row, units: Units, number: int, design: Design, quantity: str, tests: Sequence[str] | None = None
) -> list[Job]:
    known = tests or ((FIXED, ANYTIME) if units.whole else (ANYTIME,))
    asked = tuple(name for name in known if design.tests is None or name in design.tests or name == ABOVE)
    if not asked:
        return []
    ends = looks(number, design.every)
    arguments = (units.values, units.chance, ends, asked, design.margin, design.alpha)

    def rows(found: Estimates) -> list[Row]:
        made = []
        for at, name in enumerate(asked):
            exact = exact_stop(name, units, ends, design)
            every = 1 if name == ANYTIME and units.whole else design.every
            told = {**cell, "test": name, "every": every}
            k = 2 * at
            made.append(row({**told, "quantity": quantity}, found.mean[k], found.error[k], exact))
            if quantity == "stops" and name == ANYTIME:
                mean = {**told, "quantity": "mean units at the stop or the end"}
                made.append(
                    row(mean, found.mean[k + 1], found.error[k + 1], exact_mean(units, number, design))
                )
        return made

    where = "/".join(str(value) for value in cell.values())
    return [Job(f"anytime/{where}", stopping_kernel, arguments, rows)]


def looks(number: int, every: int) -> NDArray[np.int64]:
    """Numbers of units at which it is looked: from twice `every` on, and at the end."""
    return np.unique(np.append(np.arange(2 * every, number + 1, every), number)).astype(np.int64)


def stopping_kernel(
    values: Floats,
    chance: Floats,
    ends: NDArray[np.int64],
    tests: tuple[str, ...],
    margin: float,
    alpha: float,
    *,
    replicates: int,
    rng: np.random.Generator,
) -> Floats:
    """Whether each test stopped, and after how many units (all, where it did not), (replicates, 2 tests)."""
    guide, number, whole = guide_table(chance), int(ends[-1]), len(values) == 3
    out = np.empty((replicates, 2 * len(tests)))
    for rows in blocks(replicates, number + len(ends) * betting.NODES * 4):
        shape = (rows.stop - rows.start, number)
        codes = look_up(guide, rng.random(shape[0] * number)).reshape(shape)
        for at, name in enumerate(tests):
            if whole and name != ABOVE:
                b, c = (np.cumsum(codes == code, axis=1) for code in (2, 0))
                at_each = np.arange(1, number + 1) if name == ANYTIME else ends
                stops = _cells_stop(name, b[:, at_each - 1], c[:, at_each - 1], alpha)
            else:
                at_each = ends
                counts = np.stack(
                    [(codes == v).cumsum(axis=1)[:, ends - 1] for v in range(len(values))], axis=2
                )
                stops = _wealth(values, counts, name, margin) >= -np.log(alpha)
            any_ = stops.any(axis=1)
            out[rows, 2 * at] = any_
            out[rows, 2 * at + 1] = np.where(any_, at_each[stops.argmax(axis=1)], number)
    return out


def _cells_stop(name: str, b: NDArray[Any], c: NDArray[Any], alpha: float) -> NDArray[np.bool_]:
    if name == ANYTIME:
        edge = crossing.boundary(int((b + c).max(initial=0)), alpha)
        return np.asarray(np.maximum(b, c) >= edge[b + c])
    return np.asarray(mcnemar_exact(b, c).p < alpha)


def _wealth(values: Floats, counts: NDArray[Any], name: str, margin: float) -> Floats:
    """Log wealth of counts of each value, (..., V) to (...)."""
    mean, side = (-margin, betting.ABOVE) if name == ABOVE else (0.0, betting.BOTH)
    m = (mean + 1) / 2
    theta, log_weight = betting.bets(side, m)
    growth = betting.log_factors((values + 1) / 2, np.ones(len(values)), m, theta)
    return betting.log_sum(np.moveaxis(counts @ growth.T + log_weight, -1, 0))


def exact_stop(name: str, units: Units, ends: NDArray[np.int64], design: Design) -> float | None:
    """The exact chance of a stop, by all paths; None for units of more values."""
    if not units.whole:
        return None
    c, _, b = units.chance.tolist()
    if name == ANYTIME:
        survived = crossing.survival(b / (b + c), int(ends[-1]), design.alpha)
        return float(1 - crossing.not_stopped(survived, b + c, [int(ends[-1])])[0])
    states = crossing.reach(b, int(ends[-1])) * crossing.reach(c, int(ends[-1]))
    if states * (len(ends) if name == ABOVE else 1) > CELLS:
        return None
    rejects: Callable[..., NDArray[np.bool_]]
    if name == ABOVE:

        def rejects(b: NDArray[Any], c: NDArray[Any], n: int) -> NDArray[np.bool_]:
            counts = np.stack([c, np.maximum(n - b - c, 0), b], axis=-1)
            return np.asarray(_wealth(units.values, counts, ABOVE, design.margin) >= -np.log(design.alpha))
    else:

        def rejects(b: NDArray[Any], c: NDArray[Any], n: int) -> NDArray[np.bool_]:
            return np.asarray(mcnemar_exact(b, c).p < design.alpha)

    return float(crossing.peeking(rejects, ends, b, c, changing=name == ABOVE)[-1])


def exact_mean(units: Units, number: int, design: Design) -> float | None:
    """Mean number of units at the stop of betting, or at the end."""
    if not units.whole:
        return None
    c, _, b = units.chance.tolist()
    survived = crossing.survival(b / (b + c), number, design.alpha)
    return float(crossing.not_stopped(survived, b + c, np.arange(number)).sum())


def check(design: Design) -> None:
    """Refuse tests that this study does not know.

    Raises
    ------
    MethodError
        A test besides betting and mcnemar.
    """
    other = [name for name in design.tests or () if name not in (FIXED, ANYTIME)]
    if other:
        raise MethodError(f"looking early is studied for {ANYTIME} and {FIXED}; found {', '.join(other)}")
