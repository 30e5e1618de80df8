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
from deadheat.readers.base import decode, too_large
from deadheat.readers.unique import check_keys

if sys.version_info >= (3, 14):
    import zipfile

    from compression.zstd import ZstdDecompressor, ZstdError
else:
    from backports.zstd import ZstdDecompressor, ZstdError, zipfile

ZSTANDARD = 93  # method of compression in a zip archive
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
    memory : int
        Bytes to which a member may unpack.
    """

    def __init__(self, path: Path, memory: int) -> None:
        self.path = path
        self.memory = memory
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
            info = self._zip.getinfo(name)
            if info.file_size <= self.memory:
                data = self._frames(info) if info.compress_type == ZSTANDARD else self._member(info)
                if len(data) <= self.memory:
                    return data
        raise MalformedFile(f"{self.path}: member {name} {too_large(self.memory)}")

    def _member(self, info: Any) -> bytes:
        with self._zip.open(info) as member:
            return bytes(member.read(self.memory + 1))

    def _frames(self, info: Any) -> bytes:
        """Unpack a zstd member, which Inspect writes as several frames when it is large."""
        with self.path.open("rb") as raw:
            raw.seek(info.header_offset)
            head = raw.read(30)
            raw.seek(int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little"), 1)
            packed = raw.read(info.compress_size)
        found = bytearray()
        while packed and len(found) <= self.memory:
            frame = ZstdDecompressor()
            found += frame.decompress(packed, max_length=self.memory + 1 - len(found))
            if not frame.eof and len(found) <= self.memory:
                raise EOFError("a frame ends too early")
            packed = frame.unused_data
        if len(found) <= self.memory and zlib.crc32(found) != info.CRC:
            raise ValueError(f"wrong checksum of {info.filename!r}")
        return bytes(found)

    def json(self, name: str, type: Any) -> Any:
        """Decode one member."""
        data, where = self.read(name), f"{self.path}: {name}"
        found = decode(data, type, where)
        check_keys(data, where)
        return found

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
