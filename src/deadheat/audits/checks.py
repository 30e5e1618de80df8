"""Every check of a table of results, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from deadheat.audits import published, sets, structure, values
from deadheat.audits.subject import Subject
from deadheat.findings import Finding

CHECKS: Mapping[str, Callable[[Subject], list[Finding]]] = {
    "published rates": published.contradicted,
    "rates that no count gives": published.impossible,
    "items of entries": sets.item_sets,
    "ids": sets.ids,
    "denominators": sets.denominators,
    "scales": values.scales,
    "missing scores": values.gaps,
    "failed attempts": values.failures,
    "equal scores": values.all_equal,
    "identical entries": values.twins,
    "items that separate nobody": values.silent_items,
    "clusters": structure.clusters,
    "samples": structure.uneven_samples,
}
