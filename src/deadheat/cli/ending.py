"""How a command ends early: a signal, a closed stream, a full disk or too little memory, in one line each."""

from __future__ import annotations

import errno
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from deadheat.output import clear

WORDS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "hung up"}
# What to do is told where the system's own word is no help.
FULL = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EMFILE: "too many files are open; raise the limit (ulimit -n)",
}


@contextmanager
def stoppable() -> Iterator[None]:
    """Let Ctrl-C, SIGTERM and SIGHUP end the program in order; a second one ends it at once.

    A signal that was ignored at the start (`nohup`, a job in the background) stays ignored.
    """
    before = {}
    with suppress(ValueError):  # only the main thread may
        for name in WORDS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, _stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, frame: FrameType | None) -> None:
    """Remove temporary files and leave, from wherever this is called.

    An exception would not do: raised in a callback or a finaliser it is printed and lost, and libraries make
    others of it.
    """
    signal.signal(number, signal.SIG_DFL)
    clear()
    if "multiprocessing.util" in sys.modules:
        _end_processes()
    with suppress(OSError):
        os.write(2, b"\r\x1b[K\x1b[?25h" if os.isatty(2) else b"")  # a bar of progress, which hid the cursor
        os.write(2, f"deadheat: {WORDS[signal.Signals(number).name]}\n".encode())
    os._exit(128 + number)


def _end_processes() -> None:
    """End worker processes, whose results are wanted no more, and give back what they share."""
    from multiprocessing import active_children, util

    for child in active_children():
        child.kill()
    util._run_finalizers(0)  # type: ignore[attr-defined]


def told(error: BaseException) -> tuple[str, int] | None:
    """Say in a line what ended the command, with its exit code; None for what nobody foresaw.

    Parameters
    ----------
    error : BaseException
        Whatever escaped.
    """
    if isinstance(error, KeyboardInterrupt):
        return WORDS["SIGINT"], 128 + signal.SIGINT
    if isinstance(error, MemoryError):
        return f"there is not enough memory for this ({str(error) or 'none is left'}); see docs/scale.md", 1
    if type(error).__module__.partition(".")[0] in ("duckdb", "_duckdb"):
        return _of_engine(error), 1
    if isinstance(error, OSError) and error.errno is not None:
        why = FULL.get(error.errno) or error.strerror or str(error)
        where = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            why += _elsewhere()
        return f"{where}: {why}" if where else why, 1
    return None


def _of_engine(error: BaseException) -> str:
    """What DuckDB says, in its first line and without its advice, which is about its own settings."""
    text = str(error).split("\n")[0]
    if type(error).__name__ == "OutOfMemoryException":
        if "max_temp_directory_size" in text or "temp directory" in text:
            return f"reading needs more room for temporary files than there is{_elsewhere()}"
        return "reading needs more memory than --memory allows; raise it, for example --memory 8GB"
    if "No space left" in text:
        return f"the disk is full{_elsewhere()}"
    return f"reading failed: {text}"


def _elsewhere() -> str:
    return f" (temporary files are in {tempfile.gettempdir()}; TMPDIR names another folder)"


def open_streams() -> None:
    """Put the null device where standard streams are closed, so that no other file takes their place."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY if number == 0 else os.O_WRONLY)


def hush() -> None:
    """Let what is still to be written vanish, so that there is no second complaint at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()
            continue
        with suppress(AttributeError, OSError, ValueError):
            os.dup2(null, stream.fileno())
    os.close(null)
