"""Verbs take a table, a dataframe or paths; `formats FILE` says what a file would give."""

from __future__ import annotations

import json

import pandas as pd
import polars as pl
import pytest

import deadheat as dh
from deadheat.cli.main import run

COLUMNS = {"model": list("AABB"), "id": [1, 2, 1, 2], "score": [1, 0, 1, 1]}


@pytest.mark.parametrize("kind", ["table", "pandas", "polars", "mapping", "file", "folder", "list"])
def test_a_verb_takes_whatever_holds_results(tmp_path, kind):
    frame = pd.DataFrame(COLUMNS)
    frame.to_csv(tmp_path / "a.csv", index=False)
    results = {
        "table": dh.Table.from_frame(frame),
        "pandas": frame,
        "polars": pl.DataFrame(COLUMNS),
        "mapping": COLUMNS,
        "file": str(tmp_path / "a.csv"),
        "folder": tmp_path,
        "list": [tmp_path / "a.csv"],
    }[kind]
    assert [e.entry for e in dh.rank(results).entries] == ["B", "A"]
    assert dh.compare(results, "A", "B").comparisons[0].difference == -0.5
    assert dh.compare_published(results, "A", 0.9, items=50).comparisons[0].value_a == 0.5


@pytest.mark.parametrize("odd", [3, [1, 2], object()])
def test_anything_else_is_named(odd):
    with pytest.raises(dh.DataError, match="a Table, a dataframe or paths of files; found"):
        dh.rank(odd)


def test_the_direction_of_a_frame_travels():
    board = dh.rank({"model": list("AABB"), "id": [1, 2, 1, 2], "wer": [0.1, 0.2, 0.3, 0.5]})
    assert [e.entry for e in board.entries] == ["A", "B"]
    assert board.estimand.lower_is_better


def told(capsys, *arguments):
    assert run(["formats", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_formats_of_files(tmp_path, capsys):
    pd.DataFrame(COLUMNS).to_csv(tmp_path / "a.csv", index=False)
    (tmp_path / "long.csv").write_text("model,id,metric,value\nA,1,em,1\nA,1,f1,.5\n")
    (tmp_path / "odd.json").write_text(json.dumps({"testCases": [{"in": 1}], "metricsData": []}))
    (tmp_path / "text.bin").write_bytes(b"nothing")
    (tmp_path / ".hidden").write_text("x")
    found = {one["file"].rsplit("/", 1)[-1]: one for one in told(capsys, tmp_path)}
    assert found["a.csv"]["read as"].startswith("csv: ")
    assert found["a.csv"]["entries"] == "2: A, B"
    assert found["a.csv"]["items"] == "2: 1, 2"
    assert found["a.csv"]["attempts"] == "4: 4 scored, 0 failed, 0 absent"
    assert found["a.csv"]["columns"] == "model as entry, id as item"
    assert "metric=NAME, one of em, f1" in found["long.csv"]["asks"]
    assert found["odd.json"]["read as"] == "nothing: no reader recognises it"
    assert found["odd.json"]["keys"].startswith("testCases, ")
    assert found["odd.json"]["nearest"].startswith("deepeval, which knows testCases")
    assert found["text.bin"]["keys"] == "none: neither JSON nor a table"
    assert any(".hidden" in one["file"] for one in found.values())
    [chosen] = told(capsys, tmp_path / "long.csv", "--choose", "metric=em")
    assert chosen["attempts"] == "1: 1 scored, 0 failed, 0 absent"
    [named] = told(capsys, tmp_path / "a.csv", "--columns", "item=model", "entry=id")
    assert named["entries"] == "2: 1, 2"
    assert run(["formats", str(tmp_path / "a.csv")]) == 0
    assert "  entries     2: A, B\n" in capsys.readouterr().out


def test_formats_by_name_stay(capsys):
    assert [one["name"] for one in told(capsys, "csv", "lm-eval")] == ["csv", "lm-eval"]
    assert run(["formats", "nothing"]) == 2
    capsys.readouterr()
