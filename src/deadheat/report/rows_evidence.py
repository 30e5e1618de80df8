"""What stands beside a comparison as grids: flips, categories, common items, a gate, an A/A check."""

from __future__ import annotations

from collections.abc import Sequence

from deadheat.report import numbers, words
from deadheat.report.grid import Column, Grid
from deadheat.report.names import clean
from deadheat.report.numbers import Scale
from deadheat.results import Comparison, Comparisons, Gate, SelfCheck

FACT, VALUE = Column("fact", "Fact", right=False), Column("value", "Value")
SHOWN = 20


def flips(pair: Comparison) -> tuple[Grid, ...]:
    """Count the discordant items of every cluster, and list them, where that is known."""
    if not pair.flips:
        return ()
    a, b = clean(pair.a), clean(pair.b)
    columns = (
        Column("cluster", "Cluster", right=False),
        Column("items", "Items"),
        Column("a_only", f"{a} higher"),
        Column("b_only", f"{b} higher"),
    )
    rows = tuple(
        (clean(each.cluster), *(numbers.count(n) for n in (each.items, each.a_only, each.b_only)))
        for each in pair.flips
    )
    grids = [Grid(columns, rows, "Where the two differ")]
    listed = [
        (clean(each.cluster), who, clean(item))
        for each in pair.flips
        for who, items in ((b, each.b_only_items), (a, each.a_only_items))
        for item in items
    ]
    own = pair.own
    if own is not None:
        listed += [
            ("(not shared)", f"only in {who}", clean(item))
            for who, items in ((a, own.only_a), (b, own.only_b))
            for item in items or ()
        ]
    if listed:
        heads = (Column("cluster", "Cluster", right=False), Column("who", "Higher", right=False))
        grids.append(Grid((*heads, Column("item", "Item", right=False)), tuple(listed), "Items that changed"))
    return tuple(grids)


def categories(document: Comparisons, how: Scale) -> tuple[Grid, ...]:
    """Compare within every category, a line a category and pair."""
    if not document.categories:
        return ()
    alpha = document.methods.alpha
    lines = [(clean(name), pair) for name, part in document.categories.items() for pair in part]
    several = len(document.comparisons) > 1
    adjusted = any(pair.p_adjusted is not None for _, pair in lines)
    columns = [Column("category", "Category", right=False)]
    columns += [Column("a", "a", right=False)] if several else []
    columns += [
        Column("difference", "a − b"),
        Column("interval", "Interval", priority=1),
        Column("p_adjusted", "p adjusted") if adjusted else Column("p", "p"),
        Column("items", "Items"),
        Column("better", "Better", right=False),
    ]
    rows = []
    for name, pair in lines:
        p = (pair.p_adjusted, None) if adjusted else (pair.p, pair.log10_p)
        rows.append(
            (
                name,
                *((clean(pair.a),) if several else ()),
                how.difference(pair.difference),
                how.difference_interval(pair.interval),
                numbers.p_value(*p, alpha),
                numbers.count(pair.items),
                better(pair),
            )
        )
    return (Grid(tuple(columns), tuple(rows), "By category"),)


def common(pairs: Sequence[Comparison], how: Scale, alpha: float | None) -> tuple[Grid, ...]:
    """Compare on the items that all have, where pairs share more than that."""
    known = [(pair, pair.common) for pair in pairs if pair.common is not None]
    if not known:
        return ()
    columns = (
        Column("a", "a", right=False),
        Column("difference", "a − b"),
        Column("interval", "Interval", priority=1),
        Column("p", "p"),
        Column("shared", "Items of the pair"),
        Column("better", "Better", right=False),
    )
    rows = tuple(
        (
            clean(pair.a),
            how.difference(same.difference),
            how.difference_interval(same.interval),
            numbers.p_value(same.p, None, alpha),
            numbers.count(pair.items),
            named(pair, same.verdict),
        )
        for pair, same in known
    )
    items = words.plural(known[0][1].items, "item")
    return (Grid(columns, rows, f"The same on the {items} that all of them have"),)


def gate(document: Comparisons, how: Scale) -> tuple[Grid, ...]:
    """Say what the gate did, how often it is wrong, and what it would see."""
    found = document.gate
    if found is None:
        return ()
    rows = [("Result", "failed" if found.failed else "passed"), ("Rule", found.rule)]
    if found.failing:
        rows.append(("Failing", ", ".join(clean(name) for name in found.failing)))
    rows.append(("False alarms", share(found.false_alarm)))
    if found.drop is not None:
        size = f"{how.size(found.drop)} {how.points}".rstrip()
        rows.append((f"Catches a loss of {size}", share(found.power)))
    if found.items_needed is not None:
        rows.append(("Items needed", numbers.count(found.items_needed)))
    return (Grid((FACT, VALUE), tuple(rows), "Gate"),)


def gate_sentence(found: Gate, how: Scale) -> str:
    """Say the same of a gate in a sentence."""
    text = f"Gate {'failed' if found.failed else 'passed'}: it {found.rule}."
    if found.false_alarm is not None:
        text += f" It fails {share(found.false_alarm)} of candidates that are no different"
        if found.drop is not None and found.power is not None:
            size = f"{how.size(found.drop)} {how.points}".rstrip()
            text += f", and {share(found.power)} of those with a true loss of {size}"
        text += "."
    if found.items_needed is not None:
        text += f" For 80 % power at this margin it needs about {numbers.count(found.items_needed)} items."
    return text


def self_checks(checks: Sequence[SelfCheck] | None) -> tuple[Grid, ...]:
    """Say how often the test separated entries that are no different."""
    if not checks:
        return ()
    columns = (
        Column("how", "Made equal by", right=False),
        Column("of", "Of", right=False),
        Column("rejected", "Separated"),
        Column("alpha", "Nominal"),
        Column("replicates", "Replicates"),
        Column("holds", "Level", right=False),
    )
    rows = tuple(
        (
            each.how,
            clean(each.of),
            f"{share(each.rejected)} ± {share(each.mc_se)}",
            share(each.alpha),
            numbers.count(each.replicates),
            "holds" if each.holds else "does not hold",
        )
        for each in checks
    )
    return (Grid(columns, rows, "A/A check on this data"),)


def better(pair: Comparison) -> str:
    """Name the better entry, or say that the two are not separated."""
    return named(pair, pair.verdict)


def named(pair: Comparison, verdict: str | None) -> str:
    """Put a name to a verdict."""
    if verdict in ("a", "b"):
        return clean(pair.a if verdict == "a" else pair.b)
    return verdict or numbers.DASH


def share(value: float | None) -> str:
    """Write a probability in per cent."""
    if value is None:
        return numbers.DASH
    return "<0.1 %" if 0 < value < 0.0005 else ">99.9 %" if 0.9995 <= value < 1 else f"{100 * value:.1f} %"
