"""What a board says in words: the sentence to take along, and the doubts about all of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deadheat.data.panel import ALIKE, Panel
from deadheat.data.table import Table
from deadheat.errors import MethodError, listed
from deadheat.estimand import NEEDS_K, Estimand
from deadheat.evidence.fitted import FITTED
from deadheat.methods import ANYTIME
from deadheat.results import Note, Score
from deadheat.results.claims import Claim, PossibleBest

MEANS = Note(
    code="published-are-means",
    text="the published rates are means of attempts and not this metric, so none is shown or compared",
)
NO_MACRO = Note(
    code="no-macro",
    text="no entry has items of every category, so there is no score in which these count alike",
)


def by_betting(test: str | None, adjust: str) -> tuple[str, str]:
    """Give the test and the adjustment that hold at every look: betting, and e-Holm or e-BH."""
    if test not in (None, ANYTIME):
        raise MethodError(
            f"--test {test} is for one look at a size fixed beforehand; with --anytime the test is {ANYTIME}"
        )
    if adjust not in ("none", "holm", "bh"):
        raise MethodError(
            f"--adjust {adjust} does not hold at every look; with --anytime it is holm (e-Holm) or bh (e-BH)"
        )
    return ANYTIME, "holm" if adjust == "none" else adjust


def eliminated(made: Sequence[Claim], entries: Sequence[Score]) -> tuple[Note, ...]:
    """Say which entries need no more items, if the question is who is the best."""
    best = next((claim for claim in made if isinstance(claim, PossibleBest)), None)
    if best is None:
        return ()
    out = [each.entry for each in entries if each.value is not None and each.entry not in best.entries]
    who = f"{len(out):,} of {best.of:,} entries need no more items" if out else "every entry needs more items"
    text = (
        f"to find the best, {who}{': ' + listed(out) if out else ''}; this holds however often the board is "
        "made anew while items come, in an order that has nothing to do with their difficulty"
    )
    return (Note(code="eliminated", text=text),)


def notes(table: Table, seen: Panel, estimand: Estimand, adjust: str) -> list[Note]:
    """Doubts that concern the whole board."""
    found = [*_samples(seen, estimand), *_twins(seen)]
    if adjust == "none" and len(seen.entries) > 1:
        text = (
            "groups compare each entry with its group's anchor without adjustment for the number of "
            "comparisons; an adjustment takes no entry from group 1, and may change later groups either way"
        )
        found.append(Note(code="groups-lower-bound", text=text))
    if not seen.complete:
        counts = seen.present.sum(axis=1)
        text = (
            f"entries have {_between(int(counts.min()), int(counts.max()))} of {len(seen.items)} items; "
            + (
                "scores are over all items, fitted where absent"
                if estimand.absent == FITTED
                else "each score is over an entry's own items, each comparison over the items both have"
            )
        )
        found.append(Note(code="ragged", text=text))
    if table.unpublished:
        best = max((table.published.get(e, -1.0) for e in table.entries), default=-1.0)
        above = sum(table.published.get(e, -1.0) > best for e in table.unpublished)
        higher = f"{above} of them claim" if above else "none of them claims"
        text = (
            f"{len(table.unpublished)} entries publish no per-item results; {higher} more than every one "
            "that does"
        )
        found.append(Note(code="no-per-item-results", text=text))
    return found


def _twins(seen: Panel) -> list[Note]:
    """Name entries with the same score on every item: equal rows of a panel are neighbours."""
    if len(seen.items) < ALIKE:
        return []
    same = np.flatnonzero((seen.values[1:, :ALIKE] == seen.values[:-1, :ALIKE]).all(axis=1))
    found = []
    for at in same:
        one, other = seen.values[at], seen.values[at + 1]
        has = seen.present[at]
        if not (has == seen.present[at + 1]).all() or not (one == other).all():
            continue
        if int(has.sum()) >= ALIKE and len(np.unique(one[has])) > 1:
            who = " and ".join(sorted(seen.entries[at : at + 2]))
            text = f"{who} have the same score on each of {int(has.sum()):,} items: one run under two names?"
            found.append(Note(code="identical-entries", text=text))
    return found


def _between(low: int, high: int) -> str:
    return f"{low}, not all the same," if low == high else f"between {low} and {high}"


def _samples(seen: Panel, estimand: Estimand) -> list[Note]:
    """Say which items cannot carry the metric, and that numbers of samples differ."""
    found = []
    if seen.excluded.any():
        text = (
            f"{int(seen.excluded.sum())} (entry, item) pairs have fewer than {estimand.k} samples and are "
            f"left out of {estimand.label}"
        )
        found.append(Note(code="short-items", text=text))
    if estimand.metric in NEEDS_K and seen.samples is not None:
        counts = seen.samples[seen.present]
        if counts.size and counts.min() < counts.max():
            text = (
                f"items have between {int(counts.min())} and {int(counts.max())} samples; {estimand.label} "
                "is estimated without bias from each: values may be compared, but their errors differ"
            )
            found.append(Note(code="unequal-samples", text=text))
    return found
