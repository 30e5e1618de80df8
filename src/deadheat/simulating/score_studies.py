"""Studies of one entry's score: pass@k, the parts of its variance, memorised items, clusters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from deadheat.simulating.jobs import Estimates, Job
from deadheat.simulating.study_design import Design, Row, row
from deadheat.simulating.subjects import Source, factor_world, items_of, samples_of, singles
from deadheat.stats.drawing.collapse import count_pmf, memorised_table, rerun_table
from deadheat.stats.drawing.draws import sums_of_items
from deadheat.stats.drawing.item_worlds import moments
from deadheat.stats.numerics.bounds import Floats
from deadheat.stats.samples import metrics

SCALE = 2**40  # values of an item become whole numbers, so that their sums are exact


def passk(design: Design, source: Source) -> list[Job]:
    """pass@k by the plug-in and by the unbiased estimator, against the true pass@k."""
    jobs, k = [], design.k
    for labels, world in singles(design, source):
        truth = float(count_pmf(world.types(k))[0, 1:].sum())
        for samples in samples_of(design, source, (10, 20, 50, 100, 200)):
            pmf = count_pmf(world.types(samples))[0]
            counts = np.arange(samples + 1)
            plug = metrics.plug_in_pass_at_k(samples, counts, k)
            values = {"plug-in": plug}
            if samples >= k:
                values["unbiased"] = metrics.pass_at_k(samples, counts, k)
            for items in items_of(design, source, (164,)):
                cell = {**labels, "items": items, "samples": samples, "k": k}
                jobs.append(_passk_job(cell, pmf, values, truth))
    return jobs


def _passk_job(cell: Row, pmf: Floats, values: dict[str, Floats], truth: float) -> Job:
    table = np.stack(list(values.values()), axis=1)

    def rows(found: Estimates) -> list[Row]:
        made = []
        for at, name in enumerate(values):
            expected = float(pmf @ table[:, at])
            about = {**cell, "estimator": name}
            made.append(row({**about, "quantity": "mean"}, found.mean[at], found.error[at], exact=expected))
            made.append(
                row(
                    {**about, "quantity": "bias"},
                    found.mean[at] - truth,
                    found.error[at],
                    exact=expected - truth,
                )
            )
        return [*made, _truth_row(cell, truth)]

    return Job(_name("passk", cell), mean_kernel, (pmf, table, cell["items"]), rows)


def _truth_row(cell: Row, truth: float) -> Row:
    nothing = float("nan")
    return row({**cell, "estimator": "truth", "quantity": "mean"}, nothing, nothing, exact=truth)


def mean_kernel(
    pmf: Floats, values: Floats, items: int, *, replicates: int, rng: np.random.Generator
) -> Floats:
    """Mean over items of functions of the count at an item, (replicates, functions)."""
    whole = np.rint(values * SCALE).astype(np.int64)
    sums = sums_of_items(pmf, whole, items, replicates, rng=rng)
    return sums / (SCALE * float(items))


def variance(design: Design, source: Source) -> list[Job]:
    """Standard deviation of a score, and its parts from samples and from items."""
    jobs = []
    for labels, world in singles(design, source):
        truth = moments(world.types(1))
        between, noise = float(truth.items[0, 0]), float(truth.samples[0])
        for samples in samples_of(design, source, (1, 10, 100)):
            table = rerun_table(count_pmf(world.types(2 * samples))[0])
            for items in items_of(design, source, (164, 500, 2294)):
                cell = {**labels, "items": items, "samples": samples}
                jobs.append(
                    Job(
                        _name("variance", cell),
                        rerun_kernel,
                        (table, items, samples, float(truth.rate[0])),
                        _variance_rows(cell, between / items, noise / (samples * items)),
                    )
                )
    return jobs


def rerun_kernel(
    table: Floats, items: int, samples: int, rate: float, *, replicates: int, rng: np.random.Generator
) -> Floats:
    """Squared error of a score, and half the squared difference of two runs, (replicates, 2)."""
    first, second = (axis.ravel() for axis in np.indices(table.shape))
    sums = sums_of_items(table.ravel(), np.stack([first, second], axis=1), items, replicates, rng=rng)
    score = sums / (items * samples)
    total = ((score - rate) ** 2).mean(axis=1)
    return np.stack([total, (score[:, 0] - score[:, 1]) ** 2 / 2], axis=1)


def _variance_rows(cell: Row, between: float, noise: float) -> Callable[[Estimates], list[Row]]:
    def rows(found: Estimates) -> list[Row]:
        total, within = found.mean
        total_error, within_error = found.error
        items, items_error = total - within, np.hypot(total_error, within_error)
        share = items / total
        share_error = np.hypot(within_error / total, within * total_error / total**2)
        return [
            row(_part(cell, "SD of the score"), *_root(total, total_error), exact=np.sqrt(between + noise)),
            row(_part(cell, "SD from samples"), *_root(within, within_error), exact=np.sqrt(noise)),
            row(_part(cell, "SD from items"), *_root(items, items_error), exact=np.sqrt(between)),
            row(_part(cell, "share from items"), share, share_error, exact=between / (between + noise)),
        ]

    return rows


def _root(value: float, error: float) -> tuple[float, float]:
    root = np.sqrt(value) if value > 0 else np.nan
    return root, error / (2 * root)


def contamination(design: Design, source: Source) -> list[Job]:
    """What memorised items add to a score."""
    jobs = []
    for labels, found in singles(design, source):
        world = factor_world(found, "contamination")
        for samples in samples_of(design, source, (1,)):
            for share in design.shares:
                for taken in ("at random", "hardest first"):
                    types, known = world.memorised(samples, share, hard_first=taken == "hardest first")
                    solved = design.solved * (1 - world.failed)
                    table = memorised_table(types, known, solved)
                    expected = float((types.weight * known) @ (solved - types.mean[0]))
                    for items in items_of(design, source, (164,)):
                        cell = {**labels, "items": items, "samples": samples, "share": share, "known": taken}
                        jobs.append(
                            Job(
                                _name("contamination", cell),
                                mean_kernel,
                                (table.ravel(), _gain(samples), items),
                                _inflation_rows(cell, expected),
                            )
                        )
    return jobs


def _gain(samples: int) -> Floats:
    """What an item adds to the difference of two scores, for each pair of counts before and after."""
    before, after = (axis.ravel() for axis in np.indices((samples + 1, samples + 1)))
    return ((after - before) / samples)[:, None]


def _inflation_rows(cell: Row, expected: float) -> Callable[[Estimates], list[Row]]:
    share = cell["share"]

    def rows(found: Estimates) -> list[Row]:
        return [
            row({**cell, "quantity": "inflation"}, found.mean[0], found.error[0], exact=expected),
            row(
                {**cell, "quantity": "inflation / share"},
                found.mean[0] / share,
                found.error[0] / share,
                exact=expected / share,
            ),
        ]

    return rows


def _part(cell: Row, quantity: str) -> Row:
    return {**cell, "quantity": quantity}


def _name(study: str, cell: Row) -> str:
    return f"{study}/" + "/".join(str(value) for value in cell.values())
