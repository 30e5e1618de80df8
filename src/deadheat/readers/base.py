"""What a reader is: how it recognises a file, what it makes of it, and what it says about itself."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import msgspec

from deadheat.data.batch import Batch, literal
from deadheat.data.engine import alias, open_to
from deadheat.errors import MalformedFile
from deadheat.readers.opening import BOM as BOM
from deadheat.readers.opening import ZSTD as ZSTD
from deadheat.readers.opening import damage as damage
from deadheat.readers.opening import engine_suffix, unpacked_name
from deadheat.readers.opening import open_bytes as open_bytes
from deadheat.readers.opening import sha256 as sha256
from deadheat.readers.opening import zstd as zstd
from deadheat.readers.unique import check_keys
from deadheat.results import File

if TYPE_CHECKING:
    import duckdb

HEAD = 65536  # bytes that recognition looks at
MEMORY = 2**31  # bytes; see `Options.memory`
ZIP, PARQUET = b"PK\x03\x04", b"PAR1"
_NAN = re.compile(rb"(?<=[:,\[])(\s*)NaN(?=\s*[,}\]])")


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
    memory : int
        Bytes that reading may use: a document that is decoded whole, or a member of an archive, is refused
        if it unpacks to more; so is a line of JSON of more than an eighth of it. Tables use the disk
        beyond it.
    join_labels : bool
        Entries, and items, whose labels differ in case, blanks or the form of a number only are one.
    columns : mapping of str to str
        Part -> column of tables, before any usual name.
    """

    board: str | None = None
    by_position: bool = False
    choices: dict[str, str] = field(default_factory=dict)
    latest: bool = False
    memory: int = MEMORY
    join_labels: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)


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
    entry : str
        The name for an entry that the file itself does not name, made from the path.
    memory, columns
        See `Options`.
    """

    path: Path
    connection: duckdb.DuckDBPyConnection
    label: str | None = None
    root: Path | None = None
    entry: str = ""
    memory: int = MEMORY
    columns: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def head(self) -> bytes:
        """The first bytes, decompressed and without a byte order mark; what can be read of a damaged file."""
        found = b""
        try:
            with self.open() as stream:
                while len(found) < HEAD and (part := stream.read1(HEAD - len(found))):  # type: ignore[attr-defined]
                    found += part
        except damage():  # asked only now: it imports a decompressor
            pass
        return found.removeprefix(BOM)

    def open(self) -> IO[bytes]:
        """Open the file for reading bytes, unpacked where its first bytes say so, and as UTF-8."""
        return open_bytes(self.path)

    @cached_property
    def scanned(self) -> str:
        """SQL of the name by which the engine reads the file: a plain one, that no part of a path changes.

        Raises
        ------
        MalformedFile
            For a truncated or corrupt compressed file that has to be unpacked first.
        """
        suffix = engine_suffix(self.path)
        try:
            with self.open() as stream:
                content = stream if suffix is None else None
                while suffix == ".zst" and stream.read(2**20):
                    pass  # a scan may take a truncated file for a short one; it checks gzip itself
                return literal(str(open_to(self.connection, self.path, suffix or ".txt", content)))
        except damage() as error:
            raise MalformedFile(f"{self.path}: {broken(error)}") from error

    def renamed(self, text: str) -> str:
        """Put the file's path where a text has the engine's name for it."""
        name = re.escape(str(alias(self.connection, self.path)))
        return re.sub(rf"{name}(\.[a-z]+)?", lambda _: str(self.path), text)

    def read(self) -> bytes:
        """Return the whole file, decompressed and without a byte order mark.

        Raises
        ------
        MalformedFile
            For a truncated or corrupt compressed file, or one larger than `memory`.
        """
        try:
            with self.open() as stream:
                data = stream.read(self.memory + 1)
        except damage() as error:
            raise MalformedFile(f"{self.path}: {broken(error)}") from error
        if len(data) > self.memory:
            raise MalformedFile(f"{self.path}: {too_large(self.memory)}")
        return data.removeprefix(BOM)

    def json(self, type: Any = Any) -> Any:
        """Decode the whole file as JSON of a type, naming the key that does not fit."""
        data = self.read()
        found = decode(data, type, str(self.path))
        check_keys(data, str(self.path))
        return found

    def beside(self, path: Path) -> Source:
        """Another file that is read with this one."""
        return replace(self, path=path)

    def file(self, format: str, rows: int = -1, *, hashed: bool = True) -> File:
        """Describe the file for the provenance; its hash may come later, from `hashing`."""
        digest = sha256(self.path) if hashed else ""
        return File(path=str(self.path), sha256=digest, format=format, rows=rows)

    def hashing(self) -> Callable[[], str]:
        """Begin to hash the file in a thread; the call that is returned waits for the hash."""
        from concurrent.futures import ThreadPoolExecutor  # 10 ms that small files need not wait

        pool = ThreadPoolExecutor(1)
        found = pool.submit(sha256, self.path)
        pool.shutdown(wait=False)
        return found.result

    @property
    def stem(self) -> str:
        """The file name without compression and format suffixes."""
        name = unpacked_name(self.path.name)
        return name.rsplit(".", 1)[0] if "." in name.lstrip(".") else name

    @property
    def suffix(self) -> str:
        """The format suffix in lower case, compression aside: ``.jsonl`` for ``a.jsonl.gz``."""
        name = unpacked_name(self.path.name).lower()
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
    general : bool
        For tables of any origin, which give way to a reader that knows the harness.
    asked : bool
        Read only where the user asks for it by name; it claims no file.
    together : callable or None
        What is known only of all its files that are read at once: takes their batches and the connection, and
        returns the batches in the same order.
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
    general: bool = False
    asked: bool = False
    together: Callable[[Sequence[Batch], duckdb.DuckDBPyConnection], Sequence[Batch]] | None = None


def broken(error: Exception) -> str:
    """Say what is wrong with a packed file, or with a text of another encoding."""
    if isinstance(error, UnicodeDecodeError):
        return f"not valid {error.encoding.upper()} text ({error.reason})"
    return f"the compressed file is truncated or corrupt ({error})"


def too_large(memory: int) -> str:
    """Say what a limit is, and what raises it."""
    return f"holds more than {memory:,} bytes, which is refused; --memory SIZE raises the limit"


def decode(data: bytes, type: Any, where: str) -> Any:
    """Decode JSON of a type; a bare NaN, which Python writes, becomes null and a bare Infinity a text.

    Raises
    ------
    MalformedFile
        Naming the file and the place.
    """
    try:
        return msgspec.json.decode(data, type=type)
    except msgspec.ValidationError as error:
        raise MalformedFile(f"{where}: not as the format says: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if b"NaN" in data or b"Infinity" in data:
            return _decode_with_nan(data, type, where)
        raise MalformedFile(f"{where}: not valid JSON: {error}") from error


def _decode_with_nan(data: bytes, type: Any, where: str) -> Any:
    try:
        return msgspec.json.decode(_NAN.sub(rb"\1null", data), type=type)
    except msgspec.ValidationError as error:
        raise MalformedFile(f"{where}: not as the format says: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass  # an Infinity, or a NaN in an unusual place: the slow way knows all
    try:
        loose = json.loads(data, parse_constant=lambda name: None if name == "NaN" else name)
        return msgspec.json.decode(json.dumps(loose), type=type)
    except msgspec.ValidationError as error:
        raise MalformedFile(f"{where}: not as the format says: {error}") from error
    except (ValueError, RecursionError) as error:
        raise MalformedFile(f"{where}: not valid JSON: {error}") from error
