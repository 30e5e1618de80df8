"""DuckDB as it is used here: which files it may open, how much memory it may take, how far it has come."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from deadheat.data.batch import literal
from deadheat.output import scratch

if TYPE_CHECKING:
    import duckdb

SHARE = 3  # the part of the memory for reading that the scan of large files may take
THREAD = 64 * 2**20  # bytes that a thread needs at least: two buffers of JSON, and its groups


# Connection -> the one folder in which it may open and write files.
_rooms: weakref.WeakKeyDictionary[duckdb.DuckDBPyConnection, Path] = weakref.WeakKeyDictionary()


def connect(files: Iterable[Path] = (), memory: int | None = None) -> duckdb.DuckDBPyConnection:
    """Connect to a database in memory that loads no extension and opens no other files.

    Parameters
    ----------
    files : iterable of Path
        What it may open, by the names that `alias` gives: a path is a path, never a pattern, an address or a
        ``column=value``.
    memory : int or None
        See `hold`.
    """
    import duckdb

    connection = duckdb.connect(":memory:")
    room = room_of(connection)
    real = ", ".join(literal(os.path.realpath(path)) for path in files)
    connection.execute(
        "SET autoinstall_known_extensions=false; SET autoload_known_extensions=false; "
        f"SET temp_directory={literal(str(room / 'spill'))}; SET allowed_paths=[{real}]; "
        f"SET allowed_directories=[{literal(f'{room}/')}]; SET enable_external_access=false"
    )
    if memory is not None:
        hold(connection, memory)
    return connection


def room_of(connection: duckdb.DuckDBPyConnection) -> Path:
    """The folder in which a connection may write; it goes when the connection does."""
    if connection not in _rooms:
        _rooms[connection] = room = Path(tempfile.mkdtemp(dir=scratch()))
        weakref.finalize(connection, shutil.rmtree, room, ignore_errors=True)
    return _rooms[connection]


def alias(connection: duckdb.DuckDBPyConnection, path: Path) -> Path:
    """The name by which a connection knows a file, suffix aside; see `open_to`."""
    return room_of(connection) / hashlib.sha256(os.fsencode(path)).hexdigest()[:20]


def open_to(
    connection: duckdb.DuckDBPyConnection, path: Path, suffix: str, content: IO[bytes] | None = None
) -> Path:
    """Let a connection open a file, under a plain name.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
    path : Path
    suffix : str
        Of the name, which tells how the file is compressed.
    content : binary stream or None
        What is read instead of the file itself.
    """
    name = alias(connection, path).with_suffix(suffix)
    if content is not None:
        with name.open("wb") as copy:
            shutil.copyfileobj(content, copy)
    elif not name.is_symlink():
        try:
            name.symlink_to(os.path.realpath(path))
        except OSError:  # a system on which not everyone may make links
            shutil.copyfile(path, name)
    return name


def hold(connection: duckdb.DuckDBPyConnection, memory: int) -> None:
    """Hold DuckDB to some memory; beyond it, it works on disk, in the folder for temporary files (TMPDIR).

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
    memory : int
        Bytes. Threads are so many that each finds room.
    """
    (threads,) = connection.execute("SELECT current_setting('threads')").fetchall()[0]
    connection.execute(
        f"SET memory_limit='{memory >> 10}KiB'; SET threads={min(int(threads), max(1, memory // THREAD))}"
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
