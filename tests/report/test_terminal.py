"""The terminal table: readable at any width, inert to hostile names, plain without colour or Unicode."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from rich.cells import cell_len
from rich.console import Console

from deadheat.report import Style, render, terminal
from deadheat.report.grid import Column, Grid
from deadheat.results import Board, Document
from report import boards, golden

BOARDS = {
    "small": boards.small,
    "one": boards.one,
    "hostile": boards.hostile,
    "categories": boards.categories,
    "large": boards.large,
}


@pytest.mark.parametrize("width", [80, 100, 160])
def test_the_board_as_a_person_sees_it(width: int) -> None:
    golden.check(f"board-{width}.txt", render(boards.small(), "table", width=width))


def test_the_board_in_ascii() -> None:
    text = render(boards.small(), "table", width=80, unicode=False)
    assert text.isascii()
    golden.check("board-ascii.txt", text)


def test_comparisons() -> None:
    golden.check("comparison.txt", render(boards.comparisons(1), "table", width=80))
    golden.check("comparisons.txt", render(boards.comparisons(4), "table", width=120))


@pytest.mark.parametrize("document", boards.others(), ids=lambda document: type(document).__name__)
def test_other_documents(document: Document) -> None:
    golden.check(f"{type(document).__name__.lower()}.txt", render(document, "table", width=80))


@pytest.mark.parametrize("width", [40, 60, 80, 97, 120, 200])
@pytest.mark.parametrize("name", BOARDS)
def test_no_line_is_wider_than_the_terminal(name: str, width: int) -> None:
    for line in render(BOARDS[name](), "table", width=width).splitlines():
        assert cell_len(line) <= width, line


@pytest.mark.parametrize("name", BOARDS)
def test_every_entry_has_one_line(name: str) -> None:
    board = BOARDS[name]()
    lines = render(board, "table", width=110).split("\n\n")[1].splitlines()
    assert len(lines) == 1 + len(board.entries)


def test_hostile_names_are_shown_not_obeyed() -> None:
    text = render(boards.hostile(), "table", width=170)
    assert not {"\x1b", "\x07", "\u202e", "\u2066"} & set(text)
    assert "[bold red]x[/]" in text
    assert "<script>alert(1)</script>" in text


def test_colour_is_asked_for() -> None:
    assert "\x1b" not in render(boards.small(), "table", width=100)
    coloured = render(boards.small(), "table", width=100, colour=True)
    assert "\x1b[" in coloured


def test_withheld_numbers_are_dashes_with_their_reason() -> None:
    text = render(boards.small(), "table", width=160)
    row = next(line for line in text.splitlines() if "Orion 4.5 Heavy" in line)
    assert row.count("—") >= 6
    assert "(79.2)" in row
    assert "• Orion 4.5 Heavy, Grove Pro 3: no per-item results" in text
    assert "nan" not in text.lower()


def test_counts_of_failed_absent_and_excluded_are_shown_even_when_zero() -> None:
    assert "3 failed · 0 absent · 2 excluded" in render(boards.small(), "table")


def test_a_published_rate_that_the_items_contradict_is_told() -> None:
    import msgspec

    board = boards.small()
    wrong = msgspec.structs.replace(board.entries[1], published=0.528)
    close = msgspec.structs.replace(board.entries[2], published=0.7645)
    told = msgspec.structs.replace(board, entries=(board.entries[0], wrong, close, *board.entries[3:]))
    text = render(told, "table")
    assert "Tessera 4.1: published 52.8, its items give 76.8" in text
    assert "published 76.5" not in text


def test_a_board_that_cannot_draw_bars() -> None:
    import msgspec

    board: Board = boards.small()
    bare = tuple(msgspec.structs.replace(score, interval=None, vs_anchor=None) for score in board.entries)
    text = render(msgspec.structs.replace(board, entries=bare), "table", width=90)
    assert "●" not in text
    assert "76.8" in text


def test_style_of_a_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        encoding = "UTF-8"

        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "77")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert Style.of(Terminal()) == Style(width=77, colour=True, unicode=True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not Style.of(Terminal()).colour
    assert Style.of(io.TextIOWrapper(io.BytesIO(), encoding="latin-1")) == Style(77, False, False)


@pytest.mark.parametrize("width", [20, 27, 40, 53, 80, 120])
def test_no_word_of_a_table_of_facts_is_cut(width: int) -> None:
    """A gate's verdict and its rule are read at any width."""
    words = ("Result", "False alarms", "Catches a loss of 13.2 points")
    values = ("passed", "75.5 %", "fails a candidate that is shown to be worse by more than the margin")
    grid = Grid(
        (Column("fact", "Fact", right=False), Column("value", "Value")),
        tuple(zip(words, values, strict=True)),
        "Gate",
    )
    written = io.StringIO()
    Console(width=width, file=written, force_terminal=False).print(
        terminal.table(grid, None, Style(width=width))
    )
    shown = written.getvalue()
    assert all(len(line.rstrip()) <= width for line in shown.splitlines())
    letters = Counter(shown.replace(" ", ""))
    for word in (*words, *values, "Fact", "Value"):
        letters.subtract(word.replace(" ", ""))
    assert all(count == 0 for letter, count in letters.items() if letter != "\n")
