"""The verb `rank`: a board that says which gaps are real."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import msgspec
import numpy as np

from deadheat.data.panel import Panel, panel
from deadheat.data.scale import same_scale
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.across_evidence import across as over_benchmarks
from deadheat.evidence.across_evidence import across_claim
from deadheat.evidence.categories import Division, divide, every_first, first_v_second, part_of
from deadheat.evidence.cost_evidence import costs, doubts, frontier_claim
from deadheat.evidence.fitted import FITTED, observed
from deadheat.evidence.judged import judged
from deadheat.evidence.order import MAX_T, Kind, Rule
from deadheat.evidence.participants import MIN_SHARE
from deadheat.evidence.variance import unused_clusters
from deadheat.methods import SCORES, TESTS
from deadheat.ranking import alone, board_claims, composites, remarks
from deadheat.ranking.entries import unpublished
from deadheat.ranking.extras import extras, known
from deadheat.ranking.first_place import top_places
from deadheat.ranking.judge_lines import with_judge
from deadheat.ranking.part import Asked, Part, category, every_outcome, every_pair_of, part
from deadheat.readers.given import Results, taken
from deadheat.results import COMPOSITE, EVERY_CATEGORY, EVERY_ITEM, Board, First, Methods, Note
from deadheat.results.across import AcrossMethod
from deadheat.stats.score import clustered
from deadheat.version import VERSION

OF_OBSERVED = {"both-errors", "denominators", "variance"}
"""Extras that describe what was observed, and not what is fitted."""


def rank(
    table: Results,
    estimand: Estimand | None = None,
    *,
    interval: str | None = None,
    test: str | None = None,
    anytime: bool = False,
    adjust: str = "none",
    by: str | None = None,
    categories: Mapping[str, Sequence[str]] | None = None,
    composite: composites.Tree | None = None,
    ranks: Kind = "simultaneous",
    top: int | None = None,
    anchor: str | None = None,
    cost: str | None = None,
    across: AcrossMethod | None = None,
    new_benchmarks: bool = False,
    benchmark: str = "category",
    benchmark_weights: Mapping[str, float] | None = None,
    alpha: float = 0.05,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
    every_pair: bool = False,
    min_share: float = MIN_SHARE,
    also: Collection[str] = (),
) -> Board:
    """Rank entries and say which of their gaps the data support.

    Parameters
    ----------
    table : Table, dataframe, path or list of paths
    estimand : Estimand or None
        What the scores are about; None takes the defaults.
    interval : str or None
        A name of `methods.SCORES`; None takes the default for this kind of data.
    test : str or None
        A name of `methods.TESTS`; None takes the default for this kind of data.
    anytime : bool
        Valid at every look, over all pairs: the test ``betting``, adjusted by Holm unless told otherwise.
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
    cost : str or None
        Column of what attempts cost: sets scores against it, and says who may be on the frontier of both.
    across : str or None
        Combine the benchmarks that the items belong to: ``win-rate`` (ties as halves), ``borda``, ``mean``,
        ``z``, or ``weights`` with `benchmark_weights`; with ranks, and how much the weights decide.
    new_benchmarks : bool
        Their ranks are for new benchmarks like these, which then are what is drawn, not for new items.
    benchmark : str
        Item column that names the benchmark.
    benchmark_weights : mapping or None
        Benchmark -> weight.
    alpha : float
        A pair is separated when p < alpha.
    level : float
        Level of the intervals.
    draws, seed : int
        Draws and seed of methods that use luck.
    every_pair : bool
        Add the tests of all pairs and the outcomes of all items, with which a page can take any anchor.
    min_share : float
        Entries with a smaller share of the items that entries of the board typically have, and runs that did
        not finish, are listed apart; 0 ranks every entry.
    also : collection of str
        Names of `extras.EXTRAS`: ``both-errors``, ``chances``, ``denominators``, ``flat-keys``,
        ``variance``, ``winner``.

    Returns
    -------
    Board

    Raises
    ------
    DataError
        No entry has an item in common with another, or per cent beside fractions.
    MethodError
        A method that does not fit the data, or an anchor that is not an entry.
    """
    table, estimand = taken(table, estimand)
    if not 0 < level < 1:
        raise MethodError(f"level lies between 0 and 1; found {level}")
    if anytime:
        test, adjust = remarks.by_betting(test, adjust)
    rule = Rule(adjust=adjust, ranks=ranks, alpha=alpha, draws=draws, seed=seed)
    if adjust == MAX_T and estimand.generalises_to == "reruns":
        raise MethodError(
            "max-t draws signs of items, so it speaks of comparable items; it was asked about reruns of "
            "these very items: the holm adjustment would do"
        )
    known(also)
    shown, fitting = observed(estimand), estimand.absent == FITTED
    if fitting and not OF_OBSERVED.isdisjoint(also):
        what = ", ".join(sorted(OF_OBSERVED.intersection(also)))
        raise MethodError(f"{what} describes observed outcomes; found --absent fitted: use --absent shared")
    asked = Asked(
        interval, test, rule, level, estimand.generalises_to, every_pair, composite, min_share, fitting
    )
    parted = not (by is None and categories is None and composite is None)
    judging = judged(table, panel(table, shown), estimand, parted=parted)
    seen, division = judging.panel, None
    left_out: tuple[Note, ...] = ()
    if table.published and shown.metric != "mean" and shown.k != 1:
        table, left_out = replace(table, published={}), (remarks.MEANS,)
    if parted:
        division = divide(table, by or "category", categories).scored(seen.present)
        left_out += division.notes
        seen, division = part_of(table, seen, division.codes >= 0), division.within()
    same_scale(seen, range(len(seen.entries)))
    whole = part(table, seen, asked, anchor)
    ranked, count = whole.panel, len(whole.panel.entries)
    if count > 1 and not np.any(whole.pairs.shared[~np.eye(count, dtype=bool)]):
        raise DataError("no two entries share an item; the same items must carry the same ids in every file")
    if whole.alone:
        left_out += alone.without({*also, *(["top"] if top is not None else [])})
        also, top = {*also, *alone.extras(ranked)} - alone.OF_SEVERAL, None
        division = division or alone.division(table, seen)
    added = extras(also, table, shown, whole, asked)
    luck = (
        adjust == MAX_T
        or whole.made.quantile_rule is not None
        or not {"chances", "winner"}.isdisjoint(also)
        or TESTS[whole.pairs.test].fit.draws
    )
    told = with_judge(whole, judging, level)
    paid = None if cost is None else costs(table, ranked, whole.pairs, whole.made, cost, alpha)
    combined = None
    if new_benchmarks and across is None:
        raise MethodError(
            "new benchmarks are drawn where several are combined: --new-benchmarks needs --across"
        )
    if across is not None:
        combined = over_benchmarks(
            table,
            ranked,
            across,
            benchmark,
            benchmark_weights,
            drawn=new_benchmarks,
            alpha=alpha,
            draws=draws,
            seed=seed,
        )
        told = told._replace(claims=(*told.claims, across_claim(combined, alpha)))
    if paid is not None:
        told = told._replace(claims=(*told.claims, frontier_claim(paid, alpha)))
    board = Board(
        version=VERSION,
        estimand=judging.stated(estimand),
        methods=Methods(
            interval=whole.made.method,
            test=None if whole.alone else whole.pairs.test,
            adjust=None if whole.alone else adjust,
            alpha=alpha,
            level=level,
            seed=seed if luck else None,
            draws=draws if luck else None,
            quantile_rule=whole.made.quantile_rule,
            rank=None if whole.alone else rule.rank_method,
            min_share=min_share,
        ),
        summary=board_claims.told(told.claims, whole.entries, lower_is_better=seen.lower_is_better),
        claims=told.claims,
        notes=(
            *seen.notes,
            *left_out,
            *whole.notes,
            *told.notes,
            *(() if paid is None else doubts(paid)),
            *(remarks.eliminated(whole.claims, whole.entries) if anytime else ()),
            *remarks.notes(table, whole.own, shown if whole.fit is None else estimand, adjust),
            *unused_clusters(table, whole.own, shown),
        ),
        provenance=msgspec.structs.replace(table.provenance(), excluded=int(seen.excluded.sum())),
        entries=(*whole.entries, *unpublished(table, estimand)),
        groups=whole.groups,
        tie_lines=whole.tie_lines,
        apart=whole.apart,
        resolution=whole.resolution,
        fit=whole.fit_told,
        top=None if top is None else top_places(ranked, whole.placed, top),
        pairs=every_pair_of(whole, asked),
        outcomes=every_outcome(whole, asked),
        both_errors=added.both_errors,
        chances=added.chances,
        denominators=added.denominators,
        flat=added.flat,
        judged=told.lines,
        cost=paid,
        across=combined,
        winner=added.winner,
        variance=added.variance,
    )
    return board if division is None else _divided(board, table, seen, whole, division, asked, anchor)


def _divided(
    board: Board, table: Table, seen: Panel, whole: Part, division: Division, asked: Asked, anchor: str | None
) -> Board:
    """Add a board for each category, one that weights the other way, and the test of every first place."""
    parts = {
        name: part(table, part_of(table, seen, division.codes == code), asked, anchor, ())
        for code, name in enumerate(division.names)
    }
    alike = board.estimand.weights == "category"
    other = replace(seen, stratum=None if alike else division.codes)
    chosen = replace(
        asked,
        test=None if asked.test and TESTS[asked.test].fit.plain else asked.test,
        interval=None if asked.interval and SCORES[asked.interval].fit.plain else asked.interval,
    )
    able = np.isfinite(clustered.mean(other.values, other.present, other.weights, other.stratum)).any()
    mine, its = (EVERY_CATEGORY, EVERY_ITEM) if alike else (EVERY_ITEM, EVERY_CATEGORY)
    weighted = {its: part(table, other, chosen, anchor, whole.apart)} if able else {}
    if asked.composite is not None:
        mixed = composites.composite(table, seen, division, asked.composite)
        weighted[COMPOSITE] = part(table, mixed, chosen, anchor, whole.apart)

    def first(name: str, one: Part) -> First:
        return first_v_second(name, one.panel, one.pairs, one.placed, asked.rule, level=asked.level)

    firsts = every_first([first(name, one) for name, one in parts.items()])
    firsts += [first(name, one) for name, one in {mine: whole, **weighted}.items()]
    made = {name: category(one, asked) for name, one in weighted.items()}
    return msgspec.structs.replace(
        board,
        categories={name: category(one, asked) for name, one in parts.items()},
        firsts=() if whole.alone else tuple(firsts),
        notes=board.notes if able else (*board.notes, remarks.NO_MACRO),
        micro=made.get(EVERY_ITEM),
        macro=made.get(EVERY_CATEGORY),
        composite=made.get(COMPOSITE),
    )
