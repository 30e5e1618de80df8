"""A word on standard error while something takes longer than a second, with a bar where there is a count."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from deadheat.cli.stderr import inert
from deadheat.cli.stdin import named

if TYPE_CHECKING:
    from rich.progress import Progress

Told = Callable[[int, int], None]  # takes what is done, and what there is in all


@contextmanager
def busy(what: str, *, quiet: bool = False, after: float = 1.0) -> Iterator[Told]:
    """Show what is going on, on a terminal only, once it has lasted for `after` seconds.

    Parameters
    ----------
    what : str
        For example ``reading runs/``.
    quiet : bool
        Show nothing.
    after : float
        Seconds before anything is shown.

    Yields
    ------
    callable
        To be told ``(done, in all)`` if that is known, which makes a bar of it.
    """
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    finished = threading.Event()
    count = [0, 0]  # done, in all; 0 in all is unknown

    def show() -> None:
        if finished.wait(after):
            return
        with _bar() as bar:
            task = bar.add_task(inert(named(what)), total=None)
            while not finished.wait(0.1):
                bar.update(task, completed=count[0], total=count[1] or None)

    def told(done: int, total: int) -> None:
        count[:] = done, total

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield told
    finally:
        finished.set()
        thread.join()


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)
