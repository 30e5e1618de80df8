"""Cells of a study cut into blocks: each with a stream of its own, run anywhere, added up in order."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.evidence import execution
from deadheat.seeds import stream
from deadheat.simulating.journal import Journal
from deadheat.simulating.study_design import Row

Floats = NDArray[np.float64]

BLOCK = 10_000  # replicates of a block; fixed, for the blocks decide the streams


@dataclass(frozen=True, eq=False)
class Estimates:
    """Means over replicates, (K,), and their Monte Carlo errors; NaN where all replicates were alike."""

    mean: Floats
    error: Floats


@dataclass(frozen=True, eq=False)
class Job:
    """One cell of a study.

    Parameters
    ----------
    name : str
        Names the streams, and the cell in a journal.
    kernel : callable
        ``kernel(*arguments, replicates=..., rng=...)`` to (replicates, K): what each replicate came to. A
        module's function, so that it can be sent.
    arguments : tuple
        Arrays and plain values; tables are made once, before they are sent.
    rows : callable
        ``rows(estimates)`` to the rows of the cell.
    """

    name: str
    kernel: Callable[..., Floats]
    arguments: tuple[Any, ...]
    rows: Callable[[Estimates], list[Row]]

    def fingerprint(self, seed: int) -> str:
        """A digest of everything that decides the numbers."""
        digest = hashlib.sha256(f"{self.name}\x1f{self.kernel.__qualname__}\x1f{seed}\x1f{BLOCK}".encode())
        for argument in _flat(self.arguments):
            digest.update(argument.tobytes() if isinstance(argument, np.ndarray) else repr(argument).encode())
        return digest.hexdigest()[:32]


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple | list):
        for each in value:
            yield from _flat(each)
    else:
        yield value


def run(
    jobs: Sequence[Job],
    replicates: int,
    seed: int,
    *,
    executor: Executor | None = None,
    resume: Path | None = None,
    advance: Callable[[int, int], None] | None = None,
) -> list[Row]:
    """Run every block of every job and make the rows.

    Parameters
    ----------
    jobs : sequence of Job
    replicates, seed : int
    executor : concurrent.futures.Executor or None
        Where blocks run; None runs them here.
    resume : Path or None
        A journal: finished blocks are written to it as they finish, and taken from it at the next start.
    advance : callable or None
        Told ``(blocks done, blocks in all)``.

    Returns
    -------
    list of dict
        The same for every executor: blocks are added up in their own order.
    """
    sizes = [min(BLOCK, replicates - start) for start in range(0, replicates, BLOCK)]
    work = [(at, block, size) for at in range(len(jobs)) for block, size in enumerate(sizes)]
    marks = [job.fingerprint(seed) for job in jobs]
    journal = Journal(resume)
    done: dict[tuple[int, int], Floats] = {}
    for at, block, size in work:
        kept = journal.found(marks[at], block, size)
        if kept is not None:
            done[at, block] = np.array(kept)
    left = [piece for piece in work if piece[:2] not in done]
    finished = len(done)
    if advance:
        advance(finished, len(work))

    def call(piece: tuple[int, int, int]) -> tuple[Any, ...]:
        at, block, size = piece
        return (_block, jobs[at].kernel, jobs[at].arguments, seed, jobs[at].name, block, size)

    for (at, block, size), sums in execution.finished(left, call, executor):
        journal.write(marks[at], block, size, sums.tolist())
        done[at, block] = sums
        finished += 1
        if advance:
            advance(finished, len(work))
    rows = []
    for at, job in enumerate(jobs):
        total = np.sum([done[at, block] for block in range(len(sizes))], axis=0)
        rows += job.rows(_estimates(total, replicates))
    return rows


def _block(
    kernel: Callable[..., Floats], arguments: tuple[Any, ...], seed: int, name: str, block: int, size: int
) -> Floats:
    """Run one block: sums of its replicates and of their squares, (2, K)."""
    found = kernel(*arguments, replicates=size, rng=stream(seed, "simulate", name, block))
    return np.stack([found.sum(axis=0), (found * found).sum(axis=0)])


def _estimates(total: Floats, replicates: int) -> Estimates:
    mean = total[0] / replicates
    variance = total[1] / replicates - mean**2
    known = variance > 1e-12 * total[1] / replicates
    return Estimates(mean, np.sqrt(np.where(known, variance, np.nan) / replicates))
