"""Files of votes reduced to counts in the database: names and words become codes, like votes one row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from deadheat.data.ballots import Ballots, Rows, Single, VoteFile
from deadheat.data.batch import literal, quoted
from deadheat.errors import DataError, listed
from deadheat.results import Note

if TYPE_CHECKING:
    import duckdb

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
NOBODY = 2**31 - 1  # code of a missing voter or prompt, while votes are sorted
LEFT_OUT = (
    ("an outcome that is not known", "outcome IS NULL AND winner IS NOT NULL"),
    ("no outcome", "outcome IS NULL"),
    ("no name of an entry", "first IS NULL OR second IS NULL"),
    ("one entry on both sides", "first = second"),
    ("a weight below 0 or not a number", "weight IS NULL OR NOT isfinite(weight) OR weight < 0"),
)
"""Why a vote is left out: the first reason that holds."""


def ballots(
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
        No vote that can be used, or a column that is not there.
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
        self._code()
        per_file = "SELECT file_index, count(*) FROM votes_coded GROUP BY file_index"
        read = dict(self._run(per_file).fetchall())
        counted = [msgspec.structs.replace(f.file, rows=read.get(at, 0)) for at, f in enumerate(self.files)]
        left_out, told = self._unusable()
        rows, single = self._rows()
        if not len(rows.votes):
            raise DataError(f"no vote can be used of {left_out:,} rows: {told[0].text if told else 'none'}")
        used = np.unique(np.concatenate([rows.first, rows.second]))
        first, second = (np.searchsorted(used, x).astype(np.int32) for x in (rows.first, rows.second))
        names = self._run("SELECT name FROM vote_codes WHERE kind = 'entry' ORDER BY code").fetchall()
        known = {"first", "second", "winner", "file_index", "weight", *CLUSTERS}
        return Ballots(
            entries=tuple(names[code][0] for code in used),
            rows=rows._replace(first=first, second=second),
            single=single,
            files=tuple(counted),
            columns=tuple(name for name in self.columns if name not in known),
            covariates=tuple(self.covariates),
            notes=(*notes, *(note for file in self.files for note in file.notes), *told),
            votes=int(rows.votes.sum()),
            unusable=left_out,
        )

    @property
    def _clusters(self) -> list[str]:
        return [name for name in CLUSTERS if name in self.columns]

    @property
    def _alike(self) -> str:
        """What votes of one row have in common."""
        return ", ".join(["first", "second", "outcome", *self._covariates])

    @property
    def _covariates(self) -> list[str]:
        return [f"covariate_{at}" for at in range(len(self.covariates))]

    def _run(self, query: str) -> duckdb.DuckDBPyConnection:
        return self.connection.execute(query)

    def _code(self) -> None:
        """Turn names and words into codes, in two passes: over the words, then over the votes."""
        text = {name: f"CAST({name} AS VARCHAR)" for name in ("first", "second", "winner", *self._clusters)}
        kinds = ["entry", "entry", "winner", *self._clusters]
        pairs = [(literal(kind), column) for kind, column in zip(kinds, text.values(), strict=True)]
        if all(file.columnar for file in self.files):
            words = " UNION ".join(
                f"SELECT DISTINCT {k} AS kind, {c} AS name FROM votes_read" for k, c in pairs
            )
        else:
            of_kind, named = (", ".join(part) for part in zip(*pairs, strict=True))
            row = f"SELECT unnest([{of_kind}]) AS kind, unnest([{named}]) AS name FROM votes_read"
            words = f"SELECT DISTINCT kind, name FROM ({row})"
        self._run(
            "CREATE TEMP TABLE vote_codes AS SELECT kind, name, CAST(row_number() OVER (PARTITION BY kind "
            f"ORDER BY name) - 1 AS INTEGER) AS code FROM ({words}) WHERE name IS NOT NULL AND "
            "(name <> '' OR kind <> 'entry')"
        )
        joins = [f"LEFT JOIN ({self._outcomes()}) w ON w.name = {text['winner']}"]
        for kind, (column, source) in zip(kinds, text.items(), strict=True):
            if kind != "winner":
                codes = f"SELECT name, code FROM vote_codes WHERE kind = {literal(kind)}"
                joins.append(f"LEFT JOIN ({codes}) c_{column} ON c_{column}.name = {source}")
        winner = text["winner"]
        chosen = [
            "c_first.code AS first",
            "c_second.code AS second",
            f"CASE WHEN {winner} = {text['first']} THEN 0 WHEN {winner} = {text['second']} THEN 2 "
            "ELSE w.outcome END AS outcome",
            f"CASE WHEN w.outcome IS NULL THEN {winner} END AS winner",
            f"{'TRY_CAST(weight AS DOUBLE)' if 'weight' in self.columns else '1.0'} AS weight",
            *(f"coalesce(c_{name}.code, {NOBODY}) AS {name}" for name in self._clusters),
            *(
                f"TRY_CAST({quoted(name)} AS DOUBLE) AS {column}"
                for name, column in zip(self.covariates, self._covariates, strict=True)
            ),
            "file_index",
        ]
        cases = " ".join(f"WHEN {condition} THEN {at}" for at, (_, condition) in enumerate(self._left_out()))
        self._run(
            f"CREATE TEMP TABLE votes_coded AS SELECT *, CASE {cases} END AS reason FROM "
            f"(SELECT {', '.join(chosen)} FROM votes_read {' '.join(joins)})"
        )

    def _outcomes(self) -> str:
        """Select what each word for who won says."""
        word = "lower(trim(name))"
        there = "FROM vote_codes WHERE kind = 'winner'"
        sides = self._run(f"SELECT bool_or({word} = '2') AND bool_and({word} <> '0') {there}").fetchall()
        first, second, tie = (list(WORDS[part]) for part in (FIRST, SECOND, TIE))
        if sides[0][0]:  # 1 and 2 name the sides
            second = [*second, "2", "2.0"]
            tie = [*tie, "3", "0"]
        cases = " ".join(
            f"WHEN {word} IN ({', '.join(map(literal, words))}) THEN {code}"
            for code, words in ((0, first), (1, tie), (2, second))
        )
        return f"SELECT name, CASE {cases} END AS outcome {there}"

    def _left_out(self) -> list[tuple[str, str]]:
        return [
            *LEFT_OUT,
            *(
                (f"no number in the column {name!r}", f"{column} IS NULL OR NOT isfinite({column})")
                for name, column in zip(self.covariates, self._covariates, strict=True)
            ),
        ]

    def _rows(self) -> tuple[Rows, Single | None]:
        """Count votes that are alike, and list them one by one where weights or owners tell them apart."""
        number = f"CAST(row_number() OVER (ORDER BY {self._alike}) - 1 AS INTEGER) AS alike"
        self._run(
            f"CREATE TEMP TABLE vote_rows AS SELECT {self._alike}, count(*) AS votes, {number} "
            f"FROM votes_coded WHERE reason IS NULL GROUP BY {self._alike}"
        )
        found = self._run("SELECT * FROM vote_rows ORDER BY alike").fetchnumpy()
        votes = np.asarray(found["votes"], np.int64)
        weight, square, single = votes.astype(np.float64), votes.astype(np.float64), None
        if self._clusters or "weight" in self.columns:
            single = self._one_by_one()
            if single.weight is not None:
                weight = np.bincount(single.row, single.weight, len(votes)).astype(np.float64)
                square = np.bincount(single.row, single.weight**2, len(votes)).astype(np.float64)
        first, second, outcome = (
            np.asarray(found[name], np.int32) for name in ("first", "second", "outcome")
        )
        kept = [np.asarray(found[name], np.float64) for name in self._covariates]
        covariates = np.stack(kept, axis=1) if kept else None
        rows = Rows(first, second, outcome, weight, square, votes, covariates)
        return rows, single if self._clusters else None

    def _one_by_one(self) -> Single:
        owners, weight = self._clusters, ["weight"] if "weight" in self.columns else []
        columns = [*owners, "alike", *weight]
        found = self._run(
            f"SELECT {', '.join(columns)} FROM votes_coded JOIN vote_rows USING ({self._alike}) "
            f"WHERE reason IS NULL ORDER BY {', '.join(columns)}"
        ).fetchnumpy()
        codes = {}
        for name in owners:
            # A vote without a voter is nobody's but its own.
            codes[name] = np.asarray(found[name], np.int32)
            missing = np.flatnonzero(codes[name] == NOBODY)
            codes[name][missing] = -1
            codes[name][missing] = codes[name].max(initial=-1) + 1 + np.arange(len(missing), dtype=np.int32)
        return Single(
            np.asarray(found["alike"], np.int32),
            np.asarray(found["weight"], np.float64) if weight else None,
            codes,
        )

    def _unusable(self) -> tuple[int, list[Note]]:
        """Count what was left out, by reason."""
        counts = self._run(
            "SELECT reason, count(*), min(winner) FROM votes_coded WHERE reason IS NOT NULL "
            "GROUP BY reason ORDER BY reason"
        ).fetchall()
        notes = []
        for reason, count, example in counts:
            what = self._left_out()[reason][0]
            shown = f" (such as {example!r})" if reason == 0 else ""
            text = f"{count:,} {'vote' if count == 1 else 'votes'} left out: {what}{shown}"
            notes.append(Note(code="votes-left-out", text=text))
        return sum(count for _, count, _ in counts), notes
