"""Two runs on different items as a table: on shared items, fitted over all items, and without a model."""

from __future__ import annotations

from collections.abc import Sequence

from deadheat.report import numbers
from deadheat.report.columns import better
from deadheat.report.grid import Column, Grid
from deadheat.report.names import clean
from deadheat.report.numbers import DASH, Scale
from deadheat.results import Comparison

MODELS = {"rasch": "Rasch fit", "two-way": "two-way fit"}


def ragged(pairs: Sequence[Comparison], how: Scale, alpha: float | None) -> tuple[Grid, ...]:
    """Put beside each other what runs on different items show.

    Parameters
    ----------
    pairs : sequence of Comparison
    how : Scale
        How their scores are written.
    alpha : float or None
        A pair is separated when p < alpha.
    """
    shown = [pair for pair in pairs if pair.bounds is not None or pair.fitted is not None]
    if not shown:
        return ()
    several = len(pairs) > 1
    columns = (
        *((Column("a", "a", right=False),) if several else ()),
        Column("on", "Items", right=False),
        Column("difference", "a − b"),
        Column("interval", "Interval", priority=1),
        Column("p", "p"),
        Column("better", "Better", right=False),
    )
    rows = [
        ((clean(pair.a) if at == 0 else "",) if several else ()) + line
        for pair in shown
        for at, line in enumerate(_lines(pair, how, alpha))
    ]
    return (Grid(columns, tuple(rows), "Runs on different items"),)


def _lines(pair: Comparison, how: Scale, alpha: float | None) -> list[tuple[str, ...]]:
    p = (pair.p, pair.log10_p) if pair.p_adjusted is None else (pair.p_adjusted, None)
    lines: list[tuple[str, ...]] = [
        (
            f"{numbers.count(pair.items)} shared",
            how.difference(pair.difference),
            how.difference_interval(pair.interval),
            numbers.p_value(*p, alpha),
            better(pair),
        )
    ]
    fit = pair.fitted
    if fit is not None:
        lines.append(
            (
                f"{numbers.count(fit.items)}, {MODELS[fit.model]}",
                how.difference(fit.difference),
                how.difference_interval(fit.interval),
                numbers.p_value(fit.p, None, alpha),
                better(pair, verdict=fit.verdict or DASH),
            )
        )
    if pair.bounds is not None:
        low, high = pair.bounds
        sure = "a" if low > 0 else "b" if high < 0 else None
        lines.append(
            (
                "either's, bounds",
                f"{how.difference(low)} to {how.difference(high)}",
                DASH,
                DASH,
                DASH if sure is None else better(pair, verdict=sure),
            )
        )
    return lines
