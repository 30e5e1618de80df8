"""Figures of boards by matplotlib: scores, differences, ranks, all pairs; and what every figure shares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from deadheat.errors import MethodError, MissingExtra
from deadheat.report import columns, numbers, rows_board, rows_costs, words
from deadheat.report.figures import lanes
from deadheat.report.names import clean, labels, shorten
from deadheat.report.numbers import Scale
from deadheat.report.pictures import visible
from deadheat.results import Board

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STRONG, FAINT, GREY = "#1a5ab8", "#8296b3", "#566070"
MOST_NAME = 36
NO_MATPLOTLIB = "figures need matplotlib: pip install 'deadheat[plot]'"


def forest(board: Board, ax: Axes | None = None) -> Axes:
    """Draw every entry's score with its interval, best on top; group 1 stands out, tie lines on the right.

    Parameters
    ----------
    board : Board
        Entries without a score are left out.
    ax : matplotlib.axes.Axes, optional
        Where to draw.
    """
    shown = [score for score in board.entries if score.value is not None]
    scale, named = columns.scale(shown), labels(board.entries)
    made = axes(ax, len(shown))
    for at, score in enumerate(shown):
        colour = STRONG if score.group == 1 else FAINT
        ends = (score.interval.low, score.interval.high) if score.interval else None
        whisker(made, at, score.value, ends, colour, scale)
    entries = [score.entry for score in shown]
    known = set(entries)
    lines = [[entry for entry in line if entry in known] for line in board.tie_lines]
    for line in lanes(lines, entries):
        reach = [line.first - 0.3, line.last + 0.3]
        x = [1.015 + 0.012 * line.lane] * 2
        made.plot(x, reach, color=STRONG, lw=1.6, transform=made.get_yaxis_transform(), clip_on=False)
    level = board.methods.level
    interval = f", {numbers.level(level)} interval" if level else ""
    metric = "Score" if board.estimand.label == "mean" else board.estimand.label
    finish(made, [named[entry] for entry in entries], f"{metric} {scale.unit}".rstrip() + interval)
    return made


def differences(board: Board, ax: Axes | None = None) -> Axes:
    """Draw every entry's difference to the anchor on the items that both have, with its interval.

    Parameters
    ----------
    board : Board
        Entries that were not compared with the anchor are left out.
    ax : matplotlib.axes.Axes, optional
        Where to draw.
    """
    first, named, scale = columns.anchor(board.entries), labels(board.entries), columns.scale(board.entries)
    shown = [s for s in board.entries if s.entry == first or (s.vs_anchor and s.vs_anchor.interval)]
    if first is None:
        raise MethodError("no entry was compared with another, so there is no difference to draw")
    made = axes(ax, len(shown))
    for at, score in enumerate(shown):
        pair = score.vs_anchor
        if pair is None:
            made.plot([0], [at], "o", color="#171a1f", ms=5)
        else:
            colour = STRONG if pair.verdict == "not separated" else FAINT
            ends = (pair.interval.low, pair.interval.high) if pair.interval else None
            whisker(made, at, pair.difference, ends, colour, scale)
    for at, size in enumerate(v for s, v in zip(board.entries, visible(board), strict=True) if s in shown):
        if size is not None:
            factor = 100 if scale.percent else 1
            made.barh(at, 2 * factor * size, left=-factor * size, height=1.0, color="#e9ecf1", zorder=0)
    made.axvline(0, color=GREY, lw=0.8, ls=":")
    level = f", {numbers.level(board.methods.level)} interval" if board.methods.level else ""
    unit = f", {scale.points}" if scale.points else ""
    title = f"Difference to {named[first]}{unit}{level}\nblue: not separated; shaded: too small to detect"
    best = rows_board.some_best(board)
    starred = best.entries if best else ()
    if best:
        title += f"\n★ may be the best: {numbers.level(best.level)} confidence, all comparisons together"
    finish(made, [f"{'★ ' * (s.entry in starred)}{named[s.entry]}" for s in shown], title)
    return made


def ranks(board: Board, ax: Axes | None = None) -> Axes:
    """Draw every entry's rank interval, and its place on the board as a point.

    Parameters
    ----------
    board : Board
        Entries without a rank interval are left out.
    ax : matplotlib.axes.Axes, optional
        Where to draw.
    """
    shown = [score for score in board.entries if score.rank is not None]
    named, made = labels(board.entries), axes(ax, len(shown))
    for at, score in enumerate(shown):
        low, high = score.rank or (0, 0)
        colour = STRONG if low == 1 else FAINT
        whisker(made, at, score.place, (low, high), colour, Scale(False, 0))
    how = f" ({words.method(board.methods.rank, 'adjustment')})" if board.methods.rank else ""
    finish(made, [named[score.entry] for score in shown], f"Rank{how}")
    return made


def costs(board: Board, ax: Axes | None = None) -> Axes:
    """Draw score against cost; filled points may be on the frontier, the line is the frontier as observed.

    Bars are of one standard error.

    Parameters
    ----------
    board : Board
        Ranked with costs; entries of unknown cost are left out.
    ax : matplotlib.axes.Axes, optional
        Where to draw.

    Raises
    ------
    MethodError
        A board without costs.
    """
    if board.cost is None:
        raise MethodError("this board knows no costs; make it with rank(…, cost=COLUMN)")
    how, named, made = columns.scale(board.entries), labels(board.entries), axes(ax, 8)
    factor = 100 if how.unit == "%" else 1
    steps: list[tuple[float, float]] = []
    for line in rows_costs.ordered(board.cost):
        if line.cost is None or line.value is None:
            continue
        x, y = line.cost, factor * line.value
        colour = STRONG if line.possible else FAINT
        made.errorbar(
            x,
            y,
            xerr=line.se,
            yerr=None if line.value_se is None else factor * line.value_se,
            fmt="o",
            color=colour,
            elinewidth=0.8,
            markerfacecolor=colour if line.possible else "none",
            markersize=5,
        )
        if line.observed:
            made.annotate(named[line.entry], (x, y), xytext=(5, -9), textcoords="offset points", fontsize=8)
            steps.append((x, y))
    made.step([x for x, _ in steps], [y for _, y in steps], where="post", color=GREY, linewidth=1)
    made.set_xlabel(f"{clean(board.cost.column)} per item")
    made.set_ylabel(f"Score {how.unit}".rstrip())
    return made


def pairs(board: Board, ax: Axes | None = None) -> Axes:
    """Draw the matrix of differences, row - column; pairs that are not separated are left white.

    Parameters
    ----------
    board : Board
        Ranked with every pair.
    ax : matplotlib.axes.Axes, optional
        Where to draw.

    Raises
    ------
    MethodError
        For a board without its pairs.
    """
    found = board.pairs
    if found is None:
        raise MethodError("the pair matrix needs all pairs: rank(..., every_pair=True) keeps them")
    n, alpha = len(found.entries), board.methods.alpha or 0.05
    scale, named = columns.scale(board.entries), labels(board.entries)
    decisive = found.p if found.p_adjusted is None else found.p_adjusted
    gaps = [[math.nan] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            k = i * (i - 1) // 2 + j
            gap, p = found.difference[k], decisive[k]
            if gap is not None and p is not None and p < alpha:
                factor = 100 if scale.percent else 1
                gaps[i][j], gaps[j][i] = factor * gap, -factor * gap
    made = axes(ax, n, square=True)
    size = max((abs(gap) for row in gaps for gap in row if not math.isnan(gap)), default=1.0)
    image = made.imshow(gaps, cmap="RdBu", vmin=-size, vmax=size)
    bar = made.figure.colorbar(image, ax=made, shrink=0.7)
    bar.set_label(f"Row − column, {scale.points or 'difference'}; white: not separated", fontsize=8)
    bar.ax.tick_params(labelsize=7)
    short = [shorten(named[entry], MOST_NAME) for entry in found.entries]
    made.set_yticks(range(n), short, fontsize=7)
    made.set_xticks(range(n), [str(at + 1) for at in range(n)], fontsize=6)
    return made


def axes(ax: Axes | None, rows: int, *, square: bool = False) -> Axes:
    """Take the axes given, or make a figure whose height fits the rows."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise MissingExtra(NO_MATPLOTLIB) from error
    height = 1.1 + 0.22 * max(rows, 3)
    size = (height + 2.6, height) if square else (6.4, height)
    return pyplot.subplots(figsize=size, layout="constrained")[1]


def whisker(
    ax: Axes, at: int, point: float | None, ends: tuple[float, float] | None, colour: str, scale: Scale
) -> None:
    """Draw an interval and its point in row ``at``."""
    factor = 100 if scale.percent else 1
    if ends is not None:
        ax.plot([factor * end for end in ends], [at, at], color=colour, lw=1.8, solid_capstyle="round")
    if point is not None:
        ax.plot([factor * point], [at], "o", color=colour, ms=4)


def finish(ax: Axes, names: Sequence[str], title: str) -> None:
    """Write names and axis title, and take away what is not needed."""
    ax.set_yticks(range(len(names)), [shorten(name, MOST_NAME) for name in names], fontsize=8)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.set_xlabel(title, fontsize=9)
    ax.tick_params(axis="x", labelsize=8)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x", color="#e3e8ef", lw=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right", "left"]].set_visible(False)
