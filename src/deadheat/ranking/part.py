"""A board of some of the items: its panel, tests, scores, order and lines, before it is written down."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.errors import MethodError
from deadheat.estimand import GeneralisesTo
from deadheat.evidence.contrasts import against
from deadheat.evidence.fitted import FittedPanel, fitted, linked
from deadheat.evidence.order import Placing, Rule, lines, members, placing
from deadheat.evidence.pairwise import Pairwise, pairwise
from deadheat.evidence.participants import Participants, participants
from deadheat.evidence.resolution import resolution
from deadheat.evidence.scores import Scores, scores
from deadheat.evidence.triangles import outcomes, triangles
from deadheat.ranking import board_claims, composites
from deadheat.ranking.entries import apart, entries, of_fit
from deadheat.results import Category, Comparison, Fit, Group, Note, Outcomes, Pairs, Resolution, Score
from deadheat.results.claims import Claim


@dataclass(frozen=True)
class Asked:
    """What the user asked for, apart from the items."""

    interval: str | None
    test: str | None
    rule: Rule
    level: float
    generalises_to: GeneralisesTo
    every_pair: bool
    composite: composites.Tree | None
    min_share: float
    fitted: bool


@dataclass(frozen=True, eq=False)
class Part:
    """A board of some of the items, before it is written down; scores and tests are made of `panel`."""

    panel: Panel
    fit: FittedPanel | None
    pairs: Pairwise
    made: Scores
    placed: Placing
    entries: tuple[Score, ...]
    groups: tuple[Group, ...]
    tie_lines: tuple[tuple[str, ...], ...]
    apart: tuple[str, ...]
    resolution: Resolution | None
    claims: tuple[Claim, ...]

    @property
    def own(self) -> Panel:
        """What was observed of the entries."""
        return self.panel if self.fit is None else self.fit.own

    @property
    def alone(self) -> bool:
        """Whether a single entry takes part, which leaves nothing to compare."""
        return len(self.panel.entries) == 1

    @property
    def fit_told(self) -> Fit | None:
        """How absent outcomes were fitted."""
        if self.fit is None:
            return None
        return Fit(model=self.fit.model, missing=self.fit.missing, items=len(self.panel.items))

    @property
    def notes(self) -> tuple[Note, ...]:
        """Doubts of all of it."""
        told = () if self.panel.shares is None else self.panel.notes[-1:]
        if self.resolution is not None:
            told += self.resolution.notes
        told += () if self.fit is None else self.fit.notes
        return (*told, *self.made.notes, *self.placed.notes)


def part(
    table: Table, seen: Panel, asked: Asked, anchor: str | None, out: Collection[str] | None = None
) -> Part:
    """Rank the entries of a panel that take part, and list the others apart.

    Parameters
    ----------
    table, seen
        Where the panel came from, and the panel.
    asked : Asked
    anchor : str or None
        The entry that anchors group 1.
    out : collection of str or None
        Entries that are apart on the board that this is a part of; None for the board itself.

    Raises
    ------
    MethodError
        A method that does not fit the data, or an anchor that is listed apart.
    """
    who = participants(table, seen, asked.min_share, out or ())
    away: tuple[Note, ...] = ()
    if anchor is not None and anchor in who.why:
        text = f"{anchor} does not anchor these items: it is {who.why[anchor].text}"
        if out is None:
            raise MethodError(f"{text}; use --min-share 0 to rank every entry")
        away, anchor = (Note(code="anchor-absent", text=text),), None
    panel = who.panel
    if len(panel.entries) == 1:  # nothing is compared, so nothing is adjusted
        asked = replace(asked, rule=replace(asked.rule, adjust="none"))
    fit = fitted(panel) if asked.fitted else None
    if isinstance(fit, Note):
        away, fit = (*away, fit), None
    if fit is not None:
        panel = fit.panel
    pairs = _tested(panel, asked)
    made = _scored(panel, asked, rates=fit is not None and fit.rates)
    if fit is not None:
        shared = _tested(fit.own, replace(asked, test=None))
        pairs, denied = linked(pairs, fit, shared, asked.rule.alpha)
    placed = placing(panel, pairs, made.value, asked.rule, anchor)
    placed = replace(placed, notes=(*away, *placed.notes))
    written = entries(table, panel, pairs, made, placed, asked.rule)
    if fit is not None:
        undecided = denied | np.isnan(pairs.p)
        rows = [row for row in placed.rows if undecided[row, placed.anchor]]
        plain = against(fit.own, shared, rows, placed.anchor, level=asked.level, rule=asked.rule)
        rivals = dict(zip((panel.entries[row] for row in rows), plain, strict=True))
        written = [of_fit(line, fit, pairs, rivals.get(line.entry)) for line in written]
    if who.apart is not None:
        versus = _versus(seen, who, panel.entries[placed.anchor], asked)
        written += apart(table, who, _scored(who.apart, asked), versus)
    alone = resolution(panel, 0, float(made.value[0]), asked.rule.alpha) if len(panel.entries) == 1 else None
    if alone is None:
        claimed = board_claims.claims_of(panel, pairs, made, placed, asked.rule)
    else:
        claimed = tuple(board_claims.of_one(written[0], alone, asked.rule.alpha))
    if fit is not None:
        claimed = (*claimed, board_claims.of_fitted(fit, placed))
    return Part(
        panel=panel,
        fit=fit,
        pairs=pairs,
        made=made,
        placed=placed,
        entries=tuple(written),
        groups=members(panel, placed),
        tie_lines=lines(panel, placed),
        apart=tuple(who.why),
        resolution=alone,
        claims=(*claimed, *board_claims.of_apart(who)),
    )


def _tested(panel: Panel, asked: Asked) -> Pairwise:
    return pairwise(panel, asked.test, asked.generalises_to, draws=asked.rule.draws, seed=asked.rule.seed)


def _scored(panel: Panel, asked: Asked, *, rates: bool = False) -> Scores:
    return scores(
        panel,
        asked.interval,
        level=asked.level,
        seed=asked.rule.seed,
        draws=asked.rule.draws,
        generalises_to=asked.generalises_to,
        rates=rates,
    )


def _versus(seen: Panel, who: Participants, anchor: str, asked: Asked) -> list[Comparison | None]:
    """Compare the entries that are apart with the anchor, in a test of their own that changes no other."""
    assert who.apart is not None
    rows = [seen.entries.index(name) for name in (anchor, *who.apart.entries)]
    few = seen.rows(rows)
    own = replace(asked, test=asked.test if few.binary == who.panel.binary else None)
    return against(few, _tested(few, own), range(1, len(rows)), 0, level=asked.level, rule=asked.rule)


def category(part: Part, asked: Asked) -> Category:
    """Write down a part of a board."""
    return Category(
        entries=part.entries,
        groups=part.groups,
        tie_lines=part.tie_lines,
        summary=board_claims.told(part.claims, part.entries, lower_is_better=part.panel.lower_is_better),
        claims=part.claims,
        test=part.pairs.test,
        notes=part.notes,
        pairs=every_pair_of(part, asked),
        outcomes=every_outcome(part, asked),
    )


def every_pair_of(part: Part, asked: Asked) -> Pairs | None:
    """The tests of all pairs, where they were asked for."""
    if not asked.every_pair:
        return None
    placed = part.placed
    return triangles(part.panel, part.pairs, placed.rows, placed.adjusted, level=asked.level, rule=asked.rule)


def every_outcome(part: Part, asked: Asked) -> Outcomes | None:
    """The outcomes of all items, where they were asked for."""
    return outcomes(part.panel, part.placed.rows) if asked.every_pair else None
