"""Entries over several benchmarks, which are the categories of a panel's items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel, panel
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError, listed
from deadheat.estimand import Estimand
from deadheat.evidence.categories import divide
from deadheat.results import claims
from deadheat.results.across import Across, AcrossLine, AcrossMethod
from deadheat.seeds import stream
from deadheat.stats.multiple import several_benchmarks as several
from deadheat.stats.score.item_design import Groups

Floats = NDArray[np.float64]
MOST = 2_000  # draws: their largest difference is known well enough


def across(
    table: Table,
    seen: Panel,
    method: AcrossMethod,
    column: str,
    weights: Mapping[str, float] | None,
    *,
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
    alpha : float
        Ranks hold together with confidence 1 - alpha.
    draws, seed : int
        Resamples of items within benchmarks, at most 2,000.

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
    tables, masses = [], []
    for at in range(len(names)):
        columns = np.flatnonzero(codes == at)
        present = seen.present[np.ix_(whole, columns)]
        shared = present.all(axis=0)
        if not shared.any():
            raise DataError(f"on the benchmark {names[at]} no item was run by all {len(whole)} entries")
        values = seen.sign * seen.values[np.ix_(whole, columns[shared])].astype(np.float64)
        units = Groups(None if seen.cluster is None else seen.cluster[columns[shared]], int(shared.sum()))
        tables.append(units.sum(values))
        masses.append(units.sum(np.ones((1, values.shape[1])))[0])
    found = several.across(
        tables, masses, share, method, draws=min(draws, MOST), alpha=alpha, rng=stream(seed, "benchmarks")
    )
    lead = several.can_lead(found.parts)
    moved, rival = several.smallest_move(found.parts, share)
    sign = seen.sign if method in ("mean", "weights") else 1
    entries = [seen.entries[row] for row in whole]
    lines = [
        AcrossLine(
            entry=entry,
            value=float(sign * found.value[at]),
            se=None if found.se is None else float(found.se[at]),
            rank=None if found.ranks is None else (int(found.ranks[at, 0]), int(found.ranks[at, 1])),
            parts={name: float(sign * found.parts[at, b]) for b, name in enumerate(names)},
            can_lead=bool(lead[at]),
        )
        for at, entry in enumerate(entries)
    ]
    order = np.argsort(-found.value, kind="stable")
    short = [
        AcrossLine(
            entry=entry, parts={}, missing=tuple(name for b, name in enumerate(names) if not held[row, b])
        )
        for row, entry in enumerate(seen.entries)
        if row not in set(whole.tolist())
    ]
    return Across(
        method=method,
        column=column,
        weights=dict(zip(names, share.tolist(), strict=True)),
        lines=(*(lines[at] for at in order), *short),
        first=entries[order[0]],
        rival=entries[rival] if rival >= 0 else None,
        moved=moved if rival >= 0 else None,
        note=_withheld(method, min(map(len, masses))),
    )


def _withheld(method: AcrossMethod, units: int) -> str | None:
    if units < several.FEWEST:
        return (
            f"SE and ranks withheld: a benchmark has {units:,} items or clusters, fewer than {several.FEWEST}"
        )
    if method not in several.RANKED:
        return "ranks withheld: resampling does not hold for this method where entries are close"
    return None


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
        missing=len(made.lines) - len(known),
        level=1 - alpha,
    )


def merged(tables: Mapping[str, Table], estimand: Estimand) -> Table:
    """Put several benchmarks into one table: a row per entry and item, the benchmark as its category.

    Parameters
    ----------
    tables : mapping of str to Table
        Benchmark -> its results; entries are matched by their names.
    estimand : Estimand
        What the scores are about; each value is the metric of one item.
    """
    parts: dict[str, list[Any]] = {"entry": [], "item": [], "score": [], "category": []}
    for name, table in tables.items():
        seen = panel(table, estimand)
        row, column = np.nonzero(seen.present)
        parts["entry"].append(np.array(seen.entries, dtype=object)[row])
        parts["item"].append(np.array([f"{name}/{item}" for item in seen.items], dtype=object)[column])
        parts["score"].append(seen.values[row, column].astype(np.float64))
        parts["category"].append(np.full(len(row), name, dtype=object))
    return Table.from_columns({key: np.concatenate(part) for key, part in parts.items()}, origin="benchmarks")
