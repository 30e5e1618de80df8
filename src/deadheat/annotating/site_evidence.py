"""A board's usable per-item results as a panel, and the groups that the paired test makes of its entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.annotating.site_document import Line
from deadheat.annotating.site_layout import Layout
from deadheat.data.content_order import by_content
from deadheat.data.panel import Panel
from deadheat.errors import MethodError
from deadheat.evidence.agreement import Claim
from deadheat.evidence.pair_evidence import pairs_of
from deadheat.evidence.scores import scores
from deadheat.methods import TESTS, choose_pair
from deadheat.results import Group
from deadheat.seeds import stream
from deadheat.stats.multiple import groups
from deadheat.stats.paired.catalogue import P_VALUES

CELLS = 2**22  # pairs x items that are tested together
WORK = 4e12  # entries x items x draws beyond which a test with draws would take the better part of an hour
DRAWS = 10_000

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Evidence:
    """Entries as rows of a panel; every pair that is not an entry and its anchor is left untested.

    Parameters
    ----------
    seen : Panel
    test : str
        The test of an entry against its anchor.
    se : (E,) float64
        Standard error of each row's rate; NaN where withheld.
    order : (E,) int64
        Rows by published rate, best first; equals by the rate their items imply, then by content.
    group, anchor : (E,) int64
        Group of each row, and the row that anchors it.
    p, log10_p : (E,) float64
        Of each row against its anchor.
    shared : (E,) int64
        Items that both have.
    a_only, b_only : (E,) int64 or None
        Items right for the row only, and for its anchor only; None where scores are not 0 or 1.
    overtaken : tuple of (str, str, int)
        Entries that are separated above an anchor which is placed above them, that anchor, items both have.
    """

    seen: Panel
    test: str
    se: Floats
    order: Ints
    group: Ints
    anchor: Ints
    p: Floats
    log10_p: Floats
    shared: Ints
    a_only: Ints | None
    b_only: Ints | None
    overtaken: tuple[tuple[str, str, int], ...] = ()

    def groups(self) -> tuple[Group, ...]:
        """Put names to the groups, members from the best down."""
        members: list[list[str]] = [[] for _ in range(int(self.group.max()))]
        for row in self.order:
            members[self.group[row] - 1].append(self.seen.entries[row])
        return tuple(
            Group(group=number, anchor=names[0], members=tuple(names))
            for number, names in enumerate(members, 1)
        )


def claim(line: Line, layout: Layout) -> Claim:
    """See an entry's line as a published rate in [0, 1] beside counts of items."""
    percent = layout.scale == "percent"
    outcomes = line.outcomes
    return Claim(
        published=line.published / 100 if percent and line.published is not None else line.published,
        decimals=line.decimals + (2 if percent else 0),
        right=float(np.sum(np.sort(outcomes.scores))) if outcomes else 0.0,
        items=outcomes.known if outcomes else frozenset(),
        unscored=len(outcomes) - len(outcomes.known) if outcomes else 0,
        repeated=line.repeated,
    )


def rate(claim: Claim) -> float | None:
    """The rate that an entry is placed by: the published one, or where there is none that of its items."""
    if claim.published is None and claim.items:
        return claim.right / len(claim.items)
    return claim.published


def evidence(
    lines: Sequence[Line], claims: Mapping[str, Claim], *, alpha: float, test: str | None
) -> Evidence:
    """Test entries against the anchors of groups, from the best down.

    Parameters
    ----------
    lines : sequence of Line
        At least one, each with scores.
    claims : mapping
        Of each entry.
    alpha : float
        A pair is separated when p < alpha.
    test : str or None
        A name of TESTS; None takes the default for this kind of data.
    """
    seen = _panel(lines)
    test = _fitting(seen, test)
    implied = [claims[entry].right / len(claims[entry].items) for entry in seen.entries]
    placed = [i if (s := rate(claims[e])) is None else s for e, i in zip(seen.entries, implied, strict=True)]
    # Rows come in an order of content alone, so that no group depends on a name.
    order = np.array(sorted(range(len(placed)), key=lambda row: (-placed[row], -implied[row], row)))
    size = len(placed)
    p, log10_p, counts = np.ones(size), np.zeros(size), np.zeros((3, size), dtype=np.int64)
    anchors, overtaken = np.zeros(size, dtype=np.int64), []
    step = max(1, CELLS // len(seen.items))

    def against(anchor: int, rows: Ints) -> Floats:
        """Test the entries that are left; what a later anchor takes is then of that anchor."""
        for start in range(0, len(rows), step):
            here = rows[start : start + step]
            pairs = pairs_of(seen, here, anchor)
            found = P_VALUES[test](pairs, draws=DRAWS, rng=stream(0, "pairs"))
            p[here], log10_p[here] = found.p, found.log10_p
            counts[0, here] = pairs.shared
            for at in np.flatnonzero((found.p < alpha) & (seen.sign * pairs.difference > 0)):
                overtaken.append((seen.entries[here[at]], seen.entries[anchor], int(pairs.shared[at])))
            if seen.binary:
                counts[1, here], counts[2, here] = pairs.cells.a_only, pairs.cells.b_only
        anchors[rows] = anchor
        return p[rows]

    group = groups.anchor_groups(against, order, alpha)
    return Evidence(
        seen=seen,
        test=test,
        se=scores(seen, None, level=0.95, seed=0).se,
        order=order,
        group=group,
        anchor=anchors,
        p=p,
        log10_p=log10_p,
        shared=counts[0],
        a_only=counts[1] if seen.binary else None,
        b_only=counts[2] if seen.binary else None,
        overtaken=tuple(overtaken),
    )


def _fitting(seen: Panel, test: str | None) -> str:
    """Name the test; one that does not fit, or would take too long, is refused."""
    test, _ = choose_pair(seen.shape(), test, None)
    if not TESTS[test].fit.paired:
        raise MethodError(f"{test} takes entries as if on different items; a board needs a paired test")
    if TESTS[test].fit.draws and seen.values.size * DRAWS > WORK:
        raise MethodError(
            f"the test {test} of {len(seen.entries):,} entries, {len(seen.items):,} items and {DRAWS:,} "
            "draws takes too long; use the default"
        )
    return test


def _panel(lines: Sequence[Line]) -> Panel:
    """Lay out some lines' scores, entries and items by name."""
    ordered = sorted(
        ((line.entry, line.outcomes) for line in lines if line.outcomes), key=lambda pair: pair[0]
    )
    known = {id(outcomes.known): outcomes.known for _, outcomes in ordered}.values()
    items = sorted(set().union(*known))
    column = {item: at for at, item in enumerate(items)}
    places = {id(ids): np.array([column[item] for item in ids], dtype=np.intp) for ids in known}
    packed = all(outcomes.packed.dtype == np.int8 for _, outcomes in ordered)
    values: NDArray[Any] = np.zeros((len(ordered), len(items)), dtype=np.float32 if packed else np.float64)
    present = np.zeros(values.shape, dtype=bool)
    for row, (_, outcomes) in enumerate(ordered):
        at = places[id(outcomes.known)]
        values[row, at], present[row, at] = outcomes.scores, True
    nothing, scored = np.zeros(len(ordered), dtype=np.int64), present.sum(axis=1)
    full = Panel(
        entries=tuple(entry for entry, _ in ordered),
        items=tuple(items),
        values=values,
        present=present,
        samples=None,
        right=None,
        within=None,
        scored=scored,
        failed=nothing,
        absent=len(items) - scored,
        excluded=nothing,
        cluster=None,
        stratum=None,
        weights=None,
        binary=bool(np.all((values == 0) | (values == 1))),
    )
    return full.rows(by_content(values, present))
