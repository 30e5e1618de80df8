"""From paths to files: folders walked in a fixed order, and a line for all that is passed over in them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from deadheat.errors import ReadError, listed
from deadheat.readers.base import Source
from deadheat.results import Note

if TYPE_CHECKING:
    import duckdb


class Walk:
    """The files that some paths name.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        Where the files will be read.
    memory : int
        See `Options`.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, memory: int) -> None:
        self.connection, self.memory = connection, memory
        self.passed: dict[str, list[str]] = {}  # why -> what was passed over

    @property
    def notes(self) -> list[Note]:
        """What was passed over, and why."""
        return [
            Note(code="paths-passed-over", text=f"passed over {why}: {listed(names)}")
            for why, names in self.passed.items()
        ]

    def sources(self, paths: Iterable[str | Path]) -> list[Source]:
        """Walk files and folders in a fixed order.

        Raises
        ------
        ReadError
            A path that is missing, not a file, or has a name that is not text.
        """
        found: list[Source] = []
        for given in paths:
            label, path = split(given)
            if not path.exists():
                raise ReadError(f"{path}: no such file or folder")
            root = path if path.is_dir() else None
            files = [path] if root is None else self._files(root)
            found += [Source(file, self.connection, label, root, memory=self.memory) for file in files]
        for source in found:
            if re.search("[\ud800-\udfff]", str(source.path)):
                raise ReadError(f"{str(source.path)!a}: the name of this file is not UTF-8; rename it")
            if not source.path.is_file():  # opening a pipe would wait for ever
                raise ReadError(
                    f"{source.path}: not a regular file but a pipe, a device or a link to nothing"
                )
        return found

    def _files(self, root: Path) -> Iterator[Path]:
        """Files of a folder, then those of folders that are linked from it; each real folder once."""
        met: set[str] = set()
        linked = [str(root)]
        while linked:
            after = []
            for folder, folders, names in os.walk(linked.pop(0), onerror=self._closed):
                if (real := os.path.realpath(folder)) in met:
                    self._pass("links to folders that are read already", folder)
                    folders.clear()
                    continue
                met.add(real)
                self._hidden(folder, [*folders, *names])
                folders[:] = sorted(name for name in folders if not name.startswith("."))
                after += [link for name in folders if os.path.islink(link := os.path.join(folder, name))]
                yield from (Path(folder) / name for name in sorted(names) if not name.startswith("."))
            linked += after

    def _hidden(self, folder: str, names: Sequence[str]) -> None:
        for name in sorted(name for name in names if name.startswith(".")):
            self._pass("hidden files and folders", os.path.join(folder, name))

    def _closed(self, error: OSError) -> None:
        self._pass(f"folders that cannot be opened ({error.strerror})", str(error.filename))

    def _pass(self, why: str, path: str) -> None:
        self.passed.setdefault(why, []).append(path)


def split(given: str | Path) -> tuple[str | None, Path]:
    """Part ``name=path``; a path that exists as it stands is never parted."""
    if isinstance(given, str) and "=" in given and not Path(given).exists():
        label, _, path = given.partition("=")
        if label:
            return label, Path(path)
    return None, Path(given)


def distinct_names(paths: Sequence[Path]) -> list[str]:
    """Name entries after their paths: by file name where those differ, else by what differs in the path.

    Examples
    --------
    >>> distinct_names([Path("runs/a.x"), Path("runs/b.x")])
    ['a.x', 'b.x']
    >>> distinct_names([Path("runs/a/out"), Path("runs/b/out")])
    ['a', 'b']
    """
    if len({path.name for path in paths}) == len(paths):
        return [path.name for path in paths]
    parts = [list(path.parts) for path in paths]
    while len({p[0] for p in parts}) == 1 and min(map(len, parts)) > 1:
        parts = [p[1:] for p in parts]
    while len({p[-1] for p in parts}) == 1 and min(map(len, parts)) > 1:
        parts = [p[:-1] for p in parts]
    return ["/".join(p) for p in parts]
