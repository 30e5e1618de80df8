"""Descriptions: the page's examples give what it says, faults of a description are told, other rules."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from deadheat.cli.main import run
from deadheat.errors import DataError, MalformedFile, UnknownFormat
from deadheat.readers import Options, read
from deadheat.readers.description import Description
from deadheat.readers.expressions import Rule
from deadheat.readers.paths import LEAVES, parse
from deadheat.readers.registry import DESCRIPTIONS, descriptions
from formats_kit import attempts

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "descriptions.md"
EXAMPLES = re.findall(r"```toml\n(.*?)```\n\n```json\n(.*?)```\n\n```text\n(.*?)```", PAGE.read_text(), re.S)
BASE = 'name = "mine"\ntitle = "T"\nrecognise = [{ keys = ["rows"] }]\nrows = "rows[]"\nitem = "id"\n'


def described(tmp_path, text, content, name="a.json", **choices):
    """Read a document with a description."""
    (tmp_path / "mine.toml").write_text(BASE + text)
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return read(path, format=str(tmp_path / "mine.toml"), options=Options(choices=choices))


def rows_of(table):
    return [row[1:] for row in attempts(table)]


@pytest.mark.parametrize(
    ("toml", "document", "wanted"), EXAMPLES, ids=[tomllib.loads(t)["name"] for t, *_ in EXAMPLES]
)
def test_the_examples_of_the_page(toml, document, wanted, tmp_path, capsys):
    description, file, out = tmp_path / "mine.toml", tmp_path / "a.json", tmp_path / "out.csv"
    description.write_text(toml)
    file.write_text(document)
    asked = ["--choose", "metric=done"] if "scores.*" in toml else []
    assert run(["convert", str(file), "--read", str(description), *asked, "-q", "-o", str(out)]) == 0
    assert out.read_text() == wanted
    assert run(["formats", "--check", str(description), str(file), *asked]) == 0
    shown = capsys.readouterr().out
    assert "recognised  by its marks" in shown
    assert f"attempts    {len(wanted.splitlines()) - 1}: " in shown


def test_there_are_three_examples_and_every_field_is_documented():
    assert len(EXAMPLES) == 3
    page = PAGE.read_text()
    for field in (*Description.__struct_fields__, *Rule.__struct_fields__, *LEAVES):
        assert f"`{field}`" in page or field.endswith("?"), field


def test_descriptions_that_ship_are_short():
    for name in descriptions():
        text = (DESCRIPTIONS / f"{name}.toml").read_text()
        code = [
            line for line in re.sub(r'about = """.*?"""', "", text, flags=re.S).splitlines() if line.strip()
        ]
        assert len(code) <= 45, name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("score = ", "not valid TOML"),
        ('scroe = "x"', "Object contains unknown field `scroe`"),
        ("", "no score: a description has score, or right and of, or members"),
        ('score = "a[b"', "'a[b' is no path: '[b' is not understood"),
        ('score = { path = "a", mach = "x" }', "Object contains unknown field `mach`"),
        ("score = 3", "got `int` - at `$.score`"),
        ('score = "a"\nrange = [0]', "Expected `array` of length 2, got 1 - at `$.range`"),
    ],
)
def test_what_is_wrong_with_a_description_is_told(text, message, tmp_path):
    with pytest.raises(MalformedFile) as caught:
        described(tmp_path, text, {"rows": []})
    assert str(caught.value).startswith(str(tmp_path / "mine.toml"))
    assert message in str(caught.value)


def test_a_description_that_is_not_there(tmp_path):
    with pytest.raises(MalformedFile, match="cannot be read as a description"):
        read(tmp_path, format=str(tmp_path / "no.toml"))
    with pytest.raises(UnknownFormat, match=r"or the path of a description \(.toml\)"):
        read(tmp_path, format="no")


def test_one_odd_value_is_told_and_nothing_but_odd_values_refused(tmp_path):
    text = 'score = "v"\nvalues = { ok = 1, bad = 0 }\n'
    found = described(
        tmp_path, text, {"rows": [{"id": 1, "v": "ok"}, {"id": 2, "v": "odd"}, {"id": 3, "v": [1]}]}
    )
    assert [row[2:4] for row in rows_of(found)] == [(1.0, "scored"), ("", "absent"), ("", "absent")]
    assert [note.code for note in found.notes] == ["no-scores"]
    assert (
        "2 attempts have no score and are left out, for example row 2: 'odd' is not ok, bad"
        in found.notes[0].text
    )
    with pytest.raises(MalformedFile, match="row 1: 'odd' is not ok, bad"):
        described(tmp_path, text, {"rows": [{"id": 2, "v": "odd"}]})


def test_range_scale_missing_and_lower_is_better(tmp_path):
    text = 'score = "v"\nscale = 0.01\nrange = [0, 1]\nmissing = [-1, "n/a"]\nlower_is_better = true\n'
    content = {"rows": [{"id": n, "v": v} for n, v in enumerate([50, 120, -1, "n/a", None])]}
    found = described(tmp_path, text, content)
    assert [row[2:] for row in rows_of(found)] == [
        (0.5, "scored", ""),
        (1.2, "scored", ""),
        ("", "absent", "no rating"),
        ("", "absent", "no rating"),
        ("", "absent", ""),
    ]
    assert [note.text for note in found.notes if note.code == "scores-outside-range"] == [
        "a.json: 1 score lies outside 0 to 1, for example row 2: 1.2"
    ]
    assert found.lower_is_better is True


def test_rows_in_two_places_and_keys_that_are_no_rows(tmp_path):
    text = 'score = "v"\n'
    (tmp_path / "two.toml").write_text(BASE.replace('rows = "rows[]"', 'rows = ["a[]", "b[]"]') + text)
    path = tmp_path / "a.json"
    path.write_text('{"a": [{"id": 1, "v": 1}], "b": [{"id": 2, "v": 0}]}')
    assert [row[0] for row in rows_of(read(path, format=str(tmp_path / "two.toml")))] == ["1", "2"]
    (tmp_path / "map.toml").write_text(
        BASE.replace('rows = "rows[]"', 'rows = "{k}"\nwithout = ["meta"]').replace('"id"', '"{k}"') + text
    )
    path.write_text('{"meta": {"n": 2}, "q1": {"v": 1}, "q2": 3}')
    found = read(path, format=str(tmp_path / "map.toml"))
    assert [row[0:4] for row in rows_of(found)] == [("q1", "", 1.0, "scored"), ("q2", "", "", "absent")]


def test_all_rows_of_an_item_must_be_right(tmp_path):
    """CircularEval: a question is asked with its answers in each order."""
    text = 'score = "hit"\ncombine = "all"\n'
    rows = [{"id": q, "hit": h} for q, hits in (("a", (1, 1)), ("b", (1, 0)), ("c", (1, None))) for h in hits]
    found = described(tmp_path, text, {"rows": rows})
    assert [row[:4] for row in rows_of(found)] == [
        ("a", "", 1.0, "scored"),
        ("b", "", 0.0, "scored"),
        ("c", "", "", "absent"),
    ]


@pytest.mark.parametrize("layout", ["columns", "split"])
def test_tables_written_by_their_columns(layout, tmp_path):
    content = (
        {"rows": [{"id": ["a", "b"], "v": [1, 0]}]}
        if layout == "columns"
        else {"rows": [{"columns": ["id", "v"], "data": [["a", 1], ["b", 0]]}]}
    )
    found = described(tmp_path, f'score = "v"\nlayout = "{layout}"\n', content)
    assert [row[:3] for row in rows_of(found)] == [("a", "", 1.0), ("b", "", 0.0)]


def test_columns_that_differ_in_length_are_refused(tmp_path):
    with pytest.raises(MalformedFile, match="its columns differ in length: id 2, v 1"):
        described(tmp_path, 'score = "v"\nlayout = "columns"\n', {"rows": [{"id": ["a", "b"], "v": [1]}]})


def test_a_table_by_its_columns_csv_and_parquet(tmp_path):
    import duckdb

    toml = (
        BASE.replace('rows = "rows[]"\n', "table = true\n")
        + 'score = "feedback.*"\nfailed_unscored = { error = "*" }\n'
    )
    (tmp_path / "t.toml").write_text(toml)
    csv = tmp_path / "a.csv"
    csv.write_text("id,feedback.good,feedback.short,error\n1,1,0,\n2,0,1,\n3,,,boom\n")
    duckdb.sql(f"COPY (FROM read_csv('{csv}', all_varchar=true)) TO '{tmp_path / 'a.parquet'}'")
    for path in (csv, tmp_path / "a.parquet"):
        found = read(path, format=str(tmp_path / "t.toml"), options=Options(choices={"metric": "good"}))
        assert [row[2:] for row in rows_of(found)] == [
            (1.0, "scored", ""),
            (0.0, "scored", ""),
            ("", "failed", "error"),
        ]
    csv.write_text("name,feedback.good\n1,1\n")
    with pytest.raises(DataError, match=r"no column 'id'; found name, feedback\.good"):
        read(csv, format=str(tmp_path / "t.toml"))


def test_the_place_of_a_fault_is_named(tmp_path):
    lines = '{"rows": [{"id": 1, "v": 1}]}\n\n{"rows": [{"v": 1}]}\n'
    with pytest.raises(
        MalformedFile, match=r"a\.jsonl: line 3: not as the format says: Object missing required field `id`"
    ):
        described(tmp_path, 'score = "v"\n', lines, name="a.jsonl")
    found = described(
        tmp_path, 'score = "v"\n', '{"rows": [{"id": 1, "v": 1}]}\n{"other": 1}\n', name="a.jsonl"
    )
    [note] = found.notes
    assert "line 2: nothing at rows[]" in note.text


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("a.b", (("key", "a"), ("key", "b"))),
        ("eval.{item}[{n}].x", (("key", "eval"), ("map", "item"), ("list", "n"), ("key", "x"))),
        ('"a.b".*[].c[0]', (("key", "a.b"), ("map", ""), ("list", ""), ("key", "c"), ("at", "0"))),
        ("pass@1", (("key", "pass@1"),)),
        ("m[name].s", (("key", "m"), ("by", "name"), ("key", "s"))),
        (".", ()),
    ],
)
def test_paths(text, steps):
    assert parse(text).steps == steps
    assert parse(f"$.{text}" if text != "." else "$").top
    assert parse(f"{text}:bool?").leaf == "bool?"
