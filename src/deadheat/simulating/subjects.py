"""Whom a study is about: invented entries with stated rates, a caller's world, or entries of a board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deadheat.errors import MethodError
from deadheat.simulating.board_worlds import BoardWorld
from deadheat.simulating.study_design import Design
from deadheat.simulating.worlds import Items, World

Source = World | BoardWorld | None
Subject = tuple[dict[str, Any], Items]

RATE = 0.45
GAP = 0.03
RATES = (0.4, 0.415, 0.43, 0.45, 0.47)


def singles(design: Design, source: Source) -> list[Subject]:
    """Return each entry alone."""
    if source is not None:
        return [({"entry": name}, source.pick([at])) for at, name in enumerate(source.names)]
    return [({"rate": rate}, _plain(design, (rate,))) for rate in design.rates or (RATE,)]


def pairs(design: Design, source: Source, gap: float) -> list[Subject]:
    """Return pairs: rate + gap against rate, or neighbours among the best entries and the outer two.

    Parameters
    ----------
    design : Design
    source : World, BoardWorld or None
    gap : float
        Difference of two invented entries.

    Raises
    ------
    MethodError
        A source with one entry, or a gap that leads out of (0, 1).
    """
    if source is not None:
        count = len(source.names)
        if count < 2:
            raise MethodError(f"a study of pairs needs two entries; found {', '.join(source.names)}")
        return [
            ({"a": source.names[a], "b": source.names[b]}, source.pick([a, b]))
            for a in range(count)
            for b in range(a + 1, count)
        ]
    found: list[Subject] = []
    for rate in design.rates or (RATE,):
        if rate + gap >= 1:
            raise MethodError(
                f"a rate of {rate:g} and a gap of {gap:g} lead out of (0, 1); a smaller --gap will do"
            )
        found.append(({"rate": rate}, _plain(design, (rate + gap, rate))))
    return found


def everyone(design: Design, source: Source) -> Items:
    """Return all entries together, best first."""
    if source is not None:
        order = sorted(range(len(source.names)), key=lambda at: -source.rates[at])
        world: Items = source.pick(order)
    else:
        world = _plain(design, tuple(sorted(design.rates or RATES, reverse=True)))
    if len(world.names) < 2 or len(set(world.rates)) < len(world.rates):
        raise MethodError(
            "an order needs two entries or more with different true rates; found "
            + ", ".join(f"{rate:g}" for rate in world.rates)
            + "; other --rates, or another --top of a board, will do"
        )
    return world


def items_of(design: Design, source: Source, default: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of items: as asked, as the board has, or the study's own."""
    if design.items is not None:
        return design.items
    return (source.items,) if isinstance(source, BoardWorld) else tuple(default)


def samples_of(design: Design, source: Source, default: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of samples: as asked, as the board has, or the study's own."""
    if design.samples is not None:
        return design.samples
    return (source.usual_samples,) if isinstance(source, BoardWorld) else tuple(default)


def factor_world(world: Items, study: str) -> World:
    """Return the world if clusters, memorised items and shifted rates can be put into it.

    Raises
    ------
    MethodError
        A world made of the board's own items.
    """
    if not isinstance(world, World):
        raise MethodError(
            f"the study {study} changes the world, which cannot be done to a board's own items; "
            "--world fitted can"
        )
    return world


def _plain(design: Design, rates: tuple[float, ...]) -> World:
    return World.of(rates, difficulty=design.difficulty, affinity=design.affinity, failed=design.failed)
