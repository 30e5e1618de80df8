"""Simulation cells beside a plain loop in numpy: one replicate at a time, every item of it drawn."""

import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import stdtrit

from deadheat.seeds import stream
from deadheat.simulating import BoardWorld, Design, World
from deadheat.simulating.cluster_study import clusters
from deadheat.simulating.executors import executor
from deadheat.simulating.jobs import BLOCK, Job
from deadheat.simulating.order_study import flips
from deadheat.simulating.pair_studies import power

LOOP = "a numpy loop over replicates"


def _chances(
    world: World, items: int, rng: np.random.Generator, cluster: tuple[int, float] = (1, 0.0)
) -> Any:
    """Chances of every entry at the items of one replicate."""
    size, rho = cluster
    d = rng.standard_normal(items)
    if rho:
        shared = rng.standard_normal(-(-items // size))
        d = np.sqrt(rho) * np.repeat(shared, size)[:items] + np.sqrt(1 - rho) * d
    turn = rng.standard_normal((len(world.names), items))
    logit = _skills(world)[:, None] - np.outer(world.loading, d) + np.array(world.own)[:, None] * turn
    return 1 / (1 + np.exp(-logit))


_KNOWN: dict[World, Any] = {}


def _skills(world: World) -> Any:
    """Solved once: the loop is not to pay for it."""
    if world not in _KNOWN:
        _KNOWN[world] = world.skills()
    return _KNOWN[world]


def loop_power(world: World, items: int, samples: int) -> Callable[[int, np.random.Generator], Any]:
    critical = -stdtrit(items - 1, 0.025)

    def one(replicates: int, rng: np.random.Generator) -> Any:
        rejected = 0
        for _ in range(replicates):
            counts = rng.binomial(samples, _chances(world, items, rng))
            d = (counts[0] - counts[1]) / samples
            rejected += abs(d.mean()) > critical * d.std(ddof=1) / np.sqrt(items)
        return rejected / replicates

    return one


def loop_clusters(
    world: World, items: int, size: int, rho: float
) -> Callable[[int, np.random.Generator], Any]:
    def one(replicates: int, rng: np.random.Generator) -> Any:
        total = 0.0
        for _ in range(replicates):
            score = rng.binomial(1, _chances(world, items, rng, (size, rho))[0]).mean()
            total += (score - world.rates[0]) ** 2
        return total / replicates / (world.rates[0] * (1 - world.rates[0]) / items)

    return one


def loop_order(world: World, items: int, samples: int) -> Callable[[int, np.random.Generator], Any]:
    def one(replicates: int, rng: np.random.Generator) -> Any:
        right = 0
        for _ in range(replicates):
            totals = rng.binomial(samples, _chances(world, items, rng)).sum(axis=1)
            right += totals[0] > totals[1:].max()
        return right / replicates

    return one


def _row(
    name: str, job: Job, column: int, peer: Callable[[int, np.random.Generator], Any], quick: bool
) -> dict[str, Any]:
    """Time a block of ours, and as many replicates of the loop as fit in a second or two, by turns."""
    ours_s, peer_s, ours, theirs = [], [], [], []
    replicates = 20 if quick else 400
    peer(3, stream(0, "warm"))
    for turn in range(1 if quick else 3):
        start = time.perf_counter()
        found = job.kernel(*job.arguments, replicates=BLOCK, rng=stream(turn, name, "ours"))
        ours_s.append((time.perf_counter() - start) / BLOCK)
        ours.append(found[:, column])
        start = time.perf_counter()
        theirs.append(peer(replicates, stream(turn, name, "peer")))
        peer_s.append((time.perf_counter() - start) / replicates)
    tracemalloc.start()
    job.kernel(*job.arguments, replicates=BLOCK, rng=stream(0, name, "memory"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    mean, spread = np.mean(ours), max(float(np.std(ours)), 0.02)
    error = spread * np.sqrt(1 / (replicates * len(theirs)) + 1 / (BLOCK * len(ours)))
    return {
        "workload": name,
        "ours_s": float(np.median(ours_s)),
        "peer": LOOP,
        "peer_s": float(np.median(peer_s)),
        "ratio": float(np.median(peer_s) / np.median(ours_s)),
        "equal": bool(abs(mean - np.mean(theirs)) < 4.5 * error),
        "peak_mb": round(peak / 1e6, 1),
    }


def run(quick: bool) -> list[dict[str, Any]]:
    """Seconds a replicate, both in one process whose linear algebra has one thread, as `--workers` has it."""
    with executor(2) as pool:
        assert pool is not None
        return pool.submit(_rows, quick).result()


def _rows(quick: bool) -> list[dict[str, Any]]:
    """The table; `equal` within 4.5 Monte Carlo errors of the loop's answer."""
    rows = []
    pair = World.of((0.48, 0.45))
    for items, samples in ((164, 20), (2294, 20), (164, 1), (2294, 1), (2294, 100)):
        job = power(Design(items=(items,), samples=(samples,), tests=("t",)), None)[0]
        name = f"power of t, two entries, {items} items, {samples} samples"
        rows.append(_row(name, job, 0, loop_power(pair, items, samples), quick))
    board = BoardWorld.of(World.of((0.55, 0.5, 0.47, 0.4, 0.3), names="abcde").table(80, 5, seed=1), top=2)
    fitted = board.pick([0, 1])
    job = power(Design(items=(500,), samples=(5,), tests=("t",)), board)[0]
    rows.append(
        _row("power of t, fitted to a board, 500 items, 5 samples", job, 0, loop_power(fitted, 500, 5), quick)
    )
    single = World.of((0.45,))
    for items in (164, 2294):
        job = clusters(Design(items=(items,), rho=(0.4,)), None)[0]
        name = f"inflation by clusters of 12, {items} items"
        rows.append(_row(name, job, 0, loop_clusters(single, items, 12, 0.4), quick))
    for entries, items, samples in (
        (5, 164, 1),
        (5, 2294, 1),
        (12, 164, 1),
        (12, 2294, 1),
        (40, 500, 1),
        (5, 500, 20),
    ):
        world = World.of(tuple(np.linspace(0.55, 0.4, entries)))
        job = flips(Design(items=(items,), samples=(samples,)), world)[0]
        name = f"best on top of {entries} entries, {items} items, {samples} samples"
        rows.append(_row(name, job, 4, loop_order(world, items, samples), quick))
    return rows


def targets(rows: list[dict[str, Any]]) -> list[tuple[str, str, float, bool]]:
    """Of the power of two entries by items, and of the slowest world that does not collapse."""
    found = []
    for what, words, least in (
        ("two entries, 164 items", "two entries, 164 items", 25),
        ("two entries, 2,294 items", "two entries, 2294 items", 200),
        ("clusters", "inflation by clusters", 20),
        ("fitted to a board", "fitted to a board", 20),
        ("many entries", "best on top", 20),
    ):
        chosen = [row for row in rows if words in row["workload"]]
        slowest = min(row["ratio"] for row in chosen)
        met = slowest >= least and all(row["equal"] for row in chosen)
        found.append((f"W5 simulation, {what}", f">= {least} x the loop", slowest, met))
    return found
