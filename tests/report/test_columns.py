"""One list of columns for every format: the page shows every number of the JSON, for every anchor."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args

import pytest

from deadheat.report import columns, render, rows_board
from deadheat.report.grid import Form
from deadheat.report.html import bare
from deadheat.results import Board
from report import real_boards

TEMPLATES = Path(columns.__file__).parent / "templates"
Cells = dict[str, str]
Line = dict[str, Any]


class Tables(HTMLParser):
    """The rows of every board on a page: column key -> text, by the headings; end tags may be left out."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: dict[str, list[Cells]] = {}
        self.heads: dict[str, list[str]] = {}
        self._board, self._inside = "", False
        self._row: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        classes = has.get("class", "").split()
        if tag == "section" and "board" in classes:
            self._board = has["id"]
            self.tables[self._board], self.heads[self._board] = [], []
        self._inside = tag in ("td", "th") or (self._inside and tag not in ("tr", "tbody", "small"))
        if tag in ("tr", "tbody"):
            self.close_row()
        if tag in ("td", "th") and self._board:
            key = [name[2:] for name in classes if name.startswith("c-")]
            self.heads[self._board] += key
            if not key:
                self._row.append("")

    def handle_data(self, data: str) -> None:
        if self._inside and self._row:
            self._row[-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            self.close_row()
            self._board = ""

    def close_row(self) -> None:
        if self._board and self._row and len(self._row) == len(self.heads[self._board]):
            texts = [text.strip() for text in self._row]
            self.tables[self._board].append(dict(zip(self.heads[self._board], texts, strict=True)))
        self._row = []


def tables(text: str) -> Tables:
    made = Tables()
    made.feed(text)
    return made


def units(value: float, percent: bool) -> float:
    return 100 * value if percent else value


def number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", "").lstrip("+"))


def near(text: str, value: float, percent: bool) -> bool:
    """Whether a text is a number to as many decimals as it has; < and > stand for what would round away."""
    if text[:1] in "<>":
        at = number(text[1:])
        shown = units(value, percent)
        return shown < at if text[0] == "<" else shown > at
    digits = len(text.partition(".")[2])
    return abs(number(text) - units(value, percent)) <= 0.5000001 * 10.0**-digits


def same_p(text: str, p: float | None, log10_p: float | None, alpha: float) -> bool:
    if p is None and log10_p is None:
        return text == "—"
    value = p if p is not None else 0.0
    if text.startswith("<") and "e" not in text:
        return value < float("0" + text[1:])
    if text.startswith("<1e-300"):
        return log10_p is not None and log10_p < -300
    if text.startswith(">"):
        return value > float("0" + text[1:])
    shown = float(text)
    digits = len(text.partition(".")[2])
    return abs(shown - value) <= 0.5000001 * 10.0**-digits and (shown < alpha) == (value < alpha)


def ends(text: str) -> list[str]:
    return re.split(r" to |(?<=\d)–", text)


def check(cells: Cells, line: Line, built: Line, percent: bool, first: str | None) -> None:
    """Hold a row of the page against its entry in the JSON, from the keys of the JSON alone."""
    check_own(cells, line, percent)
    check_pair(cells, line["vs_anchor"], percent, built["methods"]["alpha"], is_anchor=line["entry"] == first)


def check_own(cells: Cells, line: Line, percent: bool) -> None:
    """Hold what no anchor changes."""
    plain = {"items": "items", "samples": "samples", "failed": "failed", "absent": "absent", "group": "group"}
    for key, column in plain.items():
        if column in cells:
            assert cells[column] == ("—" if line[key] is None else f"{line[key]:,}"), (key, cells)
    assert near(cells["value"], line["value"], percent), (cells["value"], line["value"])
    assert (cells["se"] == "—") if line["se"] is None else near(cells["se"], line["se"], percent)
    if line["interval"] is None:
        assert cells["interval"] == "—"
    else:
        shown = ends(cells["interval"])
        assert all(
            near(text, line["interval"][end], percent)
            for text, end in zip(shown, ("low", "high"), strict=True)
        )
    low, high = line["rank"]
    assert cells["rank"] == (str(low) if low == high else f"{low}–{high}")
    if line["letters"] is not None:
        assert cells["letters"] == line["letters"]


def check_pair(
    cells: Mapping[str, str], pair: Line | None, percent: bool, alpha: float, *, is_anchor: bool
) -> None:
    if is_anchor:
        assert (cells["difference"], cells["verdict"], cells["p"]) == ("anchor", "anchor", "—")
        return
    assert pair is not None
    if pair["difference"] is None:
        assert cells["difference"] == "—"
        assert cells["verdict"] == "not compared"
        return
    assert near(cells["difference"], pair["difference"], percent), (cells, pair)
    if pair["interval"] is None:
        assert cells["difference_interval"] == "—"
    else:
        shown = ends(cells["difference_interval"])
        assert all(near(t, pair["interval"][e], percent) for t, e in zip(shown, ("low", "high"), strict=True))
    assert same_p(cells["p"], pair["p"], pair["log10_p"], alpha), (cells["p"], pair["p"])
    if pair["p_adjusted"] is not None:
        assert same_p(cells["p_adjusted"], pair["p_adjusted"], None, alpha), (cells, pair["p_adjusted"])
    if "shared" in cells:
        assert cells["shared"] == f"{pair['items']:,}"
    if pair["a_only"] is not None:
        assert cells["only"] == f"{pair['a_only']:,} / {pair['b_only']:,}"
    if pair["verdict"] == "not separated":
        assert cells["verdict"] == "not separated"
    elif pair["verdict"]:
        size, side = cells["verdict"].split()
        assert near(size, abs(pair["difference"]), percent)
        assert side == {"a": "ahead", "b": "behind"}[pair["verdict"]]


def parts(board: Board) -> Iterator[tuple[str, Line]]:
    """Every board of a document as JSON has it, under the id that it has on the page."""
    built = json.loads(render(bare(board), "json"))
    named = [name for name, part in rows_board.parts(board) if part is not None]
    others = {"Every item alike": "micro", "Every category alike": "macro", "Composite": "composite"}
    for at, name in enumerate(named):
        part = built if not name else built[others[name]] if name in others else built["categories"][name]
        yield f"b0-{at}" if at else "b0", part | {"methods": built["methods"]}


def hold(text: str, board: Board) -> None:
    """Hold every row of every board of a page against the JSON."""
    page = tables(text)
    assert list(page.tables) == [id for id, _ in parts(board)]
    for id, part in parts(board):
        percent = all(0 <= e["value"] <= 1 for e in part["entries"])
        first = next((e["vs_anchor"]["b"] for e in part["entries"] if e["vs_anchor"]), None)
        assert len(page.tables[id]) == len(part["entries"])
        for cells, line in zip(page.tables[id], part["entries"], strict=True):
            check(cells, line, part, percent, first)


@pytest.mark.parametrize("kind", real_boards.KINDS)
def test_the_page_shows_every_number_of_the_json(kind: str) -> None:
    board = real_boards.board(kind)
    text = render(board, "html")
    hold(text, board)
    wanted = {
        "adjusted": {"p_adjusted", "letters"},
        "max-t": {"p_adjusted"},
        "ragged": {"items", "absent", "shared"},
        "failed": {"failed"},
        "repeated": {"samples"},
        "plain": {"only"},
    }
    assert wanted.get(kind, set()) <= set(tables(text).heads["b0"])


@pytest.mark.parametrize("key", ["p", "p_adjusted", "difference", "se", "letters", "verdict"])
def test_a_page_with_other_numbers_fails(key: str) -> None:
    board = real_boards.board("adjusted")
    text = render(board, "html")
    other = {"letters": "z", "verdict": "not separated"}.get(key, "1")
    heads = tables(text).heads["b0"]
    at = heads.index(key)

    def put(found: re.Match[str]) -> str:
        cells = re.split(r"(?=<td|<th)", found.group())
        if len(cells) != len(heads) + 1 or 'scope="col"' in found.group():
            return found.group()
        cells[at + 1] = re.sub(r">(?!<span class=dash)[^<a]+", f">{other}", cells[at + 1], count=1)
        return "".join(cells)

    wrong = re.sub(r"<tr(?! class=.cut).*?(?=<tr|</tbody>)", put, text, flags=re.DOTALL)
    assert wrong != text
    with pytest.raises(AssertionError):
        hold(wrong, board)


@pytest.mark.parametrize("kind", real_boards.KINDS)
def test_the_page_has_the_columns_of_the_terminal(kind: str) -> None:
    board = real_boards.board(kind)
    for (_, part), (id, heads) in zip(
        [pair for pair in rows_board.parts(board) if pair[1] is not None],
        tables(render(board, "html")).heads.items(),
        strict=True,
    ):
        assert part is not None, id
        drawn = [key for key in heads if key not in ("bar", "lines")]
        assert sorted(drawn) == sorted(column.key for column in rows_board.grid(board, part).columns)


def test_scripts_write_every_form() -> None:
    script = (TEMPLATES / "words.js").read_text("utf-8")
    block = script[script.index("const FORMS") : script.index("};", script.index("const FORMS"))]
    known = set(re.findall(r"^  (\w+): ", block, re.MULTILINE))
    assert known == {form for form in get_args(Form) if form}


Open = Callable[..., Any]


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Open]:
    context = browser.new_context(viewport={"width": 1600, "height": 900})

    def open_(board: Board) -> Any:
        path = tmp_path / "page.html"
        path.write_text(render(board, "html"), encoding="utf-8")
        page = context.new_page()
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]")
        return page

    yield open_
    context.close()


READ = """([id, row]) => {
  const section = document.getElementById(id);
  section.querySelectorAll("tbody button.name")[row].click();
  const keys = [...section.querySelector("thead tr").cells].map((head) =>
    [...head.classList].find((name) => name.startsWith("c-")).slice(2));
  return [...section.querySelectorAll("tbody tr:not(.cut)")].map((tr) =>
    Object.fromEntries([...tr.cells].map((cell, k) => [keys[k], cell.textContent.trim()])));
}"""


@pytest.mark.parametrize("kind", real_boards.KINDS)
def test_every_anchor_of_the_page_equals_the_command(opened: Open, kind: str) -> None:
    board = real_boards.board(kind)
    page = opened(board)
    assert board.pairs is not None
    for row in range(len(board.pairs.entries)):
        anchor = board.pairs.entries[row]
        by_command = dict(parts(real_boards.board(kind, anchor)))
        for id, part in by_command.items():
            lines = {line["entry"]: line for line in part["entries"]}
            own = dict(parts(board))[id]["entries"]
            order = [line["entry"] for line in own]
            found = page.evaluate(READ, [id, order.index(anchor)])
            percent = all(0 <= line["value"] <= 1 for line in lines.values())
            alpha = part["methods"]["alpha"]
            for entry, line, cells in zip(order, own, found, strict=True):
                pair = lines[entry]["vs_anchor"]
                check_own(cells, line, percent)
                assert entry == anchor or (pair is not None and pair["b"] == anchor), (kind, anchor, entry)
                check_pair(cells, pair, percent, alpha, is_anchor=entry == anchor)
