"""Attempts as they were read, held by DuckDB and checked there, never a Python object a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.batch import COLUMNS, STATUSES, Batch, literal, quoted
from deadheat.errors import DataError, MethodError, MissingScore
from deadheat.results import File

if TYPE_CHECKING:
    import duckdb

SHOWN = 5  # how many offending rows an error names
LARGEST = 1e60  # of a score: its fourth power is still a number
INTERNAL = ("file_index", "score_text")
NOT_OF_ITEMS = ("entry", "item", "sample", "score", "status", "answer")


class Kind(NamedTuple):
    """What kind of scores there are: all whole numbers (whose sums are exact), all 0 or 1."""

    whole: bool
    binary: bool


def normalised(label: str) -> str:
    """SQL of a label in Unicode's composed form, in which ids from different systems are equal."""
    return f"nfc_normalize({label})"


def _typed(name: str) -> str:
    """SQL of a column in its canonical type; an empty label of a sample is none."""
    cast = f"CAST({quoted(name)} AS {COLUMNS.get(name, 'VARCHAR')})"
    return f"nullif({cast}, '')" if name == "sample" else cast


class Attempts:
    """The union of batches as one DuckDB view `attempts` with canonical columns.

    Parameters
    ----------
    batches : sequence of Batch
        At least one.
    connection : duckdb.DuckDBPyConnection
        Where the batches' queries are valid.
    materialise : bool
        Copy the rows into memory first, which makes every later question cheap; off for large files.
    """

    def __init__(
        self, batches: Sequence[Batch], connection: duckdb.DuckDBPyConnection, *, materialise: bool = True
    ) -> None:
        self.connection = connection
        self.files = [batch.file.path for batch in batches]
        selects = [self._select(i, batch) for i, batch in enumerate(batches)]
        connection.execute(f"CREATE OR REPLACE TEMP VIEW read_rows AS {' UNION ALL BY NAME '.join(selects)}")
        found = [row[0] for row in connection.execute("DESCRIBE read_rows").fetchall()]
        self.columns = [name for name in found if name not in INTERNAL]
        for needed in ("entry", "item", "score"):
            if needed not in self.columns:
                raise DataError(
                    f"a table of attempts needs a column {needed!r}; found {', '.join(self.columns)}"
                )
        # Further columns, which may be long texts, stay in the files until someone asks for them.
        held = ", ".join(quoted(name) for name in found if name in (*COLUMNS, *INTERNAL))
        self.held_as = "TABLE" if materialise else "VIEW"
        connection.execute(f"CREATE TEMP {self.held_as} attempts AS SELECT {held} FROM read_rows")
        self.score_shown = "coalesce(score_text, score::VARCHAR)" if "score_text" in found else "score"
        # An attempt without a score is absent unless its status says that it failed.
        stated = "status" if "status" in self.columns else "NULL"
        self.status = f"coalesce({stated}, CASE WHEN score IS NULL THEN 'absent' ELSE 'scored' END)"

    def _select(self, index: int, batch: Batch) -> str:
        """Give the SQL of one batch with typed canonical columns and the index of its file."""
        if batch.columns is not None:
            name = f"batch_{index}"
            self.connection.register(name, dict(batch.columns))
            found, source = list(batch.columns), name
        else:
            source = f"({batch.query})"
            found = [row[0] for row in self.connection.execute(f"DESCRIBE {batch.query}").fetchall()]
        casts = [f"{_typed(name)} AS {quoted(name)}" for name in found]
        return f"SELECT {', '.join(casts)}, {index} AS file_index FROM {source}"

    def check(self) -> Kind:
        """Refuse attempts that no later step could interpret; each message names the first few.

        Raises
        ------
        DataError
            A missing or empty entry or item, an unknown status, a failed or absent attempt with a score, a
            score whose powers would overflow.
        MissingScore
            A score that is not a finite number; `counts` holds how many rows are scored, missing (NaN) or
            invalid.
        """
        known = ", ".join(map(literal, STATUSES))
        unnamed = "entry IS NULL OR item IS NULL OR entry = '' OR item = ''"
        unfinished = "NOT isfinite(score)"
        unknown = f"{self.status} NOT IN ({known})"
        bare = f"{self.status} = 'scored' AND score IS NULL"
        contradictory = f"{self.status} IN ('failed', 'absent') AND score <> 0"
        huge = f"isfinite(score) AND abs(score) > {LARGEST}"
        conditions = [unnamed, unfinished, unknown, bare, contradictory, huge]
        counted = ", ".join(f"count(*) FILTER ({condition})" for condition in conditions)
        *bad, whole, binary = self.connection.execute(
            f"SELECT {counted}, coalesce(bool_and(score = floor(score) AND abs(score) < 67108864), true), "
            f"coalesce(bool_and(score IN (0, 1)), true) FROM attempts"
        ).fetchall()[0]
        if bad[0]:
            found = self._first(unnamed, "entry, item")
            raise DataError(f"every attempt needs an entry and an item; found {found}")
        if bad[1]:
            raise self._not_numbers(unfinished)
        if bad[2]:
            found = self._first(unknown, "entry, item, status")
            raise DataError(f"a status is one of {', '.join(STATUSES)}; found {found}")
        if bad[3]:
            found = self._first(bare, "entry, item, status")
            raise MissingScore(f"an attempt of status scored has a score; found none at {found}")
        if bad[4]:
            found = self._first(contradictory, "entry, item, status, score")
            raise DataError(f"an attempt that failed or is absent has no score; found {found}")
        if bad[5]:
            found = self._first(huge, "entry, item, score")
            raise DataError(f"a score is at most {LARGEST:g} in size; found {found}; use another unit")
        return Kind(bool(whole), bool(binary))

    def _not_numbers(self, unfinished: str) -> MissingScore:
        is_nan = "isnan(score) AND lower(score_text) IN ('nan', '-nan')"
        if "score_text" not in self.score_shown:
            is_nan = "isnan(score)"
        rows, scored, missing, invalid = self.connection.execute(
            f"SELECT count(*), count(*) FILTER (isfinite(score)), count(*) FILTER ({is_nan}), "
            f"count(*) FILTER ({unfinished} AND NOT ({is_nan})) FROM attempts"
        ).fetchall()[0]
        found = self._first(unfinished, f"entry, item, {self.score_shown}")
        return MissingScore(
            f"scores are finite numbers; of {rows} rows {missing} hold NaN and {invalid} something else: "
            f"{found}; leave a score empty to say that there is none",
            counts={"rows": rows, "scored": scored, "missing": missing, "invalid": invalid},
        )

    def _first(self, where: str, select: str) -> str:
        """Name the first few rows that satisfy a condition, with their files."""
        rows = self.connection.execute(
            f"SELECT {select}, file_index FROM attempts WHERE {where} ORDER BY ALL LIMIT {SHOWN}"
        ).fetchall()
        return "; ".join(
            f"({', '.join('empty' if v in (None, '') else str(v) for v in row)}) in {self.files[index]}"
            for *row, index in rows
        )

    def counted(self, files: Sequence[File]) -> tuple[File, ...]:
        """Put the number of attempts into each file's record."""
        rows = self.connection.execute(
            "SELECT file_index, count(*) FROM attempts GROUP BY file_index"
        ).fetchall()
        counts = dict(rows)
        return tuple(msgspec.structs.replace(file, rows=counts.get(i, 0)) for i, file in enumerate(files))

    def attribute(self, name: str) -> NDArray[Any]:
        """Fetch what one column says of each item.

        Parameters
        ----------
        name : str
            Any column besides entry, item, sample, score, status and answer.

        Returns
        -------
        (M,) array of object
            The column's value an item in sorted order of items, None where it has none.

        Raises
        ------
        MethodError
            If the column does not exist, or contradicts itself within an item.
        """
        if name not in self.columns or name in NOT_OF_ITEMS:
            usable = [c for c in self.columns if c not in NOT_OF_ITEMS]
            raise MethodError(
                f"no item column {name!r} in these results; "
                f"found {', '.join(usable) if usable else 'none besides the scores'}"
            )
        column, source = quoted(name), "attempts" if name in COLUMNS else "read_rows"
        rows = self.connection.execute(
            f"SELECT {normalised('item')} AS label, min({column}), max({column}) FROM {source} "
            "GROUP BY label ORDER BY label"
        ).fetchall()
        mixed = [row for row in rows if row[1] != row[2]]
        if mixed:
            said = "; ".join(f"{item} is both {low!r} and {high!r}" for item, low, high in mixed[:SHOWN])
            raise MethodError(f"the column {name!r} must say one thing of each item; {said}")
        values = np.empty(len(rows), dtype=object)
        values[:] = [row[1] for row in rows]
        return values
