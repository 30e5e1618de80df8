"""What may be looked at any time, in words: e-values, when a comparison stops, what one look would say."""

from __future__ import annotations

from collections.abc import Sequence

from deadheat.report import numbers, words
from deadheat.report.grid import Column, Grid, Sheet
from deadheat.report.names import clean
from deadheat.report.numbers import Scale
from deadheat.results import Anytime, Comparison
from deadheat.results.history import Records
from deadheat.results.watch import Look, Watch

FACT, VALUE = Column("fact", "Fact", right=False), Column("value", "Value")
RATES, ROWS = Scale(True, 1), 20
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
        facts["Interval, times as wide"] = f"{wider:.2f}"
    facts["Test of one look"] = words.method(fixed.test)
    return facts


def scale(document: Records) -> Scale:
    """Choose how the scores of a history are written."""
    return Scale.of([document.start.value, *(step.value for step in document.steps)], [])


def records(document: Records) -> Sheet:
    """Put a history of records into words."""
    how = scale(document)
    alpha, points = document.methods.alpha, f", {how.points}".rstrip(", ")
    columns = (
        Column("date", "Date", right=False),
        Column("entry", "Record", right=False),
        Column("value", f"Score {how.unit}".rstrip()),
        Column("difference", f"Δ holder{points}"),
        Column("p", "p, selective", priority=2),
        Column("ahead", "Ahead that day", priority=4),
        Column("p_adjusted", "p, Holm"),
        Column("online", "LORD++", right=False, priority=3),
        Column("stands", "Stands", right=False),
    )
    start = document.start
    rows = [(start.date, clean(start.entry), how.value(start.value), *[numbers.DASH] * 5, "first")]
    rows += [
        (
            step.date,
            clean(step.entry),
            how.value(step.value),
            how.difference(step.difference),
            numbers.p_value(step.p, None, None),
            numbers.count(step.ahead),
            numbers.p_value(step.p_adjusted, None, alpha),
            "stands" if step.online else "open",
            "yes" if step.stands else "no",
        )
        for step in document.steps
    ]
    doubts = tuple(dict.fromkeys(clean(note.text) for note in document.notes))
    return Sheet(clean(document.summary), (Grid(columns, tuple(rows)),), doubts, words.methods(document))


OUTCOMES = {
    None: "open",
    "a": "a is better",
    "b": "b is better",
    "equivalent": "equivalent",
    "non-inferior": "non-inferior",
    "inferior": "inferior",
    "superior": "superior",
}


def look_line(look: Look) -> str:
    """Write one look as a line."""
    ends = RATES.difference_interval(look.interval)
    return (
        f"{look.items:>7,} items  {RATES.difference(look.difference):>6} points ({ends})  "
        f"E {e_value(look.log10_e)}  p {numbers.p_value(look.p, None, None)}  {OUTCOMES[look.outcome]}"
    )


def watch(document: Watch) -> Sheet:
    """Put a watch into words: its looks, of many the first, some between and the last."""
    looks, last, level = document.looks, len(document.looks) - 1, document.methods.level or 0.95
    at = range(len(looks)) if last < ROWS else sorted({round(k * last / (ROWS - 1)) for k in range(ROWS)})
    columns = (
        Column("items", "Items"),
        Column("difference", f"{clean(document.a)} − {clean(document.b)}"),
        Column("interval", f"{numbers.level(level)} interval", priority=1),
        Column("e", "E"),
        Column("p", "p, always valid", priority=2),
        Column("outcome", "Decided", right=False),
    )
    rows = tuple(
        (
            numbers.count(look.items),
            RATES.difference(look.difference),
            RATES.difference_interval(look.interval),
            e_value(look.log10_e),
            numbers.p_value(look.p, None, document.methods.alpha),
            OUTCOMES[look.outcome],
        )
        for look in (looks[k] for k in at)
    )
    doubts = tuple(dict.fromkeys(clean(note.text) for note in document.notes))
    return Sheet(clean(document.summary), (Grid(columns, rows),), doubts, words.methods(document))


def e_value(log10_e: float) -> str:
    """Write an e-value: two or three digits, or its power of ten."""
    if log10_e >= 6:
        return f"10^{log10_e:.1f}"
    value = 10**log10_e
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}"
