"""Votes between two entries, reduced to counts: who met whom, who won, and whose votes they were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.data.batch import literal, quoted
from deadheat.errors import DataError, listed
from deadheat.results import File, Note, Provenance

if TYPE_CHECKING:
    import duckdb

Codes = NDArray[np.int32]
Floats = NDArray[np.float64]

FIRST, SECOND, TIE = "first", "second", "tie"
WORDS = {
    FIRST: ("first", "model_a", "model_1", "model_x", "a", "left", "win", "a>b", "a>>b", "[[a]]", "1", "1.0"),
    SECOND: ("second", "model_b", "model_2", "model_y", "b", "right", "loss", "b>a", "b>>a", "[[b]]", "0"),
    TIE: ("tie", "tie (bothbad)", "tie(bothbad)", "bothbad", "both_bad", "draw", "both", "neither", "equal"),
}
WORDS[SECOND] += ("0.0",)
WORDS[TIE] += ("same", "a=b", "[[c]]", "c", "0.5")
"""Words for who won, in lower case; 1 and 2 name the sides where no vote says 0."""
CLUSTERS = ("voter", "prompt")
"""Columns whose votes depend on each other."""
TWO_WAY = "voter and prompt"


class VoteFile(NamedTuple):
    """What a reader makes of one file of votes.

    Parameters
    ----------
    file : File
    query : str or None
        SQL that selects ``first``, ``second``, ``winner`` and, where the file has them, ``voter``,
        ``prompt``, ``category``, ``weight`` and further columns.
    columns : mapping or None
        Or the columns themselves.
    notes : tuple of Note
    """

    file: File
    query: str | None = None
    columns: dict[str, NDArray[Any]] | None = None
    notes: tuple[Note, ...] = ()


class Rows(NamedTuple):
    """Votes that are alike, one row each: entries, outcome for the first (0 won, 1 tied, 2 lost), counts.

    `cluster` numbers whose votes they are, and rows come sorted by it; None where they are not parted.
    `covariates` has a column per covariate that was asked for.
    """

    first: Codes
    second: Codes
    outcome: Codes
    weight: Floats
    votes: NDArray[np.int64]
    cluster: NDArray[np.int64] | None = None
    covariates: Floats | None = None


@dataclass(frozen=True, eq=False)
class Ballots:
    """A table of votes.

    Parameters
    ----------
    entries : tuple of str
        Sorted names.
    rows : Rows
        All votes, parted by pair and outcome (and covariates).
    by : mapping of str to Rows
        The same, parted by ``voter``, ``prompt`` and both, where the files have them.
    files : tuple of File
    columns : tuple of str
        Further columns, which may serve as covariates.
    covariates : tuple of str
        Those that were asked for.
    notes : tuple of Note
    votes, unusable : int
        Votes used, and rows left out.
    """

    entries: tuple[str, ...]
    rows: Rows
    by: dict[str, Rows]
    files: tuple[File, ...]
    columns: tuple[str, ...]
    covariates: tuple[str, ...]
    notes: tuple[Note, ...]
    votes: int
    unusable: int

    @property
    def provenance(self) -> Provenance:
        """Where the votes come from; those that could not be used are excluded."""
        return Provenance(files=self.files, read=self.votes + self.unusable, excluded=self.unusable)

    @classmethod
    def from_files(
        cls,
        files: Sequence[VoteFile],
        connection: duckdb.DuckDBPyConnection,
        covariates: Sequence[str] = (),
        notes: Sequence[Note] = (),
    ) -> Ballots:
        """Reduce the votes of some files.

        Parameters
        ----------
        files : sequence of VoteFile
        connection : duckdb.DuckDBPyConnection
            Where their queries are valid.
        covariates : sequence of str
            Numeric columns that are kept, each the difference first - second or a property of the first.
        notes : sequence of Note

        Raises
        ------
        DataError
            No vote that can be used, a column that is not there, or a covariate that is not a number.
        """
        return _Reduction(connection, files, covariates).ballots(notes)


@dataclass
class _Reduction:
    """The steps from rows as read to counts, in the database."""

    connection: duckdb.DuckDBPyConnection
    files: Sequence[VoteFile]
    covariates: Sequence[str]
    columns: list[str] = field(default_factory=list)

    def ballots(self, notes: Sequence[Note]) -> Ballots:
        selects = []
        for at, file in enumerate(self.files):
            source = f"({file.query})"
            if file.columns is not None:
                source = f"votes_{at}"
                self.connection.register(source, file.columns)
            selects.append(f"SELECT *, {at} AS file_index FROM {source}")
        self._run(f"CREATE TEMP VIEW votes_read AS {' UNION ALL BY NAME '.join(selects)}")
        self.columns = [row[0] for row in self._run("DESCRIBE votes_read").fetchall()]
        for name in self.covariates:
            if name not in self.columns:
                there = [c for c in self.columns if c not in ("first", "second", "winner", "file_index")]
                raise DataError(f"no column {name!r} in these votes; found {listed(there) or 'none besides'}")
        self._clean()
        entries = tuple(row[0] for row in self._run("SELECT name FROM vote_names ORDER BY code").fetchall())
        kinds = [name for name in CLUSTERS if name in self.columns]
        by = {name: self._rows(name) for name in kinds}
        if len(kinds) == 2:
            by[TWO_WAY] = self._rows("voter, prompt")
        per_file = "SELECT count(*) FROM votes_read GROUP BY file_index ORDER BY file_index"
        read = [int(row[0]) for row in self._run(per_file).fetchall()]
        counted = [msgspec.structs.replace(f.file, rows=n) for f, n in zip(self.files, read, strict=False)]
        rows = self._rows(None)
        left_out, told = self._unusable()
        if not len(rows.votes):
            raise DataError(f"no vote can be used of {left_out:,} rows: {told[0].text if told else 'none'}")
        known = {"first", "second", "winner", "file_index", "weight", *CLUSTERS}
        return Ballots(
            entries=entries,
            rows=rows,
            by=by,
            files=tuple(counted),
            columns=tuple(name for name in self.columns if name not in known),
            covariates=tuple(self.covariates),
            notes=(*notes, *(note for file in self.files for note in file.notes), *told),
            votes=int(rows.votes.sum()),
            unusable=left_out,
        )

    def _run(self, query: str) -> duckdb.DuckDBPyConnection:
        return self.connection.execute(query)

    def _clean(self) -> None:
        """Turn names and words into codes; what cannot be used has no outcome."""
        word = "lower(trim(CAST(winner AS VARCHAR)))"
        whole = f"SELECT bool_or({word} = '2') AND bool_and({word} <> '0') FROM votes_read"
        first, second, tie = (list(WORDS[part]) for part in (FIRST, SECOND, TIE))
        if self._run(whole).fetchall()[0][0]:  # 1 and 2 name the sides
            second = [*second, "2", "2.0"]
            tie = [*tie, "3", "0"]
        cases = " ".join(
            f"WHEN {word} IN ({', '.join(map(literal, words))}) THEN {code}"
            for code, words in ((0, first), (1, tie), (2, second))
        )
        named = "WHEN winner = first THEN 0 WHEN winner = second THEN 2"
        weight = "CAST(weight AS DOUBLE)" if "weight" in self.columns else "1.0"
        extra = [f"CAST({quoted(name)} AS VARCHAR) AS {name}" for name in CLUSTERS if name in self.columns]
        extra += [
            f"TRY_CAST({quoted(name)} AS DOUBLE) AS covariate_{at}" for at, name in enumerate(self.covariates)
        ]
        text = ", ".join([f"CAST({side} AS VARCHAR) AS {side}" for side in ("first", "second")] + extra)
        self._run(
            f"CREATE TEMP TABLE votes_clean AS SELECT {text}, CAST(winner AS VARCHAR) AS winner, "
            f"{weight} AS weight, CASE {named} {cases} END AS outcome FROM votes_read"
        )
        bad = [f"covariate_{at} IS NULL" for at in range(len(self.covariates))]
        bad += ["outcome IS NULL", "weight IS NULL", "NOT isfinite(weight)", "weight < 0", "first = second"]
        bad += [f"coalesce({side}, '') = ''" for side in ("first", "second")]
        usable = f"SELECT *, rowid AS vote FROM votes_clean WHERE NOT ({' OR '.join(bad)})"
        self._run(f"CREATE TEMP VIEW votes_usable AS {usable}")
        names = " UNION ".join(f"SELECT {side} AS name FROM votes_usable" for side in ("first", "second"))
        code = "CAST(row_number() OVER (ORDER BY name) - 1 AS INTEGER)"
        self._run(f"CREATE TEMP TABLE vote_names AS SELECT name, {code} AS code FROM ({names})")

    def _rows(self, by: str | None) -> Rows:
        """Count votes by pair and outcome, and by a column or two."""
        parts = ["a.code AS first", "b.code AS second", "CAST(outcome AS INTEGER) AS outcome"]
        names = ["1", "2", "3"]
        for at in range(len(self.covariates)):
            parts.append(f"covariate_{at}")
            names.append(str(len(names) + 1))
        if by is not None:
            # A vote without a voter is nobody's but its own.
            keys = " || '\t' || ".join(f"coalesce({name}, 'row ' || vote)" for name in by.split(", "))
            parts.append(f"{keys} AS cluster")
            names.append(str(len(names) + 1))
        found = self._run(
            f"SELECT {', '.join(parts)}, sum(weight) AS weight, count(*) AS votes FROM votes_usable v "
            "JOIN vote_names a ON a.name = v.first JOIN vote_names b ON b.name = v.second "
            f"GROUP BY {', '.join(names)} ORDER BY {', '.join(reversed(names))}"
        ).fetchnumpy()
        cluster = None
        if by is not None:
            labels = np.asarray(found["cluster"], dtype=object)
            fresh = np.r_[False, labels[1:] != labels[:-1]] if len(labels) else np.zeros(0, dtype=bool)
            cluster = np.cumsum(fresh).astype(np.int64)
        kept = [np.asarray(found[f"covariate_{at}"], dtype=np.float64) for at in range(len(self.covariates))]
        first, second, outcome = (
            np.asarray(found[name], dtype=np.int32) for name in ("first", "second", "outcome")
        )
        weight, votes = np.asarray(found["weight"], dtype=np.float64), np.asarray(found["votes"], np.int64)
        return Rows(first, second, outcome, weight, votes, cluster, np.stack(kept, axis=1) if kept else None)

    def _unusable(self) -> tuple[int, list[Note]]:
        """Count what was left out, by reason."""
        reasons = {
            "an outcome that is not known": "outcome IS NULL AND winner IS NOT NULL",
            "no outcome": "winner IS NULL",
            "no name of an entry": "first IS NULL OR second IS NULL OR first = '' OR second = ''",
            "one entry on both sides": "first = second",
            "a weight below 0 or not a number": "weight IS NULL OR NOT isfinite(weight) OR weight < 0",
        }
        for at, name in enumerate(self.covariates):
            reasons[f"no number in the column {name!r}"] = f"covariate_{at} IS NULL"
        total, used = (
            int(self._run(f"SELECT count(*) FROM {table}").fetchall()[0][0])
            for table in ("votes_clean", "votes_usable")
        )
        notes = []
        for what, condition in reasons.items():
            query = f"SELECT count(*), min(winner) FROM votes_clean WHERE {condition}"
            count, example = self._run(query).fetchall()[0]
            if count:
                shown = f" (such as {example!r})" if "not known" in what else ""
                votes = "vote" if count == 1 else "votes"
                text = f"{count:,} {votes} left out: {what}{shown}"
                notes.append(Note(code="votes-left-out", text=text))
        return total - used, notes
