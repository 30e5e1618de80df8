"""How much memory DuckDB may take, where it works beyond that, and how far it has come."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from deadheat.data.batch import literal
from deadheat.output import scratch

if TYPE_CHECKING:
    import duckdb

SHARE = 3  # the part of the memory for reading that the scan of large files may take
THREAD = 64 * 2**20  # bytes that a thread needs at least: two buffers of JSON, and its groups


def hold(connection: duckdb.DuckDBPyConnection, memory: int) -> None:
    """Hold DuckDB to some memory; beyond it, it works on disk, in the folder for temporary files (TMPDIR).

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
    memory : int
        Bytes. Threads are so many that each finds room.
    """
    folder = scratch() / "spill"
    (threads,) = connection.execute("SELECT current_setting('threads')").fetchall()[0]
    connection.execute(
        f"SET memory_limit='{memory >> 10}KiB'; SET temp_directory={literal(str(folder))}; "
        f"SET threads={min(int(threads), max(1, memory // THREAD))}"
    )


def frugally(connection: duckdb.DuckDBPyConnection, query: str) -> duckdb.DuckDBPyConnection:
    """Run a query that may fill the memory; where it does not do for all threads, begin again with one."""
    import duckdb

    try:
        return connection.execute(query)
    except duckdb.OutOfMemoryException:
        connection.execute("SET threads=1")
        return connection.execute(query)


@contextmanager
def watched(
    connection: duckdb.DuckDBPyConnection, told: Callable[[int, int], None] | None, every: float = 0.2
) -> Iterator[None]:
    """Tell how far the current query has come, in per cent, until the work inside is done.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
    told : callable or None
        Is told ``(per cent, 100)``; None watches nothing.
    every : float
        Seconds between two looks.
    """
    if told is None:
        yield
        return
    connection.execute("SET enable_progress_bar=true; SET enable_progress_bar_print=false")
    over = threading.Event()

    def look() -> None:
        while not over.wait(every):
            if (done := connection.query_progress()) > 0:
                told(int(done), 100)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
