"""A board's usable per-item results as a panel, and the groups that the paired test makes of its entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deadheat.annotating.site_document import Line
from deadheat.annotating.site_layout import Layout
from deadheat.data.cells import Cells
from deadheat.data.panel import Panel, panel
from deadheat.data.table import Table
from deadheat.estimand import Estimand
from deadheat.evidence.agreement import Claim
from deadheat.evidence.pairwise import Pairwise, pairwise
from deadheat.evidence.scores import scores
from deadheat.results import Group
from deadheat.stats.multiple import groups


@dataclass(frozen=True, eq=False)
class Evidence:
    """Entries as rows of a panel.

    Parameters
    ----------
    seen : Panel
    pairs : Pairwise
        The test of all their pairs.
    se : (E,) float64
        Standard error of each row's rate; NaN where withheld.
    order : list of int
        Rows by published rate, best first; equals by the rate their items imply, then by content.
    group : (E,) int64
        Group of each row.
    """

    seen: Panel
    pairs: Pairwise
    se: NDArray[np.float64]
    order: list[int]
    group: NDArray[np.int64]

    def anchor(self, row: int) -> int:
        """The row that anchors the group of another."""
        return next(other for other in self.order if self.group[other] == self.group[row])

    def groups(self) -> tuple[Group, ...]:
        """Put names to the groups, members from the best down."""
        found = []
        for number in range(1, int(self.group.max()) + 1):
            members = tuple(self.seen.entries[row] for row in self.order if self.group[row] == number)
            found.append(Group(group=number, anchor=members[0], members=members))
        return tuple(found)


def claim(line: Line, layout: Layout) -> Claim:
    """See an entry's line as a published rate in [0, 1] beside counts of items."""
    known = _known(line)
    percent = layout.scale == "percent"
    return Claim(
        published=line.published / 100 if percent and line.published is not None else line.published,
        decimals=line.decimals + (2 if percent else 0),
        right=float(np.sum(np.sort(np.fromiter(known.values(), dtype=np.float64, count=len(known))))),
        items=frozenset(known),
        unscored=len(line.scores or ()) - len(known),
        repeated=line.repeated,
    )


def evidence(
    lines: Sequence[Line], claims: Mapping[str, Claim], *, alpha: float, test: str | None
) -> Evidence:
    """Test all pairs of some entries and group them.

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
    seen = panel(_table(lines), Estimand())
    pairs = pairwise(seen, test)
    made = scores(seen, None, level=0.95, seed=0)
    implied = [claims[entry].right / len(claims[entry].items) for entry in seen.entries]
    stated = [claims[entry].published for entry in seen.entries]
    rate = [i if s is None else s for i, s in zip(implied, stated, strict=True)]
    # Rows come in an order of content alone, so that no group depends on a name.
    order = sorted(range(len(rate)), key=lambda row: (-rate[row], -implied[row], row))
    return Evidence(seen, pairs, made.se, order, groups.anchor_groups(pairs.p, order, alpha))


def _known(line: Line) -> dict[str, float]:
    return {item: score for item, score in (line.scores or {}).items() if score == score}


def _table(lines: Sequence[Line]) -> Table:
    """Make a table of some lines' scores, without a database: they are in memory already."""
    known = {line.entry: _known(line) for line in lines}
    entries, items = sorted(known), sorted(set().union(*known.values()))
    column = {item: at for at, item in enumerate(items)}
    sizes = [len(known[entry]) for entry in entries]
    item = np.fromiter((column[i] for e in entries for i in known[e]), dtype=np.int32, count=sum(sizes))
    score = np.fromiter((s for e in entries for s in known[e].values()), dtype=np.float64, count=sum(sizes))
    entry = np.repeat(np.arange(len(entries), dtype=np.int32), sizes)
    order = np.lexsort((item, entry))
    zeros = np.zeros(len(order), dtype=np.int32)
    cells = Cells(
        entry=entry[order],
        item=item[order],
        scored=zeros + 1,
        failed=zeros,
        absent=zeros,
        total=score[order],
        squares=score[order] ** 2,
    )
    return Table(tuple(entries), tuple(items), cells, bool(np.all((score == 0) | (score == 1))))
