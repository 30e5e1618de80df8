"""What can be drawn beside the rows of a document's grids: intervals on one axis, and tie lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from deadheat.report import columns, numbers, rows_board, rows_other
from deadheat.report.figures import Axis, Ends, Line, around, axis, lanes
from deadheat.report.numbers import Scale
from deadheat.results import Board, Category, Comparison, Comparisons, Coverage, Document, Interval


@dataclass(frozen=True)
class Picture:
    """Intervals and tie lines, a row a grid row.

    Parameters
    ----------
    axis : Axis
        The axis that all rows share.
    ticks : tuple of str
        A label for every tick.
    points : tuple of (float or None)
        The estimates.
    ends : tuple of ((float, float) or None)
        Their intervals.
    mark : float or None
        Where the line of the anchor, or of no difference, stands.
    strong : tuple of bool
        Rows in groups with odd numbers, or rows that are not separated: what stands out.
    ties : tuple of Line
        Tie lines with their lanes.
    after : str
        Key of the column that the bars stand behind.
    zones : tuple of (float or None)
        In each row, the largest difference either way that is too small to be detected; empty for none.
    """

    axis: Axis
    ticks: tuple[str, ...]
    points: tuple[float | None, ...]
    ends: tuple[Ends | None, ...]
    mark: float | None
    strong: tuple[bool, ...]
    ties: tuple[Line, ...]
    after: str
    zones: tuple[float | None, ...] = ()


def pictures(document: Document) -> tuple[Picture | None, ...]:
    """Give a picture, or None, for every grid of the document's sheet; nothing for documents without any.

    Parameters
    ----------
    document : Document
        Any result document.
    """
    if isinstance(document, Board):
        return tuple(None if part is None else board(part) for _, part in rows_board.parts(document))
    if isinstance(document, Comparisons) and len(document.comparisons) > 1:
        return (comparisons(document.comparisons),)
    if isinstance(document, Coverage):
        return (None, coverage(document))
    return ()


def board(part: Board | Category) -> Picture | None:
    """Draw every entry's own interval on one axis, and the tie lines."""
    entries = part.entries
    points = tuple(score.published if score.value is None else score.value for score in entries)
    ends = tuple(None if score.value is None else _ends(score.interval) for score in entries)
    if not any(ends):
        return None
    first = columns.anchor(entries)
    mark = next((score.value for score in entries if score.entry == first), None)
    spans = [span for span in ends if span]
    strong = tuple(score.group is not None and score.group % 2 == 1 for score in entries)
    order = [score.entry for score in entries]
    drawn, words = _axis(spans, columns.scale(entries), Scale.value)
    return Picture(drawn, words, points, ends, mark, strong, lanes(part.tie_lines, order), "interval")


def versus(part: Board | Category) -> Picture | None:
    """Draw the difference of every entry to the anchor, and what would be too small to be detected."""
    entries, first = part.entries, columns.anchor(part.entries)
    pairs = [score.vs_anchor for score in entries]
    points = tuple(
        0.0 if score.entry == first else pair.difference if pair else None
        for score, pair in zip(entries, pairs, strict=True)
    )
    ends = tuple(
        (0.0, 0.0) if score.entry == first else _ends(pair.interval) if pair else None
        for score, pair in zip(entries, pairs, strict=True)
    )
    known = [pair for pair in pairs if pair and pair.difference is not None]
    spans = [_ends(pair.interval) or (pair.difference or 0.0, pair.difference or 0.0) for pair in known]
    if not spans:
        return None
    drawn, ticks = _axis(spans, columns.scale(entries), Scale.difference, around)
    zones = visible(part)
    strong = tuple(pair is None or pair.verdict == "not separated" for pair in pairs)
    order = [score.entry for score in entries]
    return Picture(
        drawn,
        ticks,
        points,
        ends,
        0.0,
        strong,
        lanes(part.tie_lines, order),
        "value",
        zones if any(zones) else (),
    )


def visible(part: Board | Category) -> tuple[float | None, ...]:
    """Give for every entry the smallest difference to the anchor that is detected, where it is known."""
    pairs, first = part.pairs, columns.anchor(part.entries)
    if pairs is None or pairs.smallest_visible is None or first not in pairs.entries:
        return tuple(s.vs_anchor.smallest_visible if s.vs_anchor else None for s in part.entries)
    row = {entry: at for at, entry in enumerate(pairs.entries)}
    found = []
    for score in part.entries:
        i, j = sorted((row.get(score.entry, -1), row[first]))
        found.append(None if i < 0 or i == j else pairs.smallest_visible[j * (j - 1) // 2 + i])
    return tuple(found)


def comparisons(pairs: Sequence[Comparison]) -> Picture | None:
    """Draw every difference with its interval on one axis, with a line at no difference."""
    ends = tuple(_ends(pair.interval) for pair in pairs)
    spans = sorted((span for span in ends if span), reverse=True)
    if not spans:
        return None
    choose = around if len({pair.b for pair in pairs}) == 1 else axis
    drawn, words = _axis(spans, columns.scale_of_pairs(pairs), Scale.difference, choose)
    zones = tuple(pair.smallest_visible for pair in pairs)
    points = tuple(pair.difference for pair in pairs)
    strong = tuple(pair.verdict == "not separated" for pair in pairs)
    return Picture(drawn, words, points, ends, 0.0, strong, (), "interval", zones if any(zones) else ())


def coverage(document: Coverage) -> Picture | None:
    """Draw the range of coverage on every stretch of true rates, and a line at the promised level."""
    ends = tuple(
        (min(values), max(values))
        for part in rows_other.stretches(document.curve)
        if (values := [value for _, value in part])
    )
    if not ends:
        return None
    level = document.methods.level
    drawn, words = _axis([*ends, (level, level)] if level else ends, rows_other.COVERAGE, Scale.value)
    points = (None,) * len(ends)
    return Picture(drawn, words, points, ends, level, (True,) * len(ends), (), "high")


def _ends(interval: Interval | None) -> Ends | None:
    return None if interval is None else (interval.low, interval.high)


def _axis(
    spans: Sequence[Ends],
    scale: Scale,
    write: Callable[[Scale, float], str],
    choose: Callable[[Sequence[Ends]], Axis] = axis,
) -> tuple[Axis, tuple[str, ...]]:
    """Choose the axis, and label its ticks with no more decimals than they need."""
    drawn = choose(spans)
    rough = Scale(scale.percent, numbers.needed(drawn.ticks, scale))
    return drawn, tuple(write(rough, tick) for tick in drawn.ticks)
