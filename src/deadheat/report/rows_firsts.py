"""The first place of every part of a board against the second, as one table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deadheat.report import numbers, words
from deadheat.report.grid import Column, Grid
from deadheat.report.names import clean
from deadheat.report.numbers import DASH, Scale
from deadheat.results import First

TITLE = "First place against second"


def grid(firsts: Sequence[First], names: dict[str, str], alpha: float | None) -> Grid:
    """Build the table; a strict first is named only where it is separated from the second.

    Parameters
    ----------
    firsts : sequence of First
        One for every category and for the whole.
    names : dict
        Names to show for entries.
    alpha : float or None
        A pair is separated when p < alpha.
    """
    pairs = [first.comparison for first in firsts]
    how = Scale.of(
        [v for p in pairs if p for v in (p.value_a, p.value_b)], [p.se for p in pairs if p is not None]
    )

    def named(entries: Sequence[str]) -> str:
        return words.listed([names.get(entry, clean(entry)) for entry in entries], most=2) or DASH

    def p(first: First) -> str:
        pair = first.comparison
        return DASH if pair is None else numbers.p_value(pair.p, pair.log10_p, alpha)

    fields: list[tuple[Column, Callable[[First], str]]] = [
        (Column("part", "Items of", right=False), lambda f: clean(f.part)),
        (Column("items", "Items", priority=3), lambda f: numbers.count(f.items)),
        (Column("first", "First", right=False), lambda f: named(f.first)),
        (Column("second", "Second", right=False), lambda f: named(f.second)),
        (Column("discordant", "First only / second only", priority=4), discordant),
        (
            Column("difference", f"Δ {how.points}".rstrip(), priority=1),
            lambda f: DASH if f.comparison is None else how.difference(f.comparison.difference),
        ),
        (Column("p", "p"), p),
        (
            Column("p_across", "p, all categories", priority=2),
            lambda f: numbers.p_value(f.p_across, None, alpha),
        ),
        (Column("verdict", "First place", right=False), verdict),
    ]
    rows = tuple(tuple(word(first) for _, word in fields) for first in firsts)
    return Grid(tuple(column for column, _ in fields), rows, TITLE)


def discordant(first: First) -> str:
    """Write the items that only one of the two got right, as in ``39 / 26``."""
    pair = first.comparison
    if pair is None or pair.a_only is None or pair.b_only is None:
        return DASH
    return f"{numbers.count(pair.a_only)} / {numbers.count(pair.b_only)}"


def verdict(first: First) -> str:
    """Say whether there is a first place."""
    if len(first.first) > 1:
        return "shared"
    if first.strict is None:
        return DASH
    return "1st" if first.strict else "not separated"
