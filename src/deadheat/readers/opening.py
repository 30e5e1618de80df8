"""The bytes of a file, whatever packs or encodes it: gzip, zstd, bzip2, xz; UTF-16 and UTF-32."""

from __future__ import annotations

import bz2
import codecs
import gzip
import hashlib
import io
import lzma
import sys
import zlib
from pathlib import Path
from typing import IO, Any, cast

from deadheat.errors import ReadError

BOM = codecs.BOM_UTF8
GZIP, ZSTD, BZIP2, XZ = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ\0"
PACKED = (".gz", ".zst", ".bz2", ".xz")
# Marks at the beginning of a text, those that begin with another's first.
MARKS = {
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


class _Recoded(io.RawIOBase):
    """A text of another encoding as UTF-8."""

    def __init__(self, stream: IO[bytes], encoding: str) -> None:
        self.stream, self.rest = stream, b""
        self.decoder = codecs.getincrementaldecoder(encoding)()

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        while not self.rest:
            part = self.stream.read(io.DEFAULT_BUFFER_SIZE)
            self.rest = self.decoder.decode(part, final=not part).encode("utf-8", "surrogatepass")
            if not part:
                break
        size = min(len(room), len(self.rest))
        room[:size], self.rest = self.rest[:size], self.rest[size:]
        return size

    def close(self) -> None:
        self.stream.close()
        super().close()


def open_bytes(path: Path) -> IO[bytes]:
    """Open a file for reading bytes, unpacked where its first bytes say so, and as UTF-8.

    Raises
    ------
    ReadError
        The file cannot be opened.
    """
    try:
        magic = first_bytes(path)
        if magic.startswith(GZIP):
            return cast(IO[bytes], gzip.open(path, "rb"))
        if magic.startswith(ZSTD):
            return cast(IO[bytes], zstd().open(path, "rb"))
        if magic.startswith(BZIP2):
            return bz2.open(path, "rb")
        if magic.startswith(XZ):
            return lzma.open(path, "rb")
        stream = path.open("rb")
    except OSError as error:
        raise ReadError(f"{path}: cannot be opened ({error.strerror})") from error
    mark = next((mark for mark in MARKS if magic.startswith(mark)), None)
    if mark is None:
        return stream
    stream.seek(len(mark))
    return io.BufferedReader(_Recoded(stream, MARKS[mark]))


def first_bytes(path: Path) -> bytes:
    """The bytes with which a file tells what it is, as it lies on disk."""
    with path.open("rb") as raw:
        return raw.read(6)


def engine_suffix(path: Path) -> str | None:
    """The suffix by which DuckDB unpacks a file by itself; None where it does not."""
    magic = first_bytes(path)
    if magic.startswith((BZIP2, XZ, *MARKS)):
        return None
    return ".gz" if magic.startswith(GZIP) else ".zst" if magic.startswith(ZSTD) else ".txt"


def unpacked_name(name: str) -> str:
    """A file name without the suffix of what packs it."""
    return next((name[: -len(end)] for end in PACKED if name.lower().endswith(end)), name)


def zstd() -> Any:
    """Import the module that knows zstd."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd


def damage() -> tuple[type[Exception], ...]:
    """What reading a truncated or corrupt packed file, or a broken text, raises."""
    return (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError, UnicodeDecodeError, zstd().ZstdError)


def sha256(path: Path) -> str:
    """Hash a file as it lies on disk."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise ReadError(f"{path}: cannot be read for its hash: {error.strerror}") from error
