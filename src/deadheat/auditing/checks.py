"""Every check of a table of results, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from deadheat.auditing import (
    item_checks,
    judge_checks,
    rate_checks,
    record_checks,
    score_checks,
    structure_checks,
)
from deadheat.auditing.subject import Subject
from deadheat.results.audit import Finding

CHECKS: Mapping[str, Callable[[Subject], list[Finding]]] = {
    "what reading met": structure_checks.reading,
    "published rates": rate_checks.contradicted,
    "rates that no count gives": rate_checks.impossible,
    "items of entries": item_checks.item_sets,
    "ids": item_checks.ids,
    "denominators": item_checks.denominators,
    "scales": score_checks.scales,
    "missing scores": score_checks.gaps,
    "failed attempts": score_checks.failures,
    "equal scores": score_checks.all_equal,
    "identical entries": score_checks.twins,
    "items that separate nobody": score_checks.silent_items,
    "clusters": structure_checks.clusters,
    "samples": structure_checks.uneven_samples,
    "records": record_checks.records,
    "judge": judge_checks.judge,
}
