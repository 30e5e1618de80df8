"""What can be added to a board on request."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.error_sources import both_errors, denominators, flat
from deadheat.evidence.order import Placing, Rule
from deadheat.evidence.pairwise import Pairwise
from deadheat.evidence.scores import Scores
from deadheat.evidence.variance import variance
from deadheat.ranking.first_place import chances, first_place
from deadheat.results import Score

EXTRAS = ("both-errors", "chances", "denominators", "flat-keys", "variance", "winner")


def known(names: Collection[str]) -> None:
    """Refuse a name that is no extra.

    Raises
    ------
    MethodError
    """
    for name in names:
        if name not in EXTRAS:
            raise MethodError(f"a board has no {name!r} to show; there are {', '.join(EXTRAS)}")


def extras(
    names: Collection[str],
    table: Table,
    estimand: Estimand,
    seen: Panel,
    pairs: Pairwise,
    made: Scores,
    placed: Placing,
    entries: Sequence[Score],
    rule: Rule,
    interval: str | None,
) -> dict[str, Any]:
    """Make the fields of a Board that were asked for.

    Parameters
    ----------
    names : collection of str
        Of EXTRAS.
    table, estimand, seen, pairs, made, placed, entries
        The board as far as it is made.
    rule : Rule
        How entries are told apart.
    interval : str or None
        The interval that was asked for.
    """
    shown = [seen.entries[row] for row in placed.rows]
    found: dict[str, Any] = {}
    if "both-errors" in names:
        found["both_errors"] = both_errors(
            seen, placed.rows, interval, level=made.level, draws=rule.draws, seed=rule.seed
        )
    if "chances" in names:
        found["chances"] = chances(seen, placed, rule, estimand.generalises_to)
    if "denominators" in names:
        found["denominators"] = denominators(table, estimand, shown)
    if "flat-keys" in names:
        found["flat"] = flat(entries, estimand, made.level)
    if "winner" in names:
        if estimand.generalises_to == "reruns":
            raise MethodError(
                "the winner is sought over draws of items; it was asked about reruns of these very items: "
                "--generalises-to items would do"
            )
        found["winner"] = first_place(seen, pairs, placed, rule, level=made.level)
    if "variance" in names:
        found["variance"] = variance(seen, pairs, made, placed, estimand, rule.alpha)
    return found
