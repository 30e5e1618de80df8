"""Boards too large for one machine: blocks of pairs and of resampled scores, run by any executor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.errors import MethodError
from deadheat.evidence.execution import finished
from deadheat.evidence.pairwise import MCNEMAR
from deadheat.seeds import stream
from deadheat.stats.drawing import resample
from deadheat.stats.numerics import popcount
from deadheat.stats.numerics.bounds import Floats

ROWS = 2048  # entries of a block
ITEMS = 2**15  # items of one product: 256 MB for a block of pairs


class Block(NamedTuple):
    """Pairs of some entries with some others: rows x columns.

    Parameters
    ----------
    rows, columns : slice
        Entries of the panel.
    p, log10_p, difference : (rows, columns) float64
        Two-sided p, its logarithm, and row - column on the items they share; NaN where they share none.
    a_only, b_only, shared : (rows, columns) int32
        Items right for the row only, for the column only, and items that both have.
    """

    rows: slice
    columns: slice
    p: Floats
    log10_p: Floats
    difference: Floats
    a_only: NDArray[np.int32]
    b_only: NDArray[np.int32]
    shared: NDArray[np.int32]


class Bits(NamedTuple):
    """Some entries' 0/1 scores, eight items a byte: what travels to a worker.

    Parameters
    ----------
    right, present : (rows, ceil(items / 8)) uint8
        As `numpy.packbits` makes them along an entry's items; nothing is right where it is not present.
    items : int
    """

    right: NDArray[np.uint8]
    present: NDArray[np.uint8]
    items: int

    def floats(self, start: int, stop: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Right and present as numbers; `start` is a multiple of 8."""
        here = slice(start // 8, -(-stop // 8))
        right, seen = (np.unpackbits(bits[:, here], axis=1, count=stop - start) for bits in self[:2])
        return right.astype(np.float32), seen.astype(np.float32)


def pairs(
    panel: Panel,
    executor: Executor | None = None,
    *,
    test: str = "mcnemar",
    then: Callable[[Block], Any] | None = None,
) -> Iterator[Any]:
    """Test all pairs of entries, a block at a time, each pair once.

    Parameters
    ----------
    panel : Panel
        Single 0/1 attempts at independent, equally weighted items.
    executor : concurrent.futures.Executor or None
        Where blocks run: a `ProcessPoolExecutor`, Dask's ``Client.get_executor(pure=False)``, or any other;
        None runs them here.
    test : str
        ``mcnemar``, ``mid-p``, ``mcnemar-chi2`` or ``mcnemar-cc``.
    then : callable or None
        Applied to each block where it was made, so that only its answer travels; a module's function.

    Yields
    ------
    Block, or what `then` made of it
        In the order in which blocks finish. On and below the diagonal of a block whose rows are its columns
        the pairs are those above it, mirrored. The numbers are those of `rank`, bit for bit.

    Raises
    ------
    MethodError
        A test that is none of these, or a panel that does not fit it.
    """
    if not panel.binary or any(x is not None for x in (panel.cluster, panel.weights, panel.stratum)):
        raise MethodError(
            "blocks of pairs take single 0/1 attempts at independent and equally weighted items"
        )
    yield from _tested(partial(_bits, panel), len(panel.entries), executor, test, then, here=True)


def pairs_from(
    bits: Callable[[slice], Bits],
    entries: int,
    executor: Executor | None = None,
    *,
    test: str = "mcnemar",
    then: Callable[[Block], Any] | None = None,
) -> Iterator[Any]:
    """Test all pairs of a board that no one machine holds: each worker fetches the entries of its block.

    Parameters
    ----------
    bits : callable
        Scores of some entries, a slice of ``range(entries)``; a module's function, which may read a file that
        all workers see.
    entries : int
    executor, test, then
        As for `pairs`.

    Yields
    ------
    Block, or what `then` made of it
    """
    yield from _tested(bits, entries, executor, test, then, here=False)


def _tested(
    bits: Callable[[slice], Bits],
    entries: int,
    executor: Executor | None,
    test: str,
    then: Callable[[Block], Any] | None,
    *,
    here: bool,
) -> Iterator[Any]:
    """Run the blocks of one triangle; `here` says where their entries are fetched."""
    if test not in MCNEMAR:
        raise MethodError(f"blocks of pairs are tested by {', '.join(MCNEMAR)}; {test!r} was asked for")
    rows = [slice(start, min(start + ROWS, entries)) for start in range(0, entries, ROWS)]
    work = ((a, b) for at, a in enumerate(rows) for b in rows[at:])

    def call(piece: tuple[slice, slice]) -> tuple[Any, ...]:
        if here:
            return (_pairs, piece, *map(bits, piece), test, then)
        return (_fetched, piece, bits, test, then)

    for _, made in finished(work, call, executor):
        yield made


def _fetched(
    piece: tuple[slice, slice],
    bits: Callable[[slice], Bits],
    test: str,
    then: Callable[[Block], Any] | None,
) -> Any:
    return _pairs(piece, bits(piece[0]), bits(piece[1]), test, then)


def _bits(panel: Panel, rows: slice) -> Bits:
    present = panel.present[rows]
    right = (panel.values[rows] == 1) & present
    return Bits(np.packbits(right, axis=1), np.packbits(present, axis=1), present.shape[1])


def _pairs(
    piece: tuple[slice, slice], a: Bits, b: Bits, test: str, then: Callable[[Block], Any] | None
) -> Any:
    a_only, b_only, shared = _counts(a, b)
    found = MCNEMAR[test](a_only, b_only)
    none = shared == 0
    block = Block(
        *piece,
        p=np.where(none, np.nan, found.p),
        log10_p=np.where(none, np.nan, found.log10_p),
        difference=(a_only - b_only) / np.where(none, np.nan, shared),
        a_only=a_only,
        b_only=b_only,
        shared=shared,
    )
    return block if then is None else then(block)


def _counts(a: Bits, b: Bits) -> NDArray[np.int32]:
    """Items right for a's entries only, for b's only, and present for both, (3, A, B)."""
    counts = np.zeros((3, len(a.right), len(b.right)), dtype=np.int32)
    if popcount.pays(counts[0].size, a.items):
        right_a, seen_a, right_b, seen_b = map(popcount.words, (*a[:2], *b[:2]))
        counts[0] = popcount.product(right_a, seen_b & ~right_b, threads=1)
        counts[1] = popcount.product(seen_a & ~right_a, right_b, threads=1)
        counts[2] = popcount.product(seen_a, seen_b, threads=1)
        return counts
    for start in range(0, a.items, ITEMS):  # sums below 2**24 are exact in float32
        stop = min(start + ITEMS, a.items)
        ones_a, here_a = a.floats(start, stop)
        ones_b, here_b = b.floats(start, stop)
        for count, first, second in zip(
            counts, (ones_a, here_a - ones_a, here_a), (here_b - ones_b, ones_b, here_b), strict=True
        ):
            count += (first @ second.T).astype(np.int32)
    return counts


def bootstrap(
    panel: Panel,
    executor: Executor | None = None,
    *,
    draws: int = 10_000,
    seed: int = 0,
    name: str = "bootstrap",
    then: Callable[[slice, Floats], Any] | None = None,
) -> Iterator[tuple[slice, Any]]:
    """Score all entries in resamples of the items, or of whole clusters, a block of entries at a time.

    All blocks meet the same resamples, which each worker draws for itself from the seed.

    Parameters
    ----------
    panel : Panel
    executor : concurrent.futures.Executor or None
        As for `pairs`.
    draws, seed : int
    name : str
        The stream of the draws.
    then : callable or None
        Applied to ``(entries, scores)`` where they were made, for example to take quantiles.

    Yields
    ------
    entries : slice
        Rows of the panel.
    scores : (draws, rows) float64, or what `then` made of them
        The same to the last bit for every executor, and as `stats.resample.bootstrap_scores` gives them.

    Raises
    ------
    MethodError
        Categories with shares of their own.
    """
    if panel.shares is not None:
        raise MethodError("resampled scores take categories that count alike; found shares of their own")
    parts = resample.layers(panel.values, panel.present, panel.cluster, panel.weights, panel.stratum)
    work = [slice(start, start + ROWS) for start in range(0, len(panel.entries), ROWS)]

    def call(rows: slice) -> tuple[Any, ...]:
        mine = [part._replace(total=part.total[rows], mass=part.mass[rows]) for part in parts]
        return (_bootstrap, rows, mine, draws, seed, name, then)

    yield from finished(work, call, executor)


def _bootstrap(
    rows: slice,
    parts: list[resample.Layer],
    draws: int,
    seed: int,
    name: str,
    then: Callable[[slice, Floats], Any] | None,
) -> Any:
    scores = resample.resampled(parts, draws, rng=stream(seed, name))
    return scores if then is None else then(rows, scores)
