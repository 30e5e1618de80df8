"""Files in, one Table out: a format is recognised from its name and first bytes, never guessed in silence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec

from deadheat.data.batch import Batch, literal
from deadheat.data.engine import SHARE, hold, watched
from deadheat.data.roles import canonical, refusal
from deadheat.data.table import IN_MEMORY, Table
from deadheat.errors import DataError, MalformedFile, ReadError, UnknownFormat
from deadheat.readers.aggregates import aggregate
from deadheat.readers.base import Options, Reader, Source, broken, damage
from deadheat.readers.explain import explain
from deadheat.readers.joining import joined
from deadheat.readers.registry import candidates, claiming, named, passed_over, readers
from deadheat.readers.runs import check_aligned, settle, together
from deadheat.readers.table_head import columns_of
from deadheat.readers.walk import distinct_names, opened
from deadheat.results import Note

if TYPE_CHECKING:
    import duckdb

Made = TypeVar("Made")
MOST_FILES = 100  # looked at for what they hold instead
RESULTS = (".csv", ".tsv", ".json", ".jsonl", ".parquet", ".eval", ".xml")  # empty files that are no accident


def read(
    paths: str | Path | Iterable[str | Path],
    *,
    format: str | None = None,
    named: Mapping[str, str] | None = None,
    options: Options | None = None,
) -> Table:
    """Read result files into one table.

    Parameters
    ----------
    paths : path or iterable of paths
        Files or folders; a path may carry an entry's name: ``base=runs/a.jsonl``.
    format : str or None
        Name of a reader; None recognises each file by itself.
    named : mapping or None
        Part -> column of tables, before any usual name: ``{"item": "index", "score": "hit"}``.
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
    if named is not None:
        options = replace(options or Options(), columns=named)
    return read_with(Table.from_batches, paths, format=format, options=options)


def read_with(
    make: Callable[[Sequence[Batch], duckdb.DuckDBPyConnection, int], Made],
    paths: str | Path | Iterable[str | Path],
    *,
    format: str | None = None,
    options: Options | None = None,
    told: Callable[[int, int], None] | None = None,
) -> Made:
    """Read result files and hand what the readers made of them to a function, as `read` does to Table.

    Parameters
    ----------
    make : callable
        Takes the batches, the connection where their queries are valid, and the bytes of input.
    paths, format, options
        As for `read`.
    told : callable or None
        Is told how many files have been read, of how many; then how much of each scan, of 100.
    """
    import duckdb

    chosen = None if format is None else named(format)
    options = options or Options()
    sources, notes = opened(paths, options)
    try:
        read = _read(sources, chosen, options, told or (lambda done, total: None), notes)
        with watched(read[1], told):
            return make(*read)
    except duckdb.Error as error:
        raise MalformedFile(explain(error, sources)) from error


def _read(
    sources: Sequence[Source],
    chosen: Reader | None,
    options: Options,
    told: Callable[[int, int], None],
    notes: Sequence[Note],
) -> tuple[list[Batch], duckdb.DuckDBPyConnection, int]:
    batches, makers, size = list[Batch](), list[Reader](), 0
    skipped: list[Source] = []
    known: list[tuple[Source, Reader]] = []
    for source in sources:
        reader = chosen or recognise(source)
        vars(source).pop("head", None)  # of thousands of files, not every head can be kept
        if reader is not None:
            known.append((source, reader))
        else:
            if source.root is None:
                raise UnknownFormat(_unknown(source))
            skipped.append(source)
    if sum(source.path.stat().st_size for source, _ in known) > IN_MEMORY:
        hold(sources[0].connection, max(options.memory // SHARE, min(options.memory, IN_MEMORY)))
    others = {str(source.path) for source, _ in known}  # what a companion stands for may be named too
    names = distinct_names([source.path.parent / source.stem for source, _ in known])
    for done, ((unnamed, reader), name) in enumerate(zip(known, names, strict=True)):
        told(done, len(known))
        source = replace(unnamed, entry=unnamed.label or name)
        path = str(source.path)
        try:
            batches_read = reader.read(source, options)
        except msgspec.MsgspecError as error:  # of a part that is decoded when it is needed
            raise MalformedFile(f"{path}: {error}") from error
        read = [b for b in batches_read if b.file.path == path or b.file.path not in others]
        made = [_renamed(_possible(batch), source) for batch in read]
        made = list(map(joined, made)) if options.join_labels else made
        size += source.path.stat().st_size if made else 0
        batches += made
        makers += [reader] * len(made)
    if not batches:
        raise ReadError(_nothing(sources, sorted({reader.name for _, reader in known}), skipped))
    if skipped:
        text = f"{_unknown_files(skipped)} passed over, for example {skipped[0].path}"
        notes = [*notes, Note(code="files-passed-over", text=text)]
    notes = [*notes, *(Note(code="reader-passed-over", text=why) for why in passed_over())]
    batches[0] = replace(batches[0], notes=[*batches[0].notes, *notes])
    check_aligned(batches)
    return settle(together(batches, makers, sources), options), sources[0].connection, size


def _nothing(sources: Sequence[Source], companions: Sequence[str], skipped: Sequence[Source]) -> str:
    """Say what there was instead of results by item."""
    where = ", ".join(sorted({str(source.root or source.path) for source in sources})) or "an empty folder"
    found = [f"of {name} only files that go with its results by item" for name in companions]
    found += dict.fromkeys(filter(None, map(aggregate, skipped[:MOST_FILES])))
    if skipped:
        found.append(f"{_unknown_files(skipped)} passed over")
    return "; ".join([f"nothing readable in {where}", *found, "`deadheat formats` lists what can be read"])


def _unknown_files(skipped: Sequence[Source]) -> str:
    number = len(skipped)
    return f"{number} {'file of an unknown format' if number == 1 else 'files of unknown formats'}"


def _unknown(source: Source) -> str:
    """Say why a file cannot be read, as far as it tells."""
    if what := aggregate(source):
        return f"{source.path}: {what} and nothing by item, which every comparison needs"
    text = f"{source.path}: no reader recognises this file"
    if found := columns_of(source):
        parts = canonical(found, source.columns)
        missing = [part for part in ("item", "score") if part not in parts]
        text += f"; {refusal(found, parts, missing)}" if missing else ""
    return f"{text}; `deadheat formats` lists what can be read, --read FORMAT overrides"


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
        if source.root is not None and source.suffix not in RESULTS:
            return None
        raise ReadError(f"{source.path}: the file is empty")
    claims = claiming(source, candidates(source))
    if len(claims) > 1:
        names = " and ".join(reader.name for reader in claims)
        raise UnknownFormat(f"{source.path}: both {names} claim this file; choose with --read")
    if not claims and source.root is None:
        _check_text(source)
    return claims[0] if claims else None


def _check_text(source: Source) -> None:
    """Tell a damaged file, or a text of another encoding, from an unknown format."""
    try:
        with source.open() as stream:
            stream.read(len(source.head) + 1)
    except damage() as error:
        raise MalformedFile(f"{source.path}: {broken(error)}") from error
    if b"\0" in source.head:
        return
    try:
        source.head.decode()
    except UnicodeDecodeError as error:
        if error.end < len(source.head) - 4:
            byte = source.head[error.start]
            raise MalformedFile(
                f"{source.path}: not UTF-8 text: byte {byte:#04x} at position {error.start}; "
                "save the file as UTF-8"
            ) from error


def _possible(batch: Batch) -> Batch:
    """Leave out, and tell of, published rates that are no rates."""
    wrong = {entry: rate for entry, rate in batch.published.items() if not 0 <= rate <= 1}
    if not wrong:
        return batch
    entry, rate = next(iter(wrong.items()))
    text = f"{batch.file.path}: the published rate of {entry}, {rate:g}, is none from 0 to 1 and is left out"
    return replace(
        batch,
        published={entry: rate for entry, rate in batch.published.items() if entry not in wrong},
        notes=[*batch.notes, Note(code="published-impossible", text=text)],
    )


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
    batch = replace(
        batch,
        published=dict(zip([source.label], batch.published.values(), strict=False)),
        stated=[replace(figure, entry=source.label) for figure in batch.stated],
        names={},
    )
    if batch.columns is None:
        query = f"SELECT * REPLACE ({literal(source.label)} AS entry) FROM ({batch.query})"
        return replace(batch, query=query, entry=source.label)
    import numpy as np

    column = np.full(len(batch.columns["entry"]), source.label, dtype=object)
    return replace(batch, columns={**batch.columns, "entry": column})


def _entries(batch: Batch, source: Source) -> set[str]:
    if batch.columns is not None:
        return {str(entry) for entry in batch.columns["entry"]}
    rows = source.connection.execute(f"SELECT DISTINCT entry FROM ({batch.query})").fetchall()
    return {str(row[0]) for row in rows}


__all__ = ["Options", "Reader", "Source", "read", "read_with", "readers", "recognise"]
