"""Where blocks of replicates run: in this process, in several, or on a Dask cluster."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context

from deadheat.errors import MissingExtra

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


@contextmanager
def executor(workers: int = 1, dask: str | None = None) -> Iterator[Executor | None]:
    """Open an executor, and close it at the end.

    Parameters
    ----------
    workers : int
        Processes on this machine; 1 runs in this process.
    dask : str or None
        Address of a Dask scheduler, which is used instead.

    Yields
    ------
    concurrent.futures.Executor or None

    Raises
    ------
    MissingExtra
        Dask is asked for and not installed.
    """
    if dask is not None:
        try:
            from distributed import Client
        except ImportError as error:
            raise MissingExtra("--dask needs the extra: pip install 'deadheat[dask]'") from error
        client = Client(dask)  # type: ignore[no-untyped-call]
        with client, client.get_executor(pure=False) as pool:  # type: ignore[no-untyped-call]
            yield pool
        return
    if workers == 1:
        yield None
        return
    # Processes share the cores already; threads of theirs would only fight.
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_prepare) as pool:
            yield pool
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _prepare() -> None:
    """Leave an interrupt to the process that started this one, and numba, still to come, one thread."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["NUMBA_NUM_THREADS"] = "1"
