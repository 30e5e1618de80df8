"""Files of votes between two entries: arenas, pairwise judges, MT-bench pairs, arena-hard judgments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from deadheat.data.ballots import Ballots, VoteFile
from deadheat.data.batch import literal, quoted
from deadheat.data.vote_reduction import ballots
from deadheat.errors import DataError, MalformedFile, UnknownFormat, listed
from deadheat.readers.base import PARQUET, Options, Source
from deadheat.readers.explain import explain
from deadheat.readers.lines import json_lines
from deadheat.readers.table_head import JSON_LINES, LONGEST, columns_of, first_rows, header, keys
from deadheat.readers.walk import opened
from deadheat.results import Note

ROLES: dict[str, tuple[str, ...]] = {
    "first": ("entry_a", "model_a", "left", "player_a", "system_a", "response_a_model", "model_x", "a"),
    "second": ("entry_b", "model_b", "right", "player_b", "system_b", "response_b_model", "model_y", "b"),
    "winner": ("winner", "preference", "preferred", "vote", "outcome", "verdict", "choice", "label"),
    "voter": ("voter", "judge", "judge_name", "worker", "worker_id", "annotator", "rater", "user", "user_id"),
    "prompt": ("prompt_id", "question_id", "prompt", "question", "item", "instruction_id", "uid"),
    "category": ("category", "task", "topic"),
    "weight": ("weight",),
}
"""Columns of a table of votes and their usual names, the first that is there."""
GRADES = {"A>>B": (0, 3.0), "A>B": (0, 1.0), "A=B": (1, 1.0), "B>A": (2, 1.0), "B>>A": (2, 3.0)}
"""Five-grade verdicts: outcome for A, and the votes that arena-hard counts a clear one as."""
TURN = {0: 2, 1: 1, 2: 0}
BASELINE = "gpt-4-0314"  # of arena-hard v0.1, which its files do not name


def holds_votes(source: Source) -> bool:
    """Whether a file is one of votes: by its columns, or by the shape of a judge's records."""
    names = _names(source)
    return _is_table(names) or _is_games(names) or _is_pairs(names)


def roles(names: Iterable[str]) -> dict[str, str]:
    """Say which column plays which part: role -> name as found."""
    lower = {name.lower(): name for name in reversed(list(names))}
    found = {}
    for role, usual in ROLES.items():
        there = [lower[name] for name in usual if name in lower]
        if there:
            found[role] = there[0]
    return found


def _is_table(names: Sequence[str]) -> bool:
    return {"first", "second", "winner"} <= set(roles(names))


def _is_games(names: Sequence[str]) -> bool:
    return {"model", "games"} <= set(names)


def _is_pairs(names: Sequence[str]) -> bool:
    return {"model_1", "model_2", "g1_winner", "g2_winner"} <= set(names)


def _names(source: Source) -> list[str]:
    if source.head.startswith(PARQUET):
        described = f"DESCRIBE FROM read_parquet({source.scanned})"
        return [row[0] for row in source.connection.execute(described).fetchall()]
    return columns_of(source)


def read_votes(
    paths: str | Path | Iterable[str | Path],
    *,
    covariates: Sequence[str] = (),
    options: Options | None = None,
) -> Ballots:
    """Read files of votes into one table of counts.

    Parameters
    ----------
    paths : path or iterable of paths
        CSV, TSV, JSON, JSON Lines or Parquet with a row per vote (two entries and who won), arena-hard
        judgments, or MT-bench pair judgments.
    covariates : sequence of str
        Numeric columns whose influence on the vote is estimated, such as a difference of lengths.
    options : Options, optional
        ``choices["baseline"]`` names the baseline of arena-hard judgments.

    Returns
    -------
    Ballots

    Raises
    ------
    ReadError
        A file that is missing, broken or holds no votes.
    DataError
        No vote that can be used.
    """
    import duckdb

    options = options or Options()
    sources, notes = opened(paths, options)
    try:
        known = [source for source in sources if source.root is None or holds_votes(source)]
        files = [_file(source, options) for source in known]
        if not files:
            raise UnknownFormat("no file of votes in these folders")
        return ballots(files, sources[0].connection, covariates, notes)
    except duckdb.Error as error:
        raise MalformedFile(explain(error, sources)) from error


def any_votes(paths: Sequence[str | Path], *, first: bool = False) -> bool:
    """Whether a file that these paths name holds votes; the first of them alone if so asked."""
    sources = opened(paths, Options())[0]
    return any(holds_votes(source) for source in (sources[:1] if first else sources))


def _file(source: Source, options: Options) -> VoteFile:
    names = _names(source)
    if _is_games(names):
        return _judged(source, "arena-hard", _games(source, options))
    if _is_pairs(names):
        return _judged(source, "mt-bench pairs", _turns(source))
    if not _is_table(names):
        raise UnknownFormat(
            f"{source.path}: not a file of votes; that takes two columns of entries (such as model_a and "
            f"model_b) and one of who won (winner); found {listed(names, 12) or 'no columns'}"
        )
    parts = roles(names)
    taken = set(parts.values())
    chosen = [f"{quoted(name)} AS {role}" for role, name in parts.items()]
    chosen += [quoted(name) for name in names if name not in taken and name.lower() not in ROLES]
    if source.suffix == ".json" and source.head.lstrip()[:1] == b"[":
        rows = source.json(list[dict[str, Any]])
        return _judged(
            source, "votes", [{role: row.get(name) for role, name in parts.items()} for row in rows]
        )
    return VoteFile(
        file=source.file("votes"),
        query=f"SELECT {', '.join(chosen)} FROM {_scan(source, names)}",
        columnar=source.head.startswith(PARQUET),
    )


def _scan(source: Source, names: Sequence[str]) -> str:
    path = source.scanned
    if source.head.startswith(PARQUET):
        return f"read_parquet({path})"
    listed_ = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in names)
    if source.suffix in JSON_LINES or source.head.lstrip()[:1] == b"{":
        return (
            f"read_json({path}, format='newline_delimited', maximum_object_size={LONGEST}, "
            f"columns={{{listed_}}})"
        )
    line = source.head.split(b"\n", 1)[0].decode(errors="replace")
    delimiter = max("\t;|,", key=line.count)
    if len(header(source)) != len(set(names)):
        raise MalformedFile(f"{source.path}: the header names a column twice: {', '.join(names)}")
    return (
        f"read_csv({path}, header=true, delim={literal(delimiter)}, quote='\"', escape='\"', "
        f"columns={{{listed_}}})"
    )


def _judged(source: Source, format: str, rows: Sequence[Mapping[str, Any]]) -> VoteFile:
    """Put records that had to be taken apart into columns."""
    names = [name for name in ROLES if any(row.get(name) is not None for row in rows)]
    columns: dict[str, np.ndarray[Any, Any]] = {}
    for name in names:
        column = np.array([None if row.get(name) is None else str(row[name]) for row in rows], dtype=object)
        columns[name] = column
    if "weight" in columns:
        columns["weight"] = columns["weight"].astype(np.float64)
    if not {"first", "second", "winner"} <= set(columns):
        raise DataError(f"{source.path}: no vote in {len(rows):,} records")
    note: tuple[Note, ...] = ()
    if format == "arena-hard":
        text = "a clear verdict (A>>B) counts as three votes, as arena-hard counts it"
        note = (Note(code="graded-votes", text=text),)
    return VoteFile(file=source.file(format), columns=columns, notes=note)


def _games(source: Source, options: Options) -> list[dict[str, Any]]:
    """Arena-hard: two games per record, the baseline first in the one and second in the other."""
    votes = []
    for _, row in json_lines(source, dict[str, Any]):
        baseline = options.choices.get("baseline") or row.get("baseline") or BASELINE
        for at, game in enumerate(row["games"] or ()):
            score = (game or {}).get("score")
            outcome, weight = GRADES.get(str(score).strip("[] "), (None, 1.0))
            if outcome is not None and at == 1:
                outcome = TURN[outcome]
            word = score if outcome is None else ("first", "tie", "second")[outcome]
            votes.append(
                {
                    "first": baseline,
                    "second": row["model"],
                    "winner": word,
                    "voter": row.get("judge"),
                    "prompt": row.get("question_id") or row.get("uid"),
                    "category": row.get("category"),
                    "weight": weight,
                }
            )
    return votes


def _turns(source: Source) -> list[dict[str, Any]]:
    """MT-bench pairs: a judge saw both orders; a verdict that the order turned round is a tie, as there."""
    votes = []
    for _, row in json_lines(source, dict[str, Any]):
        one, other = row["g1_winner"], row["g2_winner"]
        judge = row.get("judge")
        votes.append(
            {
                "first": row["model_1"],
                "second": row["model_2"],
                "winner": one if one == other or "error" in (one, other) else "tie",
                "voter": " ".join(judge) if isinstance(judge, list) else judge,
                "prompt": row.get("question_id"),
            }
        )
    return votes


def columns_beside(source: Source) -> list[str]:
    """Columns of a file of votes that play no part of their own, from which covariates are chosen."""
    names = keys(first_rows(source)) or header(source)
    taken = set(roles(names).values())
    return [name for name in names if name not in taken]
