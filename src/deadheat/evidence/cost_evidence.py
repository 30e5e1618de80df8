"""What entries cost, set against what they score."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.data.costs import costs_of
from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.evidence.pairwise import Pairwise
from deadheat.results import Comparison, Interval, claims
from deadheat.results.cost import CostLine, Costs, PairCost
from deadheat.stats.multiple.frontier import cost_ratio, frontier
from deadheat.stats.numerics.bounds import defined

Floats = NDArray[np.float64]


def placed(table: Table, seen: Panel, column: str) -> Floats:
    """Cost of each entry at each item of a panel, (E, M); NaN where unknown or the entry did not run."""
    dense = np.full((len(table.entries), len(table.items)), np.nan)
    dense[table.cells.entry, table.cells.item] = costs_of(table, column)
    row = {name: at for at, name in enumerate(table.entries)}
    at = {name: at for at, name in enumerate(table.items)}
    found = dense[[row[name] for name in seen.entries]][:, [at[name] for name in seen.items]]
    return np.where(seen.present, found, np.nan)


def costs(table: Table, seen: Panel, pairs: Pairwise, value: Floats, column: str, alpha: float) -> Costs:
    """Set the scores of a board against costs.

    Parameters
    ----------
    table, seen
        Where the panel came from, and the panel.
    pairs : Pairwise
        The tests of all its pairs.
    value : (E,) float64
        Scores.
    column : str
    alpha : float
        Family-wise error of the entries that are said to be off the frontier.
    """
    cost = placed(table, seen, column)
    known = np.isfinite(cost)
    count = known.sum(axis=1)
    total = np.where(known, cost, 0).sum(axis=1)
    mean = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    off = np.where(known, cost - mean[:, None], 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        se = np.sqrt((off**2).sum(axis=1) / (count - 1) / count)
        score = np.where(known, seen.values, 0.0)
        apart = np.where(known, seen.values - (score.sum(axis=1) / count)[:, None], 0.0)
        size = np.sqrt((off**2).sum(axis=1) * (apart**2).sum(axis=1))
        correlation = np.where(size > 1e-12, (off * apart).sum(axis=1) / size, np.nan)
    ahead = seen.sign * pairs.difference.T > 0  # [i, j]: j better than i
    above = np.where(np.isnan(pairs.p), np.nan, np.where(ahead, pairs.one_sided, 1.0))
    found = frontier(seen.sign * value, mean, above, alpha)
    lines = tuple(
        CostLine(
            entry=entry,
            value=defined(value[row]),
            cost=defined(mean[row]),
            se=defined(se[row]),
            total=float(total[row]) if count[row] else None,
            items=int(count[row]),
            correlation=defined(correlation[row]),
            observed=bool(found.observed[row]),
            possible=bool(found.possible[row]),
            p=defined(found.p[row]),
            rival=seen.entries[found.rival[row]] if found.p[row] < alpha else None,
        )
        for row, entry in enumerate(seen.entries)
    )
    paid = [line for line in lines if line.cost is not None]
    by_cost = sorted(paid, key=lambda line: (line.cost or 0.0, line.entry))
    return Costs(
        column=column,
        lines=lines,
        observed=tuple(line.entry for line in by_cost if line.observed),
        possible=tuple(line.entry for line in by_cost if line.possible),
        unknown=tuple(line.entry for line in lines if line.cost is None),
    )


def with_costs(
    table: Table, seen: Panel, pairs: list[Comparison], column: str, *, level: float, alpha: float
) -> list[Comparison]:
    """Add the ratio of costs on the items that both entries of each pair have."""
    cost = placed(table, seen, column)
    row = {name: at for at, name in enumerate(seen.entries)}
    made = []
    for pair in pairs:
        a, b = cost[row[pair.a]], cost[row[pair.b]]
        both = np.isfinite(a) & np.isfinite(b)
        ratio = cost_ratio(a[both], b[both], level)
        interval = None
        if np.isfinite(ratio.low) and ratio.low < ratio.high:
            interval = Interval(low=ratio.low, high=ratio.high, level=level, method="log-ratio t")
        side = "cheaper" if ratio.value < 1 else "dearer"
        # One price per entry has no error from item to item, so no verdict.
        verdict = None if not np.isfinite(ratio.p) else side if ratio.p < alpha else "not separated"
        record = PairCost(
            column=column,
            items=int(both.sum()),
            a=float(a[both].mean()) if both.any() else None,
            b=float(b[both].mean()) if both.any() else None,
            ratio=defined(ratio.value),
            interval=interval,
            p=defined(ratio.p),
            verdict=verdict,  # type: ignore[arg-type]
        )
        made.append(msgspec.structs.replace(pair, cost=record))
    return made


def frontier_claim(made: Costs, alpha: float) -> claims.CostFrontier:
    """Say who may be on the frontier."""
    return claims.CostFrontier(
        column=made.column,
        of=len(made.lines),
        observed=made.observed,
        possible=made.possible,
        unknown=made.unknown,
        alpha=alpha,
    )
