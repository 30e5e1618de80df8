"""The page in a browser: sorting, another anchor, pairs, tabs, keyboard, themes, no scripts, axe."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest

from deadheat.ranking.verb import rank
from deadheat.report import numbers, render
from deadheat.report.names import labels
from deadheat.report.numbers import Scale
from deadheat.results import Document
from deadheat.results.claims import NotSeparatedFrom, PossibleBest
from report import boards, golden, real_boards
from report.real_boards import KINDS
from support import table_of

PERCENT = Scale(True, 1)
SMALL = boards.with_pairs(boards.small())
DOCUMENTS: dict[str, Document] = {
    "board": SMALL,
    "categories": boards.categories(),
    "hostile": boards.with_pairs(boards.hostile()),
    "one": boards.one(),
    "pair": boards.comparisons(1),
    "pairs": boards.comparisons(4),
    **{type(document).__name__.lower(): document for document in boards.others()},
}
Open = Callable[..., Any]


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Open a document as a page; whatever it complains about or asks for fails the test."""
    contexts = []
    complaints: list[str] = []

    def open_(document: Document, *, width: int = 1280, **options: Any) -> Any:
        path = tmp_path / "page.html"
        path.write_text(render(document, "html"), encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda message: complaints.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (complaints.append("dialog"), dialog.dismiss()))
        page.on(
            "request",
            lambda request: request.url.startswith(("file:", "blob:")) or complaints.append(request.url),
        )
        page.goto(path.as_uri())
        if options.get("java_script_enabled", True):
            page.wait_for_selector("html[data-ready]")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


CELLS = """(table, key) => {
  const at = [...table.tHead.rows[0].cells].findIndex((head) => head.classList.contains(`c-${key}`));
  const shown = [...table.tBodies[0].rows].filter((row) => !row.hidden && !row.classList.contains("cut"));
  const whole = (row) => row.querySelector(".name").dataset.tip.split("\\n")[0];
  return shown.map((row) => (key === "entry" ? whole(row) : row.cells[at].textContent.trim()));
}"""


def column(page: Any, key: str) -> list[str]:
    """The words of a column, row by row; of entries their whole names."""
    found: list[str] = page.locator("section.board:visible table.rows").evaluate(CELLS, key)
    return found


def lines(page: Any) -> Any:
    return page.locator("table.rows tbody tr:not(.cut)")


def test_every_document_opens_without_a_word_or_a_request(opened: Open) -> None:
    for document in DOCUMENTS.values():
        page = opened(document)
        assert page.locator("h1").inner_text() == document.summary.partition(". ")[0]


@pytest.mark.parametrize(
    "scores",
    [{"solo": [1, 0, 1]}, {"a": [1], "b": [0]}, {"a": [1, 1], "b": [1, 1], "c": [1, 1]}],
    ids=["one entry", "one item", "all right"],
)
def test_boards_with_little_to_say_open_too(opened: Open, scores: dict[str, list[int | None]]) -> None:
    page = opened(rank(table_of(scores), every_pair=True))
    assert len(column(page, "entry")) == len(scores)
    assert page.locator("select.anchor").count() == (len(scores) > 1)


def test_the_page_forbids_whatever_is_not_its_own() -> None:
    text = unescape(render(SMALL, "html"))
    assert "default-src 'none'; script-src 'sha256-" in text
    assert "unsafe" not in text.split("</head>")[0].split("<style>")[0]
    assert " style=" not in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text


def against_one() -> Document:
    """Three candidates against one baseline."""
    found = boards.comparisons(3)
    same = tuple(msgspec.structs.replace(pair, a=pair.b, b="candidate") for pair in found.comparisons)
    return msgspec.structs.replace(found, comparisons=same)


REVIEWED: dict[str, Callable[[], Document]] = {
    "board": lambda: SMALL,
    "one": boards.one,
    "categories": boards.categories,
    "pair": lambda: boards.comparisons(1),
    "against": against_one,
    **{
        type(document).__name__.lower(): lambda document=document: document  # type: ignore[misc]
        for document in boards.others()
    },
}


@pytest.mark.parametrize("name", REVIEWED)
def test_pages_are_reviewed(name: str) -> None:
    """The words and marks of every kind of page, without styles, scripts and packed numbers."""
    text = render(REVIEWED[name](), "html", title="A benchmark")
    golden.check(f"page-{name}.html", golden.bones(text))


def test_sorting_puts_the_unknown_last_both_ways(opened: Open) -> None:
    page = opened(SMALL)
    names = column(page, "entry")
    for key in ("se", "value", "rank", "p", "group", "difference"):
        ways = set()
        for _ in range(2):
            page.locator(f"th button[data-key={key}]").click()
            ways.add(page.locator(f"th.c-{key}").get_attribute("aria-sort"))
            texts = column(page, key)
            unknown = [at for at, text in enumerate(texts) if text[0] in "—("]
            assert unknown == list(range(len(texts) - len(unknown), len(texts))), (key, texts)
            assert len(unknown) >= 2
        assert ways == {"ascending", "descending"}
        assert page.locator("th[aria-sort]").count() == 1
    page.locator("th button[data-key=entry]").click()
    assert column(page, "entry") == sorted(names, key=str.casefold)


def test_tie_lines_are_shown_only_in_the_order_of_the_board(opened: Open) -> None:
    page = opened(SMALL)
    line = page.locator("svg.lines").first
    assert line.evaluate("e => getComputedStyle(e).visibility") == "visible"
    page.locator("th button[data-key=entry]").click()
    assert line.evaluate("e => getComputedStyle(e).visibility") == "hidden"


def test_tie_lines_are_dotted_through_withheld_rows(opened: Open) -> None:
    page = opened(SMALL)
    row = page.locator("tbody tr", has_text="Grove Pro 3")
    assert row.locator("line.gap").count() >= 1
    assert row.locator("line.gap").first.evaluate("e => getComputedStyle(e).strokeDasharray") != "none"


def test_any_entry_can_be_the_anchor(opened: Open) -> None:
    page = opened(SMALL)
    assert page.locator("button[data-view=difference]").get_attribute("aria-pressed") == "true"
    named = labels(SMALL.entries)
    assert SMALL.pairs is not None
    entries = SMALL.pairs.entries
    anchor = 4
    before = page.locator("table.rows").bounding_box()
    page.locator("button.name").nth(anchor).click()
    assert page.locator("table.rows").bounding_box() == before, "another anchor moves nothing"
    assert page.locator("select.anchor").input_value() == str(anchor)
    shown = {key: column(page, key) for key in ("difference", "difference_interval", "p", "verdict")}
    rows = [named[score.entry] for score in SMALL.entries]
    tied = 0
    for i, entry in enumerate(entries):
        at = rows.index(named[entry])
        if i == anchor:
            assert shown["difference"][at] == "anchor"
            continue
        high, low = max(i, anchor), min(i, anchor)
        k = high * (high - 1) // 2 + low
        sign = 1 if i > anchor else -1
        gap = SMALL.pairs.difference[k]
        p = SMALL.pairs.p[k]
        assert gap is not None
        assert p is not None
        assert shown["difference"][at] == PERCENT.difference(sign * gap), entry
        ends = [sign * (end or 0.0) for end in (SMALL.pairs.low[k], SMALL.pairs.high[k])][::sign]
        assert shown["difference_interval"][at] == " to ".join(PERCENT.difference(end) for end in ends)
        assert shown["p"][at] == numbers.p_value(p, SMALL.pairs.log10_p[k], 0.05)
        size = PERCENT.size(abs(gap))
        side = "ahead" if sign * gap > 0 else "behind"
        assert shown["verdict"][at] == ("not separated" if p >= 0.05 else f"{size} {side}")
        tied += p >= 0.05
    assert f"{tied} not separated from it" in page.locator(".status").inner_text()
    page.locator("select.anchor").select_option("0")
    assert column(page, "difference")[rows.index(named[entries[0]])] == "anchor"


def test_toggling_views_gives_the_first_one_back(opened: Open) -> None:
    page = opened(SMALL)

    def drawn() -> list[str]:
        found: list[str] = page.eval_on_selector_all("svg.bar, svg.axis", "all => all.map(e => e.innerHTML)")
        return found

    before = drawn()
    page.locator("button[data-view=own]").click()
    own = drawn()
    assert own != before
    assert page.locator(".what").inner_text() == "score"
    page.locator("button[data-view=difference]").click()
    again = drawn()
    page.locator("button[data-view=own]").click()
    assert drawn() == own
    page.locator("button.name").nth(3).click()
    page.locator("button[data-view=difference]").click()
    page.locator("button.name").nth(0).click()
    assert drawn() == again
    assert page.locator(".what").inner_text().startswith("difference on the same items")


PLACES = """all => all.map((svg) => [...svg.querySelectorAll("line,circle,text,rect")].map((mark) =>
  [mark.tagName, ...["x", "x1", "x2", "cx", "width"].map((key) => {
    const value = mark.getAttribute(key);
    return value === null ? null : Math.round(parseFloat(value) * 10) / 10; }), mark.textContent]))"""


@pytest.mark.parametrize("kind", ["small", "large"])
def test_scripts_draw_what_the_page_came_with(opened: Open, kind: str) -> None:
    board = SMALL if kind == "small" else boards.with_pairs(boards.large(60, 300))
    came = opened(board, java_script_enabled=False).eval_on_selector_all("svg.bar, svg.axis", PLACES)
    page = opened(board)
    page.locator("button[data-view=own]").click()
    page.locator("button[data-view=difference]").click()
    drawn = page.eval_on_selector_all("svg.bar, svg.axis", PLACES)
    assert len(drawn) == len(came)
    for one, other in zip(came, drawn, strict=True):
        assert [mark[0] for mark in one if mark[0] != "line" or mark[2] != mark[3]] == [
            mark[0] for mark in other
        ]
        for a, b in zip((m for m in one if m[0] != "line" or m[2] != m[3]), other, strict=True):
            assert a == pytest.approx(b, abs=0.6), (a, b)


def test_pairs_matrix_and_dialog(opened: Open) -> None:
    page = opened(SMALL)
    page.locator("button[data-view=pairs]").click()
    assert page.locator("table.rows").is_hidden()
    assert SMALL.pairs is not None
    cell = page.locator(".matrix tbody tr").nth(3).locator("td").nth(1)
    k = 3 * 2 // 2 + 1
    gap = SMALL.pairs.difference[k]
    assert gap is not None
    assert cell.inner_text() == PERCENT.difference(gap)
    page.locator(".matrix .chip", has_text="p-value").click()
    cell = page.locator(".matrix tbody tr").nth(3).locator("td").nth(1)
    assert cell.inner_text() == numbers.p_value(SMALL.pairs.p[k], SMALL.pairs.log10_p[k], 0.05)
    cell.locator("button").click()
    dialog = page.locator("dialog")
    assert dialog.is_visible()
    counts = [int(text) for text in dialog.locator("tbody td").all_inner_texts()]
    assert SMALL.pairs.row_only is not None
    assert SMALL.pairs.column_only is not None
    assert counts[1:3] == [SMALL.pairs.row_only[k], SMALL.pairs.column_only[k]]
    assert sum(counts) == SMALL.pairs.items[k]
    assert dialog.locator("details").first.locator("li").count() == counts[1]
    assert "not separated" in dialog.locator("p").first.inner_text()
    page.keyboard.press("Escape")
    assert dialog.is_hidden()


def test_the_matrix_is_walked_by_arrow_keys(opened: Open) -> None:
    page = opened(SMALL)
    page.locator("button[data-view=pairs]").click()
    page.locator(".matrix td button[tabindex='0']").focus()
    assert page.evaluate("[document.activeElement.dataset.i, document.activeElement.dataset.j]") == ["0", "1"]
    for key in ("ArrowDown", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.evaluate("[document.activeElement.dataset.i, document.activeElement.dataset.j]") == ["3", "0"]
    assert page.locator(".matrix td button[tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    assert page.locator("dialog").is_visible()


def test_everything_is_reached_by_keyboard(opened: Open) -> None:
    page = opened(SMALL)
    page.locator("button.name").nth(1).focus()
    assert page.locator("#tip").is_visible()
    assert "over 500 items" in page.locator("#tip").inner_text()
    page.keyboard.press("Escape")
    assert page.locator("#tip").is_hidden()
    page.keyboard.press("Enter")
    assert "Gale 5" in page.locator("tr.anchor .name").inner_text()
    page.locator("th button[data-key=se]").focus()
    page.keyboard.press("Space")
    assert page.locator("th.c-se").get_attribute("aria-sort") == "descending"
    page.locator("span.name").first.focus()
    assert "no per-item results" in page.locator("#tip").inner_text()


def test_search(opened: Open) -> None:
    page = opened(SMALL)
    page.locator(".search").fill("tessera")
    assert all("Tessera" in name for name in column(page, "entry"))
    page.locator(".search").fill("")
    assert len(column(page, "entry")) == len(SMALL.entries)


def test_category_tabs(opened: Open) -> None:
    page = opened(boards.categories())
    assert page.locator("[role=tab]").all_inner_texts() == ["All items", "simple", "parallel"]
    assert page.locator("section.board:visible").count() == 1
    page.locator("[role=tab]").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("[role=tab][aria-selected=true]").inner_text() == "simple"
    assert page.locator("section.board:visible h2").inner_text() == "simple"


def test_themes(opened: Open) -> None:
    page = opened(SMALL, color_scheme="dark")
    background = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    assert dark != "rgb(255, 255, 255)"
    page.locator("#theme").click()
    assert page.evaluate(background) == "rgb(255, 255, 255)"
    page.locator("#theme").click()
    assert page.evaluate(background) == dark


def test_without_scripts_every_number_is_there(opened: Open) -> None:
    page = opened(SMALL, java_script_enabled=False)
    assert page.locator(".js:visible").count() == 0
    for score in SMALL.entries:
        text = lines(page).nth(SMALL.entries.index(score)).text_content()
        assert numbers.ranks(score.rank) in text
        if score.vs_anchor and score.value is not None:
            assert PERCENT.difference_interval(score.vs_anchor.interval) in text
    page = opened(boards.categories(), java_script_enabled=False)
    assert page.locator("section.board:visible").count() == 3


def test_numbers_equal_the_json_and_the_csv(opened: Open) -> None:
    page = opened(SMALL, accept_downloads=True)
    texts = {}
    for kind in ("json", "csv"):
        with page.expect_download() as waiting:
            page.locator(f"[data-download={kind}]").click()
        texts[kind] = Path(waiting.value.path()).read_text(encoding="utf-8")
    bare = boards.small()
    assert texts == {"json": render(bare, "json"), "csv": render(bare, "csv")}
    found = json.loads(texts["json"])["entries"]
    rows = list(csv.DictReader(io.StringIO(texts["csv"])))
    values, errors = column(page, "value"), column(page, "se")
    order = lines(page).evaluate_all("rows => rows.map((row) => row.cells[1].dataset.v ?? null)")
    for entry, row, value, se in zip(found, rows, values, errors, strict=True):
        known = entry["published"] if entry["value"] is None else entry["value"]
        assert value.strip("()") == PERCENT.value(known)
        assert row["value"] == ("" if entry["value"] is None else repr(entry["value"]))
        assert se == PERCENT.size(entry["se"])
    ranks = sorted({entry["value"] for entry in found if entry["value"] is not None})
    wanted = [None if entry["value"] is None else str(ranks.index(entry["value"])) for entry in found]
    assert order == wanted


@pytest.mark.parametrize("name", ["board", "hostile", "one", "pair", "pairs", "audit", "coverage"])
def test_nothing_sticks_out(opened: Open, name: str) -> None:
    page = opened(DOCUMENTS[name])
    for width in (360, 768, 1000, 1280, 2560):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("kind", KINDS)
def test_columns_give_way_where_they_have_no_room(opened: Open, kind: str) -> None:
    page = opened(real_boards.board(kind))
    shown = set()
    for width in (390, 650, 700, 800, 960, 1100, 1240, 1280, 1400, 1600, 2000):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        shown.add(page.locator("section.board:visible thead th:visible").count())
    assert len(shown) > 3, "a wider page shows more"


def test_hostile_names_stay_texts(opened: Open) -> None:
    page = opened(DOCUMENTS["hostile"])
    assert page.locator(".name", has_text="<script>alert(1)</script>").count() == 1
    assert page.locator("script").count() == 2


def test_on_narrow_screens_the_bar_stands_under_the_name(opened: Open) -> None:
    page = opened(SMALL, width=360)
    row = lines(page).nth(1)
    name, bar = row.locator(".name").bounding_box(), row.locator("svg.bar").bounding_box()
    assert bar["y"] >= name["y"] + name["height"] - 1
    assert bar["width"] > 300


def test_print_shows_every_row_and_no_controls(opened: Open) -> None:
    page = opened(SMALL)
    page.emulate_media(media="print")
    assert page.locator(".controls").is_hidden()
    assert page.locator("table.rows tbody tr:not(.cut):visible").count() == len(SMALL.entries)


def test_axe_finds_nothing(opened: Open, axe: str) -> None:
    def check(page: Any, what: str) -> None:
        page.evaluate("typeof axe === 'undefined'") and page.evaluate(axe)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
            assert not found, [(what, scheme, each["id"], each["nodes"][0]["html"]) for each in found]

    for name in ("categories", "hostile", "pair", "pairs", "plan", "coverage", "study", "audit"):
        check(opened(DOCUMENTS[name]), name)
    page = opened(SMALL)
    check(page, "board")
    page.locator("button.name").nth(2).click()
    check(page, "difference")
    page.locator("button.d").nth(2).click()
    check(page, "dialog")
    page.keyboard.press("Escape")
    page.locator("button[data-view=pairs]").click()
    check(page, "matrix")
    page.locator("button[data-view=own]").click()
    page.set_viewport_size({"width": 360, "height": 900})
    check(page, "narrow")


def test_two_hundred_entries_stay_small_and_quick(opened: Open) -> None:
    board = boards.with_pairs(boards.large(200, 300))
    assert len(render(board, "html").encode()) < 1_000_000
    page = opened(board)
    assert page.locator("tbody tr:visible").count() < 80
    page.locator(".unfold").click()
    page.locator("button.name").nth(100).click()
    assert page.locator("tr.anchor .name").count() == 1


def test_who_may_be_the_best_is_marked_apart_from_the_leaders_group(opened: Open) -> None:
    """Two statements, two rules: each pair by itself, and all comparisons together."""
    scores = {f"e{k}": [1] * (160 - 9 * k) + [0] * (40 + 9 * k) for k in range(6)}
    for k, name in enumerate(scores):  # discordant both ways, or every pair would be separated
        scores[name] = scores[name][11 * k :] + scores[name][: 11 * k]
    board = rank(table_of(scores), every_pair=True)
    best = next(claim.entries for claim in board.claims if isinstance(claim, PossibleBest))
    near = next(claim.others for claim in board.claims if isinstance(claim, NotSeparatedFrom))
    assert 1 + len(near) < len(best) < len(scores), "the two statements differ"
    page = opened(board)
    marked = lines(page).filter(has=page.locator("i.best[aria-label='may be the best']"))
    assert marked.locator(".name").all_inner_texts() == list(best)
    order = page.locator("table.rows tbody tr").evaluate_all(
        "rows => rows.map((row) => row.classList.contains('cut') ? row.className : row.cells[0].innerText)"
    )
    assert order.index("cut group") == 1 + len(near)
    assert order.index("cut best") == len(best) + 1
    assert f"one of the {len(best)} above, with 95 % confidence" in page.locator("tr.best").inner_text()
    assert page.locator("tr.group").inner_text().startswith("Each pair by itself: ")
    page.locator("button.name").nth(3).click()
    assert marked.locator(".name").all_inner_texts() == list(best), "another anchor moves no mark"


@pytest.mark.parametrize("kind", KINDS)
def test_five_entries_fit_the_first_screen_of_a_telephone(opened: Open, kind: str) -> None:
    page = opened(real_boards.board(kind), width=390)
    page.set_viewport_size({"width": 390, "height": 844})
    fifth = lines(page).nth(4).bounding_box()
    assert fifth["y"] + fifth["height"] <= 844
    star = page.locator("i.best").first.bounding_box()
    name = lines(page).first.locator(".name").bounding_box()
    assert name["y"] <= star["y"] + star["height"] / 2 <= name["y"] + name["height"], "it stands by the name"
    assert star["x"] + star["width"] <= name["x"]
