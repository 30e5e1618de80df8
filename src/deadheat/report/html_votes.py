"""A board of votes as a page shows it: in the table that boards have, with wins against the anchor drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from deadheat.report import numbers, rows_votes
from deadheat.report.figures import around, background, mark, place
from deadheat.report.grid import Column, Field, Sort
from deadheat.report.html_board import Cell, Row, View, page_order, places, rules
from deadheat.report.html_rules import Ruling, opened
from deadheat.report.names import clean, parted
from deadheat.report.numbers import Scale
from deadheat.report.rows_votes import WIN
from deadheat.results.votes import VoteBoard, VotePair, VoteScore

EVEN = 0.5
ORDER = ("entry", "win", "verdict", "interval", "elo", "p", "p_adjusted", "rank", "group")
ROOM = {"win": 0, "verdict": 0, "rank": 0, "p": 1, "p_adjusted": 1, "elo": 2, "interval": 3, "group": 5}
VERDICT = Column(
    "verdict", "Verdict", right=False, tip="Whether the test separates the entry from the anchor."
)
TOLD = {"a": "ahead", "b": "behind", "not separated": "not separated"}


def _of_pair(value: Callable[[VotePair], Sort]) -> Callable[[VoteScore], Sort]:
    return lambda line: None if line.vs_anchor is None else value(line.vs_anchor)


SORTS: Mapping[str, Callable[[VoteScore], Sort]] = {
    "rank": lambda s: s.rank[0] + s.rank[1] / 1e6 if s.rank else None,
    "entry": lambda s: clean(s.entry).casefold(),
    "win": lambda s: s.value,
    "elo": lambda s: s.value,
    "interval": _of_pair(lambda p: p.win_interval.low if p.win_interval else None),
    "votes": lambda s: s.contests.votes,
    "tied": lambda s: s.contests.tied,
    "group": lambda s: s.group,
    "letters": lambda s: s.letters,
    "p": _of_pair(lambda p: p.p if p.log10_p is None else p.log10_p),
    "p_adjusted": _of_pair(lambda p: p.p_adjusted),
    "verdict": _of_pair(lambda p: 0.0 if p.verdict == "not separated" else p.difference),
}


def view(document: VoteBoard, id: str) -> View | None:
    """Make the view of a board of votes; None where no entry was compared with another.

    Parameters
    ----------
    document : VoteBoard
    id : str
        Prefix of element ids on the page.
    """
    lines = (*document.entries, *document.apart)
    pairs = [line.vs_anchor for line in lines]
    gaps = [(p.win_interval.low - EVEN, p.win_interval.high - EVEN) for p in pairs if p and p.win_interval]
    first = next((pair.b for pair in pairs if pair), None)
    if not gaps or first is None:
        return None
    names = dict(zip([s.entry for s in lines], parted([clean(s.entry) for s in lines]), strict=True))
    ruling = Ruling(document, first, names, WIN, document.methods)
    drawn, fields = around(gaps), _fields(document)
    ticks = tuple((place(drawn, tick), Scale(True, 0).value(tick + EVEN)) for tick in drawn.ticks)
    shown, least = tuple(field.column for field in fields), opened(len(lines), ruling.least)
    level = document.methods.level
    rows = tuple(
        Row(
            name=names[line.entry],
            kind="withheld" if line.value is None else "anchor" if line.entry == first else "",
            tied=ruling.near(line),
            cells=tuple(Cell(field.column.key, field.word(line)) for field in fields),
            mark=mark(drawn, *_drawn(line, first)),
            ties=(),
            tip="\n".join([names[line.entry].full, *(clean(note.text) for note in line.notes)]),
            doubt=False,
            best=line.entry in ruling.starred,
            cuts=ruling.cuts(at),
        )
        for at, line in enumerate(lines)
    )
    return View(
        id=id,
        title=None,
        summary="",
        anchor=names[first].full,
        columns=shown,
        rows=rows,
        ticks=ticks,
        lanes=0,
        crowd=0,
        interval=f"{numbers.level(level)} interval" if level else "interval",
        unit="",
        choosable=False,
        visible=False,
        best=ruling.best,
        fold=f"{len(lines) - least:,} more" if least < len(lines) else "",
        open=least,
        css="\n".join(
            [f"#{id}{{{background([x for x, _ in ticks], place(drawn, 0.0))}}}", *rules(id, shown, rows)]
        ),
        what="wins % against the anchor",
    )


def _drawn(line: VoteScore, first: str) -> tuple[float | None, tuple[float, float] | None]:
    """How far a win probability is from even, and its interval."""
    if line.entry == first:
        return 0.0, (0.0, 0.0)
    pair = line.vs_anchor
    if pair is None or pair.win_probability is None:
        return None, None
    ends = pair.win_interval
    return pair.win_probability - EVEN, None if ends is None else (ends.low - EVEN, ends.high - EVEN)


def _fields(document: VoteBoard) -> list[Field[VoteScore]]:
    lines = (*document.entries, *document.apart)

    def verdict(line: VoteScore) -> str:
        if line.vs_anchor is None:
            return "not compared" if line.value is None else "anchor"
        return TOLD.get(line.vs_anchor.verdict or "", "not compared")

    fields = [field for field in rows_votes.scores(document, lines) if field.wanted]
    return page_order([*fields, Field(VERDICT, verdict)], ORDER, ROOM)


def sorts(document: VoteBoard) -> dict[str, list[int]]:
    """Give for every column of `view` the place of each row when sorted by it."""
    lines = (*document.entries, *document.apart)
    return {
        field.column.key: places([SORTS[field.column.key](line) for line in lines])
        for field in _fields(document)
    }
