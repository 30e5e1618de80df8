"""The verb `compare`: some entries against one other, on the items they share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deadheat.comparing.beside import notes, weigh_part, with_common
from deadheat.comparing.families import adjust_all, check_pick
from deadheat.comparing.flips import with_flips
from deadheat.comparing.gate import FailOn, gate
from deadheat.comparing.margins import with_margin
from deadheat.comparing.pair_claims import claims_of, scale
from deadheat.comparing.ragged import with_bounds, with_fitted
from deadheat.comparing.selfcheck import self_checks
from deadheat.data.panel import Panel, panel
from deadheat.data.scale import same_scale
from deadheat.data.table import Table
from deadheat.errors import MethodError, NothingShared
from deadheat.estimand import Estimand
from deadheat.evidence import pair_evidence
from deadheat.evidence.categories import divide
from deadheat.evidence.contrasts import comparisons
from deadheat.evidence.cost_evidence import with_costs
from deadheat.evidence.fitted import FITTED, observed
from deadheat.evidence.judged import judged
from deadheat.evidence.k_evidence import Metric, with_curve
from deadheat.evidence.order import ADJUSTMENTS
from deadheat.evidence.separation import some
from deadheat.evidence.sequence import by_betting, drawn_orders, order_of, with_sequence
from deadheat.methods import TESTS, choose_pair
from deadheat.readers.given import Results, taken
from deadheat.report.sentences import Voice, sentences
from deadheat.results import Comparisons, Methods, Note
from deadheat.stats.power.effects import refuse_points
from deadheat.version import VERSION


def compare(
    table: Results,
    a: str | Sequence[str] | None = None,
    b: str | None = None,
    estimand: Estimand | None = None,
    *,
    test: str | None = None,
    interval: str | None = None,
    margin: float | None = None,
    anytime: bool = False,
    order: str | None = None,
    adjust: str = "none",
    best_of: int | None = None,
    by: str | None = None,
    cost: str | None = None,
    curve: Metric | None = None,
    show_flips: bool = False,
    self_check: bool = False,
    fail_on: FailOn | None = None,
    level: float = 0.95,
    alpha: float = 0.05,
    draws: int = 10_000,
    seed: int = 0,
) -> Comparisons:
    """Compare entries on the items they share: did `a` beat `b`?

    Parameters
    ----------
    table : Table, dataframe, path or list of paths
    a : str, sequence of str or None
        The candidate, or several; None takes all entries but `b`.
    b : str or None
        The baseline. None, of a table of two entries, takes the other one.
    estimand : Estimand or None
        What the difference is about.
    test, interval : str or None
        Names of `methods.TESTS` and `methods.DIFFERENCES`; None takes the default of this kind of data.
    margin : float or None
        Largest difference that does not matter: adds non-inferiority and equivalence.
    anytime : bool
        Valid at every look: e-value, always-valid p and confidence sequence, by the test ``betting``.
    order : str or None
        Item column by which items came, for `anytime`; None takes all items together, in any order.
    adjust : str
        Adjustment for several candidates; adjusted p-values then decide.
    best_of : int or None
        Runs (seeds, prompts, checkpoints) of which each candidate was picked as the best; adjusted p-values
        then decide.
    by : str or None
        Item column: every value of it is compared too.
    cost : str or None
        Column of what attempts cost: adds the ratio of costs on shared items.
    curve : str or None
        ``pass@k`` or ``pass^k``: adds the curves over k = 1, 2, … with a band that holds for every k at once.
    show_flips : bool
        List the items that changed, by cluster, and those that only one side has.
    self_check : bool
        Show that the test holds its level on this data. One candidate only.
    fail_on : str or None
        A gate: ``worse`` or ``inconclusive``.
    level, alpha : float
        Level of the interval; a pair is separated when p < alpha.
    draws, seed : int
        Of methods that use luck.

    Returns
    -------
    Comparisons
        `difference` is a - b.

    Raises
    ------
    NothingShared
        No candidate has an item in common with the baseline, and the test is of pairs.
    MethodError
        A method that does not fit the data, or an entry that is not there.
    DataError
        One entry scored in per cent, and the other in fractions.
    """
    table, estimand = taken(table, estimand)
    _check(level, alpha, adjust, margin, draws, best_of)
    test, interval = by_betting(anytime, order, test, interval)
    shown = observed(estimand)
    judging = judged(table, panel(table, shown), estimand, parted=by is not None)
    seen = judging.panel
    if show_flips and judging.tuning is not None:
        raise MethodError("--show-flips is about outcomes, not corrected scores; use --judge raw or labels")
    first, second = _rows(seen, a, b)
    if order is not None and len(first) > 1:
        raise MethodError(f"--order follows one pair; found {len(first)} candidates: name one")
    if self_check and len(first) > 1:
        raise MethodError(f"--self-check is about one pair; found {len(first)} candidates: name one")
    pairs = pair_evidence.pairs_of(seen, first, second)
    same_scale(seen, [*first, second])
    if pairs.in_unit.all() or (seen.rates and judging.tuning is not None):
        refuse_points("margin", margin)
    chosen = choose_pair(seen.shape(estimand.generalises_to), test, interval)
    methods = pair_evidence.Methods(*chosen, level=level, alpha=alpha, draws=draws, seed=seed)
    if TESTS[methods.test].fit.paired and not pairs.shared.any():
        raise NothingShared(_nothing_shared(seen, first, second))
    parts = {} if by is None else _parts(table, seen, by)
    names = [seen.entries[row] for row in first]
    found = pair_evidence.weigh(seen, pairs, methods)
    weighed = [
        (seen, first, second, found),
        *(weigh_part(part, names, seen.entries[second], methods) for part in parts.values()),
    ]
    adjusted = adjust_all(weighed, adjust, best_of or 1)
    made = [
        with_margin(comparisons(*piece, adjusted=p), piece[3], margin)
        for piece, p in zip(weighed, adjusted, strict=True)
    ]
    whole = made[0]
    if anytime:
        along = None if order is None else order_of(table, seen, order, seed)
        whole = with_sequence(seen, whole, found, along, estimand.generalises_to)
    if len(first) > 1:
        whole = with_common(seen, whole, methods)
    beside: tuple[Note, ...] = ()
    if TESTS[methods.test].fit.paired and not TESTS[methods.test].fit.reruns and judging.tuning is None:
        whole = with_bounds(seen, whole)
    if estimand.absent == FITTED:
        whole, beside = with_fitted(seen, whole, level=level, alpha=alpha)
    if curve is not None:
        whole = with_curve(seen, whole, curve, level=level, draws=draws, seed=seed)
    if cost is not None:
        whole = with_costs(table, seen, whole, cost, level=level, alpha=alpha)
    if show_flips:
        whole = [with_flips(table, seen, shown, pair) for pair in whole]
    decided = gate(whole, found, fail_on, margin) if fail_on else None
    claimed = judging.claimed(claims_of(whole, alpha, decided, margin))
    return Comparisons(
        version=VERSION,
        estimand=judging.stated(estimand),
        methods=Methods(
            interval=methods.interval,
            test=methods.test,
            adjust=adjust if len(first) > 1 or adjust != "none" else None,
            best_of=best_of,
            alpha=alpha,
            level=level,
            seed=seed if methods.draws_used or adjust == "max-t" or drawn_orders(whole) else None,
            draws=methods.draws_used or (draws if adjust == "max-t" else None),
            quantile_rule=methods.quantile_rule,
        ),
        summary=sentences(claimed, Voice(scale(whole), lower_is_better=seen.lower_is_better)),
        claims=claimed,
        notes=(
            *seen.notes,
            *judging.notes,
            *beside,
            *notes(table, seen, whole, found, adjust=adjust, best_of=best_of, parts=bool(parts)),
        ),
        provenance=table.provenance(),
        comparisons=tuple(whole),
        categories={name: tuple(part) for name, part in zip(parts, made[1:], strict=True)} if by else None,
        gate=decided,
        self_checks=self_checks(seen, shown, (names[0], seen.entries[second]), found) if self_check else None,
    )


def _check(
    level: float, alpha: float, adjust: str, margin: float | None, draws: int, best_of: int | None
) -> None:
    for name, value in (("level", level), ("alpha", alpha)):
        if not 0 < value < 1:
            raise MethodError(f"{name} lies between 0 and 1; found {value:g}")
    if adjust not in ADJUSTMENTS:
        raise MethodError(f"no adjustment {adjust!r}; known are {', '.join(ADJUSTMENTS)}")
    if margin is not None and (not margin > 0 or alpha >= 0.5):
        raise MethodError(
            "a margin is the largest difference that does not matter, above 0, held to one-sided tests of "
            f"alpha below 0.5; found margin {margin:g}, alpha {alpha:g}"
        )
    if draws < 1:
        raise MethodError(f"draws are at least 1; found {draws}")
    check_pick(best_of)
    if best_of is not None and margin is not None:
        raise MethodError(
            "the best of several runs was asked about together with a margin, whose tests are not corrected "
            f"for the pick; leave out one of the two, or hold the margin to --alpha {alpha / best_of:g} alone"
        )


def _rows(seen: Panel, a: str | Sequence[str] | None, b: str | None) -> tuple[list[int], int]:
    """Find the rows of the candidates and of the baseline."""
    wanted = [] if a is None else [a] if isinstance(a, str) else list(a)
    for name in (*wanted, *([] if b is None else [b])):
        if name not in seen.entries:
            raise MethodError(f"no entry {name!r} in these results; found {some(seen.entries)}")
    if b is None:
        others = [name for name in seen.entries if name not in wanted]
        if len(seen.entries) != 2 or len(wanted) > 1:
            raise MethodError(
                f"a comparison needs a baseline; found {len(seen.entries)} entries ({some(seen.entries)}): "
                "name one of them, with --against on the command line"
            )
        wanted, b = wanted or [others[0]], others[-1]
    if a is None and len(wanted) == 0:
        wanted = [name for name in seen.entries if name != b]
    if b in wanted or not wanted:
        raise MethodError(f"an entry is compared with another one; found {b!r} on both sides")
    if len(set(wanted)) < len(wanted):
        raise MethodError(f"a candidate is named twice in {', '.join(wanted)}")
    return [seen.entries.index(name) for name in wanted], seen.entries.index(b)


def _nothing_shared(seen: Panel, first: Sequence[int], second: int) -> str:
    def ids(row: int) -> str:
        return some([seen.items[i] for i in np.flatnonzero(seen.present[row])[:2]])

    for row in (first[0], second):
        if not seen.present[row].any():
            return f"{seen.entries[row]} has no attempt that was scored or failed: its items are all absent"
    return (
        f"{seen.entries[first[0]]} and {seen.entries[second]} have no item in common (ids such as "
        f"{ids(first[0])} and {ids(second)}); the same items need the same ids (--by-position matches "
        "equally long files without ids), and --test unpaired-z or welch takes the two as run on different "
        "items"
    )


def _parts(table: Table, seen: Panel, by: str) -> dict[str, Panel]:
    """Cut a panel by the values of an item column."""
    division = divide(table, by)
    at = {item: i for i, item in enumerate(table.items)}
    codes = division.codes[[at[item] for item in seen.items]]
    return {name: seen.select(codes == code) for code, name in enumerate(division.names)}
