"""Paired comparisons in words: one pair as a list of facts, many as a table, and the evidence beside them."""

from __future__ import annotations

from collections.abc import Sequence

from deadheat.report import grid, numbers, rows_curves, words
from deadheat.report.columns import better, of_pairs, scale_of_pairs
from deadheat.report.grid import Column, Grid, Sheet
from deadheat.report.names import clean
from deadheat.report.numbers import DASH, Scale
from deadheat.report.rows_early import FACT, VALUE, early
from deadheat.report.rows_ragged import ragged
from deadheat.results import Comparison, Comparisons, SelfCheck

SHOWN = 20


def sheet(document: Comparisons) -> Sheet:
    """Put comparisons into words.

    Parameters
    ----------
    document : Comparisons
        The result of comparing.
    """
    pairs, alpha, how = document.comparisons, document.methods.alpha, scale_of_pairs(document.comparisons)
    doubts = [clean(note.text) for note in document.notes]
    doubts += [clean(note.text) for note in document.gate.notes] if document.gate else []
    if len(pairs) == 1:
        grids: tuple[Grid, ...] = (facts(pairs[0], alpha),)
        doubts += [clean(note.text) for note in pairs[0].notes]
    else:
        grids = (table(pairs, alpha), *common(pairs, how, alpha))
        doubts += words.comparison_notes(pairs)
    beside = (
        *early(pairs, how, alpha),
        *rows_curves.grids(pairs),
        *ragged(pairs, how, alpha),
        *gate(document, how),
        *categories(document, how),
        *(grid for pair in pairs for grid in flips(pair)),
        *self_checks(document.self_checks),
    )
    return Sheet(
        clean(document.summary), (*grids, *beside), tuple(dict.fromkeys(doubts)), words.methods(document)
    )


def facts(pair: Comparison, alpha: float | None) -> Grid:
    """List what is known of one pair, a line a fact; facts that this pair cannot have are left out."""
    parts = (
        ("The comparison", _contrast(pair, alpha)),
        ("The scores", _scores(pair)),
        ("What these items can show", _reach(pair)),
    )
    rows = tuple(row for _, part in parts for row in part)
    starts = [sum(len(part) for _, part in parts[:at]) for at in range(len(parts))]
    sections = tuple((start, name) for start, (name, part) in zip(starts, parts, strict=True) if part)
    return Grid((FACT, VALUE), rows, f"A: {clean(pair.a)} · B: {clean(pair.b)}", sections=sections)


Facts = list[tuple[str, str]]


def _contrast(pair: Comparison, alpha: float | None) -> Facts:
    """The verdict, and the numbers that it rests on."""
    how, bounds = scale_of_pairs([pair]), pair.interval
    interval = (
        f"{numbers.level(bounds.level)} interval ({words.method(bounds.method)})" if bounds else "Interval"
    )
    test = f" ({words.method(pair.test, 'test')})" if pair.test else ""
    rows = [
        ("Verdict", better(pair, " is better")),
        (f"Difference A − B, {how.points}".rstrip(", "), how.difference(pair.difference)),
        (interval, how.difference_interval(bounds)),
        (f"p{test}", numbers.p_value(pair.p, pair.log10_p, alpha)),
    ]
    if pair.p_adjusted is not None:
        rows.append(("p adjusted", numbers.p_value(pair.p_adjusted, None, alpha)))
    if pair.equivalence:
        margin = "" if pair.margin is None else f" of {how.size(pair.margin)} {how.points}".rstrip()
        rows.append((f"Against the margin{margin}", pair.equivalence))
    against = pair.against_margin
    if against is not None:
        rows.append(("p, non-inferiority test", numbers.p_value(against.p_non_inferior, None, alpha)))
        rows.append(("p, equivalence test", numbers.p_value(against.p_equivalent, None, alpha)))
        if against.interval is not None:
            name = f"{numbers.level(against.interval.level)} interval of the margin's tests"
            rows.append((name, how.difference_interval(against.interval)))
    return rows


def _scores(pair: Comparison) -> Facts:
    """What each of the two scores, and on how many items."""
    how = scale_of_pairs([pair])
    rows = [
        (f"Score of A {how.unit}".rstrip(), how.value(pair.value_a)),
        (f"Score of B {how.unit}".rstrip(), how.value(pair.value_b)),
        ("Shared items" if pair.published is None else "Items", numbers.count(pair.items)),
    ]
    own = pair.own
    if own is not None and pair.published is None and {own.items_a, own.items_b} != {pair.items}:
        for name, count, value in (("A", own.items_a, own.value_a), ("B", own.items_b, own.value_b)):
            rows.append((f"{name} {how.unit} on its own {numbers.count(count)} items", how.value(value)))
    if pair.clusters is not None:
        rows.append(("Clusters", numbers.count(pair.clusters)))
    if pair.a_only is not None or pair.b_only is not None:
        rows.append(("Only A right", numbers.count(pair.a_only)))
        rows.append(("Only B right", numbers.count(pair.b_only)))
    return rows


def _reach(pair: Comparison) -> Facts:
    """Errors, and what differences these items detect."""
    how, published = scale_of_pairs([pair]), pair.published
    rows = [("SE of the difference", how.size(pair.se))]
    if pair.se_unpaired is not None:
        rows.append(("Unpaired SE", how.size(pair.se_unpaired)))
    if pair.probability_better is not None:
        rows.append(
            ("Probability that A is better (Bayes, Jeffreys' prior)", numbers.share(pair.probability_better))
        )
    if pair.cost is not None and pair.cost.ratio is not None:
        rows.append((f"{clean(pair.cost.column)} of A, share of B", f"{100 * pair.cost.ratio:.3g} %"))
    if pair.correlation is not None:
        rows.append(("Correlation of A and B", numbers.coefficient(pair.correlation)))
    if published is None:
        rows.append(("Smallest difference detected (80 % power)", how.least(pair.smallest_visible)))
        if pair.items_to_separate is not None and pair.verdict == "not separated":
            text = "Items to separate such a difference (80 % power)"  # a plan; no power of this result
            rows.append((text, numbers.count(pair.items_to_separate)))
        return rows
    if published.items is not None:
        rows.append(("Items of the published number", numbers.count(published.items)))
    if published.share is not None:
        rows.append(("SE of the published number", how.size(published.se)))
        least, most = how.size(published.se_least), how.size(published.se_most)
        rows.append(("SE of the difference, whatever they share", f"{least} to {most}"))
        rows.append(("Share of the variance that is the published number's", numbers.share(published.share)))
    return rows


def table(pairs: Sequence[Comparison], alpha: float | None) -> Grid:
    """Build a table of many pairs, a line a pair."""
    against = {pair.b for pair in pairs}
    title = f"b: {clean(against.pop())}" if len(against) == 1 and len(pairs) > 1 else None
    return grid.table(of_pairs(pairs, scale_of_pairs(pairs), alpha), pairs, title)


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
            better(pair, verdict=same.verdict or DASH),
        )
        for pair, same in known
    )
    items = words.plural(known[0][1].items, "item")
    return (Grid(columns, rows, f"The same on the {items} that all of them have"),)


def gate(document: Comparisons, how: Scale) -> tuple[Grid, ...]:
    """Say what the gate decided, how often it is wrong, and what it detects."""
    found = document.gate
    if found is None:
        return ()
    rows = [("Result", "failed" if found.failed else "passed"), ("Rule", found.rule)]
    if found.failing:
        rows.append(("Failing", ", ".join(clean(name) for name in found.failing)))
    rows.append(("Fails an equally good candidate", numbers.share(found.false_alarm)))
    if found.drop is not None:
        size = f"{how.least(found.drop)} {how.points}".rstrip()
        rows.append((f"Fails a true loss of {size}", numbers.share(found.power)))
    if found.items_needed is not None:
        rows.append(("Items needed (80 % power)", numbers.count(found.items_needed)))
    return (Grid((FACT, VALUE), tuple(rows), "Gate"),)


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
            f"{numbers.share(each.rejected)} ± {numbers.share(each.mc_se)}",
            numbers.share(each.alpha),
            numbers.count(each.replicates),
            "holds" if each.holds else "does not hold",
        )
        for each in checks
    )
    return (Grid(columns, rows, "A/A check on this data"),)
