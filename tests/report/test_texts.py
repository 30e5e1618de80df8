"""Markdown, CSV, JSON and LaTeX: nothing lost, nothing obeyed, the same numbers everywhere."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys

import jsonschema
import msgspec
import pytest

from deadheat.errors import DataError, MethodError
from deadheat.ranking.verb import rank
from deadheat.report import RENDERERS, render, words
from deadheat.report.csv import guard
from deadheat.report.latex import letters
from deadheat.report.markdown import escape
from deadheat.report.schemas import DOCUMENTS, files, schema
from deadheat.results import Document
from report import boards, golden, real_boards
from support import table_of

ALL: list[Document] = [
    boards.small(),
    boards.one(),
    boards.hostile(),
    boards.categories(),
    boards.comparisons(1),
    boards.comparisons(3),
    *boards.others(),
]


@pytest.mark.parametrize("format", ["md", "csv", "json", "latex"])
@pytest.mark.parametrize(
    "document",
    [boards.small(), boards.comparisons(1), boards.categories()],
    ids=["board", "pair", "categories"],
)
def test_golden(document: Document, format: str) -> None:
    kind = "categories" if getattr(document, "categories", None) else type(document).__name__.lower()
    golden.check(f"{kind}.{format}", render(document, format))


@pytest.mark.parametrize("format", RENDERERS)
@pytest.mark.parametrize("document", ALL, ids=lambda document: type(document).__name__)
def test_every_document_has_every_format(document: Document, format: str) -> None:
    text = render(document, format)
    assert text.endswith("\n")
    assert "nan" not in re.sub(r"\w*nan\w+", "", text.lower())


def test_an_unknown_format_and_an_unknown_document() -> None:
    with pytest.raises(MethodError, match=r"'xml'.*table, md"):
        render(boards.one(), "xml")

    class Odd(Document):
        schema: str = "deadheat/odd@1"

    odd = Odd(version="0", estimand=boards.one().estimand, methods=boards.METHODS, summary="?")
    with pytest.raises(MethodError, match="Odd"):
        render(odd, "md")
    assert json.loads(render(odd, "json"))["schema"] == "deadheat/odd@1"


def test_several_documents() -> None:
    both = [boards.one(), boards.comparisons(1)]
    assert [each["schema"] for each in json.loads(render(both, "json"))] == [
        "deadheat/board@1",
        "deadheat/comparison@1",
    ]
    assert render(both, "md") == render(both[0], "md") + "\n" + render(both[1], "md")


def test_markdown_rows_cannot_be_broken() -> None:
    lines = render(boards.hostile(), "md").splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table}) == 1
    assert len(table) == 2 + len(boards.hostile().entries)
    assert "<script" not in "".join(lines)
    assert escape("see https://x.y or www.z, @someone `a` <b> a|b") == (
        r"see https:&#47;&#47;x.y or www&#46;z, &#64;someone \`a\` &lt;b&gt; a\|b"
    )


@pytest.mark.parametrize("text", ["=1+2", "+1", "-1", "@x", "\tx", "\rx", " =1"])
def test_csv_texts_are_no_formulas(text: str) -> None:
    assert guard(text) == "'" + text


def test_csv_numbers_are_numbers() -> None:
    assert [guard(value) for value in (-0.5, 3, None, True, "plain")] == ["-0.5", "3", "", "true", "plain"]


def test_csv_has_the_numbers_of_the_json() -> None:
    board = boards.small()
    rows = list(csv.DictReader(io.StringIO(render(board, "csv"))))
    found = json.loads(render(board, "json"))["entries"]
    assert [row["entry"] for row in rows] == [entry["entry"] for entry in found]
    for row, entry in zip(rows, found, strict=True):
        assert (float(row["value"]) if row["value"] else None) == entry["value"]
        low = entry["interval"]["low"] if entry["interval"] else None
        assert (float(row["interval_low"]) if row["interval_low"] else None) == low
        p = entry["vs_anchor"]["p"] if entry["vs_anchor"] else None
        assert (float(row["vs_anchor_p"]) if row["vs_anchor_p"] else None) == p


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_json_refuses_what_is_not_a_number(bad: float) -> None:
    board = boards.one()
    score = msgspec.structs.replace(board.entries[0], se=bad)
    with pytest.raises(DataError, match=r"\$\.entries\[0\]\.se"):
        render(msgspec.structs.replace(board, entries=(score,)), "json")


@pytest.mark.parametrize("document", ALL, ids=lambda document: type(document).__name__)
def test_json_follows_its_schema(document: Document) -> None:
    text = render(document, "json")
    jsonschema.validate(
        json.loads(text, parse_constant=lambda name: pytest.fail(name)),
        schema(type(document)),
        cls=jsonschema.Draft202012Validator,
    )


def test_schemas_refuse_wrong_documents() -> None:
    built = json.loads(render(boards.one(), "json"))
    validator = jsonschema.Draft202012Validator(schema(DOCUMENTS[0]))
    for wrong in ({**built, "schema": "deadheat/plan@1"}, {k: v for k, v in built.items() if k != "entries"}):
        assert not validator.is_valid(wrong)
    assert validator.is_valid({**built, "a_key_of_a_later_version": 1})


def test_shipped_schemas_are_current() -> None:
    for path, text in files():
        assert path.read_text(encoding="utf-8") == text, "run python -m deadheat.report.schemas"


def test_latex_says_what_it_needs() -> None:
    plain = render(rank(table_of({"Zoë": [1, 0, 1], "b": [0, 0, 1]})), "latex").splitlines()[1]
    beyond = render(rank(table_of({"模型": [1, 0, 1], "b": [0, 0, 1]})), "latex").splitlines()[1]
    assert plain == "% Needs \\usepackage{booktabs}."
    assert beyond.startswith(plain)
    assert "LuaLaTeX" in beyond


def test_latex_escapes_every_name() -> None:
    text = render(boards.hostile(), "latex")
    assert text.count(r"\end{table}") == text.count(r"\begin{table}") == 1
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 1 + len(boards.hostile().entries)
    assert len({len(re.findall(r"(?<!\\)&", row)) for row in rows}) == 1
    assert not re.search(r"(?<!\\)[%#_]", "".join(rows))


def test_letters_are_shared_along_tie_lines() -> None:
    assert letters([("a", "b"), ("b", "c")], "abcd") == {"a": "a", "b": "ab", "c": "b", "d": "c"}
    many = letters([], [str(i) for i in range(28)])
    assert many["25"] == "z"
    assert many["26"] == "(27)"


def test_json_and_csv_need_neither_rich_nor_jinja2() -> None:
    code = (
        "import sys, deadheat.report as r; from deadheat.results import *;"
        "from deadheat.estimand import Estimand;"
        "d = Comparisons(version='0', estimand=Estimand(), methods=Methods(), summary='-', comparisons=());"
        "[r.render(d, f) for f in ('json', 'csv', 'md', 'latex')];"
        "heavy = {'rich', 'jinja2', 'numpy', 'scipy', 'duckdb', 'matplotlib'};"
        "found = heavy & set(sys.modules); sys.exit(repr(found) if found else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("format", ["md", "latex"])
def test_paper_gets_the_doubt_and_not_the_advice(format: str) -> None:
    """Clusters that are not used are told of, and how to use them is told in a terminal only."""
    board = rank(real_boards.table("clustered"))
    (note,) = [note.text for note in board.notes if note.code == "clusters-unused"]
    assert "--cluster cluster" in note
    text = " ".join(render(board, format).split())
    assert "clustered by cluster, standard errors would be" in text
    assert not re.search(r"(?<![-|\\\w])--[a-z]", text)


@pytest.mark.parametrize(
    ("note", "printed"),
    [
        ("items count alike; --weights category changes it", ["Items count alike."]),
        ("samples show it (--both-errors); no column does.", ["Samples show it; no column does."]),
        ("--absent fitted would do", []),
        ("p < .05 of `deadheat`'s test", ["p < .05 of `deadheat`'s test."]),
        ("one; `deadheat records` lists them", ["One."]),
    ],
)
def test_advice_goes_by_clauses(note: str, printed: list[str]) -> None:
    assert words.printed([note]) == printed
