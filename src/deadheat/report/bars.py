"""Interval bars, axis labels and tie lines made of characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deadheat.report.figures import Axis, Line


@dataclass(frozen=True)
class Glyphs:
    """The characters that pictures are made of."""

    point: str
    bar: str
    left: str
    right: str
    published: str
    clipped: str
    beyond: str
    anchor: str
    tie_start: str
    tie: str
    tie_end: str
    tie_gap: str


BOX = Glyphs("●", "─", "╶", "╴", "○", "◂", "▸", "┊", "╷", "│", "╵", "┊")
ASCII = Glyphs("o", "-", "-", "-", "x", "<", ">", ":", "|", "|", "|", ":")


def bar(
    axis: Axis,
    width: int,
    glyphs: Glyphs,
    point: float | None,
    ends: tuple[float, float] | None,
    mark: float | None,
) -> str:
    """Draw one row: the interval as a line, its point, and the anchor's line behind it.

    Parameters
    ----------
    axis : Axis
        The axis that all rows share.
    width : int
        Cells.
    glyphs : Glyphs
        Characters to draw with.
    point : float or None
        Where the point stands; without ends it is drawn hollow.
    ends : (float, float) or None
        The interval.
    mark : float or None
        Where the anchor's line stands.
    """
    cells = [" "] * width
    if mark is not None and 0 <= axis.place(mark) <= 1:
        cells[_cell(axis, width, mark)] = glyphs.anchor
    if ends is not None:
        low, high = axis.place(ends[0]), axis.place(ends[1])
        if high < 0 or low > 1:
            cells[0 if high < 0 else -1] = glyphs.clipped if high < 0 else glyphs.beyond
            return "".join(cells)
        first, last = _cell(axis, width, ends[0]), _cell(axis, width, ends[1])
        cells[first : last + 1] = [glyphs.bar] * (last + 1 - first)
        if last > first:
            # A cell is half filled where the end lies in its far half.
            if (low * width) % 1 >= 0.5:
                cells[first] = glyphs.left
            if 0 < (high * width) % 1 < 0.5:
                cells[last] = glyphs.right
        if low < 0:
            cells[0] = glyphs.clipped
        if high > 1:
            cells[-1] = glyphs.beyond
    if point is not None and 0 <= axis.place(point) <= 1:
        cells[_cell(axis, width, point)] = glyphs.point if ends is not None else glyphs.published
    elif point is not None and ends is None:
        cells[0 if axis.place(point) < 0 else -1] = glyphs.clipped if axis.place(point) < 0 else glyphs.beyond
    return "".join(cells)


def _cell(axis: Axis, width: int, value: float) -> int:
    return min(max(int(axis.place(value) * width), 0), width - 1)


def header(axis: Axis, width: int, words: Sequence[str]) -> str:
    """Write tick labels over a bar column, leaving out those that would touch another.

    Parameters
    ----------
    axis : Axis
        The axis that all rows share.
    width : int
        Cells.
    words : sequence of str
        A label for every tick.
    """
    line = [" "] * width
    order = [0, len(words) - 1, *range(1, len(words) - 1)]
    for index in dict.fromkeys(order):
        word, cell = words[index], _cell(axis, width, axis.ticks[index])
        start = min(max(cell - (len(word) - 1) // 2, 0), width - len(word))
        around = line[max(start - 1, 0) : start + len(word) + 1]
        if start >= 0 and all(letter == " " for letter in around):
            line[start : start + len(word)] = word
    return "".join(line)


def ties(lines: Sequence[Line], rows: int, gaps: Sequence[bool], glyphs: Glyphs) -> list[str]:
    """Draw tie lines as columns of characters, one string a row; rows without a score are dotted through.

    Parameters
    ----------
    lines : sequence of Line
        Lines with their lanes.
    rows : int
        Rows of the board.
    gaps : sequence of bool
        Rows that have no score.
    glyphs : Glyphs
        Characters to draw with.
    """
    width = max((line.lane for line in lines), default=-1) + 1
    cells = [[" "] * width for _ in range(rows)]
    for line in lines:
        for row in range(line.first, line.last + 1):
            cells[row][line.lane] = glyphs.tie_gap if gaps[row] else glyphs.tie
        cells[line.first][line.lane] = glyphs.tie_start
        cells[line.last][line.lane] = glyphs.tie_end
    return ["".join(row) for row in cells]
