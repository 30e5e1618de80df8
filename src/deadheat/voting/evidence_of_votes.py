"""What votes say of all pairs of entries: strengths, errors by voter and prompt, p-values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deadheat.data.ballots import TWO_WAY, Ballots, Rows
from deadheat.errors import DataError, MethodError
from deadheat.results import Note
from deadheat.stats.numerics.pvalues import PValues, student
from deadheat.stats.votes.strengths import Strengths, Votes, components, fit
from deadheat.stats.votes.tie_models import MODELS
from deadheat.stats.votes.vote_errors import differences, sandwich

Floats = NDArray[np.float64]
FEW = 10  # clusters below which a sandwich error is not to be trusted


@dataclass(frozen=True)
class Setting:
    """How votes are made into strengths.

    Parameters
    ----------
    ties : str
        A name of MODELS.
    cluster : str
        ``auto``: every column of voters and prompts there is; ``none``, or the name of one.
    position : bool
        Estimate how much the entry named first gains by it.
    penalty : float
        See `strengths.fit`.
    """

    ties: str = "davidson"
    cluster: str = "auto"
    position: bool = False
    penalty: float = 0.0

    def __post_init__(self) -> None:
        if self.ties not in MODELS:
            raise MethodError(f"no model of ties {self.ties!r}; known are {', '.join(MODELS)}")
        if self.penalty < 0:
            raise MethodError(f"a penalty is 0 or more; found {self.penalty:g}")


@dataclass(frozen=True, eq=False)
class Evidence:
    """Strengths of the E entries that can be compared, and all their pairs.

    Parameters
    ----------
    rows : (E,) int
        Their codes among the entries of the ballots.
    found : Strengths
    covariance : (E + X, E + X) float64
    difference, se : (E, E) float64
    values : PValues
        Two-sided, (E, E).
    df : float
        Degrees of freedom: clusters - 1 of the kind with fewest; infinite where votes are independent.
    clusters : dict of str to int
    votes : Votes
        The votes between them.
    won, tied : (E, E) float64
        Votes that the row entry won against, or tied with, the column entry.
    notes : tuple of Note
    """

    rows: NDArray[np.intp]
    found: Strengths
    covariance: Floats
    difference: Floats
    se: Floats
    values: PValues
    df: float
    clusters: dict[str, int]
    votes: Votes
    won: Floats
    tied: Floats
    notes: tuple[Note, ...]


def evidence(ballots: Ballots, setting: Setting, extra: Sequence[tuple[int, int]] = ()) -> Evidence:
    """Fit strengths to votes and test all pairs.

    Parameters
    ----------
    ballots : Ballots
    setting : Setting
    extra : sequence of (int, int)
        Pairs of entries (codes) whose own votes get an effect of their own, as a further covariate each.

    Raises
    ------
    DataError
        Fewer than two entries that can be compared.
    """
    rows = comparable(ballots, setting)
    votes = _votes(ballots.rows, rows, setting, extra)
    found = fit(votes, len(rows), model=setting.ties, penalty=setting.penalty)
    kinds, clusters = _kinds(ballots, rows, setting, extra)
    covariance = sandwich(found, kinds)
    difference, se = differences(found, covariance)
    df = float(min(clusters.values()) - 1) if clusters else np.inf
    with np.errstate(invalid="ignore", divide="ignore"):
        values = student(difference / np.where(se > 0, se, np.nan), np.full(se.shape, df))
    count = len(rows)
    won, tied = np.zeros((2, count, count))
    amount = _counts(ballots.rows, rows)
    for outcome, table, a, b in ((0, won, 0, 1), (2, won, 1, 0), (1, tied, 0, 1)):
        at = votes.outcome == outcome
        pair = (votes.first, votes.second)
        np.add.at(table, (pair[a][at], pair[b][at]), amount[at])
    return Evidence(
        rows, found, covariance, difference, se, values, df, clusters, votes, won, tied + tied.T,
        tuple(_notes(clusters, setting, found)),
    )  # fmt: skip


def comparable(ballots: Ballots, setting: Setting) -> NDArray[np.intp]:
    """Find the largest set of entries whose strengths can be compared; all of them with a penalty."""
    count = len(ballots.entries)
    if count < 2:
        raise DataError(f"votes compare at least two entries; found {count}")
    strong, islands = components(Votes(*ballots.rows[:4]), count)
    parts = islands if setting.penalty > 0 else strong
    kept = np.flatnonzero(parts == np.argmax(np.bincount(parts)))
    if len(kept) < 2:
        raise DataError(
            f"no two of these {count} entries can be compared: none of them both won and lost, directly or "
            "through others (Ford's condition); give more votes, or a --penalty"
        )
    return kept


def _votes(rows: Rows, kept: NDArray[np.intp], setting: Setting, extra: Sequence[tuple[int, int]]) -> Votes:
    """Votes among the kept entries, with covariates for position and for pairs of their own."""
    code = np.full(max(int(rows.first.max()), int(rows.second.max())) + 1, -1)
    code[kept] = np.arange(len(kept))
    inside = (code[rows.first] >= 0) & (code[rows.second] >= 0)
    first, second = code[rows.first[inside]], code[rows.second[inside]]
    columns = [] if rows.covariates is None else list(rows.covariates[inside].T)
    if setting.position:
        columns.append(np.ones(len(first)))
    for a, b in extra:
        ahead = (rows.first[inside] == a) & (rows.second[inside] == b)
        behind = (rows.first[inside] == b) & (rows.second[inside] == a)
        columns.append(ahead.astype(np.float64) - behind)
    covariates = np.stack(columns, axis=1) if columns else None
    return Votes(first, second, rows.outcome[inside], rows.weight[inside], covariates)


def _counts(rows: Rows, kept: NDArray[np.intp]) -> Floats:
    inside = np.isin(rows.first, kept) & np.isin(rows.second, kept)
    return rows.votes[inside].astype(np.float64)


def _kinds(
    ballots: Ballots, kept: NDArray[np.intp], setting: Setting, extra: Sequence[tuple[int, int]]
) -> tuple[list[tuple[Votes, NDArray[np.int64] | None]], dict[str, int]]:
    """Votes by each kind of cluster that errors are made from."""
    named = [name for name in ballots.by if name != TWO_WAY]
    if setting.cluster not in ("auto", "none", *named):
        there = ", ".join(named) or "none"
        raise MethodError(f"no clusters {setting.cluster!r} in these votes; found {there}")
    wanted = named if setting.cluster == "auto" else [n for n in named if n == setting.cluster]
    kinds: list[tuple[Votes, NDArray[np.int64] | None]] = []
    clusters: dict[str, int] = {}
    for name in (*wanted, *([TWO_WAY] if len(wanted) == 2 else [])):
        rows = ballots.by[name]
        assert rows.cluster is not None
        inside = np.isin(rows.first, kept) & np.isin(rows.second, kept)
        cluster = np.unique(rows.cluster[inside], return_inverse=True)[1].astype(np.int64)
        kinds.append((_votes(rows, kept, setting, extra), cluster))
        if name != TWO_WAY:
            clusters[name] = int(cluster.max()) + 1
    if not kinds:
        return [(_votes(ballots.rows, kept, setting, extra), None)], {}
    return kinds, clusters


def _notes(clusters: dict[str, int], setting: Setting, found: Strengths) -> list[Note]:
    notes = []
    for name, count in clusters.items():
        if count < FEW:
            text = f"{count} {name}s only: errors by {name} lean on few independent units"
            notes.append(Note(code="few-clusters", text=text))
    if not clusters:
        text = (
            "votes are taken as independent: no column of voters or prompts is used, and errors are too "
            "small where one voter, or one prompt, has many votes"
        )
        notes.append(Note(code="votes-independent", text=text))
    if setting.penalty > 0:
        text = f"a penalty of {setting.penalty:g} draws strengths together; they are not maximum likelihood"
        notes.append(Note(code="penalised", text=text))
    if found.model != setting.ties:
        notes.append(Note(code="no-ties", text="there is no tie, so no model of ties is used"))
    return notes
