"""The fragment for a site: its words, and in a browser its sort, in a page of somebody else."""

from __future__ import annotations

from typing import Any

import pytest

from deadheat.annotating.site_layout import SWEBENCH
from deadheat.annotating.site_reader import read_site
from deadheat.annotating.verb import annotate
from deadheat.cli import site_page
from deadheat.report import fragment
from deadheat.report.names import labels
from deadheat.results import Score
from deadheat.results.annotation import Annotation
from report import golden
from sites import document, entry, right, site_of

HOSTILE = '<img src=x onerror="alert(1)">\u202e&"\'</script>'
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A site</title>
<style>body {{ font-family: serif; margin: 2rem; {style} }}</style></head>
<body><main><h1>A site's own page</h1>{fragment}</main></body></html>"""
THEMES = {"light": "background: #fff; color: #222", "dark": "background: #151515; color: #ddd"}


@pytest.fixture
def made(tmp_path: Any) -> Annotation:
    """A board with everything on it: a tie, a boundary, dashes of three kinds, and names that mean harm."""
    entries = [
        entry("best", 100.0, right(40, 40)),
        entry("next", 95.0, right(38, 40)),
        entry("twin", 95.0, [0, 0, *right(38, 38)], name="The next"),
        entry("far", 50.25, right(20, 40)),
        entry("false", 60.0, right(4, 40)),
        entry("bare", 12.5, None, name=HOSTILE),
        entry("unrated", None, right(10, 40)),
    ]
    return annotate(site_of(tmp_path, document(*entries, board="Main & more")))


def test_words(made: Annotation) -> None:
    golden.check("fragment.html", fragment.fragment(made))


def test_note_alone_is_reviewed_too(made: Annotation, tmp_path: Any) -> None:
    hidden = annotate(site_of(tmp_path, document(entry("top", 99.0, None), entry("a", 50.0, right(5, 10)))))
    forced = annotate(
        site_of(tmp_path, document(entry("top", 99.0, None), entry("a", 50.0, right(5, 10)))), always=True
    )
    bare = annotate(site_of(tmp_path, document(entry("top", 99.0, None))))
    parts = {"shown": made, "not at the top": hidden, "always": forced, "without items": bare}
    text = ""
    for title, annotation in parts.items():
        (board,) = annotation.boards.values()
        text += f"# {title}\n\n" + "\n".join(board.statistics.note) + "\n\n"
    golden.check("note.txt", text)


def test_columns_only_where_the_anchor_is_at_the_top(tmp_path: Any) -> None:
    site = site_of(tmp_path, document(entry("top", 99.0, None), entry("a", 50.0, right(5, 10))))
    assert "± SE" not in fragment.fragment(annotate(site)).partition("</table>")[0]
    assert "± SE" in fragment.fragment(annotate(site, always=True)).partition("</table>")[0]


def test_names_are_inert(made: Annotation) -> None:
    text = fragment.fragment(made)
    assert "<img" not in text
    assert "\u202e" not in text
    assert text.count("</script>") == 1
    assert "The next [next]" in text
    assert "The next [twin]" in text


def open_page(
    browser: Any, tmp_path: Any, text: str, theme: str, scripts: bool = True
) -> tuple[Any, list[str]]:
    path = tmp_path / "site.html"
    path.write_text(PAGE.format(style=THEMES[theme], fragment=text), encoding="utf-8")
    context = browser.new_context(color_scheme=theme, java_script_enabled=scripts)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: request.url.startswith("file:") or complaints.append(request.url))
    page.goto(path.as_uri())
    return page, complaints


@pytest.mark.parametrize("theme", THEMES)
def test_dashes_come_last_either_way(browser: Any, tmp_path: Any, made: Annotation, theme: str) -> None:
    page, complaints = open_page(browser, tmp_path, fragment.fragment(made), theme)
    heads = page.locator("table.dh-board thead button")
    read = "column => [...document.querySelector('tbody').rows].map(row => row.cells[column].dataset.value)"
    for column in range(heads.count()):
        for _ in range(2):
            heads.nth(column).click()
            state = heads.nth(column).locator("xpath=..").get_attribute("aria-sort")
            values = page.evaluate(read, column)
            known = [value for value in values if value]
            assert values[len(known) :] == [""] * (len(values) - len(known)), "a dash above a number"
            if column != 1:
                assert known == sorted(known, key=float, reverse=state == "descending")
            assert len(page.locator("[aria-sort]").all()) == 1
    heads.nth(3).focus()
    page.keyboard.press("Enter")
    assert heads.nth(3).locator("xpath=..").get_attribute("aria-sort")
    assert complaints == []
    page.context.close()


@pytest.mark.parametrize("theme", THEMES)
def test_words_can_be_read_on_either_ground(
    browser: Any, tmp_path: Any, made: Annotation, theme: str
) -> None:
    page, _ = open_page(browser, tmp_path, fragment.fragment(made), theme)
    contrast = page.evaluate(
        """() => {
        const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
        const rgb = (layers) => {
          for (const layer of layers) { canvas.fillStyle = layer; canvas.fillRect(0, 0, 1, 1); }
          return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
        };
        const light = (c) => c.map((v) => v / 255)
          .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
          .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
        const ground = getComputedStyle(document.body).backgroundColor;
        return [...document.querySelectorAll(".dh td, .dh th, .dh p, .dh li, .dh-none")].map((node) => {
          const row = node.closest("tr");
          const band = row ? getComputedStyle(row).backgroundColor : "transparent";
          const back = light(rgb([ground, band]));
          const text = light(rgb([ground, band, getComputedStyle(node).color]));
          return (Math.max(back, text) + 0.05) / (Math.min(back, text) + 0.05);
        });
      }"""
    )
    assert min(contrast) >= 4.5
    page.context.close()


def test_without_scripts_every_number_is_there(browser: Any, tmp_path: Any, made: Annotation) -> None:
    page, _ = open_page(browser, tmp_path, fragment.fragment(made), "light", scripts=False)
    assert page.locator("table.dh-board tbody tr").count() == 7
    assert "implied" not in page.locator("tbody").inner_text()
    assert (
        "published 60.00 %, but its per-item results imply 10.00 % (4 of 40)"
        in page.locator(".dh-note").inner_text()
    )
    page.context.close()


def test_a_page_of_its_own_is_the_table_of_boards(browser: Any, tmp_path: Any, made: Annotation) -> None:
    """The groups of the annotation, every entry that has statistics as anchor, no sideways scroll."""
    (board,) = made.boards.values()
    site = read_site(tmp_path / "leaderboards.json", SWEBENCH)
    path = tmp_path / "page.html"
    path.write_text(site_page.page(site, made, (), None), encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]")
    assert page.locator("h1").inner_text().startswith("Main & more: ")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    named = labels(Score(entry=line.entry, name=line.name) for line in board.entries.values())
    entries = {name: entry for entry, name in named.items()}
    at = page.locator("table.rows thead th").evaluate_all("all => all.map((th) => th.className)")
    cells = page.locator("table.rows tbody tr:not(.cut)").evaluate_all(
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim()))"
    )
    assert len(cells) == len(entries)
    groups = [row[at.index("c-group")] for row in cells]
    names = page.locator("table.rows tbody tr:not(.cut) .name").evaluate_all(
        "all => all.map((each) => each.dataset.tip.split('\\n')[0])"
    )
    wanted = [board.entries[entries[name]].group for name in names]
    assert groups == ["—" if group is None else str(group) for group in wanted]
    options = page.locator("select.anchor option").count()
    assert options == sum(line.group is not None for line in board.entries.values())
    page.select_option("select.anchor", str(options - 1))
    assert page.locator("tr.anchor").count() == 1
    assert page.locator(".four").count() == 1
    page.close()


def test_axe_finds_nothing_on_a_page_of_several_boards(browser: Any, axe: str, tmp_path: Any) -> None:
    rows = [entry(f"e{k}", 10.0 * k, right(k, 10)) for k in (9, 6, 3)]
    made = document(*rows, board="One")
    made["leaderboards"] += document(*rows[1:], board="Other")["leaderboards"]
    site = site_of(tmp_path, made)
    path = tmp_path / "page.html"
    path.write_text(site_page.page(site, annotate(site), (), None), encoding="utf-8")
    page = browser.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]")
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert not found, [(each["id"], each["nodes"][0]["html"]) for each in found]
    page.close()


def test_a_page_shows_no_groups_where_the_columns_may_not_be_shown(tmp_path: Any) -> None:
    rated = (entry("a", 50.0, right(5, 10)), entry("b", 40.0, right(4, 10)))
    hidden = document(entry("top", 99.0, None), *rated)
    site = site_of(tmp_path, hidden)
    text = site_page.page(site, annotate(site), (), None)
    assert "Standard errors and tie groups are not shown in this view" in text
    assert 'class="c-group"' not in text
    assert "(no name)" not in text
    assert text.count("(50.0)") == 1
    shown = site_page.page(site, annotate(site, always=True), (), None)
    assert 'class="c-group"' in shown
    assert "1 entry publishes none and cannot be compared with it (1 above it)" in shown
