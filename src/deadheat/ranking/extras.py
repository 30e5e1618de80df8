"""What can be added to a board on request."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple, TypeVar

from deadheat.data.table import Table
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.error_sources import both_errors, denominators, flat
from deadheat.evidence.variance import variance
from deadheat.ranking.first_place import chances, first_place
from deadheat.ranking.part import Asked, Part
from deadheat.results import BothErrors, Chance, Denominators, Variance, Winner

Made = TypeVar("Made")
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


class Extras(NamedTuple):
    """The fields of a Board that are made on request; None where they were not asked for."""

    both_errors: tuple[BothErrors, ...] | None = None
    chances: tuple[Chance, ...] | None = None
    denominators: tuple[Denominators, ...] | None = None
    flat: dict[str, dict[str, float | None]] | None = None
    winner: Winner | None = None
    variance: Variance | None = None


def extras(names: Collection[str], table: Table, estimand: Estimand, whole: Part, asked: Asked) -> Extras:
    """Make the fields of a Board that were asked for.

    Parameters
    ----------
    names : collection of str
        Of EXTRAS.
    table, estimand, whole
        The board as far as it is made.
    asked : Asked
        How entries are told apart, and by which interval.
    """
    panel, placed, made, rule = whole.panel, whole.placed, whole.made, asked.rule
    shown = [panel.entries[row] for row in placed.rows]
    if "winner" in names and estimand.generalises_to == "reruns":
        raise MethodError(
            "--winner draws items anew, which says nothing about reruns of the same items; use "
            "--generalises-to items"
        )

    def wanted(name: str, make: Callable[[], Made]) -> Made | None:
        return make() if name in names else None

    return Extras(
        both_errors=wanted(
            "both-errors",
            lambda: both_errors(
                panel, placed.rows, asked.interval, level=made.level, draws=rule.draws, seed=rule.seed
            ),
        ),
        chances=wanted("chances", lambda: chances(panel, placed, rule, estimand.generalises_to)),
        denominators=wanted("denominators", lambda: denominators(table, estimand, shown)),
        flat=wanted("flat-keys", lambda: flat(whole.entries[: len(panel.entries)], estimand, made.level)),
        winner=wanted("winner", lambda: first_place(panel, whole.pairs, placed, rule, level=made.level)),
        variance=wanted("variance", lambda: variance(panel, whole.pairs, made, placed, estimand, rule.alpha)),
    )
