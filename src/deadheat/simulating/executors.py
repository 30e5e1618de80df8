"""Where blocks of replicates run: in this process, in several, or on a Dask cluster."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread

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
            try:
                with _uninterrupted():
                    for _ in range(workers):  # a process each, before there is work
                        pool.submit(int)
                yield pool
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for process in active_children():  # what they compute is wanted no more
                    process.terminate()
                raise
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let processes that are started inside ignore Ctrl-C, which their parent answers."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # not the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _prepare() -> None:
    """Leave an interrupt to the process that started this one, end with it, and give numba one thread."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["NUMBA_NUM_THREADS"] = "1"
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    """End this process when its parent has, however that was."""
    wait([sentinel])
    os._exit(1)
