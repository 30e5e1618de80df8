"""What is said beside all comparisons: the same on common items, and doubts about the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import numpy as np

from deadheat.comparing.families import picked
from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.evidence import pair_evidence
from deadheat.evidence.contrasts import comparisons
from deadheat.methods import TESTS
from deadheat.results import Common, Comparison, Note
from deadheat.stats.paired.pairs import Pairs, error

UNEVEN = 0.5  # samples an item by which two entries differ enough to say so


def weigh_part(
    part: Panel, names: Sequence[str], base: str, methods: pair_evidence.Methods
) -> tuple[Panel, list[int], int, pair_evidence.Evidence]:
    """Weigh the same pairs on a part of the items; its strata, now one or none, are left out."""
    part = replace(part, stratum=None) if part.stratum is not None else part
    first, second = [part.entries.index(name) for name in names], part.entries.index(base)
    return (
        part,
        first,
        second,
        pair_evidence.weigh(part, pair_evidence.pairs_of(part, first, second), methods),
    )


def with_common(seen: Panel, pairs: list[Comparison], methods: pair_evidence.Methods) -> list[Comparison]:
    """Add to each comparison the same on the items that all entries compared here have, where it differs."""
    names = [pair.a for pair in pairs]
    rows = [seen.entries.index(name) for name in (*names, pairs[0].b)]
    common = np.asarray(seen.present[rows].all(axis=0))
    count = int(common.sum())
    if all(pair.items == count for pair in pairs) or not TESTS[methods.test].fit.paired:
        return pairs
    if count == 0:
        return [msgspec.structs.replace(pair, common=Common(items=0)) for pair in pairs]
    cut = weigh_part(seen.select(common), names, pairs[0].b, methods)
    on_common = comparisons(*cut)
    return [
        msgspec.structs.replace(
            pair,
            common=Common(
                items=same.items,
                difference=same.difference,
                interval=same.interval,
                p=same.p,
                verdict=same.verdict,
            ),
        )
        for pair, same in zip(pairs, on_common, strict=True)
    ]


def notes(
    table: Table,
    seen: Panel,
    pairs: Sequence[Comparison],
    found: pair_evidence.Evidence,
    *,
    adjust: str,
    best_of: int | None,
    parts: bool,
) -> list[Note]:
    """List the doubts about all comparisons.

    Parameters
    ----------
    table, seen
        What was compared.
    pairs : sequence of Comparison
    found : Evidence
        What they stand on.
    adjust : str
        Adjustment for several candidates.
    best_of : int or None
        Runs of which each candidate was picked.
    parts : bool
        Whether categories were compared too.
    """
    listed = _unused_clusters(table, seen, found.pairs) if found.paired else []
    alpha = found.methods.alpha
    if len(pairs) > 1 and adjust == "none":
        text = (
            f"{len(pairs)} candidates were compared and no p-value is adjusted for it: of those that are no "
            f"different, up to {100 * alpha:g} % are separated by chance; --adjust holm accounts for that"
        )
        listed.append(Note(code="not-adjusted", text=text))
    listed += [*picked(best_of), *_uneven(seen, pairs)]
    if len(pairs) > 1 and found.paired and any(_set_aside(pair) for pair in pairs):
        most = max(_set_aside(pair) for pair in pairs)
        text = (
            f"each pair is compared on the items that both have; up to {most:,} items that only one of a "
            "pair has are set aside"
        )
        listed.append(Note(code="set-aside", text=text))
    if parts and adjust in ("none", "max-t"):
        text = "the comparisons of categories are not adjusted for the number of categories"
        listed.append(Note(code="categories-not-adjusted", text=text))
    return listed


def _uneven(seen: Panel, pairs: Sequence[Comparison]) -> list[Note]:
    """Say that one of those compared was run more often than another."""
    if seen.samples is None:
        return []
    names = sorted({name for pair in pairs for name in (pair.a, pair.b)})
    rows = [seen.entries.index(name) for name in names]
    often = [float(seen.samples[row][seen.present[row]].mean()) for row in rows if seen.present[row].any()]
    if not often or max(often) - min(often) < UNEVEN:
        return []
    text = (
        f"entries have from {min(often):.3g} to {max(often):.3g} samples an item: each item has the "
        "mean of its own samples"
    )
    return [Note(code="uneven-samples", text=text)]


def _set_aside(pair: Comparison) -> int:
    return 0 if pair.own is None else pair.own.items_a + pair.own.items_b - 2 * pair.items


def _unused_clusters(table: Table, seen: Panel, pairs: Pairs) -> list[Note]:
    """Say what the clusters that are there, but were not asked for, would do to the errors."""
    spare = None if pairs.cluster is not None else table.spare_clusters(seen.items)
    if spare is None:
        return []
    column, codes = spare
    with np.errstate(invalid="ignore", divide="ignore"):
        effect = (error(replace(pairs, cluster=codes)).se / error(pairs).se) ** 2
    effect = effect[np.isfinite(effect)]
    if not effect.size:
        return []
    low, high = (f"{value:.1f}" for value in (effect.min(), effect.max()))
    size = low if low == high else f"{low} to {high}"
    text = (
        f"items have {codes.max() + 1} clusters, which are not used: with --cluster {column} the variance of "
        f"the difference would be {size} times as large (design effect)"
    )
    return [Note(code="clusters-unused", text=text)]
