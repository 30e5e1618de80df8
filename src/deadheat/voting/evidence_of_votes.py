"""What votes say of all pairs of entries: strengths, errors by voter and prompt, p-values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deadheat.data.ballots import Ballots, Rows
from deadheat.errors import DataError, MethodError
from deadheat.results import Note
from deadheat.stats.numerics.pvalues import PValues, student
from deadheat.stats.votes.strengths import Strengths, Votes, components, fit
from deadheat.stats.votes.tie_models import MODELS
from deadheat.stats.votes.vote_errors import Grouping, differences, sandwich

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
    groupings, clusters = _groupings(ballots, rows, setting)
    covariance = sandwich(found, votes, groupings)
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
    strong, islands = components(_all_votes(ballots.rows), count)
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


def _all_votes(rows: Rows) -> Votes:
    return Votes(rows.first, rows.second, rows.outcome, rows.weight)


def _groupings(
    ballots: Ballots, kept: NDArray[np.intp], setting: Setting
) -> tuple[list[Grouping], dict[str, int]]:
    """The kinds of clusters that errors are made from, and how many clusters each has."""
    single = ballots.single
    named = [] if single is None else list(single.owners)
    if setting.cluster not in ("auto", "none", *named):
        there = ", ".join(named) or "none"
        raise MethodError(f"no clusters {setting.cluster!r} in these votes; found {there}")
    wanted = named if setting.cluster == "auto" else [n for n in named if n == setting.cluster]
    inside = np.isin(ballots.rows.first, kept) & np.isin(ballots.rows.second, kept)
    if single is None or not wanted:
        square, votes = ballots.rows.square[inside], int(ballots.rows.votes[inside].sum())
        return [Grouping(np.arange(len(square)), None, np.sqrt(square), votes)], {}
    row, weight, owners = single.row, single.weight, single.owners
    if not inside.all():
        among = inside[row]
        row = (np.cumsum(inside) - 1)[row[among]]
        weight = None if weight is None else weight[among]
        owners = {name: code[among] for name, code in owners.items()}
    found = []
    for name in wanted:
        code = owners[name]
        if name == named[0]:  # by which votes come sorted
            found.append(_grouping(row, _numbered(code), weight))
            continue
        order = _sorting(code)
        found.append(_grouping(row[order], _numbered(code[order]), None if weight is None else weight[order]))
    clusters = {name: grouping.groups for name, grouping in zip(wanted, found, strict=True)}
    if len(wanted) == 2:
        found.append(_grouping(row, _numbered(*owners.values()), weight))
    return found, clusters


def _sorting(code: NDArray[np.int32]) -> NDArray[np.int32]:
    """A stable order of codes, by counting: transposing a sparse table is ten times faster than sorting."""
    from scipy.sparse import csr_array

    votes = len(code)
    table = (np.ones(votes, dtype=np.int8), code, np.arange(votes + 1, dtype=np.int32))
    return np.asarray(csr_array(table, shape=(votes, int(code.max()) + 1)).tocsc().indices)


def _numbered(*codes: NDArray[np.int32]) -> NDArray[np.int32]:
    """Number the runs of equal codes."""
    fresh = np.zeros(len(codes[0]), dtype=bool)
    for code in codes:
        fresh[1:] |= code[1:] != code[:-1]
    return np.cumsum(fresh, dtype=np.int32)


def _grouping(row: NDArray[np.int32], cluster: NDArray[np.int32], weight: Floats | None) -> Grouping:
    return Grouping(row, cluster, weight, int(cluster[-1]) + 1)


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
