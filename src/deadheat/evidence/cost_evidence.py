"""What entries cost, set against what they score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.data.costs import costs_of
from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.evidence.pairwise import Pairwise
from deadheat.results import Comparison, Interval, Note, claims
from deadheat.results.cost import CostLine, Costs, PairCost
from deadheat.stats.multiple.frontier import cost_ratio, frontier
from deadheat.stats.numerics.bounds import defined
from deadheat.stats.paired.pairs_t import all_pairs_t
from deadheat.stats.score.clustered import standard_error

if TYPE_CHECKING:
    from deadheat.evidence.scores import Scores

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Codes = NDArray[np.int32]


class PanelCosts(NamedTuple):
    """Costs in the rows and columns of a panel, (E, M) each.

    Parameters
    ----------
    mean : float64
        Of the attempts of a cell whose cost is known; 0 where none is.
    total : float64
        Their sum.
    known : bool
        Where the entry ran the item and a cost is known.
    """

    mean: Floats
    total: Floats
    known: Mask

    @property
    def constant(self) -> Mask:
        """Entries with one price, the same on every item, (E,)."""
        high = np.where(self.known, self.mean, -np.inf).max(axis=1, initial=-np.inf)
        low = np.where(self.known, self.mean, np.inf).min(axis=1, initial=np.inf)
        return np.asarray(high == low)


def placed(table: Table, seen: Panel, column: str) -> PanelCosts:
    """Put the costs of a column into the rows and columns of a panel."""
    row = {name: at for at, name in enumerate(table.entries)}
    at = {name: at for at, name in enumerate(table.items)}
    rows, columns = [row[name] for name in seen.entries], [at[name] for name in seen.items]
    found = []
    for part in costs_of(table, column):
        dense = np.zeros((len(table.entries), len(table.items)))
        dense[table.cells.entry, table.cells.item] = part
        found.append(np.where(seen.present, dense[rows][:, columns], 0.0))
    total, count = found
    return PanelCosts(total / np.maximum(count, 1), total, count > 0)


def _no_more(paid: PanelCosts, cluster: Codes | None) -> Floats:
    """One-sided p-values of each entry j costing no more than i, ``[i, j]``, on items that both paid for."""
    tested = all_pairs_t(paid.mean, paid.known, cluster)
    return np.where(tested.difference > 0, tested.p / 2, 1 - tested.p / 2)


def costs(table: Table, seen: Panel, pairs: Pairwise, made: Scores, column: str, alpha: float) -> Costs:
    """Set the scores of a board against costs.

    Parameters
    ----------
    table, seen
        Where the panel came from, and the panel.
    pairs : Pairwise
        The tests of all its pairs.
    made : Scores
    column : str
    alpha : float
        Family-wise error of the entries that are said to be off the frontier.
    """
    paid = placed(table, seen, column)
    count = paid.known.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(count > 0, paid.mean.sum(axis=1) / count, np.nan)
        se = standard_error(paid.mean, paid.known, seen.cluster).se
        off = np.where(paid.known, paid.mean - mean[:, None], 0.0)
        right = np.where(paid.known, seen.values, 0.0)
        apart = np.where(paid.known, seen.values - (right.sum(axis=1) / count)[:, None], 0.0)
        size = np.sqrt((off**2).sum(axis=1) * (apart**2).sum(axis=1))
        correlation = np.where(size > 1e-12, (off * apart).sum(axis=1) / size, np.nan)
    ahead = seen.sign * pairs.difference.T > 0  # [i, j]: j better than i
    above = np.where(np.isnan(pairs.p), np.nan, np.where(ahead, pairs.one_sided, 1.0))
    as_paid = (~(mean[None, :] <= mean[:, None])).astype(np.float64)
    score, exact = seen.sign * made.value, paid.constant[:, None] & paid.constant[None, :]
    found = frontier(score, mean, above, as_paid, alpha)
    drawn = frontier(score, mean, above, np.where(exact, as_paid, _no_more(paid, seen.cluster)), alpha)
    lines = tuple(
        CostLine(
            entry=entry,
            value=defined(made.value[row]),
            value_se=defined(made.se[row]),
            cost=defined(mean[row]),
            se=None if paid.constant[row] else defined(se[row]),
            total=float(paid.total[row].sum()) if count[row] else None,
            items=int(count[row]),
            without=int((seen.present[row] & ~paid.known[row]).sum()),
            correlation=defined(correlation[row]),
            observed=bool(found.observed[row]),
            possible=bool(found.possible[row]),
            possible_with_error=bool(drawn.possible[row]),
            p=defined(found.p[row]),
            rival=seen.entries[found.rival[row]] if found.p[row] < alpha else None,
        )
        for row, entry in enumerate(seen.entries)
    )
    by_cost = sorted(
        (line for line in lines if line.cost is not None), key=lambda line: (line.cost or 0.0, line.entry)
    )
    return Costs(
        column=column,
        lines=lines,
        observed=tuple(line.entry for line in by_cost if line.observed),
        possible=tuple(line.entry for line in by_cost if line.possible),
        possible_with_error=tuple(line.entry for line in by_cost if line.possible_with_error),
        unknown=tuple(line.entry for line in lines if line.cost is None),
    )


def doubts(made: Costs) -> tuple[Note, ...]:
    """Say where costs are known in part, or are all nothing."""
    notes = []
    some = [line for line in made.lines if line.items and line.without]
    if some:
        worst = max(some, key=lambda line: line.without / (line.items + line.without))
        text = (
            f"the cost in {made.column} is known on a part of the items of {len(some)} of {len(made.lines)} "
            f"entries, the least of {worst.entry} ({worst.items} of {worst.items + worst.without}): "
            "means are over these, and totals lack the others"
        )
        notes.append(Note(code="costs-in-part", text=text))
    known = [line.cost for line in made.lines if line.cost is not None]
    if known and not any(known):
        notes.append(Note(code="costs-of-nothing", text=f"every known cost in {made.column} is 0"))
    return tuple(notes)


def with_costs(
    table: Table, seen: Panel, pairs: list[Comparison], column: str, *, level: float, alpha: float
) -> list[Comparison]:
    """Add the ratio of costs on the items that both entries of each pair have."""
    paid = placed(table, seen, column)
    row = {name: at for at, name in enumerate(seen.entries)}
    made = []
    for pair in pairs:
        one, other = row[pair.a], row[pair.b]
        both = paid.known[one] & paid.known[other]
        a, b = paid.mean[one, both], paid.mean[other, both]
        ratio = cost_ratio(a, b, level, None if seen.cluster is None else seen.cluster[both])
        interval = None
        if np.isfinite(ratio.low) and ratio.low < ratio.high:
            interval = Interval(low=ratio.low, high=ratio.high, level=level, method="log-ratio t")
        verdict: Literal["cheaper", "dearer", "not separated"] | None = None
        if np.isfinite(ratio.p):
            verdict = "not separated" if ratio.p >= alpha else "cheaper" if ratio.value < 1 else "dearer"
        record = PairCost(
            column=column,
            items=int(both.sum()),
            a=float(a.mean()) if both.any() else None,
            b=float(b.mean()) if both.any() else None,
            ratio=defined(ratio.value),
            interval=interval,
            p=defined(ratio.p),
            verdict=verdict,
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
        possible_with_error=made.possible_with_error,
        alpha=alpha,
    )
