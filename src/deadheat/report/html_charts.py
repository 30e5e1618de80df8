"""Pictures beside the tables of a page: differences on one axis, and curves; places are in per cent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deadheat.report import columns, numbers, rows_other, words
from deadheat.report.figures import Axis, Mark, axis, background, mark, place
from deadheat.report.names import clean
from deadheat.report.numbers import Scale
from deadheat.results import Comparison, Comparisons, Coverage, Plan


@dataclass(frozen=True)
class Zone:
    """A stretch of the axis that means something."""

    left: float
    width: float
    kind: str
    words: str


@dataclass(frozen=True)
class Line:
    """A line of a forest: what it is about, its interval in words, and its mark."""

    label: str
    words: str
    mark: Mark
    tied: bool


@dataclass(frozen=True)
class Forest:
    """Intervals under each other, on one axis."""

    title: str
    ticks: tuple[tuple[float, str], ...]
    zero: float | None
    zones: tuple[Zone, ...]
    rows: tuple[Line, ...]
    kind: str = "forest"

    def css(self, id: str) -> str:
        """Write the style rule that draws ticks and the line of no difference behind every row."""
        return f"#{id}{{{background([x for x, _ in self.ticks], self.zero)}}}"


@dataclass(frozen=True)
class Plot:
    """A curve in a box 1000 wide and 1000 high, with level lines across it and lines up from answers."""

    title: str
    x: str
    y: str
    points: str
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]
    levels: tuple[tuple[float, str], ...]
    answers: tuple[tuple[float, str], ...] = ()
    kind: str = "plot"

    def css(self, id: str) -> str:
        """A curve needs no rules of its own."""
        return ""


@dataclass(frozen=True)
class Part:
    """A stretch of a bar: how many items, and what they have in common."""

    kind: str
    words: str
    count: str
    left: float
    width: float


@dataclass(frozen=True)
class Cells:
    """The items of a pair in one bar: both right, only one of them, neither."""

    title: str
    parts: tuple[Part, ...]
    kind: str = "cells"

    def css(self, id: str) -> str:
        """A bar needs no rules of its own."""
        return ""


Chart = Forest | Plot | Cells


def comparisons(document: Comparisons) -> list[Chart]:
    """Draw every difference, with the margin and, for a few pairs, what could have been seen.

    Parameters
    ----------
    document : Comparisons
        The result of comparing.
    """
    pairs = [pair for pair in document.comparisons if pair.interval and pair.difference is not None]
    if not pairs:
        return []
    margins = {pair.margin for pair in document.comparisons if pair.margin is not None}
    margin = margins.pop() if len(margins) == 1 else None
    visible = pairs[0].smallest_visible if len(pairs) == 1 else None
    scale, drawn = columns.scale_of_pairs(pairs), _difference_axis(pairs, margin, visible)
    zones = []
    if visible is not None:
        text = f"smaller differences than ±{scale.size(visible)} would mostly go unseen (80 % power)"
        zones.append(_zone(drawn, -visible, visible, "unseen", text))
    if margin is not None:
        text = f"margin: ±{scale.size(margin)} {scale.points}".rstrip()
        zones.append(_zone(drawn, -margin, margin, "margin", text))
    against = {pair.b for pair in pairs}
    same = clean(against.pop()) if len(against) == 1 and len(pairs) > 1 else None
    rows = tuple(_line(pair, drawn, scale, clean(pair.a) if same else _both(pair)) for pair in pairs)
    title = ", ".join(filter(None, [f"Difference to {same}" if same else "Difference", scale.points]))
    forest = Forest(title, _ticks(drawn, scale), place(drawn, 0.0), tuple(zones), rows)
    return [forest, *(_cells(pairs[0]) if len(pairs) == 1 else ())]


def _cells(pair: Comparison) -> tuple[Cells, ...]:
    """Lay out the four kinds of items of a pair of single 0/1 attempts."""
    if pair.a_only is None or pair.b_only is None or pair.value_a is None or not pair.items:
        return ()
    both = round(pair.value_a * pair.items) - pair.a_only
    counts = (
        ("both", "both right", both),
        ("a", f"only {clean(pair.a)} right", pair.a_only),
        ("b", f"only {clean(pair.b)} right", pair.b_only),
        ("neither", "neither right", pair.items - both - pair.a_only - pair.b_only),
    )
    parts, left = [], 0
    for kind, text, number in counts:
        place_, width = round(100 * left / pair.items, 2), round(100 * number / pair.items, 2)
        parts.append(Part(kind, text, numbers.count(number), place_, width))
        left += number
    return (Cells(f"The {words.plural(pair.items, 'shared item')}", tuple(parts)),)


def _difference_axis(pairs: Sequence[Comparison], margin: float | None, visible: float | None) -> Axis:
    """Choose an axis that has no difference, the margin and the nearer pairs on it."""
    spans = [(pair.interval.low, pair.interval.high) for pair in pairs if pair.interval]
    spans.sort(key=lambda span: abs(span[0] + span[1]))
    around = [(-each, each) for each in (margin, visible, 0.0) if each is not None]
    return axis([*around, *spans])


def _both(pair: Comparison) -> str:
    return f"{clean(pair.a)} − {clean(pair.b)}"


def _line(pair: Comparison, drawn: Axis, scale: Scale, label: str) -> Line:
    bounds = pair.interval
    drawn_at = mark(drawn, pair.difference, (bounds.low, bounds.high) if bounds else None)
    text = f"{scale.difference(pair.difference)} ({scale.difference_interval(bounds)})"
    return Line(label, text, drawn_at, pair.verdict == "not separated")


def _zone(drawn: Axis, low: float, high: float, kind: str, text: str) -> Zone:
    left = place(drawn, low)
    return Zone(left, round(place(drawn, high) - left, 2), kind, text)


def _ticks(drawn: Axis, scale: Scale) -> tuple[tuple[float, str], ...]:
    digits = numbers.needed(drawn.ticks, scale)
    rough = Scale(scale.percent, digits)
    return tuple((place(drawn, tick), rough.difference(tick)) for tick in drawn.ticks)


def coverage(document: Coverage) -> list[Chart]:
    """Draw coverage against the true rate, with the level that is claimed.

    Parameters
    ----------
    document : Coverage
        The result of covering.
    """
    level = document.methods.level
    levels = [] if level is None else [(level, f"claimed {numbers.level(level)}")]
    title = f"{words.method(document.method)}, {words.plural(document.items, 'item')}"
    return _plot(title, "True rate", "Coverage", document.curve, levels)


def plan(document: Plan) -> list[Chart]:
    """Draw the curve of a plan, where it has one: power against items.

    Parameters
    ----------
    document : Plan
        The result of planning.
    """
    curve = document.curve
    if curve is None:
        return []
    wanted = document.assumptions.get("power")
    levels = [(wanted, f"{100 * wanted:.4g} %")] if isinstance(wanted, float) and curve.y == "power" else []
    return _plot(
        f"{curve.y} against {curve.x}", curve.x, curve.y, curve.points, levels, rows_other.answers(document)
    )


Labelled = Sequence[tuple[float, str]]


def _plot(
    title: str,
    x: str,
    y: str,
    points: Sequence[tuple[float, float]],
    levels: Labelled,
    answers: Labelled = (),
) -> list[Chart]:
    if len(points) < 2:
        return []
    across = axis([(min(p for p, _ in points), max(p for p, _ in points))])
    heights = [value for _, value in points] + [value for value, _ in levels]
    upward = axis([(min(heights), max(heights))])

    def at(drawn: Axis, value: float) -> float:
        return round(drawn.place(value), 4)

    drawn = " ".join(
        f"{1000 * at(across, p):.4g},{1000 * (1 - at(upward, value)):.5g}" for p, value in points
    )
    return [
        Plot(
            title,
            x,
            y,
            drawn,
            tuple((round(100 * at(across, tick), 2), numbers.plain(tick)) for tick in across.ticks),
            tuple((round(100 * (1 - at(upward, tick)), 2), numbers.plain(tick)) for tick in upward.ticks),
            tuple((round(100 * (1 - at(upward, value)), 2), text) for value, text in levels),
            tuple((round(100 * at(across, p), 2), text) for p, text in answers if 0 <= across.place(p) <= 1),
        )
    ]
