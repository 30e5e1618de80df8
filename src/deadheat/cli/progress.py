"""A word on standard error while something takes longer than a second."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def busy(what: str, *, quiet: bool = False, after: float = 1.0) -> Iterator[None]:
    """Show what is going on, on a terminal only, once it has lasted for `after` seconds.

    Parameters
    ----------
    what : str
        For example ``reading 3 paths``.
    quiet : bool
        Show nothing.
    after : float
        Seconds before anything is shown.
    """
    if quiet or not sys.stderr.isatty():
        yield
        return
    done = threading.Event()

    def show() -> None:
        if done.wait(after):
            return
        from rich.console import Console

        with Console(stderr=True).status(f"{what} …"):
            done.wait()

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@contextmanager
def counted(what: str, *, quiet: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Show how much is done, on a terminal only.

    Parameters
    ----------
    what : str
        For example ``simulating power``.
    quiet : bool
        Show nothing.

    Yields
    ------
    callable
        To be told ``(done, in all)``.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
