"""What new entries change on a board: place, groups, and which claims the items support."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from deadheat.auditing.chosen_items import chosen_items
from deadheat.data.cells import Cells
from deadheat.data.panel import Panel, panel
from deadheat.data.table import Table
from deadheat.errors import DataError
from deadheat.estimand import Estimand
from deadheat.evidence import contrasts
from deadheat.evidence.order import Placing, Rule, members, placing
from deadheat.evidence.pairwise import Pairwise, pairwise
from deadheat.evidence.scores import scores
from deadheat.report import phrases
from deadheat.results import Comparison
from deadheat.results.audit import Claim, Finding, Submission


@dataclass(frozen=True, eq=False)
class _Board:
    """A table ranked."""

    seen: Panel
    pairs: Pairwise
    value: NDArray[np.float64]
    placed: Placing

    @property
    def top(self) -> tuple[str, ...]:
        """Members of group 1."""
        found = members(self.seen, self.placed)
        return found[0].members if found else ()

    @property
    def anchor(self) -> str:
        """The entry that anchors group 1."""
        return self.seen.entries[self.placed.anchor]


def submissions(
    old: Table, new: Table, estimand: Estimand, *, alpha: float, level: float
) -> tuple[list[Submission], list[Finding]]:
    """Say what the entries of one table change on the board of another.

    Parameters
    ----------
    old, new : Table
        The board as it is, and results that hold new entries; entries in both must be the same.
    estimand : Estimand
    alpha : float
        A pair is separated when p < alpha.
    level : float
        Level of the intervals.

    Returns
    -------
    list of Submission
        One a new entry, best first.
    list of Finding
        About entries that both tables have.

    Raises
    ------
    DataError
        If there is no new entry, or none that shares items with the board.
    """
    fresh = [entry for entry in new.entries if entry not in set(old.entries)]
    if not fresh:
        raise DataError(
            f"a new entry was to be held against the board; every entry of the new results "
            f"({phrases.listed(new.entries)}) is on it already"
        )
    found = _changed(old, new)
    kept = [entry for entry in new.entries if entry in fresh]
    before = _ranked(old, estimand, alpha)
    after = _ranked(_united(old, _only(new, kept)), estimand, alpha)
    lines = [
        _submission(entry, before, after, new, alpha, level)
        for entry in (after.seen.entries[row] for row in after.placed.rows)
        if entry in fresh
    ]
    return lines, [*found, *chosen_items(after.seen, kept, alpha)]


def _ranked(table: Table, estimand: Estimand, alpha: float) -> _Board:
    seen = panel(table, estimand)
    pairs = pairwise(seen)
    value = scores(seen, None, level=0.95, seed=0).value
    return _Board(seen, pairs, value, placing(seen, pairs, value, Rule(alpha=alpha)))


def _submission(
    entry: str, before: _Board, after: _Board, new: Table, alpha: float, level: float
) -> Submission:
    seen, placed = after.seen, after.placed
    row = seen.entries.index(entry)
    below = [
        r
        for r in placed.rows
        if seen.entries[r] in before.seen.entries
        and seen.sign * after.value[r] <= seen.sign * after.value[row]
    ]
    displaced = below[0] if below else None
    old_anchor = seen.entries.index(before.anchor)

    def versus(other: int) -> Comparison | None:
        return contrasts.against(seen, after.pairs, [row], other, level=level, rule=Rule(alpha=alpha))[0]

    vs_displaced = None if displaced is None else versus(displaced)
    vs_anchor = versus(old_anchor)
    return Submission(
        entry=entry,
        name=new.names.get(entry),
        value=float(after.value[row]),
        published=new.published.get(entry),
        items=int(seen.present[row].sum()),
        place=int(placed.place[row]),
        rank=(int(placed.rank_low[row]), int(placed.rank_high[row])),
        group=int(placed.group[row]) or None,
        displaces=None if displaced is None else seen.entries[displaced],
        vs_displaced=vs_displaced,
        vs_anchor=vs_anchor,
        joined=tuple(e for e in after.top if e not in before.top),
        left=tuple(e for e in before.top if e not in after.top),
        claims=_claims(entry, row, after, before, vs_displaced, vs_anchor),
    )


def _claims(
    entry: str,
    row: int,
    after: _Board,
    before: _Board,
    vs_displaced: Comparison | None,
    vs_anchor: Comparison | None,
) -> tuple[Claim, ...]:
    """Judge what may be said of a new entry."""
    placed = after.placed
    high = int(placed.rank_high[row])
    made = []
    if high == 1:
        text = "separated from every other entry after correction for all comparisons"
        made.append(Claim(claim="new best", supported=True, text=text))
    elif int(placed.place[row]) == 1:
        others = high - 1
        entries = "another entry" if others == 1 else f"{others:,} other entries"
        text = f"it has the best score, but {entries} may rank above it after correction"
        made.append(Claim(claim="new best", supported=False, text=text))
    else:
        higher = int(placed.place[row]) - 1
        text = f"{higher:,} {'entry is' if higher == 1 else 'entries are'} ranked above it"
        made.append(Claim(claim="new best", supported=False, text=text))
    for claim, versus in ((f"better than {before.anchor}, the best so far", vs_anchor), ("", vs_displaced)):
        if versus is None or (not claim and versus.b == before.anchor):
            continue
        claim = claim or f"better than {versus.b}, which it displaces"
        made.append(Claim(claim=claim, supported=versus.verdict == "a", text=_verdict(versus)))
    top = entry in after.top
    text = (
        "the test does not separate it from the anchor"
        if top and entry != after.anchor
        else "it anchors the group"
        if top
        else f"{after.anchor} is separated from it"
    )
    made.append(Claim(claim="in the top group", supported=top, text=text))
    return tuple(made)


def _verdict(versus: Comparison) -> str:
    if versus.difference is None or versus.p is None:
        return "they share no item, so nothing can be said"
    told = {"a": "separated in its favour", "b": "separated to its disadvantage"}
    text = told.get(versus.verdict or "", "not separated")
    discordant = ""
    if versus.a_only is not None and versus.b_only is not None:
        discordant = f": {versus.a_only:,} right here only and {versus.b_only:,} there only"
    return f"{text}, on {phrases.items(versus.items)} that both have{discordant}"


def _changed(old: Table, new: Table) -> list[Finding]:
    """Entries that both tables have with different results."""
    found = []
    for entry in sorted(set(old.entries) & set(new.entries)):
        mine, theirs = _cells(old, entry), _cells(new, entry)
        if mine != theirs:
            apart = sum(mine.get(item) != theirs.get(item) for item in mine.keys() | theirs.keys())
            text = f"{phrases.items(apart)} differ from what the board has; the board's are used"
            found.append(Finding(code="entry-changed", severity="warning", entry=entry, text=text))
    return found


def _cells(table: Table, entry: str) -> dict[str, tuple[int, int, float]]:
    cells, at = table.cells, table.entries.index(entry)
    mine = cells.entry == at
    return {
        table.items[item]: (int(scored), int(failed), float(total))
        for item, scored, failed, total in zip(
            cells.item[mine], cells.scored[mine], cells.failed[mine], cells.total[mine], strict=True
        )
    }


def _only(table: Table, entries: Sequence[str]) -> Table:
    """The table of some entries."""
    wanted = [table.entries.index(entry) for entry in entries]
    place = np.full(len(table.entries), -1, dtype=np.int32)
    place[wanted] = np.arange(len(wanted))
    kept = place[table.cells.entry] >= 0
    cells = Cells(**{name: getattr(table.cells, name)[kept] for name in Cells.__dataclass_fields__})
    return replace(
        table, entries=tuple(entries), cells=replace(cells, entry=place[cells.entry]), attempts=None
    )


def _united(old: Table, new: Table) -> Table:
    """One table of both, whose entries must differ."""
    entries = tuple(sorted((*old.entries, *new.entries)))
    items = tuple(sorted({*old.items, *new.items}))
    parts = []
    for table in (old, new):
        entry = np.array([entries.index(e) for e in table.entries], dtype=np.int32)[table.cells.entry]
        place = {item: at for at, item in enumerate(items)}
        item = np.array([place[i] for i in table.items], dtype=np.int32)[table.cells.item]
        parts.append(replace(table.cells, entry=entry, item=item))
    joined = {name: np.concatenate([getattr(p, name) for p in parts]) for name in Cells.__dataclass_fields__}
    order = np.lexsort((joined["item"], joined["entry"]))
    cells = Cells(**{name: column[order] for name, column in joined.items()})
    return Table(
        entries,
        items,
        cells,
        old.binary and new.binary,
        rates=old.rates and new.rates,
        names={**old.names, **new.names},
        published={**old.published, **new.published},
    )
