"""Documents for a terminal: aligned tables with interval bars and tie lines, as wide as there is room."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from deadheat.report import bars, rows
from deadheat.report.grid import Grid
from deadheat.report.names import shorten_all
from deadheat.report.pictures import Picture, pictures
from deadheat.report.style import Style
from deadheat.results import Document

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

NARROW = 96
MOST_BAR, LEAST_BAR = 60, 14
MOST_NAME, LEAST_NAME = 44, 18
STRONG = "magenta"
"""What is not separated, or an odd group: a colour that can be read on black and on white."""
TO_ASCII = str.maketrans(
    {
        "−": "-",
        "–": "-",
        "—": "-",
        "…": "~",
        "·": "|",
        "α": "alpha",
        "Δ": "Diff.",
        "τ": "tau",
        "×": "x",
        "≥": ">=",
    }
)


def render(documents: tuple[Document, ...], style: Style) -> str:
    """Write documents as a terminal shows them.

    Parameters
    ----------
    documents : tuple of Document
        Results in order.
    style : Style
        Width of the terminal, whether it has colour, whether it takes more than ASCII.
    """
    from rich.console import Console

    stream = io.StringIO()
    console = Console(
        file=stream,
        width=style.width,
        force_terminal=style.colour,
        color_system="standard" if style.colour else None,
        no_color=not style.colour,
        legacy_windows=False,
        highlight=False,
        emoji=False,
        markup=False,
    )
    for index, document in enumerate(documents):
        if index:
            console.print()
        console.print(renderable(document, style), soft_wrap=False)
    lines = (line.rstrip() for line in stream.getvalue().splitlines())
    text = "\n".join(lines) + "\n"
    return text if style.unicode else text.translate(TO_ASCII).encode("ascii", "replace").decode()


def renderable(document: Document, style: Style) -> RenderableType:
    """Build what rich prints for one document.

    Parameters
    ----------
    document : Document
        Any result document.
    style : Style
        Width, colour and characters.
    """
    from rich.console import Group
    from rich.text import Text

    sheet = rows.sheet(document)
    parts: list[RenderableType] = [Text(sheet.summary, "bold")]
    for grid, picture in zip_longest(sheet.grids, pictures(document)):
        parts.append(Text(""))
        if grid.title:
            parts.append(Text(grid.title, "italic"))
        parts.append(table(grid, picture, style))
    if sheet.notes:
        parts.append(Text(""))
        parts += [Text(_hanging(note, style)) for note in sheet.notes]
    parts.append(Text(""))
    parts += [Text(_packed(line, style.width), "dim") for line in sheet.methods]
    return Group(*parts)


@dataclass
class _Slot:
    """A column of the terminal table: its words, and how much room it needs, likes and gets."""

    key: str
    title: str
    words: Sequence[str]
    right: bool
    priority: int
    least: int
    most: int
    width: int = 0


def table(grid: Grid, picture: Picture | None, style: Style) -> Table:
    """Build the table of one grid with as many columns as there is room for.

    Parameters
    ----------
    grid : Grid
        Words.
    picture : Picture or None
        Intervals and tie lines of the same rows.
    style : Style
        Width, colour and characters.
    """
    from rich.table import Table
    from rich.text import Text

    gap = 1 if style.width < NARROW else 2
    wrapped = _wrapped(grid)
    slots = _fit(_slots(grid, picture, style), style.width, gap)
    built = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False, show_edge=False, header_style="bold")
    for slot in slots:
        wrap = slot.key in wrapped
        title = Text(_title(slot, picture), no_wrap=True)
        built.add_column(
            title,
            justify="right" if slot.right else "left",
            width=slot.width,
            no_wrap=not wrap,
            overflow="fold",
        )
    drawn = [slot.words if slot.key in wrapped else _words(slot, picture, style) for slot in slots]
    strong = picture.strong if picture else (True,) * len(grid.rows)
    kinds = grid.kinds or ("",) * len(grid.rows)
    for at, (kind, bright) in enumerate(zip(kinds, strong, strict=True)):
        cells = [
            Text(words[at], _colour(slot.key, kind, bright)) for slot, words in zip(slots, drawn, strict=True)
        ]
        built.add_row(*cells)
    return built


def _wrapped(grid: Grid) -> tuple[str, ...]:
    """Columns whose words are wrapped, never cut: texts, and both columns of a table of facts."""
    keys = tuple(column.key for column in grid.columns)
    return keys if len(keys) == 2 and keys[0] in ("fact", "what") else ("text",)


def _slots(grid: Grid, picture: Picture | None, style: Style) -> list[_Slot]:
    """Measure the columns, and put bars and tie lines among them."""
    from rich.cells import cell_len

    slots, wrapped = [], _wrapped(grid)
    for column in grid.columns:
        words, title = grid.column(column.key), column.title
        if not style.unicode:
            words, title = tuple(_ascii(word) for word in words), _ascii(title)
        natural = max((cell_len(word) for word in (title, *words)), default=1)
        least = natural if column.right or column.key == "letters" else min(natural, LEAST_NAME)
        if column.key in wrapped:
            least = min(natural, LEAST_NAME)
        slots.append(_Slot(column.key, title, words, column.right, column.priority, least, natural))
    if picture is None:
        return slots
    at = 1 + [slot.key for slot in slots].index(picture.after)
    drawn = [_Slot("bars", "", (), False, 1, LEAST_BAR, MOST_BAR)]
    if picture.ties:
        lanes = max(line.lane for line in picture.ties) + 1
        width = max(lanes, len("Ties"))
        drawn.append(_Slot("ties", "Ties", (), True, 2, width, width))
    return [*slots[:at], *drawn, *slots[at:]]


def _fit(slots: list[_Slot], room: int, gap: int) -> list[_Slot]:
    """Drop columns by priority until the rest fits, then share out what is left: names first, then bars."""
    while sum(slot.least + gap for slot in slots) - gap > room:
        last = max(slots, key=lambda slot: slot.priority)
        if last.priority == 0:
            break
        slots = [slot for slot in slots if slot is not last]
    for slot in slots:
        slot.width = slot.least
    spare = room - sum(slot.least + gap for slot in slots) + gap
    flexible = [slot for slot in slots if slot.most > slot.least or not slot.right]
    if spare < 0 and flexible:
        widest = max(flexible, key=lambda slot: slot.width)
        widest.width = max(widest.width + spare, 6)
        return slots
    names = [slot for slot in flexible if slot.key != "bars"]
    names.sort(key=lambda slot: not slot.right)  # of a table of facts, the values first
    steps = [(slot, min(slot.most, MOST_NAME)) for slot in names]
    steps += [(slot, slot.most) for slot in flexible if slot.key == "bars"] + [
        (slot, slot.most) for slot in names
    ]
    for slot, most in steps:
        more = max(min(most - slot.width, spare), 0)
        slot.width += more
        spare -= more
    return slots


def _title(slot: _Slot, picture: Picture | None) -> str:
    if slot.key == "bars" and picture:
        return bars.header(picture.axis, slot.width, picture.ticks)
    return slot.title[: slot.width]


def _words(slot: _Slot, picture: Picture | None, style: Style) -> Sequence[str]:
    """The cells of a column at the width that it got."""
    from rich.cells import cell_len

    glyphs = bars.BOX if style.unicode else bars.ASCII
    if picture and slot.key == "bars":
        rows_ = zip(picture.points, picture.ends, strict=True)
        return [
            bars.bar(picture.axis, slot.width, glyphs, point, ends, picture.mark) for point, ends in rows_
        ]
    if picture and slot.key == "ties":
        gaps = [ends is None for ends in picture.ends]
        return bars.ties(picture.ties, len(gaps), gaps, glyphs)
    return slot.words if slot.right else shorten_all(slot.words, slot.width, cell_len)


def _colour(key: str, kind: str, bright: bool) -> str:
    """Odd groups stand out from even ones; the anchor is bold; what is withheld is dim."""
    if kind == "withheld":
        return "dim"
    if key in ("bars", "ties", "group"):
        return STRONG if bright and key != "ties" else ""
    return "bold" if kind == "anchor" and key == "entry" else ""


def _hanging(note: str, style: Style) -> str:
    """Wrap a note under its bullet."""
    mark = "•" if style.unicode else "*"
    return textwrap.fill(note, max(style.width, 20), initial_indent=f"{mark} ", subsequent_indent="  ")


def _packed(line: str, width: int) -> str:
    """Break a line of facts between facts, where it has to be broken."""
    rows_ = [""]
    for fact in line.split(" · "):
        if rows_[-1] and len(rows_[-1]) + len(fact) + 3 > width:
            rows_.append("")
        rows_[-1] += f" · {fact}" if rows_[-1] else fact
    return "\n".join(rows_)


def _ascii(text: str) -> str:
    return text.translate(TO_ASCII).encode("ascii", "replace").decode()
