"""Results show themselves in notebooks and rich consoles, from the public face on."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import narwhals as nw
import numpy as np
import pyarrow as pa
import pytest
from rich.console import Console

import deadheat as dh
from deadheat.report import frames, notebook, render
from deadheat.results import Document
from report import boards

ROOT = Path(__file__).resolve().parents[2]
RNG = np.random.default_rng(4)
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


@pytest.mark.parametrize("library", frames.LIBRARIES)
@pytest.mark.parametrize("document", ALL, ids=lambda document: type(document).__name__)
def test_a_frame_holds_the_rows_of_the_csv(document: Document, library: str) -> None:
    frame = nw.from_native(document.to_frame(library), eager_only=True)
    rows = list(csv.DictReader(io.StringIO(render(document, "csv"))))
    assert frame.columns == list(rows[0])
    for have, row in zip(frame.rows(named=True), rows, strict=True):
        for key, text in row.items():
            value = have[key]
            if text == "":
                assert value is None or value != value or value == ""
            elif isinstance(value, (bool, str)):
                assert str(value).lower() == text.lower().removeprefix("'")
            else:
                assert float(value) == float(text)


def test_pairs_are_those_of_the_board() -> None:
    table = dh.Table.from_counts(
        ["a", "b", "c", "d"], [f"i{i:02}" for i in range(40)], RNG.random((4, 40)) < 0.6, 1
    )
    board = dh.rank(table, every_pair=True, adjust="holm")
    order = [score.entry for score in board.entries]
    rows = board.pairs_frame("polars").rows(named=True)
    assert len(rows) == 6
    for row in rows:
        assert order.index(row["a"]) < order.index(row["b"])
        pair = dh.compare(table, row["a"], row["b"]).comparisons[0]
        assert row["difference"] == pytest.approx(pair.difference, abs=1e-15)
        assert (row["low"], row["high"]) == pytest.approx((pair.interval.low, pair.interval.high))
        assert (row["p"], row["a_only"], row["b_only"]) == (pair.p, pair.a_only, pair.b_only)
        assert row["p_adjusted"] >= row["p"]
    with pytest.raises(dh.DataError, match="every_pair=True"):
        dh.rank(table).pairs_frame()


def test_a_dict_is_the_json() -> None:
    board = boards.small()
    assert json.loads(json.dumps(board.to_dict())) == json.loads(render(board, "json"))


def test_which_library() -> None:
    assert isinstance(boards.small().to_frame("pyarrow"), pa.Table)
    with pytest.raises(dh.MethodError, match="known are pandas, polars, pyarrow"):
        boards.small().to_frame("excel")
    code = (
        "import sys; sys.modules['pandas'] = sys.modules['pyarrow'] = None\n"
        "import deadheat as dh, polars; board = dh.rank('src/deadheat/demo/board.csv')\n"
        "assert isinstance(board.to_frame(), polars.DataFrame)\n"
        "try: board.to_frame('pandas')\nexcept dh.MissingExtra as e: assert 'pip install pandas' in str(e)\n"
        "else: raise SystemExit('no refusal')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def test_a_prompt_shows_one_line() -> None:
    board = boards.small()
    assert repr(board) == f"<Board: {board.summary}>"
    table = dh.Table.from_frame({"entry": ["a", "b"], "item": ["i", "i"], "score": [1.0, 0.0]})
    assert repr(table) == "<Table: 2 entries, 1 items, 2 attempts; builtins frame>"
    pair = dh.compare(table, "a", "b").comparisons[0]
    assert repr(pair) == "<Comparison: a v b, +1 on 1 items, p = 1, not separated>"
