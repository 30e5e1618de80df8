"""How much memory DuckDB may take, and where it works beyond that."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from deadheat.batch import literal

if TYPE_CHECKING:
    import duckdb

SHARE = 4  # the part of the memory for reading that the scan of large files may take
THREAD = 64 * 2**20  # bytes that a thread needs at least: two buffers of JSON, and its groups


def hold(connection: duckdb.DuckDBPyConnection, memory: int) -> None:
    """Hold DuckDB to some memory; beyond it, it works on disk, in the folder for temporary files (TMPDIR).

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
    memory : int
        Bytes. Threads are so many that each finds room.
    """
    folder = Path(tempfile.gettempdir()) / f"deadheat-{os.getpid()}"
    (threads,) = connection.execute("SELECT current_setting('threads')").fetchall()[0]
    connection.execute(
        f"SET memory_limit='{memory >> 10}KiB'; SET temp_directory={literal(str(folder))}; "
        f"SET threads={min(int(threads), max(1, memory // THREAD))}"
    )
