"""Attempts as they were read, held by DuckDB and checked there, never a Python object a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.data.batch import COLUMNS, DATES, STATUSES, Batch, literal, quoted
from deadheat.data.engine import room_of
from deadheat.errors import DataError, MethodError, MissingScore

if TYPE_CHECKING:
    import duckdb

SHOWN = 5  # how many offending rows an error names
COPIED = 4 * 2**20  # bytes of input up to which the rows are copied into memory
WHOLE = 2**26  # whole scores below it have sums of squares that are exact
LARGEST = 1e60  # of a score: its fourth power is still a number
INTERNAL = ("file_index", "score_text")
NOT_OF_ITEMS = ("entry", "item", "sample", "score", "status", "answer", "human")


class Kind(NamedTuple):
    """What kind of scores there are: all whole numbers (whose sums are exact), all 0 or 1, all in [0, 1]."""

    whole: bool
    binary: bool
    rates: bool


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
    size : int
        Bytes of input, which decide where the rows are held: see `_hold`.
    """

    def __init__(
        self, batches: Sequence[Batch], connection: duckdb.DuckDBPyConnection, size: int = 0
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
        held = ", ".join(quoted(name) for name in found if name in (*COLUMNS, *DATES, *INTERNAL))
        self.held_as = self._hold(f"SELECT {held} FROM read_rows", batches, size)
        self.score_shown = "coalesce(score_text, score::VARCHAR)" if "score_text" in found else "score"
        # An attempt without a score is absent unless its status says that it failed.
        self.stated = "status" if "status" in self.columns else "NULL"
        self.status = f"coalesce({self.stated}, CASE WHEN score IS NULL THEN 'absent' ELSE 'scored' END)"
        known = ", ".join(map(literal, STATUSES))
        self.faults = {
            "unnamed": "entry IS NULL OR item IS NULL OR entry = '' OR item = ''",
            "unfinished": "NOT isfinite(score)",
            "unknown": f"{self.status} NOT IN ({known})",
            "bare": f"{self.status} = 'scored' AND score IS NULL",
            "contradictory": f"{self.status} IN ('failed', 'absent') AND score <> 0",
            "huge": f"isfinite(score) AND abs(score) > {LARGEST}",
        }

    @property
    def unfailed(self) -> str:
        """SQL of whether a score, if there is one, counts as scored."""
        return f"({self.stated} IS NULL OR {self.stated} = 'scored')"

    @property
    def flags(self) -> str:
        """SQL of a row's faults, a bit each, and of: not whole, not 0 or 1, outside [0, 1], status stated."""
        broken, stated = f"score <> floor(score) OR abs(score) >= {WHOLE}", f"{self.stated} IS NOT NULL"
        outside = "score NOT BETWEEN 0 AND 1"
        conditions = [*self.faults.values(), broken, "score NOT IN (0, 1)", outside, stated]
        bits = [f"CASE WHEN {condition} THEN {1 << at} ELSE 0 END" for at, condition in enumerate(conditions)]
        # Nearly all rows are plain, and are told so by one condition.
        plain = f"entry <> '' AND item <> '' AND score IN (0, 1) AND {self.unfailed}"
        return f"CAST(CASE WHEN {plain} THEN {bits[-1]} ELSE {' + '.join(bits)} END AS USMALLINT)"

    def _hold(self, rows: str, batches: Sequence[Batch], size: int) -> str:
        """Make `attempts`: a table of few rows; a view of Parquet, and of samples, which one scan reduces.

        All else is scanned twice, and goes to a file of Parquet first: it tells labels once in many rows.
        """
        query = self.connection.execute
        if all(batch.file.format == "parquet" for batch in batches):
            held_as = "VIEW"
        elif size <= COPIED:
            held_as = "TABLE"
        elif "sample" in self.columns and all(batch.columns is None for batch in batches):
            held_as = "VIEW"
        else:
            path = literal(str(room_of(self.connection) / "attempts.parquet"))
            query(f"COPY ({rows}) TO {path} (FORMAT parquet)")
            query(f"CREATE TEMP VIEW attempts AS FROM read_parquet({path})")
            return "VIEW"
        query(f"CREATE TEMP {held_as} attempts AS {rows}")
        return held_as

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

    def judge(self, flags: int) -> Kind:
        """Refuse attempts that no later step could interpret; each message names the first few.

        A column of statuses that says nothing in any row is none.

        Parameters
        ----------
        flags : int
            The `flags` of all rows, united bit by bit.

        Raises
        ------
        DataError
            A missing or empty entry or item, an unknown status, a failed or absent attempt with a score, a
            score whose powers would overflow.
        MissingScore
            A score that is not a finite number; `counts` holds how many rows are scored, missing (NaN) or
            invalid.
        """
        wrong = next((name for at, name in enumerate(self.faults) if flags >> at & 1), None)
        condition = self.faults.get(wrong or "", "")
        if wrong == "unnamed":
            found = self._first(condition, "entry, item")
            raise DataError(f"every attempt needs an entry and an item; found {found}")
        if wrong == "unfinished":
            raise self._not_numbers(condition)
        if wrong == "unknown":
            found = self._first(condition, "entry, item, status")
            raise DataError(f"a status is one of {', '.join(STATUSES)}; found {found}")
        if wrong == "bare":
            found = self._first(condition, "entry, item, status")
            raise MissingScore(f"an attempt of status scored has a score; found none at {found}")
        if wrong == "contradictory":
            found = self._first(condition, "entry, item, status, score")
            raise DataError(f"an attempt that failed or is absent has no score; found {found}")
        if wrong == "huge":
            found = self._first(condition, "entry, item, score")
            raise DataError(f"a score is at most {LARGEST:g} in size; found {found}; use another unit")
        size = len(self.faults)
        if not flags >> (size + 3) & 1:
            self.columns = [name for name in self.columns if name != "status"]
        whole, binary, rates = (not flags >> (size + at) & 1 for at in range(3))
        return Kind(whole=whole, binary=binary, rates=rates)

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

    def attribute(self, name: str, of: str = "item") -> NDArray[Any]:
        """Fetch what one column says of each item, or entry.

        Parameters
        ----------
        name : str
            Any column besides entry, item, sample, score, status, answer and human.
        of : str
            ``item`` or ``entry``.

        Returns
        -------
        (M,) array of object
            The column's value per item in sorted order of items, None where it has none; likewise of entries.

        Raises
        ------
        MethodError
            If the column does not exist, or contradicts itself within an item (entry).
        """
        if name not in self.columns or name in NOT_OF_ITEMS:
            usable = [c for c in self.columns if c not in NOT_OF_ITEMS]
            raise MethodError(
                f"no {of} column {name!r} in these results; "
                f"found {', '.join(usable) if usable else 'none besides the scores'}"
            )
        column, source = quoted(name), "attempts" if name in COLUMNS else "read_rows"
        rows = self.connection.execute(
            f"SELECT {normalised(of)} AS label, min({column}), max({column}) FROM {source} "
            "GROUP BY label ORDER BY label"
        ).fetchall()
        mixed = [row for row in rows if row[1] != row[2]]
        if mixed:
            said = "; ".join(f"{label} is both {low!r} and {high!r}" for label, low, high in mixed[:SHOWN])
            raise MethodError(f"the column {name!r} must say one thing of each {of}; {said}")
        values = np.empty(len(rows), dtype=object)
        values[:] = [row[1] for row in rows]
        return values
