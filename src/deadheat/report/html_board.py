"""A board as a page shows it: words, tooltips, and places of marks in per cent of their picture."""

from __future__ import annotations

from dataclasses import dataclass

from deadheat.report import columns, numbers, rows_board, words
from deadheat.report.grid import Column, Sort
from deadheat.report.html_marks import Mark, background, mark, place
from deadheat.report.names import clean, labels
from deadheat.report.numbers import Scale
from deadheat.report.pictures import Picture
from deadheat.report.pictures import board as picture_of
from deadheat.results import Board, Category, Score

MOST_LANES = 16
"""Tie lines side by side that an eye can still follow; a board that needs more goes without."""


@dataclass(frozen=True)
class Cell:
    """The words of a cell and what it sorts by; nothing for what is not known."""

    key: str
    text: str
    sort: Sort


@dataclass(frozen=True)
class Row:
    """One line of the board.

    `index` is its place among the pairs, `cells` holds a cell for every column of the board; `ties` are the
    lanes of tie lines with the part of the line that this row has.
    """

    index: int | None
    name: str
    kind: str
    tied: bool
    odd: bool
    cells: tuple[Cell, ...]
    mark: Mark
    ties: tuple[tuple[int, str], ...]
    tip: str
    doubt: bool


@dataclass(frozen=True)
class View:
    """A board or a category of it, ready for its template."""

    id: str
    title: str | None
    summary: str
    anchor: str | None
    status: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    ticks: tuple[tuple[float, str], ...]
    line: float | None
    lanes: int
    crowd: int
    interval: str
    choosable: bool


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
    return View(
        id=id,
        title=clean(title) if title else None,
        summary=clean(part.summary),
        anchor=None if first is None else maker.named.get(first, clean(first)),
        status=maker.status(),
        columns=tuple(field.column for field in maker.fields),
        rows=tuple(maker.row(at, score) for at, score in enumerate(part.entries)),
        ticks=tuple(
            (place(drawn.axis, tick), word) for tick, word in zip(drawn.axis.ticks, drawn.ticks, strict=True)
        )
        if drawn
        else (),
        line=place(drawn.axis, drawn.mark) if drawn and drawn.mark is not None else None,
        lanes=maker.lanes,
        crowd=maker.crowd,
        interval=maker.interval,
        choosable=part.pairs is not None,
    )


def grid_style(view: View) -> str:
    """Write the style rule that draws ticks and the anchor's line behind every picture of a view."""
    return f"#{view.id}{{{background([x for x, _ in view.ticks], view.line)}}}"


class _Maker:
    """What all rows of one board share."""

    def __init__(self, board: Board, part: Board | Category) -> None:
        entries = part.entries
        self.methods, self.part = board.methods, part
        self.fields = columns.of_board(board, part)
        self.scale: Scale = columns.scale(entries)
        self.named = labels(entries)
        self.first = columns.anchor(entries)
        self.drawn: Picture | None = picture_of(part)
        self.index = {entry: at for at, entry in enumerate(part.pairs.entries)} if part.pairs else {}
        level = board.methods.level
        self.interval = f"{numbers.level(level)} interval" if level else "interval"
        lanes = max((line.lane for line in self.drawn.ties), default=-1) + 1 if self.drawn else 0
        self.lanes, self.crowd = (lanes, 0) if lanes <= MOST_LANES else (0, lanes)
        self.doubtful = {score.entry for score in rows_board.contradicted(entries)}

    def status(self) -> str:
        """Say how many entries are not separated from the anchor."""
        verdicts = [score.vs_anchor.verdict for score in self.part.entries if score.vs_anchor]
        known, tied = len(verdicts) - verdicts.count(None), verdicts.count("not separated")
        alpha = f" at α = {self.methods.alpha:g}" if self.methods.alpha is not None else ""
        if known == 1:
            return f"the other entry is {'not ' if tied else ''}separated from it{alpha}."
        are = "is" if tied == 1 else "are"
        return f"{tied} of {known:,} others {are} not separated from it{alpha}."

    def row(self, at: int, score: Score) -> Row:
        """Write one line."""
        pair, drawn = score.vs_anchor, self.drawn
        is_anchor = score.entry == self.first
        return Row(
            index=self.index.get(score.entry),
            name=self.named[score.entry],
            kind="withheld" if score.value is None else "anchor" if is_anchor else "",
            tied=is_anchor or (pair is not None and pair.verdict == "not separated"),
            odd=score.group is not None and score.group % 2 == 1,
            cells=tuple(
                Cell(field.column.key, field.word(score), field.sort(score) if field.sort else None)
                for field in self.fields
            ),
            mark=mark(drawn.axis, drawn.points[at], drawn.ends[at]) if drawn else Mark(),
            ties=_ties(drawn, at, gap=score.value is None) if drawn and self.lanes else (),
            tip=self.tip(score),
            doubt=score.entry in self.doubtful,
        )

    def tip(self, score: Score) -> str:
        """Say in a few lines what is known of an entry, its doubts last."""
        scale, unit = self.scale, f" {self.scale.unit}" if self.scale.unit else ""
        lines = [clean(score.entry)] if clean(score.entry) != self.named[score.entry] else []
        if score.value is None and score.published is not None:
            lines.append(f"Published: {scale.value(score.published)}{unit}.")
        if score.value is not None:
            over = f" over {words.plural(score.items, 'item')}" if score.items else ""
            lines.append(f"{scale.value(score.value)}{unit}{over}.")
        if score.interval:
            method = words.method(score.interval.method)
            lines.append(f"{self.interval} {scale.interval(score.interval)} ({method}).")
        if score.failed or score.absent:
            lines.append(f"{score.failed:,} attempts failed, {score.absent:,} absent.")
        if score.entry in self.doubtful and score.published is not None:
            lines.append(f"Published as {scale.value(score.published)}{unit}, which these items contradict.")
        lines += [clean(note.text) for note in score.notes]
        return "\n".join(lines)


def _ties(drawn: Picture, at: int, *, gap: bool) -> tuple[tuple[int, str], ...]:
    """The lanes whose lines pass this row, and whether they start, pass, end or are dotted here."""
    return tuple(
        (line.lane, "gap" if gap else "start" if at == line.first else "end" if at == line.last else "on")
        for line in drawn.ties
        if line.first <= at <= line.last
    )
