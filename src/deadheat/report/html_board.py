"""A board as a page shows it: words, tooltips, and places of marks in per cent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from deadheat.report import columns, numbers, pictures, rows_board, words
from deadheat.report.figures import Mark, background, mark, place
from deadheat.report.grid import Column, Field, Line
from deadheat.report.html_rules import Cut, Ruling
from deadheat.report.names import Name, clean, labels, parted
from deadheat.report.numbers import Scale
from deadheat.results import Board, Category, Score

MOST_LANES = 16
"""Tie lines side by side that an eye can still follow; a board that needs more goes without."""
MOST_TIPS = 300
"""Entries up to which a name's tip says what the columns say too."""
NAME, BAR, LETTER, HEAD, PADDING = 210, 208, 9.6, 9.0, 28
"""Pixels of a name and a bar at the least, of a letter of a cell and of a heading, and around both."""
LEAST = {"difference_interval": 15, "verdict": 13, "difference": 6, "p": 6, "p_adjusted": 6}
"""Letters that a cell may have for another anchor."""
PAGE = {
    "value": 0,
    "verdict": 0,
    "rank": 0,
    "p": 1,
    "p_adjusted": 1,
    "difference": 3,
    "difference_interval": 4,
    "group": 5,
    "own": 8,
    "bounds": 9,
}
"""Priorities that differ on a page, where the picture is wide and the verdict says the difference."""
ORDER = ("entry", "value", "verdict", "difference", "difference_interval", "p", "p_adjusted", "rank", "group")


@dataclass(frozen=True)
class Cell:
    """The words of a cell."""

    key: str
    text: str


@dataclass(frozen=True)
class Row:
    """One line of the board, and the rules under it."""

    name: Name
    kind: str
    tied: bool
    cells: tuple[Cell, ...]
    mark: Mark
    ties: tuple[tuple[int, str], ...]
    tip: str
    doubt: bool
    best: bool
    cuts: tuple[Cut, ...]


@dataclass(frozen=True)
class View:
    """A board or a category of it, ready for its template."""

    id: str
    title: str | None
    summary: str
    anchor: str | None
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    ticks: tuple[tuple[float, str], ...]
    lanes: int
    crowd: int
    interval: str
    unit: str
    choosable: bool
    visible: bool
    best: str
    fold: str
    open: int
    css: str
    what: str = "difference on the same items"


def view(board: Board, part: Board | Category, id: str, title: str | None = None) -> View:
    """Make the view of a board or of one of its categories.

    Parameters
    ----------
    board : Board
        The whole, for its methods.
    part : Board or Category
        What is shown.
    id : str
        Prefix of element ids on the page.
    title : str or None
        Name of the category.
    """
    maker = _Maker(board, part)
    drawn, first = maker.drawn, maker.first
    labelled = zip(drawn.axis.ticks, drawn.ticks, strict=True) if drawn else ()
    ticks = tuple((place(drawn.axis, tick), word) for tick, word in labelled) if drawn else ()
    line = place(drawn.axis, drawn.mark) if drawn and drawn.mark is not None else None
    shown, rows = tuple(field.column for field in maker.fields), maker.rows()
    return View(
        id=id,
        title=clean(title) if title else None,
        summary=clean(part.summary),
        anchor=None if first is None else maker.named.get(first, clean(first)),
        columns=shown,
        rows=rows,
        ticks=ticks,
        lanes=maker.lanes,
        crowd=maker.crowd,
        interval=maker.interval,
        unit=maker.scale.points,
        choosable=part.pairs is not None and len(part.pairs.entries) > 1,
        visible=maker.visible,
        best=maker.rule.best,
        fold=maker.rule.fold(),
        open=maker.rule.open,
        css="\n".join(
            [f"#{id}{{{background([x for x, _ in ticks], line)}}}", *rules(id, shown, rows, maker.lanes)]
        ),
    )


def rules(id: str, shown: Sequence[Column], rows: Sequence[Row], lanes: int = 0) -> list[str]:
    """Write the style rules of a board's columns: which are numbers, which give way where room is short.

    A column shows where all of its priority or less have room, by the letters of their cells.
    """
    at = {column.key: index + (2 if index > 1 else 1) for index, column in enumerate(shown)}

    def cells(keys: list[str]) -> str:
        return ",".join(f"#{id} table.rows tr>:nth-child({at[key]})" for key in keys)

    rules = []
    right = [column.key for column in shown if column.right]
    if right:
        rules.append(f"{cells(right)}{{text-align:right}}")
    quiet = [column.key for column in shown if column.priority > 2 or column.key == "rank"]
    if quiet:
        rules.append(f"{cells(quiet)}{{color:var(--muted)}}")
    letters = {column.key: LEAST.get(column.key, 1) for column in shown}
    for row in rows:
        for cell in row.cells[1:]:
            letters[cell.key] = max(letters[cell.key], len(cell.text))
    room = NAME + BAR + 8 * lanes + 4
    for priority, group in groupby(sorted(shown[1:], key=_priority), _priority):
        keys = [column.key for column in group]
        titles = {column.key: column.title for column in shown}
        room += sum(round(PADDING + max(LETTER * letters[key], HEAD * len(titles[key]))) for key in keys)
        if priority:
            hidden = cells(keys).replace(f"#{id} ", f"#{id}:not(.all) ")
            rules.append(f"@container board (max-width:{room}px){{{hidden}{{display:none}}}}")
    return rules


def _priority(column: Column) -> int:
    return column.priority


class _Maker:
    """What all rows of one board share."""

    def __init__(self, board: Board, part: Board | Category) -> None:
        entries = part.entries
        self.part = part
        self.fields = page_order(columns.of_board(board, part), ORDER, PAGE)
        self.scale: Scale = columns.scale(entries)
        self.named = labels(entries)
        self.first = columns.anchor(entries)
        self.drawn = pictures.versus(part) or pictures.board(part)
        self.names = dict(zip(self.named, parted(list(self.named.values())), strict=True))
        level = board.methods.level
        self.interval = f"{numbers.level(level)} interval" if level else "interval"
        lanes = max((line.lane for line in self.drawn.ties), default=-1) + 1 if self.drawn else 0
        self.lanes, self.crowd = (lanes, 0) if lanes <= MOST_LANES else (0, lanes)
        self.doubtful = {score.entry for score in rows_board.contradicted(entries)}
        self.visible = bool(self.drawn and any(self.drawn.zones))
        self.rule = Ruling(part, self.first, self.names, self.scale, board.methods)

    def rows(self) -> tuple[Row, ...]:
        """Write all lines."""
        return tuple(self.row(at, score) for at, score in enumerate(self.part.entries))

    def row(self, at: int, score: Score) -> Row:
        """Write one line."""
        drawn = self.drawn
        zone = drawn.zones[at] if drawn and drawn.zones else None
        return Row(
            name=self.names[score.entry],
            kind="withheld" if score.value is None else "anchor" if score.entry == self.first else "",
            tied=self.rule.near(score),
            cells=tuple(Cell(field.column.key, field.word(score)) for field in self.fields),
            mark=mark(drawn.axis, drawn.points[at], drawn.ends[at], zone) if drawn else Mark(),
            ties=_ties(drawn, at, gap=score.value is None) if drawn and self.lanes else (),
            tip=self.tip(score),
            doubt=score.entry in self.doubtful,
            best=score.entry in self.rule.starred,
            cuts=self.rule.cuts(at),
        )

    def tip(self, score: Score) -> str:
        """Say in a few lines what is known of an entry, its full name first and its doubts last."""
        scale, unit = self.scale, f" {self.scale.unit}" if self.scale.unit else ""
        lines = [self.named[score.entry]]
        if clean(score.entry) != lines[0] and f"[{clean(score.entry)}]" not in lines[0]:
            lines.append(clean(score.entry))
        if score.value is None and score.published is not None:
            lines.append(f"Published: {scale.value(score.published)}{unit}.")
        if score.value is not None and len(self.part.entries) <= MOST_TIPS:
            over = f" over {words.plural(score.items, 'item')}" if score.items else ""
            lines.append(f"{scale.value(score.value)}{unit}{over}.")
        if score.entry in self.rule.starred:
            lines.append(f"{self.rule.best[:1].upper()}{self.rule.best[1:]}.")
        if score.failed or score.absent:
            lines.append(f"{score.failed:,} attempts failed, {score.absent:,} absent.")
        if score.entry in self.doubtful and score.published is not None:
            lines.append(f"Published as {scale.value(score.published)}{unit}, which these items contradict.")
        lines += [clean(note.text) for note in score.notes]
        return "\n".join(lines)


def page_order(
    fields: Sequence[Field[Line]], order: Sequence[str], room: Mapping[str, int]
) -> list[Field[Line]]:
    """Put the columns that answer first, with the room that they get on a page."""
    known = {key: at for at, key in enumerate(order)}
    ordered = sorted(fields, key=lambda field: known.get(field.column.key, len(known)))
    return [
        replace(f, column=replace(f.column, priority=room.get(f.column.key, f.column.priority)))
        for f in ordered
    ]


def sorts(board: Board, part: Board | Category) -> dict[str, list[int]]:
    """Give for every column the place of each row when sorted by it, equal values alike; -1 sorts last.

    Parameters
    ----------
    board : Board
    part : Board or Category
        What is shown.
    """
    fields = columns.of_board(board, part)
    return {f.column.key: places([f.sort(e) for e in part.entries]) for f in fields if f.sort}


def places(values: Sequence[float | str | None]) -> list[int]:
    """Rank what a column sorts by, equal values alike; -1 for what is not known."""
    known = {value: at for at, value in enumerate(sorted({v for v in values if v is not None}))}
    return [-1 if value is None else known[value] for value in values]


def _ties(drawn: pictures.Picture, at: int, *, gap: bool) -> tuple[tuple[int, str], ...]:
    """The lanes whose lines pass this row, and whether they start, pass, end or are dotted here."""
    return tuple(
        (line.lane, "gap" if gap else "start" if at == line.first else "end" if at == line.last else "on")
        for line in drawn.ties
        if line.first <= at <= line.last
    )
