"""Standard output: a text or a file is written to it, and what prevents that is told in a line."""

from __future__ import annotations

import errno
import io
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO

from deadheat.cli.ending import hush
from deadheat.cli.stderr import inert
from deadheat.errors import DeadheatError


def emit(text: str | Iterable[str], *, document: bool = False) -> None:
    """Write a text.

    Parameters
    ----------
    text : str, or its pieces
    document : bool
        Not laid out for the terminal: UTF-8 whatever the terminal takes, and inert on one.
    """
    with _open() as stream:
        if document and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
        shown = document and stream.isatty()
        for part in [text] if isinstance(text, str) else text:
            stream.write(inert(part, lines=True) if shown else part)


def emit_file(path: str) -> None:
    """Copy a file as it is; on a terminal with names made inert."""
    with _open() as stream, open(path, "rb") as source:
        if stream.isatty():
            for line in source:
                stream.write(inert(line.decode(), lines=True))
        else:
            stream.flush()
            shutil.copyfileobj(source, stream.buffer)


@contextmanager
def _open() -> Iterator[TextIO]:
    """Yield the stream; what goes wrong there is said of it, except that its reader has seen enough."""
    stream = sys.stdout
    try:
        if stream is None:
            raise OSError(errno.EBADF, "it is closed")
        yield stream
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        hush()
        why = error.strerror or os.strerror(error.errno or 0)
        raise DeadheatError(f"standard output: cannot be written ({why})") from error
