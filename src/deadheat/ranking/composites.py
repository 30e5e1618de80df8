"""Composite scores: categories weighted as a benchmark says, nested as deep as it likes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.errors import MethodError
from deadheat.evidence.categories import Division, part_of
from deadheat.evidence.separation import some
from deadheat.results import Note

Tree = Mapping[str, Any] | Sequence[Any]
FORM = (
    'category -> weight, as {"math": 2, "code": 1}; a list of categories counts each alike; a part of '
    'several is {"weight": 2, "parts": ...} or just its parts, with weight 1'
)

LEAST = 1e-9
"""Smallest share of a level: below it a weight is a slip, and sums lose it."""


def composite(table: Table, panel: Panel, division: Division, tree: Tree) -> Panel:
    """Give the panel of a composite: its categories are strata with shares of their own.

    Parameters
    ----------
    table, panel
        Where the items came from, and all of them.
    division : Division
        Their categories.
    tree : mapping or sequence
        Category -> weight; weights count relative to each other within one level.

    Raises
    ------
    MethodError
        A category that is not there or is there twice, or a weight that is no positive number.
    """
    found = list(_leaves(tree, 1.0))
    names = [name for name, _ in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    missing = [name for name in names if name not in division.names]
    if twice or missing:
        what = f"{twice[0]!r} twice" if twice else f"{missing[0]!r}"
        raise MethodError(
            f"the composite names {what}; each of its categories is there once, of {some(division.names)}"
        )
    share = dict(found)
    kept = [at for at, name in enumerate(division.names) if name in share]
    inside = np.isin(division.codes, kept)
    # Rows come in a new order, but the items that are kept stay in theirs.
    part = part_of(table, replace(panel, stratum=None), inside)
    return replace(
        part,
        stratum=division.codes[inside],
        shares=np.array([share[division.names[at]] for at in kept]),
        notes=(*part.notes, _told(share, division, int((~inside).sum()))),
    )


def _leaves(tree: Tree, share: float) -> Iterator[tuple[str, float]]:
    """Walk down to the categories, sharing out the weight of each level."""
    if isinstance(tree, Sequence):
        twice = next((name for name in tree if tree.count(name) > 1), None)
        if twice is not None:
            raise MethodError(f"the composite names {twice!r} twice; each of its categories is there once")
        tree = dict.fromkeys(tree, 1) if all(isinstance(name, str) for name in tree) else {}
    if not tree:
        raise MethodError(f"a composite is {FORM}; found a part without categories")
    nodes = {name: _node(name, node) for name, node in tree.items()}
    total = sum(weight for weight, _ in nodes.values())
    least = min(nodes, key=lambda name: nodes[name][0])
    if not nodes[least][0] >= LEAST * total:
        raise MethodError(
            f"{least!r} has less than {LEAST:g} of its level's weight: leave it out, or give it more"
        )
    for name, (weight, parts) in nodes.items():
        if parts is None:
            yield name, share * weight / total
        else:
            yield from _leaves(parts, share * weight / total)


def _node(name: str, node: Any) -> tuple[float, Tree | None]:
    """Read one node: its weight, and its parts where it is not a category itself."""
    parts: Tree | None = None
    weight = node
    if isinstance(node, Mapping) and set(node) == {"weight", "parts"}:
        weight, parts = node["weight"], node["parts"]
    elif isinstance(node, (Mapping, list, tuple)):
        weight, parts = 1, node
    number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
    if not number or not (0 < weight < math.inf) or not isinstance(parts, (Mapping, list, tuple, type(None))):
        raise MethodError(f"a composite is {FORM}, with weights above 0; found {name!r}: {node!r}")
    return float(weight), parts


def _told(share: Mapping[str, float], division: Division, outside: int) -> Note:
    shown = [f"{name} {100 * share[name]:.3g} %" for name in division.names if name in share]
    text = f"composite of {len(shown)} categories: {', '.join(shown[:8])}"
    text += f" and {len(shown) - 8} more" if len(shown) > 8 else ""
    if outside:
        text += f"; {outside} items of other categories have no part in it"
    return Note(code="composite", text=text)
