"""The zip container of Inspect AI `.eval` logs: members read one by one, bounded, in any compression."""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from deadheat.errors import MalformedFile
from deadheat.readers.base import LARGEST, decode

if sys.version_info >= (3, 14):
    import zipfile

    from compression.zstd import ZstdError
else:
    from backports.zstd import ZstdError, zipfile

# What reading a damaged archive raises, besides errors of the zip layout itself.
_DAMAGE = (
    zipfile.BadZipFile,
    ZstdError,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
    NotImplementedError,
)


class Archive:
    """Members of one log.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with _damage(path):
            self._zip = zipfile.ZipFile(path)
        self.names = frozenset(self._zip.namelist())

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *exception: object) -> None:
        self._zip.close()

    def read(self, name: str) -> bytes:
        """Return one member; of several with its name the last counts, as in Inspect."""
        with _damage(self.path):
            if self._zip.getinfo(name).file_size <= LARGEST:
                with self._zip.open(name) as member:
                    data: bytes = member.read(LARGEST + 1)
                if len(data) <= LARGEST:
                    return data
        raise MalformedFile(
            f"{self.path}: member {name} unpacks to more than {LARGEST} bytes, which is refused"
        )

    def json(self, name: str, type: Any) -> Any:
        """Decode one member."""
        return decode(self.read(name), type, f"{self.path}: {name}")

    def numbered(self, folder: str) -> Iterator[str]:
        """Names ``folder/<number>.json`` in the order of their numbers."""
        stems = [name[len(folder) + 1 : -5] for name in self.names if name.startswith(f"{folder}/")]
        for stem in sorted((stem for stem in stems if stem.isdecimal()), key=int):
            yield f"{folder}/{stem}.json"


@contextmanager
def _damage(path: Path) -> Iterator[None]:
    try:
        yield
    except _DAMAGE as error:
        raise MalformedFile(f"{path}: the .eval archive is truncated or corrupt ({error})") from error
