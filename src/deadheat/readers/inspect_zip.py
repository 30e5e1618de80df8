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
from deadheat.readers.base import ZIP, decode, too_large
from deadheat.readers.unique import check_keys
from deadheat.results import Note

if sys.version_info >= (3, 14):
    import zipfile

    from compression.zstd import ZstdDecompressor, ZstdError
else:
    from backports.zstd import ZstdDecompressor, ZstdError, zipfile

ZSTANDARD = 93  # method of compression in a zip archive
STREAMED = 8  # flag of a member whose sizes stand behind it
HEADER = struct.Struct(
    "<4sHHHIIIIHH"
)  # before each member: signature, versions, … sizes, lengths of its name
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
    KeyError,
)


class Archive:
    """Members of one log; those that are whole of one whose end is missing, as while a run goes on.

    Parameters
    ----------
    path : Path
    memory : int
        Bytes to which a member may unpack.
    """

    def __init__(self, path: Path, memory: int) -> None:
        self.path = path
        self.memory = memory
        self.cut: list[Note] = []
        with _damage(path):
            self._file = path.open("rb")
            try:
                listed = zipfile.ZipFile(self._file).infolist()
            except zipfile.BadZipFile:
                listed = list(self._whole())
                if not listed:
                    self._file.close()
                    raise
                text = (
                    f"{path.name}: the end of this log is missing; read are its {len(listed)} whole members"
                )
                self.cut.append(Note(code="truncated-log", text=text))
        self._members = {info.filename: info for info in listed}  # of several with a name the last counts
        self.names = frozenset(self._members)

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def read(self, name: str) -> bytes:
        """Return one member; of several with its name the last counts, as in Inspect."""
        with _damage(self.path):
            info = self._members[name]
            if info.file_size <= self.memory:
                data = self._unpacked(info)
                if len(data) <= self.memory:
                    return data
        raise MalformedFile(f"{self.path}: member {name} {too_large(self.memory)}")

    def _unpacked(self, info: Any) -> bytes:
        """Unpack a member; one of zstd may have several frames, as Inspect writes it when it is large."""
        self._file.seek(info.header_offset)
        head = self._file.read(HEADER.size)
        name, more = HEADER.unpack(head)[-2:]
        self._file.seek(name + more, 1)
        packed, found, most = self._file.read(info.compress_size), bytearray(), self.memory + 1
        if info.compress_type == zipfile.ZIP_STORED:
            found += packed[:most]
        elif info.compress_type == zipfile.ZIP_DEFLATED:
            found += zlib.decompressobj(-15).decompress(packed, most)
        elif info.compress_type == ZSTANDARD:
            while packed and len(found) < most:
                frame = ZstdDecompressor()
                found += frame.decompress(packed, max_length=most - len(found))
                if not frame.eof and len(found) < most:
                    raise EOFError("a frame ends too early")
                packed = frame.unused_data
        else:
            raise NotImplementedError(f"compression method {info.compress_type}")
        if len(found) < most and zlib.crc32(found) != info.CRC:
            raise ValueError(f"wrong checksum of {info.filename!r}")
        return bytes(found)

    def _whole(self) -> Iterator[Any]:
        """Members that stand whole in an archive without a directory, told by the header before each."""
        end, at = self.path.stat().st_size, 0
        while True:
            self._file.seek(at)
            head = self._file.read(HEADER.size)
            if len(head) < HEADER.size or not head.startswith(ZIP):
                return
            _, _, flags, method, _, crc, packed, size, name, more = HEADER.unpack(head)
            info: Any = zipfile.ZipInfo(self._file.read(name).decode(errors="replace") or "?")
            at, info.header_offset = at + HEADER.size + name + more + packed, at
            if at > end or flags & STREAMED:
                return
            info.CRC, info.compress_type, info.compress_size, info.file_size = crc, method, packed, size
            yield info

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
