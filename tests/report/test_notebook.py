"""Results show themselves in notebooks and rich consoles, from the public face on."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest
from rich.console import Console

from deadheat.report import notebook, render
from deadheat.results import Document
from report import boards

ALL: list[Document] = [boards.with_pairs(boards.small()), boards.comparisons(1), *boards.others()]


@pytest.fixture(autouse=True)
def attached() -> None:
    notebook.attach()


@pytest.mark.parametrize("document", ALL, ids=lambda document: type(document).__name__)
def test_a_document_shows_itself(document: Document) -> None:
    html = document._repr_html_()
    assert html.startswith('<div class="deadheat fragment">')
    assert "<script" not in html
    assert document.summary in html
    assert document._repr_markdown_() == render(document, "md")
    assert str(document) == render(document, "table").rstrip("\n")


def test_a_rich_console_gets_its_own_width() -> None:
    board = boards.small()
    for width in (80, 120):
        stream = io.StringIO()
        Console(file=stream, width=width).print(board)
        shown = [line.rstrip() for line in stream.getvalue().splitlines()]
        assert shown == render(board, "table", width=width).splitlines()


def test_fragments_of_two_boards_do_not_share_ids() -> None:
    one, other = notebook.html(boards.small()), notebook.html(boards.one())
    assert notebook.html(boards.small()) == one
    assert (
        one.split('<section class="board" id="')[1][:14] != other.split('<section class="board" id="')[1][:14]
    )


def test_hostile_names_are_inert_in_a_fragment() -> None:
    html = notebook.html(boards.hostile())
    assert "<script" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_the_public_face_attaches() -> None:
    code = (
        "from deadheat.results import Document; assert not hasattr(Document, 'plot');"
        "import deadheat as dh; dh.Board; assert Document._repr_html_ and Document.plot"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
