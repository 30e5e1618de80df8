"""Figures for papers, by matplotlib (the extra ``plot``): forest, rank intervals, pair matrix, curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from deadheat.errors import MethodError, MissingExtra
from deadheat.report import columns, numbers, rows_other
from deadheat.report.names import clean
from deadheat.report.plots_board import (
    FAINT,
    GREY,
    NO_MATPLOTLIB,
    STRONG,
    axes,
    costs,
    differences,
    finish,
    forest,
    pairs,
    ranks,
    whisker,
)
from deadheat.results import Board, Comparisons, Coverage, Document, Plan

if TYPE_CHECKING:
    from matplotlib.axes import Axes

IMAGES = ("svg", "png", "pdf")


def plot(document: Document, kind: str | None = None, ax: Axes | None = None) -> Axes:
    """Draw a result.

    Parameters
    ----------
    document : Document
        A board (``forest``, ``differences``, ``ranks``, ``pairs``, ``costs``), comparisons (``forest``,
        ``curve``), a plan (``curve``) or a coverage curve (``curve``).
    kind : str, optional
        Which of its figures; the first of them unless given.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    MissingExtra
        When matplotlib is not installed.
    MethodError
        For a document, or a kind, that there is no figure of.
    """
    known = PLOTS.get(type(document))
    if known is None:
        raise MethodError(f"there is no figure of a {type(document).__name__}; a table shows it")
    name = kind or next(iter(known))
    if name not in known:
        raise MethodError(f"no figure {name!r} of a {type(document).__name__}; known are {', '.join(known)}")
    return known[name](document, ax)


def figure(documents: Sequence[Document], format: str, title: str | None = None) -> bytes:
    """Draw the figure of the first document that has one, as the bytes of a file.

    Parameters
    ----------
    documents : sequence of Document
        Results in order.
    format : str
        A name in ``IMAGES``.
    title : str, optional
        Stands above the figure.

    Raises
    ------
    MissingExtra
        When matplotlib is not installed.
    MethodError
        When none of the documents has a figure.
    """
    document = next((each for each in documents if type(each) in PLOTS), documents[0])
    try:
        import matplotlib
    except ImportError as error:
        raise MissingExtra(NO_MATPLOTLIB) from error
    matplotlib.use("Agg")
    from matplotlib import pyplot

    compared = isinstance(document, Board) and columns.anchor(document.entries) is not None
    steady: Any = {"svg.hashsalt": "deadheat", "svg.fonttype": "none", "pdf.fonttype": 42}
    with matplotlib.rc_context(steady), BytesIO() as stream:
        kind = None
        if isinstance(document, Board) and document.cost is not None:
            kind = "costs"
        elif isinstance(document, Comparisons) and any(pair.curve for pair in document.comparisons):
            kind = "curve"
        drawn = plot(document, kind or ("differences" if compared else None))
        if title:
            drawn.set_title(clean(title), fontsize=10, loc="left")
        dated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
        whole = pyplot.figure(drawn.get_figure(root=True))
        whole.savefig(stream, format=format, dpi=200, metadata=dated.get(format), bbox_inches="tight")
        pyplot.close("all")
        return stream.getvalue()


def contrasts(document: Comparisons, ax: Axes | None = None) -> Axes:
    """Draw every difference with its interval, with the line of no difference and the margin.

    Parameters
    ----------
    document : Comparisons
        Pairs without a difference are left out.
    ax : matplotlib.axes.Axes, optional
        Where to draw.
    """
    shown = [pair for pair in document.comparisons if pair.difference is not None]
    scale, made = columns.scale_of_pairs(shown), axes(ax, len(shown))
    factor = 100 if scale.percent else 1
    for at, pair in enumerate(shown):
        colour = STRONG if pair.verdict == "not separated" else FAINT
        ends = (pair.interval.low, pair.interval.high) if pair.interval else None
        whisker(made, at, pair.difference, ends, colour, scale)
        if pair.margin is not None:
            left, width = -factor * pair.margin, 2 * factor * pair.margin
            made.barh(at, width, left=left, height=0.8, color="#e2ecfb", zorder=0)
    made.axvline(0, color=GREY, lw=0.8, ls=":")
    bases = {clean(pair.b) for pair in shown}
    one = len(bases) == 1 and len(shown) > 1
    names = [clean(pair.a) if one else f"{clean(pair.a)} − {clean(pair.b)}" for pair in shown]
    level = next((numbers.level(pair.interval.level) for pair in shown if pair.interval), None)
    said = [f"Difference to {bases.pop()}" if one else "Difference", scale.points]
    title = ", ".join(part for part in (*said, f"{level} interval" if level else "") if part)
    finish(made, names, f"{title}\nblue: not separated")
    return made


def over_k(document: Comparisons, ax: Axes | None = None) -> Axes:
    """Draw the difference of two curves over k, with its band for every k at once.

    Parameters
    ----------
    document : Comparisons
        Compared with a curve; the first pair that has one is drawn.
    ax : matplotlib.axes.Axes, optional
        Where to draw.

    Raises
    ------
    MethodError
        Comparisons without a curve.
    """
    from matplotlib.ticker import MaxNLocator

    pair = next((pair for pair in document.comparisons if pair.curve is not None), None)
    if pair is None or pair.curve is None:
        raise MethodError("these comparisons have no curve over k; make one with compare(…, curve='pass@k')")
    curve = pair.curve
    ks = [k + 1 for k in range(len(curve.difference))]
    points = [(float(k), 100 * value) for k, value in zip(ks, curve.difference, strict=True)]
    made = _curve(points, "k", f"Difference in {curve.metric}, points", None, ax)
    made.set_title(f"{clean(pair.a)} − {clean(pair.b)}", fontsize=9, loc="left")
    made.xaxis.set_major_locator(MaxNLocator(integer=True))
    if curve.low is not None and curve.high is not None:
        low, high = ([100 * end for end in side] for side in (curve.low, curve.high))
        made.fill_between(ks, low, high, color="#e2ecfb", zorder=0)
    made.axhline(0, color=GREY, lw=0.8, ls=":")
    return made


def coverage(document: Coverage, ax: Axes | None = None) -> Axes:
    """Draw coverage against the true rate, with the level that is claimed.

    Parameters
    ----------
    document : Coverage
        The result of covering.
    ax : matplotlib.axes.Axes, optional
        Where to draw.
    """
    return _curve(document.curve, "True rate", "Coverage", document.methods.level, ax)


def plan(document: Plan, ax: Axes | None = None) -> Axes:
    """Draw the curve of a plan, such as power against items.

    Parameters
    ----------
    document : Plan
        A plan with a curve.
    ax : matplotlib.axes.Axes, optional
        Where to draw.

    Raises
    ------
    MethodError
        For a plan without a curve.
    """
    curve = document.curve
    if curve is None:
        raise MethodError("this plan has no curve to draw; its answer is a number")
    wanted = document.assumptions.get("power")
    made = _curve(curve.points, curve.x, curve.y, wanted if curve.y == "power" else None, ax)
    for answer, label in rows_other.answers(document):
        made.axvline(answer, color="#171a1f", lw=0.9, ls=":")
        place = made.get_xaxis_transform()
        made.text(answer, 1.02, label, transform=place, ha="center", fontsize=8)
    return made


def _curve(points: Sequence[tuple[float, float]], x: str, y: str, level: Any, ax: Axes | None) -> Axes:
    made = axes(ax, 9)
    made.plot([p for p, _ in points], [value for _, value in points], color=STRONG, lw=1.2)
    if isinstance(level, float):
        made.axhline(level, color="#9a4a00", lw=0.9, ls="--")
    made.set_xlabel(x[:1].upper() + x[1:] if len(x) > 1 else x, fontsize=9)
    made.set_ylabel(y[:1].upper() + y[1:], fontsize=9)
    made.xaxis.set_major_formatter(lambda value, _: numbers.plain(round(value, 9)))
    made.tick_params(labelsize=8)
    made.grid(color="#e3e8ef", lw=0.8)
    made.set_axisbelow(True)
    made.spines[["top", "right"]].set_visible(False)
    return made


PLOTS: dict[type[Document], dict[str, Callable[[Any, Axes | None], Axes]]] = {
    Board: {"forest": forest, "differences": differences, "ranks": ranks, "pairs": pairs, "costs": costs},
    Comparisons: {"forest": contrasts, "curve": over_k},
    Plan: {"curve": plan},
    Coverage: {"curve": coverage},
}
