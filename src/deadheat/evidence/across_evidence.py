"""Entries over several benchmarks, which are the categories of a panel's items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError, listed
from deadheat.evidence.categories import divide
from deadheat.evidence.pairwise import pairwise
from deadheat.results import claims
from deadheat.results.across import Across, AcrossLine, AcrossMethod
from deadheat.seeds import stream
from deadheat.stats.multiple import several_benchmarks as several
from deadheat.stats.numerics.bounds import defined
from deadheat.stats.score.item_design import Groups

Floats = NDArray[np.float64]
MOST = 1_000  # draws, from which a standard error is known to 2 %


def across(
    table: Table,
    seen: Panel,
    method: AcrossMethod,
    column: str,
    weights: Mapping[str, float] | None,
    *,
    drawn: bool = False,
    alpha: float,
    draws: int,
    seed: int,
) -> Across:
    """Combine the benchmarks of a board.

    Parameters
    ----------
    table, seen
        Where the panel came from, and the panel.
    method : str
    column : str
        Item column that names the benchmark of each item.
    weights : mapping or None
        Benchmark -> weight, for the method ``weights``.
    drawn : bool
        Speak of new benchmarks like these, not of new items of these.
    alpha : float
        Ranks hold together with confidence 1 - alpha.
    draws, seed : int
        Resamples of items, at most 1,000, for the errors of win rates, Borda points and z scores.

    Raises
    ------
    MethodError
        An unknown method, weights where none belong, or items that are weighted themselves.
    DataError
        Fewer than two benchmarks, or fewer than two entries that have all of them.
    """
    if method not in several.METHODS:
        raise MethodError(f"across is one of {', '.join(several.METHODS)}; found {method!r}")
    if (weights is not None) != (method == "weights"):
        raise MethodError("weights of benchmarks belong to --across weights, and to it alone")
    if seen.weights is not None or seen.stratum is not None:
        raise MethodError("--across takes items that count alike within their benchmark; leave out --weights")
    division = divide(table, column, None)
    codes, names = division.codes, division.names
    held = np.column_stack([seen.present[:, codes == at].any(axis=1) for at in range(len(names))])
    whole = np.flatnonzero(held.all(axis=1))
    if len(names) < 2 or len(whole) < 2:
        raise DataError(
            f"--across combines benchmarks of entries that have them all; found {len(names)} benchmarks in "
            f"the column {column} ({listed(names, 3)}) and {len(whole)} entries with all of them"
        )
    share = _shares(names, weights)
    columns = np.flatnonzero(seen.present[whole].all(axis=0) & (codes >= 0))
    empty = sorted(set(range(len(names))) - set(codes[columns].tolist()))
    if empty:
        raise DataError(
            f"on the benchmark {names[empty[0]]} no item was run by all {len(whole)} entries with all of them"
        )
    board = _Board(
        seen.rows(whole),
        columns,
        codes[columns],
        seen.sign * seen.values[np.ix_(whole, columns)].astype(float),
    )
    parts = np.column_stack(
        [several.part(board.values[:, board.codes == at].mean(axis=1), method) for at in range(len(names))]
    )
    value = parts @ share
    standing = (
        _Standing(*several.of_drawn_benchmarks(parts, share, alpha))
        if drawn
        else _standing(board, share, method, alpha=alpha, draws=min(draws, MOST), seed=seed)
    )
    lead = several.can_lead(parts)
    moved, rival = several.smallest_move(parts, share)
    sign = seen.sign if method in ("mean", "weights") else 1
    entries = [seen.entries[row] for row in whole]
    lines = [
        AcrossLine(
            entry=entry,
            value=float(sign * value[at]),
            se=None if standing.se is None else defined(standing.se[at]),
            rank=None if standing.ranks is None else (int(standing.ranks[at, 0]), int(standing.ranks[at, 1])),
            parts={name: float(sign * parts[at, b]) for b, name in enumerate(names)},
            can_lead=bool(lead[at]),
        )
        for at, entry in enumerate(entries)
    ]
    order = np.argsort(-value, kind="stable")
    lacking = np.flatnonzero(~held.all(axis=1))
    short = _lacking(seen, board, names, lacking, share, method) if lacking.size else []
    return Across(
        method=method,
        column=column,
        weights=dict(zip(names, share.tolist(), strict=True)),
        lines=(*(lines[at] for at in order), *short),
        first=entries[order[0]],
        rival=entries[rival] if rival >= 0 else None,
        moved=moved if rival >= 0 else None,
        drawn=drawn,
        note=standing.note,
    )


def _lacking(
    seen: Panel,
    board: _Board,
    names: tuple[str, ...],
    rows: NDArray[np.intp],
    share: Floats,
    method: AcrossMethod,
) -> list[AcrossLine]:
    """Describe entries that lack a benchmark: what they have, bounds of their value, and a fitted mean.

    A part is what they would contribute among the entries that have everything, on the items that they share
    with all of these.
    """
    parts, limit = (
        np.full((len(rows), len(names)), np.nan),
        {"win-rate": 1.0, "borda": float(len(board.values))},
    )
    for at, row in enumerate(rows):
        ran = seen.present[row, board.columns]
        own = seen.sign * seen.values[row, board.columns].astype(np.float64)
        for b in sorted(set(board.codes[ran].tolist())):
            inside = ran & (board.codes == b)
            every = np.append(board.values[:, inside].mean(axis=1), own[inside].mean())
            parts[at, b] = several.part(every, method)[-1]
    known = np.isfinite(parts)
    scores = method in ("mean", "weights")
    least, most = sorted((0.0, float(seen.sign))) if scores else (0.0, limit.get(method, np.nan))
    bounded = method != "z" and (seen.rates or not scores)
    low, high = (np.where(known, parts, end) @ share for end in (least, most))
    sign = seen.sign if scores else 1
    fitted = _fitted(board, parts, share) if scores else None
    return [
        AcrossLine(
            entry=seen.entries[row],
            parts={name: float(sign * parts[at, b]) for b, name in enumerate(names) if known[at, b]},
            missing=tuple(name for b, name in enumerate(names) if not known[at, b]),
            bounds=(*sorted((float(sign * low[at]), float(sign * high[at]))),) if bounded else None,  # type: ignore[arg-type]
            fitted=None if fitted is None else defined(sign * fitted[at]),
        )
        for at, row in enumerate(rows)
    ]


def _fitted(board: _Board, parts: Floats, share: Floats) -> Floats:
    """Weighted means where a lacking benchmark is as hard for an entry as for those that have it, (rows,)."""
    usual = np.array([board.values[:, board.codes == b].mean() for b in range(len(share))])
    known = np.isfinite(parts)
    ahead = np.where(known, parts - usual, 0.0).sum(axis=1) / np.where(
        known.any(axis=1), known.sum(axis=1), np.nan
    )
    return np.asarray(np.where(known, parts, usual + ahead[:, None]) @ share)


class _Board(NamedTuple):
    """Entries that have every benchmark, on the items that all of them ran."""

    seen: Panel
    columns: NDArray[np.intp]
    codes: NDArray[np.integer]
    values: Floats  # higher is better

    @property
    def cluster(self) -> NDArray[np.int32] | None:
        """Clusters of its items."""
        return None if self.seen.cluster is None else self.seen.cluster[self.columns]


class _Standing(NamedTuple):
    """Errors and ranks, None where withheld, and why."""

    se: Floats | None
    ranks: NDArray[np.int64] | None
    note: str | None = None


def _standing(
    board: _Board, share: Floats, method: AcrossMethod, *, alpha: float, draws: int, seed: int
) -> _Standing:
    """Say how sure values and ranks are for new items of the same benchmarks."""
    if method in ("mean", "weights"):
        found = several.of_means(board.values, board.codes, board.cluster, share, alpha)
        if np.isnan(found.se).any():
            return _Standing(None, None, "SE and ranks withheld: a benchmark has one item or cluster")
        return _Standing(*found)
    tables, masses = [], []
    for at in range(len(share)):
        inside = board.codes == at
        units = Groups(None if board.cluster is None else board.cluster[inside], int(inside.sum()))
        tables.append(units.sum(board.values[:, inside]))
        masses.append(units.sum(np.ones((1, int(inside.sum()))))[0])
    se, note = None, None
    if (fewest := min(map(len, masses))) < several.FEWEST:
        note = f"SE withheld: a benchmark has {fewest:,} items or clusters, fewer than {several.FEWEST}"
    else:
        rng = stream(seed, "benchmarks")
        se = several.resampled_error(tables, masses, share, method, draws=draws, rng=rng)
    if method == "z":
        return _Standing(se, None, note or "ranks withheld: z scores of close entries do not vary smoothly")
    p, lead = zip(*(_tests(board, board.codes == at) for at in range(len(share))), strict=True)
    return _Standing(se, several.ranks_of_wins(np.array(p), np.array(lead), alpha), note)


def _tests(board: _Board, inside: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Test all pairs on one benchmark, and how much better the row entry is, in the order of the board."""
    part = board.seen.select(board.columns[inside])
    row = {name: at for at, name in enumerate(part.entries)}
    order = [row[name] for name in board.seen.entries]
    found = pairwise(part)
    return found.p[np.ix_(order, order)], part.sign * found.difference[np.ix_(order, order)]


def _shares(names: tuple[str, ...], weights: Mapping[str, float] | None) -> Floats:
    if weights is None:
        return np.full(len(names), 1 / len(names))
    if set(weights) != set(names):
        raise MethodError(
            f"weights name every benchmark once; found {listed(sorted(weights), 4)} for {listed(names, 4)}"
        )
    given = np.array([weights[name] for name in names], dtype=np.float64)
    if not np.isfinite(given).all() or (given < 0).any() or given.sum() <= 0:
        raise MethodError("weights of benchmarks are finite, not negative and not all 0")
    return np.asarray(given / given.sum())


def across_claim(made: Across, alpha: float) -> claims.FirstAcross:
    """Say who is first, who may be, and what weights decide."""
    known = [line for line in made.lines if line.value is not None]
    ranks = [(line.entry, line.rank[0]) for line in known if line.rank is not None]
    return claims.FirstAcross(
        method=made.method,
        benchmarks=len(made.weights),
        of=len(known),
        first=made.first,
        may=tuple(entry for entry, best in ranks if best == 1) if ranks else None,
        can_lead=tuple(line.entry for line in known if line.can_lead),
        rival=made.rival,
        moved=made.moved,
        drawn=made.drawn,
        missing=len(made.lines) - len(known),
        level=1 - alpha,
    )
