"""Attempts as they were read, held by DuckDB: checked and reduced there, never a Python object a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.batch import COLUMNS, STATUSES, Batch, literal, quoted
from deadheat.errors import DataError, DuplicateAttempt, MethodError, MissingScore
from deadheat.results import File

if TYPE_CHECKING:
    import duckdb

SHOWN = 5  # how many offending rows an error names


@dataclass(frozen=True)
class Cells:
    """Attempts reduced to one row an (entry, item), sorted by entry, then item.

    Parameters
    ----------
    entry, item : (rows,) int32
        Positions in the sorted label lists.
    scored, failed, absent : (rows,) int32
        Attempts of each status.
    total, squares : (rows,) float64
        Sum of scores and of squared scores.
    """

    entry: NDArray[np.int32]
    item: NDArray[np.int32]
    scored: NDArray[np.int32]
    failed: NDArray[np.int32]
    absent: NDArray[np.int32]
    total: NDArray[np.float64]
    squares: NDArray[np.float64]


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
        described = connection.execute("DESCRIBE read_rows").fetchall()
        self.columns = [row[0] for row in described if row[0] not in ("file_index", "score_text")]
        # Further columns, which may be long texts, stay in the files until someone asks for them.
        held = [row[0] for row in described if row[0] in (*COLUMNS, "file_index", "score_text")]
        kind = "TABLE" if materialise else "VIEW"
        connection.execute(
            f"CREATE OR REPLACE TEMP {kind} attempts AS SELECT {', '.join(map(quoted, held))} FROM read_rows"
        )
        self.score_shown = "coalesce(score_text, score::VARCHAR)" if "score_text" in held else "score"
        for needed in ("entry", "item", "score"):
            if needed not in self.columns:
                raise DataError(
                    f"a table of attempts needs a column {needed!r}; found {', '.join(self.columns)}"
                )
        self.status = "status" if "status" in self.columns else "NULL"

    def _select(self, index: int, batch: Batch) -> str:
        """Give the SQL of one batch with typed canonical columns and the index of its file."""
        if batch.columns is not None:
            name = f"batch_{index}"
            self.connection.register(name, dict(batch.columns))
            found, source = list(batch.columns), name
        else:
            source = f"({batch.query})"
            found = [row[0] for row in self.connection.execute(f"DESCRIBE {batch.query}").fetchall()]
        casts = [
            f"CAST({quoted(name)} AS {COLUMNS.get(name, 'VARCHAR')}) AS {quoted(name)}" for name in found
        ]
        return f"SELECT {', '.join(casts)}, {index} AS file_index FROM {source}"

    def _rows(self, where: str, select: str) -> list[tuple[Any, ...]]:
        """Fetch the first few rows that satisfy a condition, for an error's text."""
        query = f"SELECT {select}, file_index FROM attempts WHERE {where} ORDER BY ALL LIMIT {SHOWN}"
        return self.connection.execute(query).fetchall()

    def check(self) -> None:
        """Refuse attempts that no later step could interpret; each message names the first few.

        Raises
        ------
        DataError, MissingScore
            Missing or empty entry or item, unknown status, a failed or absent attempt with a score, or a
            score that is not finite.
        """
        unnamed = self._rows("entry IS NULL OR item IS NULL OR entry = '' OR item = ''", "entry, item")
        if unnamed:
            raise DataError(f"every attempt needs an entry and an item; found {self._say(unnamed)}")
        infinite = self._rows("NOT isfinite(score)", f"entry, item, {self.score_shown}")
        if infinite:
            raise MissingScore(
                f"scores are finite numbers; found {self._say(infinite)}; leave a score empty to say that "
                "there is none"
            )
        if self.status == "NULL":
            return
        known = ", ".join(map(literal, STATUSES))
        unknown = self._rows(f"status NOT IN ({known})", "entry, item, status")
        if unknown:
            raise DataError(f"a status is one of {', '.join(STATUSES)}; found {self._say(unknown)}")
        bare = self._rows("status = 'scored' AND score IS NULL", "entry, item, status")
        if bare:
            raise MissingScore(f"an attempt of status scored has a score; found none at {self._say(bare)}")
        both = self._rows("status IN ('failed', 'absent') AND score <> 0", "entry, item, status, score")
        if both:
            raise DataError(f"an attempt that failed or is absent has no score; found {self._say(both)}")

    def _say(self, rows: list[tuple[Any, ...]]) -> str:
        return "; ".join(
            f"({', '.join('empty' if v in (None, '') else str(v) for v in row)}) in {self.files[index]}"
            for *row, index in rows
        )

    def check_duplicates(self) -> None:
        """Refuse two attempts with the same entry, item and sample."""
        keys = "entry, item, sample" if "sample" in self.columns else "entry, item"
        found = self.connection.execute(
            f"SELECT {keys}, count(*), list_sort(list(DISTINCT file_index)) FROM attempts "
            f"GROUP BY {keys} HAVING count(*) > 1 ORDER BY ALL LIMIT {SHOWN}"
        ).fetchall()
        if not found:
            return
        named = "; ".join(
            f"({', '.join(str(k) for k in key if k is not None)}) {count} times in "
            f"{' and '.join(self.files[i] for i in files)}"
            for *key, count, files in found
        )
        remedy = (
            "give each attempt its own sample number"
            if "sample" in self.columns
            else "add a column `sample` that numbers the attempts, or read one file only"
        )
        raise DuplicateAttempt(f"each ({keys}) may occur once; found {named}; {remedy}")

    def reduce(self) -> tuple[tuple[str, ...], tuple[str, ...], Cells, bool]:
        """Count and sum the attempts of each (entry, item) inside DuckDB.

        Returns
        -------
        entries, items : tuples of str
            Sorted labels.
        cells : Cells
        binary : bool
            Whether every score is 0 or 1.
        """
        query = self.connection.execute
        for label in ("entry", "item"):
            query(
                f"CREATE OR REPLACE TEMP TABLE {label}_codes AS SELECT {label}, "
                f"CAST(row_number() OVER (ORDER BY {label}) - 1 AS INTEGER) AS code "
                f"FROM (SELECT DISTINCT {label} FROM attempts)"
            )
        entries, items = (
            tuple(row[0] for row in query(f"SELECT {label} FROM {label}_codes ORDER BY code").fetchall())
            for label in ("entry", "item")
        )
        # An attempt without a score is absent unless its status says that it failed.
        status = f"coalesce({self.status}, CASE WHEN score IS NULL THEN 'absent' ELSE 'scored' END)"
        query(
            "CREATE OR REPLACE TEMP VIEW stated AS SELECT entry, item, file_index, "
            f"{status} AS status, CASE WHEN {status} = 'scored' THEN score END AS score FROM attempts"
        )
        whole, binary = query(
            "SELECT coalesce(bool_and(score = floor(score) AND abs(score) < 67108864), true), "
            "coalesce(bool_and(score IN (0, 1)), true) FROM stated"
        ).fetchall()[0]
        # Sums of whole numbers are exact in any order; others are summed in sorted order.
        order = "" if whole else " ORDER BY score"
        columns = query(
            "SELECT e.code AS entry, i.code AS item, "
            "CAST(count(*) FILTER (status = 'scored') AS INTEGER) AS scored, "
            "CAST(count(*) FILTER (status = 'failed') AS INTEGER) AS failed, "
            "CAST(count(*) FILTER (status = 'absent') AS INTEGER) AS absent, "
            f"coalesce(sum(score{order}), 0.0) AS total, "
            f"coalesce(sum(score * score{order}), 0.0) AS squares "
            "FROM stated s JOIN entry_codes e USING (entry) JOIN item_codes i USING (item) "
            "GROUP BY e.code, i.code ORDER BY e.code, i.code"
        ).fetchnumpy()
        cells = Cells(**{name: np.ascontiguousarray(column) for name, column in columns.items()})
        if np.any(cells.scored + cells.failed + cells.absent > 1):
            self.check_duplicates()
        return entries, items, cells, bool(binary)

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
        fixed = ("entry", "item", "sample", "score", "status", "answer")
        if name not in self.columns or name in fixed:
            usable = [c for c in self.columns if c not in fixed]
            raise MethodError(
                f"no item column {name!r} in these results; "
                f"found {', '.join(usable) if usable else 'none besides the scores'}"
            )
        column, source = quoted(name), "attempts" if name in COLUMNS else "read_rows"
        mixed = self.connection.execute(
            f"SELECT item, min({column}), max({column}) FROM {source} GROUP BY item "
            f"HAVING min({column}) <> max({column}) ORDER BY item LIMIT {SHOWN}"
        ).fetchall()
        if mixed:
            said = "; ".join(f"{item} is both {low!r} and {high!r}" for item, low, high in mixed)
            raise MethodError(f"the column {name!r} must say one thing of each item; {said}")
        rows = self.connection.execute(
            f"SELECT min({column}) FROM {source} GROUP BY item ORDER BY item"
        ).fetchall()
        return np.array([row[0] for row in rows], dtype=object)
