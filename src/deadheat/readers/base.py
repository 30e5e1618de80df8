"""What a reader is: how it recognises a file, what it makes of it, and what it says about itself."""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec

from deadheat.attempts import Batch
from deadheat.errors import MalformedFile, ReadError
from deadheat.results import File

if TYPE_CHECKING:
    import duckdb

HEAD = 65536  # bytes that recognition looks at
BOM = b"\xef\xbb\xbf"
GZIP, ZSTD, ZIP, PARQUET = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"PAR1"


@dataclass(frozen=True)
class Options:
    """What the user said about reading.

    Parameters
    ----------
    board : str or None
        Which board of a file of several.
    by_position : bool
        Rows without ids are matched by their position.
    choices : mapping of str to str
        Answers to questions that a format asks, such as ``scorer``, ``metric`` or ``filter``.
    latest : bool
        Of several runs of one entry, take the latest.
    """

    board: str | None = None
    by_position: bool = False
    choices: dict[str, str] = field(default_factory=dict)
    latest: bool = False


@dataclass(frozen=True)
class Source:
    """One file to read.

    Parameters
    ----------
    path : Path
    connection : duckdb.DuckDBPyConnection
        Where a batch's query will run.
    label : str or None
        The entry's name, as the user gave it (``name=path``).
    root : Path or None
        The folder that was asked for, when the file was found by walking it.
    """

    path: Path
    connection: duckdb.DuckDBPyConnection
    label: str | None = None
    root: Path | None = None

    @cached_property
    def head(self) -> bytes:
        """The first bytes, decompressed and without a byte order mark; empty when unreadable."""
        try:
            with self.open() as stream:
                return stream.read(HEAD).removeprefix(BOM)
        except MalformedFile:
            return b""

    def open(self) -> IO[bytes]:
        """Open the file for reading bytes, through gzip or zstd where its first bytes say so."""
        return open_bytes(self.path)

    def read(self) -> bytes:
        """Return the whole file, decompressed and without a byte order mark.

        Raises
        ------
        MalformedFile
            For a truncated or corrupt compressed file.
        """
        try:
            with self.open() as stream:
                return stream.read().removeprefix(BOM)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise MalformedFile(f"{self.path}: the compressed file is truncated or corrupt ({error})") from error

    def json(self, type: Any = Any) -> Any:
        """Decode the whole file as JSON of a type, naming the key that does not fit."""
        return decode(self.read(), type, str(self.path))

    def file(self, format: str, rows: int = -1) -> File:
        """Describe the file for the provenance."""
        return File(path=str(self.path), sha256=sha256(self.path), format=format, rows=rows)

    @property
    def stem(self) -> str:
        """The file name without compression and format suffixes."""
        name = self.path.name
        for suffix in (".gz", ".zst"):
            name = name.removesuffix(suffix)
        return name.rsplit(".", 1)[0] if "." in name.lstrip(".") else name

    @property
    def suffix(self) -> str:
        """The format suffix in lower case, compression aside: ``.jsonl`` for ``a.jsonl.gz``."""
        name = self.path.name.lower()
        for suffix in (".gz", ".zst"):
            name = name.removesuffix(suffix)
        return "." + name.rsplit(".", 1)[1] if "." in name.lstrip(".") else ""


@dataclass(frozen=True)
class Reader:
    """One format.

    Parameters
    ----------
    name : str
        As in ``--read NAME``.
    title : str
        The format in words.
    recognised : str
        How a file is recognised.
    entry, item, sample, score, failed, absent : str
        What counts as each.
    claims : callable
        Whether a file is of this format, from its name and first bytes.
    read : callable
        What the file holds; an empty sequence for a companion that is read with its neighbour.
    """

    name: str
    title: str
    recognised: str
    entry: str
    item: str
    sample: str
    score: str
    failed: str
    absent: str
    claims: Callable[[Source], bool]
    read: Callable[[Source, Options], Sequence[Batch]]


def open_bytes(path: Path) -> IO[bytes]:
    """Open a file for reading bytes, through gzip or zstd where its first bytes say so."""
    try:
        raw = path.open("rb")
    except OSError as error:
        raise ReadError(f"{path}: cannot be opened ({error.strerror})") from error
    magic = raw.read(4)
    raw.seek(0)
    if magic.startswith(GZIP):
        return gzip.GzipFile(fileobj=raw)
    if magic == ZSTD:
        return zstd_stream(raw)
    return raw


def zstd_stream(raw: IO[bytes]) -> IO[bytes]:
    """Decompress a zstd stream."""
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        from backports import zstd
    stream: IO[bytes] = io.BufferedReader(zstd.ZstdFile(raw))  # type: ignore[arg-type]
    return stream


def sha256(path: Path) -> str:
    """Hash a file as it lies on disk."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def decode(data: bytes, type: Any, where: str) -> Any:
    """Decode JSON of a type; bare NaN and Infinity, which Python writes, become null.

    Raises
    ------
    MalformedFile
        Naming the file and the place.
    """
    try:
        return msgspec.json.decode(data, type=type)
    except msgspec.ValidationError as error:
        raise MalformedFile(f"{where}: not as the format says: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        if b"NaN" in data or b"Infinity" in data:
            return _decode_with_nan(data, type, where)
        raise MalformedFile(f"{where}: not valid JSON: {error}") from error


def _decode_with_nan(data: bytes, type: Any, where: str) -> Any:
    import json

    try:
        loose = json.loads(data, parse_constant=lambda _: None)
        return msgspec.convert(loose, type=type)
    except (ValueError, RecursionError, msgspec.ValidationError) as error:
        raise MalformedFile(f"{where}: not valid JSON: {error}") from error
