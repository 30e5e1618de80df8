"""From evidence to records: one Comparison a pair, with labels, verdict and doubts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.evidence.doubts import doubts, withheld
from deadheat.evidence.order import Rule
from deadheat.evidence.pair_evidence import Evidence, Methods, pairs_of, weigh
from deadheat.evidence.pairwise import SMALLEST, Pairwise, ahead, verdict
from deadheat.methods import choose_pair
from deadheat.results import Comparison, Interval, Own
from deadheat.stats.numerics.bounds import defined, whole
from deadheat.stats.score import clustered

Floats = NDArray[np.float64]


def against(
    panel: Panel, pairs: Pairwise, rows: Sequence[int], second: int, *, level: float, rule: Rule
) -> list[Comparison | None]:
    """Describe some entries' differences to one other entry of a board, as `compare` does.

    Parameters
    ----------
    panel, pairs
        The entries and the test of all their pairs.
    rows, second : int
        Each of `rows` is compared with `second`.
    level : float
        Level of the intervals.
    rule : Rule
        How entries are told apart.

    Returns
    -------
    list of Comparison or None
        None for the entry itself. Verdicts are those of the board's own p-values.
    """
    first = [row for row in rows if row != second]
    test, interval = choose_pair(panel.shape(pairs.generalises_to), pairs.test, None)
    methods = Methods(test, interval, level=level, alpha=rule.alpha, draws=rule.draws, seed=rule.seed)
    found = weigh(panel, pairs_of(panel, first, second), methods)
    described = dict(
        zip(
            first,
            comparisons(panel, first, second, found, decisive=pairs.p[first, second]),
            strict=True,
        )
    )
    return [described.get(row) for row in rows]


def comparisons(
    panel: Panel,
    first: Sequence[int],
    second: int,
    found: Evidence,
    *,
    adjusted: Floats | None = None,
    decisive: Floats | None = None,
) -> list[Comparison]:
    """Write the evidence of some rows of a panel against one other as records.

    Parameters
    ----------
    panel : Panel
    first, second
        The rows that `found` is about.
    found : Evidence
    adjusted : (P,) float64 or None
        Adjusted p-values, which then decide the verdicts.
    decisive : (P,) float64 or None
        p-values that decide instead, for example those of a board's groups.
    """
    alike, unpaired = found.correlation(), found.unpaired()
    visible, needed, better = found.smallest_visible(), found.items_to_separate(), found.probability_better()
    clusters = found.clusters()
    own = _own(found)
    if decisive is None:
        decisive = found.found.p if adjusted is None else adjusted
    listed = []
    for at, row in enumerate(first):
        p, gap, se = float(found.found.p[at]), float(found.difference[at]), float(found.se[at])
        low, high = float(found.bounds.low[at]), float(found.bounds.high[at])
        cells = found.cells
        correlation, seen = defined(alike[at]), defined(visible[at])
        items = whole(needed[at])
        notes = doubts(found, own[at], at, panel.entries[row], panel.entries[second])
        without = withheld(found, at, correlation=correlation, visible=seen, needed=items)
        listed.append(
            Comparison(
                a=panel.entries[row],
                b=panel.entries[second],
                items=int(found.pairs.shared[at]),
                value_a=defined(found.values[0][at]),
                value_b=defined(found.values[1][at]),
                difference=defined(gap),
                se=se if se > 0 else None,
                interval=Interval(
                    low=low, high=high, level=found.methods.level, method=found.methods.interval
                )
                if low < high
                else None,
                p=None if np.isnan(p) else max(p, SMALLEST),
                log10_p=defined(found.found.log10_p[at]),
                p_adjusted=None
                if adjusted is None or np.isnan(adjusted[at])
                else max(float(adjusted[at]), SMALLEST),
                test=found.test_of(at),
                unit="rate" if panel.rates else "score",
                a_only=None if cells is None else int(cells.a_only[at]),
                b_only=None if cells is None else int(cells.b_only[at]),
                correlation=correlation,
                se_unpaired=defined(unpaired[at]) if unpaired[at] > 0 else None,
                smallest_visible=seen,
                probability_better=None if better is None else defined(better[at]),
                items_to_separate=items,
                verdict=verdict(float(decisive[at]), float(found.lead[at]), found.methods.alpha),
                ahead=ahead(float(found.lead[at])),
                df=defined(found.error.df[at]),
                clusters=None if clusters is None else int(clusters[at]),
                own=own[at],
                notes=(*notes, *without),
            )
        )
    return listed


def _own(found: Evidence) -> list[Own]:
    """Count and score each entry over all of its own items."""
    pairs = found.pairs
    sides = []
    for values, has in ((pairs.a, pairs.in_a), (pairs.b, pairs.in_b)):
        sides.append((has.sum(axis=1), clustered.mean(values, has, pairs.weights, pairs.stratum)))
    (count_a, score_a), (count_b, score_b) = sides
    return [
        Own(
            items_a=int(count_a[at]),
            items_b=int(count_b[at]),
            value_a=defined(score_a[at]),
            value_b=defined(score_b[at]),
        )
        for at in range(len(count_a))
    ]
