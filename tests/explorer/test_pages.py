"""The explorer in a browser: numbers equal the API's, the animation obeys, the keyboard suffices."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from deadheat.demo import BOARD

VIEWS = ("rerun", "coverage", "tie", "plan", "data")
Open = Callable[..., Any]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    command = [sys.executable, "-m", "deadheat", "explore", "--no-open", str(BOARD)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ) as server:
        assert server.stderr is not None
        line = server.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        try:
            assert found, line
            yield found[0]
        finally:
            server.terminate()


@pytest.fixture
def opened(browser: Any, address: str) -> Iterator[Open]:
    """Open a view; whatever it complains about, or asks of another server, fails the test."""
    contexts = []
    complaints: list[str] = []

    def open_(view: str, *, width: int = 1280, still: bool = True, **options: Any) -> Any:
        motion = "reduce" if still else "no-preference"
        context = browser.new_context(
            viewport={"width": width, "height": 900}, reduced_motion=motion, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        own = (address, "data:", "blob:")
        page.on("request", lambda request: request.url.startswith(own) or complaints.append(request.url))
        page.goto(f"{address}{'#' if view else ''}{view}")
        settled(page, view.partition("?")[0] or "rerun")
        return page

    yield open_
    for context in contexts:
        context.close()
    # A refusal is an answer with status 400, which the browser's console mentions by itself.
    assert [text for text in complaints if "400 (Bad Request)" not in text] == []


def settled(page: Any, holds: str) -> None:
    """Wait until the answer to a question that holds this text is on the page."""
    page.wait_for_function("part => (document.documentElement.dataset.ready ?? '').includes(part)", arg=holds)


def api(address: str, path: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{address}{path}") as answer:
        found: dict[str, Any] = json.load(answer)
        return found


def test_numbers_on_the_page_are_the_engines(opened: Open, address: str) -> None:
    assert opened("rerun").locator("#rerun-says").inner_text() == api(address, "api/rerun")["summary"]
    says = opened("coverage").locator("#coverage-says li").all_inner_texts()
    assert says.pop() == "The picture starts at 58 %; ▾ marks where a curve goes below it."
    assert sorted(says) == sorted(each["says"] for each in api(address, "api/coverage")["curves"])
    assert opened("plan").locator("#plan-says").inner_text() == api(address, "api/plan")["summary"]
    page, found = opened("tie"), api(address, "api/tie")
    assert page.locator("#tie-verdict").inner_text() == found["verdict"]
    assert page.locator("#tie-reasons li").all_inner_texts() == found["reasons"]
    text = page.locator("#tie-table").inner_text()
    for of in (found["paired"], found["unpaired"]):
        assert f"{of['items']:,}" in text
        assert f"{100 * of['smallest']:.2f} points" in text


def test_the_default_scene(opened: Open) -> None:
    text = opened("").locator("#view-rerun").inner_text()
    assert "13.42 points wide" in text
    assert "exactly 94.89 %" in text
    assert "The truth is the rate over all items that could have been drawn: 60.00 %" in text


def test_the_animation_plays_pauses_steps_and_is_scrubbed(opened: Open) -> None:
    page = opened("", still=False)
    drawn = page.locator("#rerun-chart .hit, #rerun-chart .miss")
    assert page.locator("#play").inner_text() == "Pause"
    page.wait_for_function("() => document.querySelector('#scrub').value >= 3")
    page.locator("#play").click()
    at = int(page.locator("#scrub").input_value())
    assert drawn.count() == 2 * at
    page.wait_for_timeout(400)
    assert int(page.locator("#scrub").input_value()) == at
    page.locator("#step").click()
    assert drawn.count() == 2 * (at + 1)
    page.locator("#scrub").fill("30")
    assert drawn.count() == 60
    assert page.locator("#count").inner_text().startswith("28 of 30")


def test_without_motion_all_is_shown_at_once(opened: Open) -> None:
    page = opened("")
    assert page.locator("#play").inner_text() == "Show all"
    assert page.locator("#rerun-chart .hit, #rerun-chart .miss").count() == 60
    page.locator("#step").click()
    page.locator("#play").click()
    assert page.locator("#rerun-chart .hit, #rerun-chart .miss").count() == 60


def test_the_address_carries_the_view(opened: Open, address: str) -> None:
    page = opened("tie")
    page.locator("input[name=n]").fill("600")
    settled(page, "n=600")
    assert "n=600" in page.url
    again = opened(page.url.partition("#")[2])
    assert again.locator("input[name=n]").input_value() == "600"
    assert again.locator("#tie-says").inner_text() == page.locator("#tie-says").inner_text()


def test_another_truth_is_explained(opened: Open) -> None:
    page = opened("rerun")
    page.locator("#view-rerun form summary").click()
    page.locator("select[name=redraw]").select_option("reruns")
    settled(page, "redraw=reruns")
    assert "these very 200 items" in page.locator("#truth").inner_text()


def test_a_refusal_is_told_and_the_next_answer_comes(opened: Open) -> None:
    page = opened("rerun")
    page.locator("#view-rerun input[name=items]").fill("1000000000")
    settled(page, "items=1000000000")
    assert "from 2 to 5,000" in page.locator("#rerun-says.refused").inner_text()
    page.locator("#view-rerun input[name=items]").fill("100")
    settled(page, "items=100&")
    assert page.locator("#rerun-says.refused").count() == 0


def test_zoom_and_methods(opened: Open) -> None:
    page = opened("coverage")
    page.locator("[data-zoom='0 0.1']").click()
    settled(page, "stop=0.1")
    page.locator("input[value=jeffreys]").check()
    settled(page, "jeffreys")
    assert page.locator("#coverage-chart path.line").count() == 4


def test_the_board_can_be_recomputed_and_a_file_dropped_in(opened: Open, tmp_path: Path) -> None:
    page = opened("data")
    frame = page.frame_locator("#board")
    first = frame.locator("h1").inner_text()
    assert first
    assert page.locator("#board-says").inner_text().startswith(first)
    page.locator("form[data-view=board] select[name=anchor]").select_option("Orion")
    settled(page, "anchor=Orion")
    frame.locator(".status", has_text="compared with Orion").first.wait_for()
    file = tmp_path / "mine.csv"
    rows = [f"{entry},{i},{(i + n) % 3 % 2}" for n, entry in enumerate(["x", "y"]) for i in range(20)]
    file.write_text("\n".join(["entry,item,score", *rows]))
    page.locator("#file").set_input_files(file)
    frame.locator(".name", has_text="y").first.wait_for()


def test_a_file_can_be_dropped(opened: Open) -> None:
    page = opened("data")
    rows = [
        f"{entry},{i},{(i + n) % 3 % 2}" for n, entry in enumerate(["Dropped", "Other"]) for i in range(20)
    ]
    page.evaluate(
        """text => {
          const carried = new DataTransfer();
          carried.items.add(new File([text], "mine.csv", { type: "text/csv" }));
          const options = { dataTransfer: carried, bubbles: true, cancelable: true };
          for (const kind of ["dragover", "drop"])
            document.getElementById("drop").dispatchEvent(new DragEvent(kind, options));
        }""",
        "\n".join(["entry,item,score", *rows]),
    )
    page.frame_locator("#board").locator(".name", has_text="Dropped").first.wait_for()
    assert page.locator("#drop.over").count() == 0
    page.goto(f"{page.url.partition('#')[0]}#plan?question=items&from=data")
    settled(page, "plan?")
    assert page.locator("form[data-view=plan] select[name=first] option").all_inner_texts()[1:] == [
        "Dropped",
        "Other",
    ]


def test_a_dropped_file_is_deleted_at_the_end(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "deadheat", "explore", "--no-open"]
    place = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=place) as server:
        assert server.stderr is not None
        try:
            found = re.search(r"http://127\.0\.0\.1:\d+", server.stderr.readline())
            assert found
            request = urllib.request.Request(
                f"{found[0]}/api/file?name=a.csv",
                data=b"entry,item,score\na,1,1\nb,1,0\n",
                headers={"Origin": found[0]},
            )
            urllib.request.urlopen(request).read()
            assert list(tmp_path.rglob("a.csv"))
        finally:
            server.terminate()
        assert server.wait(30) == 143
    assert not list(tmp_path.glob("deadheat-*"))


def test_every_question_of_a_plan(opened: Open, address: str) -> None:
    page = opened("plan")
    form = page.locator("form[data-view=plan]")
    for question in ("margin", "power", "mde", "samples", "board", "items"):
        form.locator("select[name=question]").select_option(question)
        settled(page, f"question={question}")
        query = page.url.partition("?")[2]
        found = api(address, f"api/plan?{query}")
        assert page.locator("#plan-says").inner_text() == found["summary"]
        assert page.locator("#plan-charts svg path.line").count() == len(found["curves"]) > 0
    form.locator("select[name=claim]").select_option("equivalence")
    form.locator("input[name=margin]").fill("0.1")
    settled(page, "margin=0.1")
    assert "show equivalence within 10 points" in page.locator("#plan-says").inner_text()


def test_a_plan_in_an_address_is_filled_in(opened: Open) -> None:
    page = opened("plan?question=samples&rates=0.7+0.6&correlation=0.4&noise=0.5&budget=9000")
    assert page.locator("form[data-view=plan] input[name=noise]").input_value() == "0.5"
    assert page.locator("details.more[open] input[name=noise]").count() == 1
    assert "the most of the budget" in page.locator("#plan-says").inner_text()


def test_the_keyboard_suffices(opened: Open) -> None:
    page = opened("rerun")
    page.locator("#theme").focus()
    for _ in range(3):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    settled(page, "tie?")
    page.locator("input[name=agree]").focus()
    page.keyboard.press("End")
    settled(page, "agree=1")
    assert "agree=1" in page.url


def test_the_keyboard_suffices_in_each_view(opened: Open) -> None:
    page = opened("rerun")
    page.locator("#scrub").focus()
    page.keyboard.press("Home")
    assert page.locator("#count").inner_text() == "no rerun yet"
    page.keyboard.press("ArrowRight")
    page.locator("#step").focus()
    page.keyboard.press("Space")
    assert page.locator("#count").inner_text().startswith("2 of 2")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")  # all at once, since nothing may move
    assert page.locator("#scrub").input_value() == "30"
    page.locator(".tabs a").first.focus()
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    settled(page, "coverage?")
    page.locator("input[value=jeffreys]").focus()
    page.keyboard.press("Space")
    settled(page, "jeffreys")
    page.locator("[data-zoom='0 0.1']").focus()
    page.keyboard.press("Enter")
    settled(page, "stop=0.1")
    page.locator(".tabs a[href='#plan']").focus()
    page.keyboard.press("Enter")
    settled(page, "plan?")
    page.locator("select[name=question]").focus()
    page.keyboard.press("ArrowDown")
    settled(page, "question=power")
    page.locator("details.more:visible summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == "samples"
    page.locator(".tabs a[href='#data']").focus()
    page.keyboard.press("Enter")
    settled(page, "data?")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "file"


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_sticks_out(opened: Open, view: str) -> None:
    page = opened(view)
    for width in (360, 400, 768, 1280, 2200):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_first_view_is_there_at_once(opened: Open) -> None:
    page = opened("")
    spent = page.evaluate(
        "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
        " + performance.getEntriesByType('resource').filter(each => each.name.includes('api/'))[0].duration"
    )
    assert spent < 5000  # a second on a machine that does nothing else


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing(opened: Open, axe: str, view: str) -> None:
    for scheme in ("light", "dark"):
        page = opened(view, color_scheme=scheme)
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations'], iframes: false})")[
            "violations"
        ]
        assert not found, [(view, scheme, each["id"], each["nodes"][0]["html"]) for each in found]


def test_coverage_is_read_off_by_pointer_and_keys(opened: Open, address: str) -> None:
    page = opened("coverage")
    found = api(address, "api/coverage")
    middle = len(found["p"]) // 2
    page.locator("#coverage-chart").focus()
    page.keyboard.press("ArrowRight")
    told = page.locator("#coverage-reading").inner_text()
    assert told.startswith(f"True rate {found['p'][middle + 1]:.4f}: ")
    for curve in found["curves"]:
        assert f"{curve['label']} {100 * curve['coverage'][middle + 1]:.2f} %" in told


def test_a_curve_that_leaves_the_picture_makes_no_plateau(opened: Open, address: str) -> None:
    page = opened("coverage?methods=wald&items=20")
    curve = api(address, "api/coverage?methods=wald&items=20")["curves"][0]["coverage"]
    drawn = page.locator("#coverage-chart path.line").get_attribute("d")
    assert min(curve) < 0.6
    assert len(re.findall(r"[ML]", drawn)) < len(curve)
    assert page.locator("#coverage-chart text.off").count() >= 1


def test_an_impossible_question_leaves_no_old_answer(opened: Open) -> None:
    page = opened("tie")
    assert page.locator("#tie-chart").is_visible()
    page.locator("form[data-view=tie] input[name=a]").fill("900")
    page.wait_for_selector("#tie-verdict.refused")
    assert not page.locator("#tie-chart").is_visible()
    assert not page.locator("#tie-table").is_visible()
    page.locator("form[data-view=tie] input[name=a]").fill("341")
    page.wait_for_selector("#tie-verdict:not(.refused)")
    assert page.locator("#tie-chart").is_visible()


MADE = (
    *("rerun", "rerun?items=80&rate=0.9&method=wald", "rerun?samples=3", "rerun?method=clopper-pearson"),
    *("coverage", "coverage?methods=jeffreys,bootstrap&items=35&level=0.9"),
    *("tie", "tie?a=10&b=90&n=100&agree=1", "tie?a=0&b=0&n=20", "tie?a=50&b=50&n=50"),
    *("tie?a=341&b=300&n=500", "plan", "plan?question=margin", "plan?question=mde&items=400"),
    *("plan?question=power&rates=0.7 0.6&items=300", "plan?question=samples&rates=0.65 0.60"),
    *("plan?question=board", "plan?question=board&probability=0.9&rates=0.7 0.5"),
    "plan?question=items&rates=0.65 0.60&claim=non-inferiority&margin=0.1&samples=3&noise=0.4",
)


@pytest.mark.parametrize("view", MADE)
def test_each_number_has_a_line_of_python_that_gives_it(opened: Open, view: str) -> None:
    page = opened(view)
    place = page.locator(f"#made-{view.partition('?')[0]}")
    names: dict[str, Any] = {}
    exec(place.locator("pre").text_content(), names)
    lines = place.locator("td code")
    assert lines.count() > 0
    for at in range(lines.count()):
        line, shown = lines.nth(at).text_content(), json.loads(lines.nth(at).get_attribute("data-value"))
        found = eval(line, names)
        if isinstance(shown, dict):
            assert json.loads(json.dumps(found)) == shown, line
        else:
            wanted = shown if isinstance(shown, list) else [shown]
            got = [found.low, found.high] if isinstance(shown, list) else [found]
            if "items" in line.partition("(")[0]:
                got = [math.ceil(got[0] - 1e-9)]
            assert [float(one) for one in got] == pytest.approx(wanted, rel=1e-9, abs=1e-12), line


def test_the_first_screen_has_three_controls_and_folds_the_rest(opened: Open) -> None:
    page = opened("rerun")
    controls = page.locator("#view-rerun form :is(input, select):visible")
    assert controls.evaluate_all("all => all.map((each) => each.name)") == ["items", "rate", "method"]
    assert opened("rerun?samples=3").locator("#view-rerun input[name=samples]").is_visible()


def test_z_stands_beside_p(opened: Open) -> None:
    page = opened("tie?a=341&b=300&n=500")
    assert "z = 2.7" in page.locator("#tie-table").inner_text()
