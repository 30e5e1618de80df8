"""Entries and items that are likely the same are named, with the option that joins them."""

from __future__ import annotations

import pandas as pd
import pytest

import deadheat as dh
from deadheat.cli.main import run
from deadheat.data.twins import folded, groups_of
from deadheat.readers import Options


def read(tmp_path, text, **options):
    (tmp_path / "a.csv").write_text(text)
    return dh.read(tmp_path / "a.csv", options=Options(**options))


def told(table, code):
    return [note.text for note in table.notes if note.code == code]


@pytest.mark.parametrize(
    ("one", "other"),
    [("Q1", "q1"), ("q 1", "q  1"), (" q1", "q1"), ("7", "7.0"), ("007", "7"), ("Ä b", "ä  B")],
)
def test_items_of_different_entries(tmp_path, one, other):
    text = f"entry,item,score\nA,{one},1\nA,z,1\nB,{other},0\nB,z,1\n"
    table = read(tmp_path, text)
    [note] = told(table, "item-twins")
    assert repr(one) in note
    assert repr(other) in note
    assert "--join-labels" in note
    joined = read(tmp_path, text, join_labels=True)
    assert len(joined.items) == 2
    assert told(joined, "item-twins") == []
    [pair] = dh.compare(joined, "a", "b").comparisons
    assert (pair.items, pair.difference) == (2, 0.5)
    for table in (dh.reduce(pd.read_csv(tmp_path / "a.csv", dtype=str).astype({"score": float})),):
        assert len(told(table, "item-twins")) == 1


def test_an_entry_that_has_both_tells_them_apart(tmp_path):
    text = "entry,item,score\nA,q1,1\nA,Q1,1\nB,q1,0\nB,Q1,1\n"
    assert told(read(tmp_path, text), "item-twins") == []
    with pytest.raises(dh.DuplicateAttempt):
        read(tmp_path, text, join_labels=True)


def test_entries(tmp_path, capsys):
    text = "entry,item,score\nGPT-4,1,1\ngpt-4 ,2,1\nB,1,0\nB,2,1\n"
    [note] = told(read(tmp_path, text), "entry-twins")
    assert "'GPT-4' and 'gpt-4 '" in note
    assert read(tmp_path, text, join_labels=True).entries == ("b", "gpt-4")
    assert run(["rank", str(tmp_path / "a.csv"), "--join-labels", "--json"]) == 0
    assert "entry-twins" not in capsys.readouterr().out


def test_json_and_csv_are_joined_alike(tmp_path):
    (tmp_path / "A.json").write_text('[{"item": "Q 1", "score": 1}, {"item": 7, "score": 0}]')
    (tmp_path / "B.csv").write_text("item,score\nq  1,1\n7.0,1\n")
    paths = [tmp_path / "A.json", tmp_path / "B.csv"]
    assert len(told(dh.read(paths), "item-twins")) == 1
    assert dh.read(paths, options=Options(join_labels=True)).items == ("7", "q 1")


def test_forms():
    assert [folded(x) for x in ("0", "00", "0.0", "10", "1.50", "v1.0", " A\tb ")] == [
        *("0", "0", "0", "10", "1.50", "v1.0", "a b"),
    ]
    assert groups_of(["a", "A", "b", "07", "7"]) == [("07", "7"), ("A", "a")]
