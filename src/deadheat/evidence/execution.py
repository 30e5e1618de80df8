"""Pieces of work run here or by an executor, as they finish; a lost worker is the executor's care."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import islice
from typing import Any, TypeVar

Piece = TypeVar("Piece")
AHEAD = 256  # pieces handed to an executor at once


def finished(
    work: Iterable[Piece], call: Callable[[Piece], tuple[Any, ...]], executor: Executor | None
) -> Iterator[tuple[Piece, Any]]:
    """Yield pieces and what came of them, as they finish.

    Parameters
    ----------
    work : iterable
        Pieces of any kind.
    call : callable
        Makes of a piece a function and its arguments, just before it is run.
    executor : concurrent.futures.Executor or None
        Where they run; None runs them here, in their order.
    """
    if executor is None:
        for piece in work:
            function, *arguments = call(piece)
            yield piece, function(*arguments)
        return
    waiting = iter(work)
    running: dict[Future[Any], Piece] = {}
    try:
        while True:
            for piece in islice(waiting, AHEAD - len(running)):
                running[executor.submit(*call(piece))] = piece
            if not running:
                return
            ready, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in ready:
                yield running.pop(future), future.result()
    finally:
        for future in running:
            future.cancel()
