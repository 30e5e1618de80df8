"""One table of attempts, whatever the files were: labels, reduced cells and where they came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.data import engine, repeats, twins
from deadheat.data.attempts import Attempts
from deadheat.data.batch import Batch
from deadheat.data.cells import Cells, reduce
from deadheat.data.direction import lower_is_better, stated_direction
from deadheat.errors import DataError, MethodError, listed
from deadheat.results import File, Note, Provenance

if TYPE_CHECKING:
    import duckdb

IN_MEMORY = 256 * 2**20  # bytes of input up to which DuckDB is not held to a limit


@dataclass(frozen=True, eq=False)
class Table:
    """Attempts of entries at items, checked once.

    Parameters
    ----------
    entries, items : tuple of str
        Labels, sorted; entries without any attempt are in `unpublished` only.
    cells : Cells
        One row an (entry, item) with an attempt.
    binary : bool
        Whether every score is 0 or 1.
    rates : bool
        Whether every score lies in [0, 1].
    attributes : mapping
        Item columns that are already at hand: name -> (M,) array.
    names, published : mapping
        Entry -> display name; entry -> published rate in [0, 1].
    unpublished : tuple of str
        Entries that the source lists without per-item results.
    unfinished : frozenset of str
        Entries whose run did not finish, by the source's own word.
    attempts : Attempts or None
        The rows themselves, for questions that cells cannot answer.
    files, renamed, notes
        Where the table came from and what reading it decided.
    lower_is_better : bool or None
        What the files say of the direction of their scores; None where they say nothing.
    people : (rows of cells,) float64 or None
        Labels of people from a file of their own, NaN where there is none; see `data.people`.
    inclusion : (rows of cells,) float64 or None
        With what probability each of them was labelled, where that was known beforehand.
    """

    entries: tuple[str, ...]
    items: tuple[str, ...]
    cells: Cells
    binary: bool
    attributes: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    published: Mapping[str, float] = field(default_factory=dict)
    unpublished: tuple[str, ...] = ()
    unfinished: frozenset[str] = frozenset()
    attempts: Attempts | None = None
    files: tuple[File, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    rates: bool = True
    lower_is_better: bool | None = None
    people: NDArray[np.float64] | None = None
    inclusion: NDArray[np.float64] | None = None

    def __repr__(self) -> str:
        """Say how large the table is and where it comes from."""
        size = (
            f"{len(self.entries):,} entries, {len(self.items):,} items, {self.provenance().read:,} attempts"
        )
        return f"<Table: {size}; {listed([file.path for file in self.files]) or 'counts'}>"

    @classmethod
    def from_batches(
        cls, batches: Sequence[Batch], connection: duckdb.DuckDBPyConnection, size: int = 0
    ) -> Table:
        """Unite what the readers made of each file, check it and reduce it.

        Parameters
        ----------
        batches : sequence of Batch
        connection : duckdb.DuckDBPyConnection
            Where the batches' queries are valid.
        size : int
            Bytes of input, which decide whether the rows are held in memory.

        Raises
        ------
        DataError
            For attempts that contradict themselves, duplicates, or no attempt at all.
        """
        attempts = Attempts(batches, connection, size)
        made = reduce(attempts)
        notes = list(dict.fromkeys(note for batch in batches for note in batch.notes))
        formats = [batch.file.format for batch in batches]
        while removed := repeats.check(attempts, formats, made):
            made = reduce(attempts)
            notes.append(Note(code="repeats-removed", text=removed))
        if made.respelled:
            text = f"{made.respelled} ids matched after Unicode normalisation (composed characters)"
            notes.append(Note(code="ids-normalised", text=text))
        notes += twins.notes(
            twins.groups_in(connection, "entry_codes"),
            twins.groups_in(connection, "item_codes"),
            made.items,
            made.cells,
        )
        unpublished = {entry for batch in batches for entry in batch.unpublished}
        if not made.entries:
            without = f": {listed(sorted(unpublished))} without results by item" if unpublished else ""
            raise DataError(f"no attempt in {', '.join(attempts.files)}{without}")
        merged: dict[str, Any] = {"names": {}, "published": {}, "renamed": {}}
        for batch in batches:
            for key, target in merged.items():
                target.update(getattr(batch, key))
        return cls(
            entries=made.entries,
            items=made.items,
            cells=made.cells,
            binary=made.kind.binary,
            rates=made.kind.rates,
            unpublished=tuple(sorted(unpublished - set(made.entries))),
            unfinished=frozenset(entry for batch in batches for entry in batch.unfinished),
            attempts=attempts,
            files=tuple(_counted(batch, made.rows.get(index, 0)) for index, batch in enumerate(batches)),
            notes=tuple(notes),
            lower_is_better=stated_direction(batches),
            **merged,
        )

    @classmethod
    def from_columns(cls, columns: Mapping[str, NDArray[Any]], origin: str = "columns") -> Table:
        """Make a table from arrays with the canonical column names.

        Parameters
        ----------
        columns : mapping of str to (rows,) array
            ``entry``, ``item``, ``score`` and, if present, ``sample``, ``status``, ``cluster``,
            ``category``, ``weight``, ``answer`` or further item columns.
        origin : str
            What to call the source in messages and provenance.
        """
        rows = len(next(iter(columns.values())))
        file = File(path=origin, sha256="", format="columns", rows=rows)
        return cls.from_batches([Batch(file, columns=columns)], engine.connect())

    @classmethod
    def from_frame(
        cls, frame: Any, *, named: Mapping[str, str] | None = None, metric: str | None = None
    ) -> Table:
        """Make a table from any dataframe.

        Parameters
        ----------
        frame : dataframe
            pandas, polars, pyarrow or anything else narwhals reads, a DuckDB relation, or a mapping of
            columns; usual other names of columns are understood. An empty score says that there is none; so
            does NaN in pandas and numpy, which have no other word for it.
        named : mapping or None
            Part -> column, before any usual name: ``{"item": "index", "score": "hit"}``.
        metric : str or None
            Of a long frame with a column ``metric``, the one to take.
        """
        from deadheat.data.columns import from_frame

        columns, renamed = from_frame(frame, named, metric)
        table = cls.from_columns(columns, origin=type(frame).__module__.split(".")[0] + " frame")
        score = next((name for name, part in renamed.items() if part == "score"), "score")
        return replace(table, renamed=renamed, lower_is_better=lower_is_better(metric or score))

    @classmethod
    def from_counts(
        cls,
        entries: Sequence[str],
        items: Sequence[str],
        right: NDArray[Any],
        samples: NDArray[Any],
        attributes: Mapping[str, NDArray[Any]] | None = None,
    ) -> Table:
        """Make a table of 0/1 scores from counts, as a simulation yields them.

        Parameters
        ----------
        entries, items : sequences of str
            E and M labels, each sorted and without repeats.
        right, samples : (E, M) arrays of int
            Right attempts and attempts; 0 samples means absent.
        attributes : mapping or None
            Item columns, (M,) each.
        """
        if list(entries) != sorted(set(entries)) or list(items) != sorted(set(items)):
            raise DataError("labels must be sorted and unique")
        right, samples = np.broadcast_arrays(np.asarray(right), np.asarray(samples))
        if right.shape != (len(entries), len(items)):
            raise DataError(
                f"counts have shape {right.shape}; {len(entries)} entries x {len(items)} items asked for"
            )
        if np.any((right < 0) | (right > samples)):
            raise DataError("right attempts lie between 0 and the number of samples")
        entry, item = np.nonzero(samples)
        totals = right[entry, item].astype(np.float64)
        zeros = np.zeros(len(entry), dtype=np.int32)
        cells = Cells(
            entry=entry.astype(np.int32),
            item=item.astype(np.int32),
            scored=samples[entry, item].astype(np.int32),
            failed=zeros,
            absent=zeros,
            total=totals,
            squares=totals,
        )
        return cls(tuple(entries), tuple(items), cells, binary=True, attributes=attributes or {})

    def attribute(self, name: str) -> NDArray[Any]:
        """Return what a column says of each item, (M,) in the order of `items`."""
        name = self.renamed.get(name, name)
        if name in self.attributes:
            return self.attributes[name]
        if self.attempts is None:
            found = ", ".join(self.attributes) or "none"
            raise MethodError(f"no item column {name!r} in these results; found {found}")
        return self.attempts.attribute(name)

    def of_entries(self, name: str) -> dict[str, Any]:
        """Return what a column says of each entry."""
        name = self.renamed.get(name, name)
        if self.attempts is None:
            raise MethodError(f"no entry column {name!r} in these results")
        return dict(zip(self.entries, self.attempts.attribute(name, "entry"), strict=True))

    def has(self, name: str) -> bool:
        """Whether there is an item column of this name."""
        name = self.renamed.get(name, name)
        return name in self.attributes or (self.attempts is not None and name in self.attempts.columns)

    def spare_clusters(self, items: Sequence[str]) -> tuple[str, NDArray[np.int32]] | None:
        """Find the cluster column of the canonical table where it could be used.

        Parameters
        ----------
        items : sequence of str
            M labels.

        Returns
        -------
        (str, (M,) int32) or None
            The column by the name it has in the files, and the cluster of each of the items; None where there
            is no such column, an item has no cluster, or all have one or each its own.
        """
        if not self.has("cluster"):
            return None
        labels = dict(zip(self.items, self.attribute("cluster"), strict=True))
        found = [labels[item] for item in items]
        if any(label is None for label in found):
            return None
        names, codes = np.unique(np.array(found, dtype=str), return_inverse=True)
        if len(names) in (1, len(found)):
            return None
        column = next((name for name, part in self.renamed.items() if part == "cluster"), "cluster")
        return column, codes.astype(np.int32)

    def provenance(self) -> Provenance:
        """Count what was read."""
        scored, failed, absent = (
            int(x.sum(dtype=np.int64)) for x in (self.cells.scored, self.cells.failed, self.cells.absent)
        )
        return Provenance(
            files=self.files,
            read=scored + failed + absent,
            failed=failed,
            absent=absent,
            columns=dict(self.renamed),
        )


def _counted(batch: Batch, rows: int) -> File:
    """Describe a batch's file, now that its rows are counted and its hash is made."""
    digest = batch.sha256() if batch.sha256 else batch.file.sha256
    return msgspec.structs.replace(batch.file, rows=rows, sha256=digest)
