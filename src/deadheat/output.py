"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from deadheat.errors import DeadheatError


def write_whole(path: Path, text: str) -> None:
    """Write a file as UTF-8 so that a crash or a full disk leaves the old one.

    Raises
    ------
    DeadheatError
        It cannot be written.
    """
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise DeadheatError(f"{path}: cannot be written ({error.strerror})") from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise DeadheatError(f"{path}: cannot be written ({error.strerror})") from error
