"""What may be looked at any time, in words: e-values, when a comparison stops, what one look would say."""

from __future__ import annotations

from collections.abc import Sequence

from deadheat.report import numbers, words
from deadheat.report.grid import Column, Grid
from deadheat.report.names import clean
from deadheat.report.numbers import Scale
from deadheat.results import Anytime, Comparison

FACT, VALUE = Column("fact", "Fact", right=False), Column("value", "Value")
PAIR = (Column("a", "a", right=False), Column("b", "b", right=False))


def early(pairs: Sequence[Comparison], how: Scale, alpha: float | None) -> tuple[Grid, ...]:
    """Show the evidence that holds at every look beside that of one look; nothing where it was not asked."""
    made = [(pair, pair.anytime) for pair in pairs if pair.anytime is not None]
    if not made:
        return ()
    title = "Looking early, and what it costs beside one look"
    facts = [_facts(pair, record, how, alpha) for pair, record in made]
    if len(pairs) == 1:
        return (Grid((FACT, VALUE), tuple(facts[0].items()), title),)
    columns = [Column(f"early_{at}", name, priority=at) for at, name in enumerate(facts[0])]
    rows = [(clean(pair.a), clean(pair.b), *row.values()) for (pair, _), row in zip(made, facts, strict=True)]
    return (Grid((*PAIR, *columns), tuple(rows), title),)


def _facts(pair: Comparison, made: Anytime, how: Scale, alpha: float | None) -> dict[str, str]:
    """Name what is known of looking early at one pair."""
    fixed, now = made.fixed, pair.interval
    facts = {"E": e_value(made.log10_e)}
    if made.order is not None:
        facts[f"Stops, by {clean(made.order)}"] = numbers.count(made.stopped_at)
    median = numbers.DASH if made.stop_median is None else f"{made.stop_median:,}"
    facts[f"Stops after, of {made.looked:,} {made.units} (median)"] = median
    facts["Orders that stop"] = f"{100 * made.stop_share:.0f} %"
    facts["p of one look"] = numbers.p_value(fixed.p, fixed.log10_p, alpha)
    facts["Interval of one look"] = how.difference_interval(fixed.interval)
    if now is not None and fixed.interval is not None:
        wider = (now.high - now.low) / (fixed.interval.high - fixed.interval.low)
        facts["Interval wider by"] = f"{wider:.2f} times"
    facts["Test of one look"] = words.method(fixed.test)
    return facts


def e_value(log10_e: float) -> str:
    """Write an e-value: two or three digits, or its power of ten."""
    if log10_e >= 6:
        return f"10^{log10_e:.1f}"
    value = 10**log10_e
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}"
