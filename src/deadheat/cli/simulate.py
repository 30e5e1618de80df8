"""`deadheat simulate`: what a benchmark's numbers do when the truth is known."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from deadheat.cli.options import Answer, Output, Reading, UsageError
from deadheat.cli.progress import busy

if TYPE_CHECKING:
    from deadheat.simulating.board_worlds import BoardWorld
    from deadheat.simulating.study_design import Design

CELLS = Group("Cells", sort_key=1)
WORLD = Group("World", sort_key=2)
RUNNING = Group("Running", sort_key=3)
MANY = {"consume_multiple": True, "negative": ""}


@Parameter(name="*")
@dataclass(frozen=True)
class Cells:
    """What varies; None takes the study's own cells."""

    items: Annotated[list[int] | None, Parameter(group=CELLS, help="Items", **MANY)] = None
    samples: Annotated[list[int] | None, Parameter(group=CELLS, help="Samples an item", **MANY)] = None
    rates: Annotated[list[float] | None, Parameter(group=CELLS, help="True rates of the entries", **MANY)] = (
        None
    )
    gap: Annotated[
        float | None, Parameter(group=CELLS, help="True difference of two entries, 0.03 for 3 points")
    ] = None
    cluster_size: Annotated[int | None, Parameter(group=CELLS, help="Items of a cluster")] = None
    rho: Annotated[
        list[float] | None,
        Parameter(
            group=CELLS, help="Share of the variance of difficulty that a cluster has in common", **MANY
        ),
    ] = None
    k: Annotated[int, Parameter(group=CELLS, help="Tries that pass@k speaks of")] = 10
    shares: Annotated[
        list[float] | None, Parameter(group=CELLS, help="Shares of the items that are memorised", **MANY)
    ] = None
    tests: Annotated[list[str] | None, Parameter(group=CELLS, help="Tests; else those that fit", **MANY)] = (
        None
    )
    intervals: Annotated[
        list[str] | None, Parameter(group=CELLS, help="Intervals; else those that fit", **MANY)
    ] = None
    every: Annotated[int, Parameter(group=CELLS, help="Items from one look to the next (anytime)")] = 10
    margin: Annotated[float, Parameter(group=CELLS, help="Loss held to a margin (anytime)")] = 0.05
    missing: Annotated[
        float, Parameter(group=CELLS, help="Share of the outcomes that a ragged board lacks, below 0.5")
    ] = 0.3
    power: Annotated[float, Parameter(group=CELLS, help="Power that a difference is to be seen with")] = 0.8
    alpha: Annotated[float, Parameter(group=CELLS, help="A test separates when p < alpha")] = 0.05
    level: Annotated[float, Parameter(group=CELLS, help="Level of intervals")] = 0.95


@Parameter(name="*")
@dataclass(frozen=True)
class Truth:
    """The world that the results come from."""

    difficulty: Annotated[
        float, Parameter(group=WORLD, help="Standard deviation of the items' difficulty, in logits")
    ] = 1.9
    affinity: Annotated[
        float, Parameter(group=WORLD, help="Standard deviation of an entry's own turn on an item, in logits")
    ] = 0.6
    failed: Annotated[
        float, Parameter(group=WORLD, help="Chance that an attempt breaks, which is a zero")
    ] = 0.0
    solved: Annotated[float, Parameter(group=WORLD, help="Chance that a memorised item is solved")] = 0.97
    paths: Annotated[
        list[str] | None,
        Parameter(name="--from", group=WORLD, help="Take the world from these results", **MANY),
    ] = None
    world: Annotated[
        Literal["fitted", "empirical"],
        Parameter(
            group=WORLD,
            help="Of --from: a world with the same rates, variances and correlations, or its very items",
        ),
    ] = "fitted"
    top: Annotated[int | None, Parameter(group=WORLD, help="Entries of --from, best first; else 3")] = None
    cluster: Annotated[
        str | None, Parameter(group=WORLD, help="Column of --from that names items sharing difficulty")
    ] = None

    def board(self, reading: Reading, *, quiet: bool) -> BoardWorld | None:
        """Make the board that was asked for."""
        if not self.paths:
            return None
        with busy(f"reading {', '.join(self.paths)}", quiet=quiet) as told:
            table = reading.table(self.paths, told)
        from deadheat.simulating.board_worlds import BoardWorld

        cluster = None if self.cluster in (None, "none") else self.cluster
        return BoardWorld.of(table, kind=self.world, cluster=cluster, top=self.top or 3)


@Parameter(name="*")
@dataclass(frozen=True)
class Running:
    """How often, from which seed, and where."""

    replicates: Annotated[
        int, Parameter(name=["--replicates", "-R"], group=RUNNING, help="Simulated benchmarks of each cell")
    ] = 20_000
    draws: Annotated[int, Parameter(group=RUNNING, help="Draws of methods that use luck")] = 499
    seed: Annotated[int, Parameter(group=RUNNING, help="Seed of all streams")] = 0
    workers: Annotated[int, Parameter(group=RUNNING, help="Processes; the numbers do not depend on it")] = 1
    dask: Annotated[
        str | None, Parameter(group=RUNNING, help="Address of a Dask scheduler to run on instead")
    ] = None
    resume: Annotated[
        Path | None,
        Parameter(group=RUNNING, help="Keep finished blocks in this file, and go on from what it has"),
    ] = None


def simulate(
    study: Annotated[
        Literal[
            "passk",
            "variance",
            "calibration",
            "power",
            "mde",
            "flips",
            "contamination",
            "clusters",
            "coverage",
            "votes",
            "judge",
            "anytime",
            "ragged",
            "all",
        ],
        Parameter(help="What to study; all takes them in turn"),
    ],
    *,
    cells: Cells | None = None,
    truth: Truth | None = None,
    running: Running | None = None,
    reading: Reading | None = None,
    output: Output | None = None,
) -> Answer:
    """Simulate a benchmark many times where the truth is known, and set the exact answer beside the result.

    passk: plug-in and unbiased pass@k. variance: what samples and what items add to a score's spread.
    calibration: how often each test separates equal entries. power: how often it separates different ones.
    mde: the smallest difference that is seen. flips: how often the order is right. contamination: what
    memorised items add. clusters: what items that share difficulty cost. coverage: how often each interval
    holds the truth. votes: what voters with tastes of their own do to a board. judge: scores of a judge that
    errs, as they are, corrected by labels of people, and the labels alone. anytime: how often looking early
    errs, and when it stops. ragged: how often each way to score entries that ran different items puts a wrong
    one first. --from PATH asks all this of your own benchmark.
    """
    cells, truth, running = cells or Cells(), truth or Truth(), running or Running()
    reading, output = reading or Reading(), output or Output()
    output.chosen()
    if running.workers < 1:
        raise UsageError(f"--workers is at least 1; found {running.workers}")
    board = truth.board(reading, quiet=output.quiet)
    from deadheat.simulating.executors import executor
    from deadheat.simulating.verb import STUDIES
    from deadheat.simulating.verb import simulate as verb

    names = list(STUDIES) if study == "all" else [study]
    plan = _design(cells, truth, running)
    documents = []
    with executor(running.workers, running.dask) as pool:
        for name in names:
            with busy(f"simulating {name}", quiet=output.quiet) as advance:
                documents.append(
                    verb(name, plan, board, executor=pool, resume=running.resume, advance=advance)
                )
    return Answer(documents, output)


def _design(cells: Cells, truth: Truth, running: Running) -> Design:
    """The same as a Design: lists become tuples, and what was not said keeps the study's own value."""
    from deadheat.simulating.study_design import Design

    known = set(Design.__struct_fields__)
    given: dict[str, Any] = {}
    for part in (cells, truth, running):
        for field in fields(part):
            value = getattr(part, field.name)
            if field.name in known and value is not None:
                given[field.name] = tuple(value) if isinstance(value, list) else value
    return Design(**given)
