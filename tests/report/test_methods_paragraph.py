"""The paragraph of methods names what ran, and cites works that are there."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

import deadheat as dh
from deadheat import methods
from deadheat.cli.main import run
from deadheat.report import citations, methods_paragraph, render
from deadheat.report.json import read
from deadheat.results import Document
from report import boards

BOARD = "src/deadheat/demo/board.csv"
NAMES = {*methods.TESTS, *methods.DIFFERENCES, *methods.SCORES, *methods.ADJUSTMENTS} - {"none"}


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_method_cites_a_work(name: str) -> None:
    assert citations.CITED[name]


@pytest.mark.parametrize("name", citations.CITED)
def test_every_work_is_whole(name: str) -> None:
    for key in citations.CITED[name].split():
        entry = citations.works()[key]
        assert entry.count("{") == entry.count("}")
        for field in ("author", "title", "year"):
            assert f"{field} = {{" in entry
        assert f"year = {{{re.search(r'[0-9]{4}', key)[0]}}}" in entry


def test_no_work_is_kept_for_nothing() -> None:
    source = "".join(Path(each.__file__).read_text() for each in (citations, methods_paragraph))
    assert set(citations.works()) == set(re.findall(r"\b[a-z]+\d{4}[ab]?\b", source))


def test_the_paragraph_of_a_board_names_what_ran() -> None:
    table = dh.read(BOARD)
    plain = render(dh.rank(table), "methods")
    assert "12 entries on 250 items (3,000 attempts). Failed attempts (12) were counted as zero." in plain
    assert "exact McNemar test, two-sided at α = 0.05 (McNemar 1947; Fagerland et al. 2013)" in plain
    assert "95 % Wilson intervals (Wilson 1927)" in plain
    assert "not adjusted" in plain
    other = render(dh.rank(table, dh.Estimand(cluster="repository"), adjust="holm"), "methods")
    assert "items that share repository are one cluster" in other
    assert "Bell–McCaffrey t test" in other
    assert "adjusted by Holm over all pairs (Holm 1979)" in other
    assert "McNemar" not in other
    drawn = render(dh.rank(table, adjust="max-t", draws=500, seed=3), "methods")
    assert "500 draws from seed 3" in drawn
    assert "(Romano & Wolf 2005)" in drawn


def test_a_margin_is_named() -> None:
    text = render(dh.compare(BOARD, "Orion", "Basalt", margin=0.05), "methods")
    assert "margin of 0.05 by one-sided tests (Schuirmann 1987; Tango 1998)" in text


def test_latex_cites_the_same_works() -> None:
    board = dh.rank(BOARD)
    text = render(board, "latex")
    cited = {key for keys in re.findall(r"\\cite\{([^}]*)\}", text) for key in keys.split(",")}
    assert cited == set(re.findall(r"^% @\w+\{(\w+),", text, re.MULTILINE))
    assert "mcnemar1947" in cited


DOCUMENTS: list[Document] = [boards.with_pairs(boards.small()), boards.comparisons(1), *boards.others()]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: type(document).__name__)
def test_a_document_comes_back_from_its_json(document: Document) -> None:
    (back,) = read(render(document, "json"), "x.json")
    assert msgspec.json.encode(back) == msgspec.json.encode(document)
    assert render(back, "methods") == render(document, "methods")


def test_the_command(tmp_path, capsys) -> None:
    def told(*words) -> tuple[int, str, str]:
        code = run([str(word) for word in words])
        return code, *capsys.readouterr()

    saved = tmp_path / "board.json"
    saved.write_text(render(dh.rank(BOARD), "json"))
    code, out, _ = told("methods", saved)
    assert code == 0
    assert out == render(dh.rank(BOARD), "methods")
    assert told("rank", BOARD, "--format", "methods")[1] == out
    saved.write_text('{"schema": "other/1"}')
    code, out, err = told("methods", saved)
    assert (code, out) == (1, "")
    assert "board.json: not a result of deadheat as JSON" in err
    assert told("methods", tmp_path / "none.json")[0] == 1
