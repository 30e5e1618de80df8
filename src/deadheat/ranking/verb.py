"""The verb `rank`: a board that says which gaps are real."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from deadheat.data.panel import Panel, panel, settled
from deadheat.data.scale import same_scale
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand, GeneralisesTo
from deadheat.evidence.categories import Division, across, divide, first_v_second, part_of
from deadheat.evidence.order import MAX_T, Kind, Placing, Rule, lines, members, placing
from deadheat.evidence.pairwise import CLOSED, MCNEMAR, Pairwise, pairwise
from deadheat.evidence.scores import Scores, scores
from deadheat.evidence.triangles import outcomes, triangles
from deadheat.evidence.variance import unused_clusters
from deadheat.ranking import board_claims, composites, remarks
from deadheat.ranking.entries import entries, unpublished
from deadheat.ranking.extras import extras, known
from deadheat.ranking.first_place import top_places
from deadheat.results import (
    COMPOSITE,
    EVERY_CATEGORY,
    EVERY_ITEM,
    Board,
    Category,
    First,
    Group,
    Methods,
    Note,
    Pairs,
    Score,
)
from deadheat.results.claims import Claim
from deadheat.stats.score import clustered
from deadheat.stats.score.binomial import BINOMIAL_INTERVALS
from deadheat.version import VERSION

WEIGHTED = {EVERY_ITEM: "micro", EVERY_CATEGORY: "macro", COMPOSITE: "composite"}


def rank(
    table: Table,
    estimand: Estimand | None = None,
    *,
    interval: str | None = None,
    test: str | None = None,
    adjust: str = "none",
    by: str | None = None,
    categories: Mapping[str, Sequence[str]] | None = None,
    composite: composites.Tree | None = None,
    ranks: Kind = "simultaneous",
    top: int | None = None,
    anchor: str | None = None,
    alpha: float = 0.05,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
    every_pair: bool = False,
    also: Collection[str] = (),
) -> Board:
    """Rank entries and say which of their gaps the data support.

    Parameters
    ----------
    table : Table
    estimand : Estimand or None
        What the scores are about; None takes the defaults.
    interval : str or None
        A name of INTERVALS; None takes the default for this kind of data.
    test : str or None
        A name of TESTS; None takes the default for this kind of data.
    adjust : str
        A name of `placing.ADJUSTMENTS`. All pairs of the board are one family; groups, tie lines and
        letters stand on the adjusted p-values. ``max-t`` makes the rank intervals too, else Holm's rule does.
    by : str or None
        An item column, for example ``category``: each of its values gets a board of its own, beside a board
        on which every category counts alike, and the first place of each is tested against the second.
    categories : mapping of str to sequence of str, or None
        Category -> values of the column `by` (``category`` unless given) that make it up.
    composite : mapping, sequence or None
        Category -> weight, or a nested composite of them: adds the board of that weighted mean.
    ranks : str
        ``simultaneous``: all rank intervals hold together; ``marginal``: each holds by itself.
    top : int or None
        Say who cannot be excluded from so many first places.
    anchor : str or None
        The entry that anchors group 1; None takes the best.
    alpha : float
        A pair is separated when p < alpha.
    level : float
        Level of the intervals.
    draws, seed : int
        Draws and seed of methods that use luck.
    every_pair : bool
        Add the tests of all pairs and the outcomes of all items, with which a page can take any anchor.
    also : collection of str
        Names of `extras.EXTRAS`: ``both-errors``, ``chances``, ``denominators``, ``flat-keys``,
        ``variance``, ``winner``.

    Returns
    -------
    Board

    Raises
    ------
    DataError
        Fewer than two entries, none with an item in common with another, or per cent beside fractions.
    MethodError
        A method that does not fit the data, or an anchor that is not an entry.
    """
    estimand = settled(table, estimand or Estimand())
    if not 0 < level < 1:
        raise MethodError(f"level lies between 0 and 1; found {level}")
    rule = Rule(adjust=adjust, ranks=ranks, alpha=alpha, draws=draws, seed=seed)
    if adjust == MAX_T and estimand.generalises_to == "reruns":
        raise MethodError(
            "max-t draws signs of items, so it speaks of comparable items; it was asked about reruns of "
            "these very items: the holm adjustment would do"
        )
    known(also)
    asked = _Asked(interval, test, rule, level, estimand.generalises_to, every_pair, composite)
    seen, division = panel(table, estimand), None
    left_out: tuple[Note, ...] = ()
    if not (by is None and categories is None and composite is None):
        division = divide(table, by or "category", categories)
        left_out = division.notes
        seen, division = part_of(table, seen, division.codes >= 0), division.within()
    if len(seen.entries) < 2:
        raise DataError(
            f"a board needs at least two entries; found {len(seen.entries)} ({', '.join(seen.entries)}); "
            "give more files, or a table whose column `entry` names several"
        )
    same_scale(seen, range(len(seen.entries)))
    whole = _part(table, seen, asked, anchor)
    if not np.any(whole.pairs.shared[~np.eye(len(seen.entries), dtype=bool)]):
        raise DataError("no two entries share an item; the same items must carry the same ids in every file")
    parts = whole.pairs, whole.made, whole.placed, whole.entries
    added = extras(also, table, estimand, seen, *parts, rule, interval)
    luck = (
        adjust == MAX_T
        or whole.made.quantile_rule is not None
        or not {"chances", "winner"}.isdisjoint(also)
        or whole.pairs.test not in CLOSED
    )
    board = Board(
        version=VERSION,
        estimand=estimand,
        methods=Methods(
            interval=whole.made.method,
            test=whole.pairs.test,
            adjust=adjust,
            alpha=alpha,
            level=level,
            seed=seed if luck else None,
            draws=draws if luck else None,
            quantile_rule=whole.made.quantile_rule,
            rank=rule.rank_method,
        ),
        summary=board_claims.told(whole.claims, whole.entries, lower_is_better=seen.lower_is_better),
        claims=whole.claims,
        notes=(
            *seen.notes,
            *left_out,
            *whole.notes,
            *remarks.notes(table, seen, estimand, adjust),
            *unused_clusters(table, seen, estimand),
        ),
        provenance=msgspec.structs.replace(table.provenance(), excluded=int(seen.excluded.sum())),
        entries=(*whole.entries, *unpublished(table, estimand)),
        groups=whole.groups,
        tie_lines=whole.tie_lines,
        top=None if top is None else top_places(seen, whole.placed, top),
        pairs=_every_pair(whole, asked),
        outcomes=outcomes(seen, whole.placed.rows) if every_pair else None,
        **added,
    )
    return board if division is None else _divided(board, table, whole, division, asked, anchor)


@dataclass(frozen=True)
class _Asked:
    """What the user asked for, apart from the items."""

    interval: str | None
    test: str | None
    rule: Rule
    level: float
    generalises_to: GeneralisesTo
    every_pair: bool
    composite: composites.Tree | None


@dataclass(frozen=True, eq=False)
class _Part:
    """A board of some of the items, before it is written down."""

    panel: Panel
    pairs: Pairwise
    made: Scores
    placed: Placing
    entries: tuple[Score, ...]
    groups: tuple[Group, ...]
    tie_lines: tuple[tuple[str, ...], ...]
    claims: tuple[Claim, ...]

    @property
    def notes(self) -> tuple[Note, ...]:
        told = () if self.panel.shares is None else self.panel.notes[-1:]
        return (*told, *self.made.notes, *self.placed.notes)


def _part(table: Table, seen: Panel, asked: _Asked, anchor: str | None) -> _Part:
    pairs = pairwise(seen, asked.test, asked.generalises_to, draws=asked.rule.draws, seed=asked.rule.seed)
    made = scores(
        seen,
        asked.interval,
        level=asked.level,
        seed=asked.rule.seed,
        draws=asked.rule.draws,
        generalises_to=asked.generalises_to,
    )
    placed = placing(seen, pairs, made.value, asked.rule, anchor)
    written = entries(table, seen, pairs, made, placed, asked.rule)
    claimed = board_claims.claims_of(seen, pairs, made, placed, asked.rule)
    return _Part(
        seen, pairs, made, placed, tuple(written), members(seen, placed), lines(seen, placed), claimed
    )


def _divided(
    board: Board, table: Table, whole: _Part, division: Division, asked: _Asked, anchor: str | None
) -> Board:
    """Add a board for each category, one that weights the other way, and the test of every first place."""
    parts = {
        name: _part(table, part_of(table, whole.panel, division.codes == code), asked, anchor)
        for code, name in enumerate(division.names)
    }
    alike = board.estimand.weights == "category"
    other = replace(whole.panel, stratum=None if alike else division.codes)
    chosen = replace(
        asked,
        test=asked.test if asked.test not in MCNEMAR else None,
        interval=None if asked.interval in BINOMIAL_INTERVALS else asked.interval,
    )
    able = np.isfinite(clustered.mean(other.values, other.present, other.weights, other.stratum)).any()
    mine, its = (EVERY_CATEGORY, EVERY_ITEM) if alike else (EVERY_ITEM, EVERY_CATEGORY)
    weighted = {its: _part(table, other, chosen, anchor)} if able else {}
    if asked.composite is not None:
        mixed = composites.composite(table, whole.panel, division, asked.composite)
        weighted[COMPOSITE] = _part(table, mixed, chosen, anchor)

    def first(name: str, part: _Part) -> First:
        return first_v_second(
            name, part.panel, part.pairs, part.placed, level=asked.level, alpha=asked.rule.alpha
        )

    firsts = across([first(name, part) for name, part in parts.items()])
    firsts += [first(name, part) for name, part in {mine: whole, **weighted}.items()]
    return msgspec.structs.replace(
        board,
        categories={name: _category(part, asked) for name, part in parts.items()},
        firsts=tuple(firsts),
        notes=board.notes if able else (*board.notes, remarks.NO_MACRO),
        **{WEIGHTED[name]: _category(part, asked) for name, part in weighted.items()},
    )


def _category(part: _Part, asked: _Asked) -> Category:
    return Category(
        entries=part.entries,
        groups=part.groups,
        tie_lines=part.tie_lines,
        summary=board_claims.told(part.claims, part.entries, lower_is_better=part.panel.lower_is_better),
        claims=part.claims,
        test=part.pairs.test,
        notes=part.notes,
        pairs=_every_pair(part, asked),
        outcomes=outcomes(part.panel, part.placed.rows) if asked.every_pair else None,
    )


def _every_pair(part: _Part, asked: _Asked) -> Pairs | None:
    rows, adjusted = part.placed.rows, part.placed.adjusted
    return triangles(part.panel, part.pairs, rows, adjusted, level=asked.level) if asked.every_pair else None
