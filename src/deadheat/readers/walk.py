"""From paths to files: folders walked in a fixed order, and a line for all that is passed over in them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from deadheat.data import engine
from deadheat.errors import ReadError, listed
from deadheat.readers.base import Options, Source
from deadheat.results import Note


class Place(NamedTuple):
    """A file, the name that the user gave it, and the folder in which it was met."""

    path: Path
    label: str | None
    root: Path | None


class Walk:
    """Looks for the files that some paths name."""

    def __init__(self) -> None:
        self.passed: dict[str, list[str]] = {}  # why -> what was passed over

    @property
    def notes(self) -> list[Note]:
        """What was passed over, and why."""
        return [
            Note(code="paths-passed-over", text=f"passed over {why}: {listed(names)}")
            for why, names in self.passed.items()
        ]

    def files(self, paths: Iterable[str | Path]) -> list[Place]:
        """Walk files and folders in a fixed order.

        Raises
        ------
        ReadError
            A path that is missing, not a file, or has a name that is not text.
        """
        found: list[Place] = []
        for given in paths:
            label, path = split(given)
            address = re.search(r"(?:^|=)([A-Za-z][A-Za-z0-9+.-]+://\S+)", str(given))
            if address and not path.exists():
                raise ReadError(
                    f"{address[1]}: results are read from files; fetch it first, then name the file"
                )
            if not path.exists():
                raise ReadError(f"{path}: no such file or folder")
            root = path if path.is_dir() else None
            found += [Place(file, label, root) for file in ([path] if root is None else self._inside(root))]
        for file, *_ in found:
            if re.search("[\ud800-\udfff]", str(file)):
                raise ReadError(f"{str(file)!a}: the name of this file is not UTF-8; rename it")
            if not file.is_file():  # opening a pipe would wait for ever
                raise ReadError(f"{file}: not a regular file but a pipe, a device or a link to nothing")
        return found

    def _inside(self, root: Path) -> Iterator[Path]:
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


def opened(paths: str | Path | Iterable[str | Path], options: Options) -> tuple[list[Source], list[Note]]:
    """Open what some paths name to one connection, and to no other.

    Returns
    -------
    sources : list of Source
    notes : list of Note
        What was passed over.
    """
    walk = Walk()
    places = walk.files([paths] if isinstance(paths, str | Path) else paths)
    connection = engine.connect((place.path for place in places), options.memory)
    sources = [
        Source(path, connection, label, root, memory=options.memory, columns=options.columns)
        for path, label, root in places
    ]
    return sources, walk.notes


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
