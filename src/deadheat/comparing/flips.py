"""Which items changed: the discordant items of a pair by cluster, and the items that only one side has."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.estimand import Estimand
from deadheat.results import Comparison, Flips

WHOLE = "all items"


def with_flips(table: Table, panel: Panel, estimand: Estimand, pair: Comparison) -> Comparison:
    """Add to a comparison the items on which the two differ, and those that only one of them has.

    Clusters are those of the estimand, else categories, else all items are one; the cluster that speaks most
    against a comes first.
    """
    a, b = panel.entries.index(pair.a), panel.entries.index(pair.b)
    labels = cluster_labels(table, panel, estimand)
    in_a, in_b = panel.present[a], panel.present[b]
    higher = in_a & in_b & (panel.values[a] > panel.values[b])
    lower = in_a & in_b & (panel.values[a] < panel.values[b])
    found = []
    for label in sorted(set(labels.tolist())):
        here = labels == label
        wins, losses = _names(panel, here & higher), _names(panel, here & lower)
        if wins or losses:
            found.append(
                Flips(
                    cluster=label,
                    items=int((here & in_a & in_b).sum()),
                    a_only=len(wins),
                    b_only=len(losses),
                    a_only_items=wins,
                    b_only_items=losses,
                )
            )
    found.sort(key=lambda each: (panel.sign * (each.a_only - each.b_only), each.cluster))
    own = pair.own and msgspec.structs.replace(
        pair.own, only_a=_names(panel, in_a & ~in_b), only_b=_names(panel, in_b & ~in_a)
    )
    return msgspec.structs.replace(pair, flips=tuple(found), own=own)


def cluster_labels(table: Table, panel: Panel, estimand: Estimand) -> NDArray[np.object_]:
    """Name the cluster of each item of a panel."""
    column = estimand.cluster or ("category" if table.has("category") else None)
    if column is None:
        return np.full(len(panel.items), WHOLE, dtype=object)
    at = {item: i for i, item in enumerate(table.items)}
    labels = table.attribute(column)[[at[item] for item in panel.items]]
    return np.array(["(none)" if label is None else str(label) for label in labels], dtype=object)


def _names(panel: Panel, mask: NDArray[np.bool_]) -> tuple[str, ...]:
    names: Sequence[int] = np.flatnonzero(mask).tolist()
    return tuple(panel.items[i] for i in names)
