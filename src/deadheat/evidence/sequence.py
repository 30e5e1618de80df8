"""A comparison that is valid at every look: along an order, over random orders, beside one look."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.errors import MethodError
from deadheat.estimand import GeneralisesTo
from deadheat.evidence.pair_evidence import Evidence, Methods, weigh
from deadheat.evidence.pairwise import SMALLEST, ahead
from deadheat.methods import ANYTIME, choose_pair
from deadheat.results import Anytime, Comparison, Fixed, Interval, Note
from deadheat.seeds import stream
from deadheat.stats.anytime import betting, crossing
from deadheat.stats.anytime.pair_wealth import Units, pair_log_e, units
from deadheat.stats.numerics.bounds import defined, whole
from deadheat.stats.numerics.pvalues import LN10
from deadheat.stats.score.item_design import Groups

ORDERS, WORK = 500, 1 << 28  # random orders that are drawn, and units x bets x orders that are followed
LARGEST = 700.0  # logarithms of e-values that are numbers of a float
EXACT = 20_000  # discordant items up to which every order is counted
FILES = ("file", "files", "rows", "row")
BIAS = (
    "where a comparison stops early, the difference seen at the stop overstates the true one on average: the "
    "interval holds, the estimate is biased"
)
ANY_ORDER = (
    "the answer is that of all items together, whatever their order; the order of the files is not taken for "
    "one, because files are usually sorted, as by repository, and the first items then say little about the "
    "rest: --order COLUMN names a time or a position in the log"
)

TURNED = (
    "the look that could have stopped favours one of the two, and all items together do not: the difference "
    "turned along this order, so its items are not exchangeable"
)


def by_betting(
    anytime: bool, order: str | None, test: str | None, interval: str | None
) -> tuple[str | None, str | None]:
    """Give the test and the interval that hold at every look, where asked; refuse any other with it."""
    if not anytime:
        if order is not None:
            raise MethodError("--order is about looking early; use --anytime with it")
        return test, interval
    for what, name in (("test", test), ("interval", interval)):
        if name not in (None, ANYTIME):
            raise MethodError(
                f"--{what} {name} is for one look at a size fixed beforehand; with --anytime the {what} is "
                f"{ANYTIME}"
            )
    return ANYTIME, ANYTIME


def drawn_orders(pairs: Sequence[Comparison]) -> bool:
    """Whether any figure comes from orders that were drawn."""
    return any(pair.anytime is not None and pair.anytime.orders is not None for pair in pairs)


class Order(NamedTuple):
    """The column that items are looked at by, and their places, (M,)."""

    column: str
    place: NDArray[np.int64]


def order_of(table: Table, panel: Panel, column: str, seed: int) -> Order:
    """Rank items by a column; items that are equal there come in an order drawn from the seed.

    Raises
    ------
    MethodError
        The order of the files, a column that is not there, or an item without a value.
    """
    if column in FILES and not table.has(column):
        raise MethodError(f"--order {column}: {ANY_ORDER}")
    at = {item: i for i, item in enumerate(table.items)}
    values = table.attribute(column)[[at[item] for item in panel.items]]
    empty = [item for item, value in zip(panel.items, values, strict=True) if value is None]
    if empty:
        raise MethodError(
            f"--order {column}: {len(empty):,} items have no value there, such as {empty[0]}; "
            "every item needs one"
        )
    try:
        keys: NDArray[Any] = np.array([float(value) for value in values])
    except ValueError:
        keys = np.array([str(value) for value in values])
    drawn = stream(seed, "order").permutation(len(values))
    place = np.empty(len(values), dtype=np.int64)
    place[np.lexsort((drawn, keys))] = np.arange(len(values))
    return Order(column, place)


def with_sequence(
    panel: Panel,
    pairs: Sequence[Comparison],
    found: Evidence,
    order: Order | None,
    generalises_to: GeneralisesTo,
) -> list[Comparison]:
    """Add to each comparison what looking early comes to; with an order, hold it to every look.

    Parameters
    ----------
    panel : Panel
    pairs : sequence of Comparison
    found : Evidence
        By the betting test.
    order : Order or None
    generalises_to : str
    """
    seen, fixed = units(found.pairs), _fixed(panel, found, generalises_to)
    log_e = pair_log_e(seen)
    made = []
    for at, pair in enumerate(pairs):
        there = np.flatnonzero(seen.share[at] > 0)
        if len(there) == 0:
            made.append(pair)
            continue
        one = Units(seen.x[at][there], seen.share[at][there])
        stops = _over_orders(one, found.methods)
        path = None if order is None else _path(found, one, there, order)
        anytime = Anytime(
            e=math.exp(log_e[at]) if log_e[at] < LARGEST else None,
            log10_e=float(log_e[at] / LN10),
            units="items" if found.pairs.cluster is None else "clusters",
            looked=len(there),
            order=None if order is None else order.column,
            stopped_at=None if path is None else path.stopped,
            difference_at_stop=None if path is None else path.difference,
            stop_median=stops.median,
            stop_share=stops.share,
            orders=stops.orders,
            fixed=fixed[at],
        )
        made.append(_held(pair, anytime, path, found))
    return made


class Path(NamedTuple):
    """What an order of the units gave: the largest log wealth, the bounds no look rejects, the first stop."""

    log_e: float
    low: float
    high: float
    stopped: int | None
    difference: float | None


def _path(found: Evidence, one: Units, there: NDArray[np.intp], order: Order) -> Path:
    groups = Groups(found.pairs.cluster, len(order.place))
    last = np.full(groups.size, -1)
    np.maximum.at(last, groups.codes, order.place)  # a cluster is whole with its last item
    rank = np.argsort(last[there], kind="stable")
    x, share = one.x[rank], one.share[rank]
    seen = betting.looks(x, share)
    wealth = betting.log_wealth(seen, 0.0)
    ends = betting.confidence_sequence(seen, 1 - found.methods.level)
    crossed = np.flatnonzero(wealth >= -math.log(found.methods.alpha))
    stopped = int(crossed[0]) + 1 if len(crossed) else None
    at_stop = None if stopped is None else float(np.average(x[:stopped], weights=share[:stopped]))
    return Path(float(wealth.max()), float(ends.low), float(ends.high), stopped, at_stop)


class Stops(NamedTuple):
    """When random orders stop: the median (None if fewer than half do), the share, how many were drawn."""

    median: int | None
    share: float
    orders: int | None


def _over_orders(one: Units, methods: Methods) -> Stops:
    """Count all orders of 0/1 scores; of other units, draw orders."""
    total, alpha = len(one.x), methods.alpha
    b, c = (int((one.x == sign).sum()) for sign in (1, -1))
    if np.isin(one.x, (-1, 0, 1)).all() and (one.share == 1).all() and b + c <= EXACT:
        share = 1 - float(crossing.survival_of(b, c, alpha)[-1])
        return Stops(crossing.quantile_over_orders(b, c, total, alpha), share, None)
    theta, log_weight = betting.bets("both", 0.5)
    growth = betting.log_factors((one.x + 1) / 2, one.share, 0.5, theta)
    orders = int(np.clip(WORK // growth.size, 20, ORDERS))
    rng, stopped = stream(methods.seed, "orders"), np.full(orders, np.inf)
    for at in range(orders):
        drawn = growth[:, rng.permutation(total)].cumsum(axis=1)
        crossed = np.flatnonzero(betting.log_sum(drawn + log_weight[:, None]) >= -math.log(alpha))
        stopped[at] = crossed[0] + 1 if len(crossed) else np.inf
    middle = float(np.sort(stopped)[(orders - 1) // 2])
    return Stops(whole(middle), float(np.isfinite(stopped).mean()), orders)


def _fixed(panel: Panel, found: Evidence, generalises_to: GeneralisesTo) -> list[Fixed]:
    """What the default test of this data says at one look, planned beforehand."""
    chosen = choose_pair(panel.shape(generalises_to), None, None)
    once = weigh(panel, found.pairs, replace(found.methods, test=chosen[0], interval=chosen[1]))
    return [
        Fixed(
            test=chosen[0],
            p=None if np.isnan(once.found.p[at]) else max(float(once.found.p[at]), SMALLEST),
            log10_p=defined(once.found.log10_p[at]),
            interval=Interval(
                low=float(once.bounds.low[at]),
                high=float(once.bounds.high[at]),
                level=found.methods.level,
                method=chosen[1],
            )
            if once.bounds.low[at] < once.bounds.high[at]
            else None,
        )
        for at in range(len(found.difference))
    ]


def _held(pair: Comparison, anytime: Anytime, path: Path | None, found: Evidence) -> Comparison:
    """Put the record beside the answer; an order makes the answer that of its most telling look."""
    notes = [Note(code="stopped-estimate", text=BIAS)]
    if path is None:
        notes.insert(0, Note(code="any-order", text=ANY_ORDER))
        return msgspec.structs.replace(pair, anytime=anytime, notes=(*pair.notes, *notes))
    log10_p = min(0.0, -path.log_e / LN10)
    interval = None
    if path.low < path.high:
        interval = Interval(low=path.low, high=path.high, level=found.methods.level, method=ANYTIME)
    else:
        text = (
            "no mean difference is left that every look accepts: the difference drifted along this order, so "
            "its items are not exchangeable and no interval holds"
        )
        notes.append(Note(code="drift", text=text))
    verdict = pair.verdict
    if pair.p_adjusted is None and verdict is not None:
        verdict = ahead(found.sign * (anytime.difference_at_stop or 0.0)) or "not separated"
        if verdict not in ("not separated", pair.ahead):
            verdict = None
            notes.insert(0, Note(code="turned", text=TURNED))
    return msgspec.structs.replace(
        pair,
        p=max(10**log10_p, SMALLEST),
        log10_p=log10_p,
        interval=interval,
        verdict=verdict,
        anytime=anytime,
        notes=(*notes, *pair.notes) if verdict is None else (*pair.notes, *notes),
    )
