"""Paired comparisons as grids: one pair as a list of facts, many pairs as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deadheat.report import numbers, rows_evidence, words
from deadheat.report.grid import Column, Grid, Sheet
from deadheat.report.names import clean
from deadheat.report.numbers import Scale
from deadheat.report.rows_evidence import FACT, VALUE
from deadheat.results import Comparison, Comparisons


def sheet(document: Comparisons) -> Sheet:
    """Put comparisons into words.

    Parameters
    ----------
    document : Comparisons
        The result of comparing.
    """
    pairs, alpha, how = document.comparisons, document.methods.alpha, scale(document.comparisons)
    doubts = [clean(note.text) for note in document.notes]
    if len(pairs) == 1:
        grids: tuple[Grid, ...] = (facts(pairs[0], alpha),)
        doubts += [clean(note.text) for note in pairs[0].notes]
    else:
        grids = (table(pairs, alpha), *rows_evidence.common(pairs, how, alpha))
        doubts += words.comparison_notes(pairs)
    beside = (
        *rows_evidence.gate(document, how),
        *rows_evidence.categories(document, how),
        *(grid for pair in pairs for grid in rows_evidence.flips(pair)),
        *rows_evidence.self_checks(document.self_checks),
    )
    return Sheet(
        clean(document.summary), (*grids, *beside), tuple(dict.fromkeys(doubts)), words.methods(document)
    )


def scale(pairs: Sequence[Comparison]) -> Scale:
    """Choose how the scores and differences of comparisons are written."""
    return Scale.of(
        [value for pair in pairs for value in (pair.value_a, pair.value_b)], [pair.se for pair in pairs]
    )


def facts(pair: Comparison, alpha: float | None) -> Grid:
    """List what is known of one pair, a line a fact; facts that this pair cannot have are left out."""
    how, a, b = scale([pair]), clean(pair.a), clean(pair.b)
    bounds = pair.interval
    interval = (
        f"{numbers.level(bounds.level)} interval ({words.method(bounds.method)})" if bounds else "Interval"
    )
    test = f" ({words.method(pair.test)})" if pair.test else ""
    rows = [
        ("Verdict", rows_evidence.better(pair)),
        (f"Difference, {how.points}".rstrip(", "), how.difference(pair.difference)),
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
        rows.append(("p non-inferior", numbers.p_value(against.p_non_inferior, None, alpha)))
        rows.append(("p equivalent", numbers.p_value(against.p_equivalent, None, alpha)))
        if against.interval is not None:
            name = f"{numbers.level(against.interval.level)} interval of the margin's tests"
            rows.append((name, how.difference_interval(against.interval)))
    rows += [
        (f"{a} {how.unit}".rstrip(), how.value(pair.value_a)),
        (f"{b} {how.unit}".rstrip(), how.value(pair.value_b)),
        ("Shared items", numbers.count(pair.items)),
    ]
    own = pair.own
    if own is not None and (own.items_a, own.items_b) != (pair.items, pair.items):
        for name, count, value in ((a, own.items_a, own.value_a), (b, own.items_b, own.value_b)):
            rows.append((f"{name} {how.unit} on its own {numbers.count(count)} items", how.value(value)))
    if pair.clusters is not None:
        rows.append(("Clusters", numbers.count(pair.clusters)))
    if pair.a_only is not None or pair.b_only is not None:
        rows.append((f"Only {a} right", numbers.count(pair.a_only)))
        rows.append((f"Only {b} right", numbers.count(pair.b_only)))
    rows.append(("SE of the difference", how.size(pair.se)))
    if pair.se_unpaired is not None:
        rows.append(("SE if it were not paired", how.size(pair.se_unpaired)))
    if pair.probability_better is not None:
        probability = rows_evidence.share(pair.probability_better)
        rows.append((f"Probability that {a} is better (Bayes, Jeffreys' prior)", probability))
    if pair.correlation is not None:
        rows.append(("Correlation between the two", f"{pair.correlation:.2f}".replace("-", numbers.MINUS)))
    published = pair.published
    if published is not None:
        rows.append(("SE of the published number", how.size(published.se)))
        least, most = how.size(published.se_least), how.size(published.se_most)
        rows.append(("SE of the difference, if correlated", f"{least}–{most}"))
        rows.append(
            ("Share of the variance that is the published number's", rows_evidence.share(published.share))
        )
        return Grid((FACT, VALUE), tuple(rows), f"{a} − {b}")
    rows.append(("Smallest visible difference (80 % power)", how.size(pair.smallest_visible)))
    if pair.items_to_separate is not None:
        rows.append(("Items to separate them (80 % power)", numbers.count(pair.items_to_separate)))
    return Grid((FACT, VALUE), tuple(rows), f"{a} − {b}")


def table(pairs: Sequence[Comparison], alpha: float | None) -> Grid:
    """Build a table of many pairs, a line a pair."""
    how = scale(pairs)
    level = next((numbers.level(pair.interval.level) for pair in pairs if pair.interval), "")
    fields: list[tuple[Column, Callable[[Comparison], str]]] = [
        (Column("a", "a", right=False), lambda p: clean(p.a)),
        (Column("b", "b", right=False), lambda p: clean(p.b)),
        (Column("difference", "a − b"), lambda p: how.difference(p.difference)),
        (
            Column("interval", f"{level} interval".strip(), priority=2),
            lambda p: how.difference_interval(p.interval),
        ),
        (Column("p", "p"), lambda p: numbers.p_value(p.p, p.log10_p, alpha)),
        (
            Column("p_adjusted", "p adjusted", priority=1),
            lambda p: numbers.p_value(p.p_adjusted, None, alpha),
        ),
        (Column("items", "Items", priority=4), lambda p: numbers.count(p.items)),
        (Column("a_only", "a only", priority=5), lambda p: numbers.count(p.a_only)),
        (Column("b_only", "b only", priority=5), lambda p: numbers.count(p.b_only)),
        (Column("smallest_visible", "Visible", priority=6), lambda p: how.size(p.smallest_visible)),
        (
            Column("items_to_separate", "To separate", priority=7),
            lambda p: numbers.count(p.items_to_separate),
        ),
        (Column("verdict", "Better", right=False), rows_evidence.better),
        (Column("equivalence", "Margin", right=False, priority=3), lambda p: p.equivalence or numbers.DASH),
    ]
    empty = {
        key
        for key in ("p_adjusted", "a_only", "b_only", "equivalence", "items_to_separate", "smallest_visible")
        if all(getattr(pair, key) is None for pair in pairs)
    }
    kept = [(column, word) for column, word in fields if column.key not in empty]
    return Grid(
        tuple(column for column, _ in kept), tuple(tuple(word(pair) for _, word in kept) for pair in pairs)
    )
