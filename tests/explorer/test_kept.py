"""Pages opened from disk with the network cut: the same answers as the engine's, to 1e-9."""

from __future__ import annotations

import html
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from asked import ASKED, expected, near, without_words
from deadheat.cli.main import run
from deadheat.covering.verb import coverage
from deadheat.demo import BOARD
from deadheat.explorer import kept
from deadheat.explorer.browser.bundle import engine, sources
from deadheat.explorer.plan_view import how_many
from deadheat.explorer.query import Query
from deadheat.explorer.rerun_view import rerun
from deadheat.explorer.tie_view import tie

VIEWS = ("rerun", "coverage", "tie", "plan", "data")
SMALL = {
    "RERUN": kept.RERUN | {"items": ("200",), "rate": ("0.1", "0.6"), "redraw": ("items",)},
    "COVERAGE": {"items": ("20",), "level": ("0.95",), "zoom": ("0 1", "0 0.1", "0.4 0.6", "0.9 1")},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages with fewer settings than are shipped, as the command writes them."""
    into = tmp_path_factory.mktemp("kept") / "pages"
    with pytest.MonkeyPatch.context() as patch:
        for name, settings in SMALL.items():
            patch.setattr(kept, name, settings)
        assert run(["explore", "--static", str(into), str(BOARD)]) == 0
    return into


@pytest.fixture
def opened(browser: Any, folder: Path) -> Iterator[Any]:
    """Open a view from disk, offline; a complaint, or a request for anything but a file beside it, fails."""
    contexts, complaints = [], []

    def open_(view: str, *, width: int = 1280, **options: Any) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, offline=True, reduced_motion="reduce", **options
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        own = (folder.as_uri(), "data:", "blob:")
        page.on("request", lambda request: request.url.startswith(own) or complaints.append(request.url))
        page.goto(f"{(folder / 'index.html').as_uri()}#{view}")
        settled(page, view.partition("?")[0] or "rerun")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


def settled(page: Any, holds: str) -> None:
    page.wait_for_function(
        "part => (document.documentElement.dataset.ready ?? '').includes(part)", arg=holds, timeout=60_000
    )


ASK = """async ([kind, pairs, exactly]) => {
  const bytes = async (part) => {
    const packed = new Blob([Uint8Array.from(atob(part), (letter) => letter.charCodeAt(0))]);
    return new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  };
  const { code, wasm, files } = deadheat.engine;
  globalThis.tried ??= (async () => {
    const worker = new Worker(URL.createObjectURL(new Blob([await bytes(code)])));
    const ready = new Promise((ok, no) => {
      worker.onmessage = ({ data }) => (data.ready ? ok() : no(data.failed));
    });
    const sources = JSON.parse(new TextDecoder().decode(await bytes(files)));
    worker.postMessage({ wasm: await bytes(wasm), files: sources });
    await ready;
    return worker;
  })();
  const worker = await globalThis.tried;
  return new Promise((ok, no) => {
    worker.onmessage = ({ data }) => (data.answer ? ok(JSON.parse(data.answer)) : no(data.failed));
    worker.postMessage({ question: JSON.stringify([kind, pairs, exactly]) });
  });
}"""


def test_calculators_agree_with_the_engine(opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    page = opened("tie")
    for view, query, exactly in ASKED:
        pairs = [(name, str(value)) for name, value in query.items()]
        with monkeypatch.context() as patch:
            wanted = expected(view, pairs, exactly, patch)
        near(without_words(page.evaluate(ASK, [view, pairs, exactly])), wanted, f"{view} {query}")


def test_exact_sums_come_later(opened: Any) -> None:
    page = opened("plan?question=items&rates=0.8+0.7&discordance=0.25")
    page.wait_for_function(
        "() => document.documentElement.dataset.refined?.includes('rates=0.8')", timeout=60_000
    )
    pairs = [("question", "items"), ("rates", "0.8 0.7"), ("discordance", "0.25")]
    wanted = how_many(Query(pairs))
    assert page.locator("#plan-says").inner_text() == wanted["summary"]
    assert page.locator("#plan-notes").inner_text() == "\n".join(
        note["text"] for note in wanted["plan"]["notes"]
    )
    for more in (
        {"question": "mde", "items": "300"},
        {"question": "power", "items": "300", "rates": "0.8 0.7"},
    ):
        pairs = [*more.items(), ("correlation", "0.4")]
        near(page.evaluate(ASK, ["plan", pairs, True]), json.loads(json.dumps(how_many(Query(pairs)))))


def test_questions_in_a_row_end_with_the_last(opened: Any) -> None:
    page = opened("tie")
    for agree in ("0.1", "0.2", "0.3", "0.4"):
        page.locator("input[name=agree]").fill(agree)
        page.wait_for_timeout(90)
    settled(page, "agree=0.4")
    wanted = tie(Query([("agree", "0.4")]))
    assert page.locator("#tie-reasons li").all_inner_texts() == wanted["reasons"]
    page.goto(re.sub("#.*", "#plan?question=board&rates=0.7+0.6+0.5&probability=0.9", page.url))
    page.wait_for_timeout(300)
    page.goto(
        re.sub("#.*", "#plan?question=mde&items=400&rate=0.5", page.url)
    )  # the board would take half a minute
    settled(page, "question=mde")
    assert page.locator("#plan-says").inner_text().startswith("400 items for each entry show a difference of")


def test_calculators_show_what_the_command_prints(opened: Any, capsys: pytest.CaptureFixture[str]) -> None:
    page = opened("plan?question=items&rates=0.65+0.60")
    assert run(["plan", "items", "--rates", "0.65", "0.60", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (
        page.locator("#plan-says")
        .inner_text()
        .startswith(f"{printed['answer']['items']:,} items for each entry show")
    )
    assert page.locator("#plan-table").inner_text().split("\n")[1].split() == ["items", "unrounded",
           f"{printed['answer']['items_unrounded']:.6g}"]  # fmt: skip
    assert "left to the command" in page.locator("#plan-notes").inner_text()
    page.locator("form[data-view=plan] input[name=power]").fill("0.9")
    settled(page, "power=0.9")
    assert "90 % power" in page.locator("#plan-says").inner_text()
    page.goto(re.sub("#.*", "#tie?a=341&b=339&n=500&agree=0.5", page.url))
    settled(page, "tie?")
    assert page.locator("#tie-verdict").inner_text() == tie(Query(()))["verdict"]


def test_every_rerun_is_the_servers(opened: Any) -> None:
    page = opened("")
    assert page.locator("#rerun-says").inner_text() == rerun(Query(()))["summary"]
    form = page.locator("form[data-view=rerun]")
    form.locator("select[name=rate]").select_option("0.1")
    form.locator("select[name=method]").select_option("wald")
    settled(page, "rate=0.1&method=wald")
    wanted = rerun(Query([("rate", "0.1"), ("method", "wald")]))
    assert page.locator("#rerun-says").inner_text() == wanted["summary"]
    form.locator("summary").click()
    form.locator("select[name=samples]").select_option("5")
    settled(page, "samples=5")
    assert "use score or t" in page.locator("#rerun-says.refused").inner_text()


def test_coverage_is_that_of_the_verb(opened: Any) -> None:
    page = opened("coverage")
    found = page.evaluate(
        """async () => {
          const bytes = Uint8Array.from(atob(deadheat["coverage-20-0.95"]), c => c.charCodeAt(0));
          return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
        }"""
    )
    for zoom in ("0 1", "0.4 0.6"):
        [curve] = [each for each in found[zoom]["curves"] if each["method"] == "wilson"]
        verb = coverage("wilson", 20, rates=found[zoom]["p"])
        near(curve["coverage"], [value for _, value in verb.curve])
        near(curve["infimum"], verb.infimum)
    assert page.locator("#coverage-chart path.line").count() == 3
    page.locator("[data-zoom='0.4 0.6']").click()
    settled(page, "stop=0.6")
    page.locator("input[value=jeffreys]").check()
    settled(page, "jeffreys")
    assert page.locator("#coverage-chart path.line").count() == 4
    assert page.locator("#coverage-says li").count() == 4


def test_the_board_is_there(opened: Any) -> None:
    page = opened("data")
    frame = page.frame_locator("#board")
    first = frame.locator("h1").inner_text()
    assert first
    assert page.locator("#board-says").inner_text().startswith(first)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened: Any, axe: str, scheme: str) -> None:
    page = opened("rerun", color_scheme=scheme)
    page.evaluate(axe)
    for view in VIEWS:
        page.evaluate("view => { location.hash = view; }", view)
        settled(page, f"{view}?")
        found = page.evaluate(
            "axe.run(document, {resultTypes: ['violations'], iframes: false, preload: false})"
        )["violations"]
        assert not found, [(view, scheme, each["id"], each["nodes"][0]["html"]) for each in found]
        page.set_viewport_size({"width": 400, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
        page.set_viewport_size({"width": 1280, "height": 900})


def test_pages_ask_for_nothing_and_carry_the_licence(folder: Path) -> None:
    index = html.unescape((folder / "index.html").read_text())
    assert "default-src 'none'" in index
    assert "http" + "://" not in index
    assert " style=" not in index
    assert "Damien P. George" in (folder / "LICENSE-micropython.txt").read_text()
    assert sum(file.stat().st_size for file in folder.iterdir()) < 2_000_000


def test_without_data_there_is_no_view_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "starlette", None)  # writing needs no server
    monkeypatch.setattr(kept, "RERUN", {name: values[:1] for name, values in kept.RERUN.items()})
    monkeypatch.setattr(kept, "COVERAGE", SMALL["COVERAGE"])
    assert run(["explore", "--static", str(tmp_path / "a" / "b")]) == 0
    assert 'id="view-data"' not in (tmp_path / "a" / "b" / "index.html").read_text()
    assert not (tmp_path / "a" / "b" / "board.html").exists()


def test_a_folder_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (file := tmp_path / "file").write_text("")
    assert run(["explore", "--static", str(file)]) == 1
    assert "cannot be written" in capsys.readouterr().err
    assert run(["explore", "--static", str(file), "--port", "80"]) == 2
    assert "--port is for serving" in capsys.readouterr().err


def test_the_engine_comes_along_whole() -> None:
    carried = sources()
    assert "class" not in carried["deadheat/planning/observed.py"]
    assert "def wilson(" in carried["deadheat/stats/score/binomial.py"]
    assert "->" not in carried["deadheat/stats/score/binomial.py"]
    parts, licence = engine()
    assert set(parts) == {"code", "wasm", "files"}
    assert "MIT License" in licence
