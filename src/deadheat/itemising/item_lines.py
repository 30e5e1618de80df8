"""The items of a panel as records: each by itself, in groups, and as smaller sets."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from deadheat.data.panel import Panel
from deadheat.data.table import Table
from deadheat.results import Interval, Note
from deadheat.results.items import ItemGroup, ItemLine, Reliability, SmallerSet
from deadheat.seeds import stream
from deadheat.stats.ability.rasch import rasch
from deadheat.stats.items import item_analysis, smaller_sets
from deadheat.stats.multiple.adjustment import bh
from deadheat.stats.numerics.bounds import defined

Floats = NDArray[np.float64]
SPLITS, LEAST_ENTRIES, LEAST_ITEMS = 5, 8, 20
FEW = 20  # entries below which items coincide by chance
SHARES = (1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2)


def lines(table: Table, board: Panel, *, level: float, draws: int, seed: int) -> tuple[ItemLine, ...]:
    """Describe every item, hardest first, then by its label.

    Parameters
    ----------
    table, board
        Where the panel came from, and the panel of the entries that take part.
    level : float
    draws, seed : int
        Permutations of an item whose approximate p is small.
    """
    values, present = board.values, board.present
    found = item_analysis.discrimination(values, present, level)
    p, adjusted = _p_values(board, found, draws, seed)
    mean = np.where(present, values, 0).sum(axis=0) / np.maximum(found.entries, 1)
    difficulty, error = _difficulty(board)
    silent = item_analysis.constant(values, present)
    group: dict[int, int] = {}
    for number, members in enumerate(item_analysis.twins(values, present), start=1):
        group |= dict.fromkeys(members.tolist(), number)
    place = {item: at for at, item in enumerate(_sequence(board).tolist(), start=1)}
    cluster, category = (_labels(table, board, column) for column in ("cluster", "category"))
    r, se, (low, high) = found.r, found.se, found.interval
    made = [
        ItemLine(
            item=item,
            entries=int(found.entries[at]),
            score=float(mean[at]) if found.entries[at] else None,
            difficulty=defined(difficulty[at]),
            difficulty_se=defined(error[at]),
            discrimination=defined(r[at]),
            se=defined(se[at]),
            interval=Interval(low=float(low[at]), high=float(high[at]), level=level, method="fisher-z")
            if np.isfinite(low[at])
            else None,
            p=defined(p[at]),
            p_adjusted=defined(adjusted[at]),
            silent=bool(silent[at]),
            twins=group.get(at),
            cluster=cluster[at],
            category=category[at],
            kept=place.get(at),
        )
        for at, item in enumerate(board.items)
    ]
    return tuple(sorted(made, key=lambda line: (board.sign * (line.score or 0.0), line.item)))


def _p_values(
    board: Panel, found: item_analysis.Discrimination, draws: int, seed: int
) -> tuple[Floats, Floats]:
    """p of each item by Pitman's approximation, by permutation where that is small and r negative."""
    p, rest = found.p.copy(), item_analysis.rest_scores(board.values, board.present)
    for at in np.flatnonzero((found.r < 0) & (p < item_analysis.DOUBTFUL)):
        has = board.present[:, at]
        item, rng = board.values[has, at].astype(np.float64), stream(seed, "items")
        p[at] = item_analysis.permutation_p(item, rest[has, at], draws, rng)
    adjusted = np.full(p.shape, np.nan)
    known = np.isfinite(p)
    if known.any():
        adjusted[known] = bh(p[known])
    return p, adjusted


def _difficulty(board: Panel) -> tuple[Floats, Floats]:
    """Difficulty and its standard error by a Rasch model; NaN for other than single 0/1 attempts."""
    nothing = np.full(len(board.items), np.nan)
    if not board.binary:
        return nothing, nothing
    right = np.where(board.present, board.values, 0)
    total, count = right.sum(axis=1), board.present.sum(axis=1)
    inner = (total > 0) & (total < count)
    if inner.sum() < 2:
        return nothing, nothing
    fit = rasch(right[inner], board.present[inner])
    if not fit.converged or fit.rival is not None:
        return nothing, nothing
    given = fit.given
    variance = given.rest[1] - given.rest[0] ** 2
    return -np.asarray(given.mean, np.float64), np.sqrt(np.maximum(variance, 0.0))


def _labels(table: Table, board: Panel, column: str) -> list[str | None]:
    """What a column of the table says of each item; None where it says nothing."""
    if not table.has(column):
        return [None] * len(board.items)
    told = dict(zip(table.items, table.attribute(column), strict=True))
    return [None if told[item] is None else str(told[item]) for item in board.items]


def _complete(board: Panel) -> NDArray[np.intp]:
    """Columns that every entry has."""
    return np.flatnonzero(board.present.all(axis=0))


def _sizes(count: int) -> list[int]:
    return sorted({size for share in SHARES if (size := round(share * count)) >= 10})


def _sequence(board: Panel) -> NDArray[np.intp]:
    """Columns of the nested sequence of smaller sets, chosen on all entries; none where they are too few."""
    whole = _complete(board)
    sizes = _sizes(len(whole))
    if len(board.entries) < LEAST_ENTRIES or len(whole) < LEAST_ITEMS or not sizes:
        return np.zeros(0, dtype=np.intp)
    return whole[smaller_sets.nested(board.values[:, whole].astype(np.float64), sizes[-1])]


def smaller(board: Panel, seed: int) -> tuple[SmallerSet, ...]:
    """Say what smaller sets keep, chosen on half of the entries and judged on the other."""
    whole = _complete(board)
    sizes = _sizes(len(whole))
    if len(board.entries) < LEAST_ENTRIES or len(whole) < LEAST_ITEMS or not sizes:
        return ()
    values, rng = board.values[:, whole].astype(np.float64), stream(seed, "smaller sets")
    kept = smaller_sets.kept(values, sizes, SPLITS, rng, binary=board.binary)
    return tuple(
        SmallerSet(
            items=size,
            order=defined(kept.order[at]),
            order_random=defined(kept.order_random[at]),
            pairs=defined(kept.pairs[at]),
            pairs_random=defined(kept.pairs_random[at]),
        )
        for at, size in enumerate(sizes)
    )


def reliability(board: Panel, *, level: float, seed: int) -> tuple[Reliability, ...]:
    """Reliability over the items that every entry has; empty where they are fewer than two."""
    whole = _complete(board)
    if len(whole) < 2:
        return ()
    values = board.values[:, whole].astype(np.float64)
    found = item_analysis.reliability(values, stream(seed, "split halves"), level=level)

    made = []
    name = "KR-20" if board.binary else "Cronbach's alpha"
    for title, method, (value, low, high) in (
        (name, "feldt", found.alpha),
        ("split-half", "fisher-z", found.split_half),
    ):
        known = np.isfinite([value, low, high]).all()
        interval = Interval(low=low, high=high, level=level, method=method) if known else None
        made.append(
            Reliability(
                name=title, entries=len(values), items=len(whole), value=defined(value), interval=interval
            )
        )
    return tuple(made)


def twin_groups(made: Sequence[ItemLine]) -> tuple[tuple[str, ...], ...]:
    """Labels of the items that share a response pattern, by the number of their group."""
    numbers = sorted({line.twins for line in made if line.twins is not None})
    return tuple(tuple(sorted(line.item for line in made if line.twins == number)) for number in numbers)


def groups(made: Sequence[ItemLine]) -> tuple[ItemGroup, ...]:
    """Sum the items of each cluster and category up."""
    out = []
    for column in ("cluster", "category"):
        names = {getattr(line, column) for line in made} - {None}
        for name in sorted(names) if 1 < len(names) < len(made) else ():
            part = [line for line in made if getattr(line, column) == name]
            known = [line.discrimination for line in part if line.discrimination is not None]
            scored = [line.score for line in part if line.score is not None]
            out.append(
                ItemGroup(
                    column=column,
                    name=name,
                    items=len(part),
                    silent=sum(line.silent for line in part),
                    negative=sum(r < 0 for r in known),
                    score=float(np.mean(scored)) if scored else None,
                    discrimination=float(np.mean(known)) if known else None,
                )
            )
    return tuple(out)


def notes(board: Panel, made: Sequence[ItemLine], alpha: float, draws: int) -> tuple[Note, ...]:
    """Say where entries, or draws, are too few to accuse an item, and what was left out."""
    out, entries = [], len(board.entries)
    tested = sum(line.p is not None for line in made)
    suspects = any(line.p is not None and line.p < item_analysis.DOUBTFUL for line in made)
    if tested and 1 / comb(entries, entries // 2) > alpha / tested:
        text = (
            f"{entries} entries are too few to accuse one item among {tested:,}: whatever its outcomes, its "
            f"adjusted p is not below {alpha:g}"
        )
        out.append(Note(code="few-entries", text=text))
    elif suspects and 1 / (draws + 1) > alpha / tested:
        text = (
            f"with {draws:,} permutations a single item among {tested:,} cannot reach an adjusted p below "
            f"{alpha:g}: use --draws {int(2 * tested / alpha):,}"
        )
        out.append(Note(code="few-draws", text=text))
    if entries < FEW and any(line.twins is not None for line in made):
        text = f"with {entries} entries items share a response pattern by chance: twins need a look"
        out.append(Note(code="twins-by-chance", text=text))
    if not board.binary:
        text = "difficulties on the logit scale are withheld: scores are not single 0/1 attempts"
        out.append(Note(code="no-difficulty", text=text))
    left = len(board.items) - len(_complete(board))
    if left:
        text = f"reliability and smaller sets are of the items that every entry has; {left:,} are left out"
        out.append(Note(code="incomplete", text=text))
    return tuple(out)
