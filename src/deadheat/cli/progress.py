"""A word on standard error while something takes longer than a second."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
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
