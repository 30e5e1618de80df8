"""Files in, one Table out: each format is recognised from its name and first bytes, never guessed in silence."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path


from deadheat.attempts import Batch, literal
from deadheat.errors import DataError, ReadError, UnknownFormat
from deadheat.readers.base import Options, Reader, Source
from deadheat.results import Note
from deadheat.table import Table

BUILT_IN = ("tabular", "swebench_site", "swebench_experiments")


@cache
def readers() -> dict[str, Reader]:
    """Every reader by name: those of this package and those other packages offer.

    A package adds a format with an entry point in the group ``deadheat.readers`` that names a `Reader`.
    """
    from importlib import import_module

    found: dict[str, Reader] = {}
    for module in BUILT_IN:
        for reader in import_module(f"deadheat.readers.{module}").READERS:
            found[reader.name] = reader
    for point in entry_points(group="deadheat.readers"):
        reader = point.load()
        found[reader.name] = reader
    return found


def read(paths: str | Path | Iterable[str | Path], *, format: str | None = None, options: Options | None = None) -> Table:
    """Read result files into one table.

    Parameters
    ----------
    paths : path or iterable of paths
        Files or folders; a path may carry an entry's name: ``base=runs/a.jsonl``.
    format : str or None
        Name of a reader; None recognises each file by itself.
    options : Options or None

    Returns
    -------
    Table

    Raises
    ------
    ReadError
        A file that is missing, empty, unknown or broken.
    DataError
        Attempts that contradict themselves.
    """
    import duckdb

    if format is not None and format not in readers():
        raise UnknownFormat(f"no format {format!r}; known are {', '.join(sorted(readers()))}")
    connection = duckdb.connect(":memory:")
    options = options or Options()
    batches: list[Batch] = []
    skipped: list[Path] = []
    size = 0
    for source in _sources([paths] if isinstance(paths, str | Path) else paths, connection):
        reader = readers()[format] if format else recognise(source)
        if reader is None:
            if source.root is None:
                raise UnknownFormat(
                    f"{source.path}: no reader recognises this file; `deadheat formats` lists what can be read, "
                    "--read FORMAT overrides"
                )
            skipped.append(source.path)
            continue
        made = [_renamed(batch, source) for batch in reader.read(source, options)]
        size += source.path.stat().st_size if made else 0
        batches.extend(made)
    if not batches:
        raise ReadError(f"nothing readable in {_and(paths)}; {len(skipped)} files of unknown formats were passed over")
    if skipped:
        text = f"{len(skipped)} files of unknown formats passed over, for example {skipped[0]}"
        batches[0] = replace(batches[0], notes=[*batches[0].notes, Note(code="files-passed-over", text=text)])
    return Table.from_batches(batches, connection, size)


def recognise(source: Source) -> Reader | None:
    """Return the one reader that claims a file, None if none does.

    Raises
    ------
    UnknownFormat
        If several claim it.
    ReadError
        If the file is empty.
    """
    if not source.head and source.path.stat().st_size == 0:
        raise ReadError(f"{source.path}: the file is empty")
    claims = [reader for reader in readers().values() if reader.claims(source)]
    if len(claims) > 1:
        names = " and ".join(reader.name for reader in claims)
        raise UnknownFormat(f"{source.path}: both {names} claim this file; choose with --read")
    return claims[0] if claims else None


def _sources(paths: Iterable[str | Path], connection: object) -> Iterator[Source]:
    """Walk files and folders in a fixed order, hidden files aside."""
    for given in paths:
        label, path = _split(given)
        if not path.exists():
            raise ReadError(f"{path}: no such file or folder")
        if path.is_dir():
            files = [
                Path(folder) / name
                for folder, folders, names in os.walk(path)
                if not folders.sort()  # type: ignore[func-returns-value]
                for name in sorted(names)
                if not name.startswith(".")
            ]
            yield from (Source(file, connection, label, path) for file in files)  # type: ignore[arg-type]
        else:
            yield Source(path, connection, label)  # type: ignore[arg-type]


def _split(given: str | Path) -> tuple[str | None, Path]:
    """Part ``name=path``; a path that exists as it stands is never parted."""
    if isinstance(given, str) and "=" in given and not Path(given).exists():
        label, _, path = given.partition("=")
        if label:
            return label, Path(path)
    return None, Path(given)


def _renamed(batch: Batch, source: Source) -> Batch:
    """Give a batch's one entry the name that the user chose."""
    if source.label is None:
        return batch
    entries = _entries(batch, source)
    if len(entries) != 1:
        raise DataError(
            f"{source.label}={source.path} names one entry, but the file holds {len(entries)}: "
            f"{', '.join(sorted(entries)[:5])}"
        )
    published = {source.label: rate for rate in batch.published.values()}
    if batch.columns is None:
        query = f"SELECT * REPLACE ({literal(source.label)} AS entry) FROM ({batch.query})"
        return replace(batch, query=query, published=published, names={})
    import numpy as np

    column = np.full(len(batch.columns["entry"]), source.label, dtype=object)
    return replace(batch, columns={**batch.columns, "entry": column}, published=published, names={})


def _entries(batch: Batch, source: Source) -> set[str]:
    if batch.columns is not None:
        return {str(entry) for entry in batch.columns["entry"]}
    rows = source.connection.execute(f"SELECT DISTINCT entry FROM ({batch.query})").fetchall()
    return {str(row[0]) for row in rows}


def _and(paths: object) -> str:
    return str(paths) if isinstance(paths, str | Path) else ", ".join(map(str, paths))  # type: ignore[call-overload]


__all__ = ["Options", "Reader", "Source", "read", "readers", "recognise"]
