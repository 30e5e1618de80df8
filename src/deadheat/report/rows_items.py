"""Items as tables: those that run backwards, twins, groups, reliability and smaller sets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deadheat.report import numbers, words
from deadheat.report.grid import Column, Grid, Sheet
from deadheat.report.names import clean
from deadheat.report.numbers import Scale
from deadheat.results.items import ItemLine, Items

MOST = 15
"""Lines of a table of items; the CSV and the JSON have all."""


def items(document: Items) -> Sheet:
    """Put the items of a board into words."""
    how = Scale.of([line.score for line in document.items], [])
    grids = (
        _lowest(document, how),
        _twins(document),
        _groups(document, how),
        _reliability(document),
        _smaller(document),
    )
    doubts = tuple(dict.fromkeys(clean(note.text) for note in document.notes))
    shown = tuple(grid for grid in grids if grid.rows)
    return Sheet(clean(document.summary), shown, doubts, words.methods(document))


def _number(value: float | None, digits: int = 2) -> str:
    return numbers.DASH if value is None else f"{value:.{digits}f}".replace("-", "−")


def _lines(document: Items, lines: Iterable[ItemLine], how: Scale, title: str) -> Grid:
    alpha = document.methods.alpha
    columns = (
        Column("item", "Item", right=False),
        Column("score", f"Score {how.unit}".rstrip()),
        Column(
            "difficulty", "Difficulty", priority=6, tip="Logits, by a Rasch model; 0 is an item of mean ease."
        ),
        Column("difficulty_se", "SE", priority=7),
        Column(
            "discrimination", "Correlation with rest", tip="With the entries' scores on their other items."
        ),
        Column("interval", f"{numbers.level(document.methods.level or 0.95)} CI", priority=5),
        Column("p", "p", priority=4, tip="Of running backwards, one-sided."),
        Column("p_adjusted", "p adjusted", priority=2, tip="By Benjamini and Hochberg over all items."),
    )
    rows = tuple(
        (
            clean(line.item),
            how.value(line.score),
            _number(line.difficulty),
            _number(line.difficulty_se),
            _number(line.discrimination, 3),
            numbers.DASH
            if line.interval is None
            else f"{_number(line.interval.low)} to {_number(line.interval.high)}",
            numbers.p_value(line.p, None, None),
            numbers.p_value(line.p_adjusted, None, alpha),
        )
        for line in lines
    )
    return Grid(columns, rows, title)


def _lowest(document: Items, how: Scale) -> Grid:
    known = [line for line in document.items if line.discrimination is not None]
    known.sort(key=lambda line: (line.discrimination, line.item))
    negative = [line for line in known if (line.discrimination or 0) < 0]
    shown = (negative or known)[:MOST]
    more = len(negative) - len(shown)
    title = "Items that correlate least with the others" + (
        f" ({more:,} more are negative)" if more > 0 else ""
    )
    return _lines(document, shown, how, title)


def _twins(document: Items) -> Grid:
    columns = (Column("items", "Items"), Column("which", "Same responses of all entries", right=False))
    rows = [(numbers.count(len(group)), _listed(group)) for group in document.twins]
    rows.sort(key=lambda row: (-int(row[0].replace(",", "")), row[1]))
    more = len(rows) - MOST
    title = "Items that may be twins" + (f" (the first {MOST} of {len(rows):,} patterns)" if more > 0 else "")
    return Grid(columns, tuple(rows[:MOST]), title)


def _listed(names: Sequence[str], most: int = 4) -> str:
    shown = ", ".join(clean(name) for name in names[:most])
    return shown + (f" and {len(names) - most:,} more" if len(names) > most else "")


def _groups(document: Items, how: Scale) -> Grid:
    columns = (
        Column("name", "Part", right=False),
        Column("items", "Items"),
        Column("score", f"Score {how.unit}".rstrip()),
        Column("silent", "Separate nobody"),
        Column("negative", "Negative correlation"),
        Column("discrimination", "Mean correlation", priority=3),
    )
    rows = tuple(
        (
            f"{group.column} {clean(group.name)}",
            numbers.count(group.items),
            how.value(group.score),
            numbers.count(group.silent),
            numbers.count(group.negative),
            _number(group.discrimination),
        )
        for group in document.groups
    )
    return Grid(columns, rows[: 2 * MOST], "By cluster and category")


def _reliability(document: Items) -> Grid:
    columns = (
        Column("name", "Reliability", right=False),
        Column("value", "Value"),
        Column("interval", f"{numbers.level(document.methods.level or 0.95)} CI"),
        Column("items", "Items"),
        Column("entries", "Entries"),
    )
    rows = tuple(
        (
            line.name,
            _number(line.value, 3),
            numbers.DASH
            if line.interval is None
            else f"{_number(line.interval.low, 3)} to {_number(line.interval.high, 3)}",
            numbers.count(line.items),
            numbers.count(line.entries),
        )
        for line in document.reliability
    )
    return Grid(columns, rows, "Would other items of the kind order these entries alike?")


def _smaller(document: Items) -> Grid:
    columns = (
        Column("items", "Items"),
        Column("order", "Rank correlation"),
        Column("order_random", "of a random set", priority=2),
        Column("pairs", "Pairs still separated"),
        Column("pairs_random", "by a random set", priority=3),
    )
    rows = tuple(
        (
            numbers.count(line.items),
            _number(line.order),
            _number(line.order_random),
            numbers.share(line.pairs),
            numbers.share(line.pairs_random),
        )
        for line in document.smaller
    )
    return Grid(columns, rows, "Smaller sets, chosen on half of the entries and judged on the other half")
