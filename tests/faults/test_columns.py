"""Columns: usual names, names that the user gives, statuses, verdicts, long tables, totals, odd files."""

from __future__ import annotations

import bz2
import lzma
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import deadheat as dh
from deadheat.cli.main import run
from deadheat.readers import Options


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def totals(table):
    """Mean score and counts of each entry."""
    return {
        e.entry: (round(e.value, 6), e.items, e.samples, e.failed, e.absent) for e in dh.rank(table).entries
    }


def test_a_seed_is_a_sample(tmp_path):
    rows = "".join(f"{m},c{i},{s},{(i + s) % 2}\n" for m in "AB" for s in range(3) for i in range(4))
    table = dh.read(write(tmp_path / "a.csv", "model,task_id,seed,score\n" + rows))
    assert table.cells.scored.tolist() == [3] * 8
    assert table.renamed == {"model": "entry", "task_id": "item", "seed": "sample"}


@pytest.mark.parametrize("name", ["turn", "trial", "run", "epoch", "attempt"])
def test_names_of_samples(tmp_path, name):
    path = write(tmp_path / "a.csv", f"llm,idx,{name},hit\nA,1,0,1\nA,1,1,0\nB,1,0,1\nB,1,1,1\n")
    assert totals(dh.read(path)) == {"B": (1.0, 1, 2, 0, 0), "A": (0.5, 1, 2, 0, 0)}


@pytest.mark.parametrize("name", ["acc", "hit", "label", "pass", "exact_match", "verdict", "reward"])
def test_names_of_scores(tmp_path, name):
    path = write(tmp_path / "a.csv", f"llm,index,{name}\nA,1,1\nA,2,0\nB,1,1\nB,2,1\n")
    assert totals(dh.read(path)) == {"B": (1.0, 2, 2, 0, 0), "A": (0.5, 2, 2, 0, 0)}


def test_a_file_of_one_entry_is_named_after_the_file(tmp_path):
    text = "index,prediction,answer,hit\n" + "".join(f"{i},A,B,{i % 2}\n" for i in range(6))
    assert totals(dh.read(write(tmp_path / "m1.csv", text))) == {"m1": (0.5, 6, 6, 0, 0)}


STATUSES = """model,id,status,score
a,1,success,1
a,2,error,0
a,3,skipped,
b,1,Success,1
b,2,completed,0
b,3,timeout,
"""


def test_words_of_statuses(tmp_path):
    expected = {"a": (0.5, 2, 1, 1, 1), "b": (1 / 3, 3, 2, 1, 0)}
    path = write(tmp_path / "a.csv", STATUSES)
    frame = pd.read_csv(path)
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_json(tmp_path / "a.jsonl", orient="records", lines=True)
    frame.to_json(tmp_path / "a.json", orient="records")
    tables = [dh.read(path)] + [dh.read(tmp_path / f"a.{end}") for end in ("parquet", "jsonl", "json")]
    for table in [*tables, dh.Table.from_frame(frame), dh.reduce(frame)]:
        assert totals(table) == {k: (round(v[0], 6), *v[1:]) for k, v in expected.items()}


def test_a_verdict_as_a_status_is_the_score(tmp_path):
    rows = [
        "a,1,PASS",
        "a,2,FAIL",
        "a,3,timeout",
        "a,4,skipped",
        "b,1,PASS",
        "b,2,PASS",
        "b,3,FAIL",
        "b,4,pass",
    ]
    path = write(tmp_path / "a.csv", "model,test_id,status\n" + "\n".join(rows) + "\n")
    expected = {"b": (0.75, 4, 4, 0, 0), "a": (round(1 / 3, 6), 3, 2, 1, 1)}
    assert totals(dh.read(path)) == expected
    assert totals(dh.Table.from_frame(pd.read_csv(path))) == expected


def test_an_unknown_status_is_named(tmp_path):
    path = write(tmp_path / "a.csv", "model,id,status,score\na,1,strange,1\n")
    with pytest.raises(dh.DataError, match=r"scored, failed, absent; found \(a, 1, strange\)"):
        dh.read(path)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("CORRECT", "INCORRECT"),
        ("correct", "NOT_ATTEMPTED"),
        ("pass", "fail"),
        ("yes", "no"),
        ("True", "false"),
    ],
)
def test_words_of_scores(tmp_path, right, wrong):
    path = write(tmp_path / "a.csv", f"model,id,grade\nA,1,{right}\nA,2,{wrong}\nB,1,{right}\nB,2,{right}\n")
    assert totals(dh.read(path)) == {"B": (1.0, 2, 2, 0, 0), "A": (0.5, 2, 2, 0, 0)}
    assert totals(dh.Table.from_frame(pd.read_csv(path)))["A"] == (0.5, 2, 2, 0, 0)


LONG = "model,question_id,metric,value\n" + "".join(
    f"{m},q{i},{metric},{int((i + k + (m == 'b')) % 3 == 0)}\n"
    for m in "ab"
    for i in range(9)
    for k, metric in enumerate(("is_correct", "is_incorrect", "is_not_attempted"))
)


def test_a_long_table_asks_for_a_metric(tmp_path):
    path = write(tmp_path / "a.csv", LONG)
    frame = pd.read_csv(path)
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_json(tmp_path / "a.jsonl", orient="records", lines=True)
    frame.to_json(tmp_path / "a.json", orient="records")
    for end in ("csv", "parquet", "jsonl", "json"):
        with pytest.raises(dh.MethodError, match="--choose metric=NAME, one of is_correct, is_incorrect"):
            dh.read(tmp_path / f"a.{end}")
        table = dh.read(tmp_path / f"a.{end}", options=Options(choices={"metric": "is_correct"}))
        assert totals(table) == {"a": (round(1 / 3, 6), 9, 9, 0, 0), "b": (round(1 / 3, 6), 9, 9, 0, 0)}
        assert table.lower_is_better is False
    with pytest.raises(dh.MethodError, match="metric=NAME"):
        dh.Table.from_frame(frame)
    assert dh.Table.from_frame(frame, metric="is_incorrect").lower_is_better is True
    assert dh.reduce(frame, metric="is_incorrect").lower_is_better is True


def test_a_metric_of_each_item_is_no_question(tmp_path):
    path = write(tmp_path / "a.csv", "model,id,metric,score\na,1,em,1\na,2,f1,.5\nb,1,em,0\nb,2,f1,1\n")
    assert totals(dh.read(path))["a"] == (0.75, 2, 2, 0, 0)
    assert totals(dh.Table.from_frame(pd.read_csv(path)))["a"] == (0.75, 2, 2, 0, 0)


def test_columns_can_be_named(tmp_path, capsys):
    path = write(tmp_path / "a.csv", "who,what,score,real\nA,1,9,1\nA,2,9,0\nB,1,9,1\nB,2,9,1\n")
    named = {"entry": "who", "item": "what", "score": "real"}
    expected = {"B": (1.0, 2, 2, 0, 0), "A": (0.5, 2, 2, 0, 0)}
    frame = pd.read_csv(path)
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_json(tmp_path / "a.jsonl", orient="records", lines=True)
    frame.to_json(tmp_path / "a.json", orient="records")
    for end in ("csv", "parquet", "jsonl", "json"):
        assert totals(dh.read(tmp_path / f"a.{end}", named=named)) == expected
    assert totals(dh.Table.from_frame(frame, named=named)) == expected
    assert totals(dh.reduce(frame, named=named)) == expected
    assert run(["rank", str(path), "--columns", "entry=who", "item=what", "score=real"]) == 0
    assert "columns read: who as entry, what as item, real as score" in capsys.readouterr().out
    assert run(["rank", str(path), "--columns", "entry=who", "--columns", "item=nothing"]) == 1
    assert "no reader recognises this file" in (shown := capsys.readouterr().err) or "nothing" in shown
    assert run(["rank", str(path), "--columns", "person=who"]) == 1
    assert "one of the parts entry, item, sample" in capsys.readouterr().err
    assert run(["rank", str(path), "--columns", "who"]) == 2
    capsys.readouterr()


def test_a_refused_table_lists_its_columns(tmp_path):
    path = write(tmp_path / "a.csv", "model,seed,prompt,wer,cer\nA,1,x,.5,.5\n")
    with pytest.raises(dh.UnknownFormat) as refused:
        dh.read(path)
    text = str(refused.value)
    assert "'model' as entry, 'seed' as sample, 'prompt', 'wer', 'cer'" in text
    assert "--columns item=NAME score=NAME names them" in text
    assert "'wer', 'cer' may be meant" in text


def test_totals_are_told_for_what_they_are(tmp_path):
    path = write(tmp_path / "a.csv", "model,score\nA,.5\nB,.6\n")
    with pytest.raises(dh.UnknownFormat, match=r"totals.*audit --claims FILE.*compare --published"):
        dh.read(path)
    with pytest.raises(dh.DataError, match="table of totals"):
        dh.Table.from_frame(pd.read_csv(path))


def test_a_metric_gives_the_score_and_its_direction(tmp_path):
    path = write(tmp_path / "a.csv", "model,id,wer\nA,1,.5\nA,2,.25\nB,1,.1\nB,2,.2\n")
    table = dh.read(path)
    assert table.lower_is_better is True
    assert [e.entry for e in dh.rank(table).entries] == ["B", "A"]
    assert dh.Table.from_frame(pd.read_csv(path)).lower_is_better is True


def test_an_index_without_a_name(tmp_path):
    frame = pd.DataFrame({"entry": list("AABB"), "item": [1, 2, 1, 2], "score": [1, 0, 1, 1]})
    frame.to_csv(tmp_path / "a.csv")
    assert totals(dh.read(tmp_path / "a.csv")) == {"B": (1.0, 2, 2, 0, 0), "A": (0.5, 2, 2, 0, 0)}


INTEGERS = ["TINYINT", "UTINYINT", "SMALLINT", "USMALLINT", "INTEGER", "UINTEGER", "BIGINT", "UBIGINT"]
NUMBERS = [*INTEGERS, "HUGEINT", "UHUGEINT", "FLOAT", "DOUBLE", "DECIMAL(4,1)", "BOOLEAN", "VARCHAR"]


@pytest.mark.parametrize("kind", NUMBERS)
def test_every_kind_of_number_in_parquet(tmp_path, kind):
    path = tmp_path / "a.parquet"
    duckdb.execute(
        f"COPY (SELECT * REPLACE (CAST(score AS {kind}) AS score) FROM (VALUES ('A', 1, 1), ('A', 2, 0), "
        f"('B', 1, 1), ('B', 2, 1)) t(entry, item, score)) TO '{path}' (FORMAT parquet)"
    )
    assert totals(dh.read(path)) == {"B": (1.0, 2, 2, 0, 0), "A": (0.5, 2, 2, 0, 0)}


def test_a_nested_score_is_named(tmp_path):
    duckdb.execute(f"COPY (SELECT 'A' AS entry, 1 AS item, [1, 2] AS score) TO '{tmp_path}/a.parquet'")
    with pytest.raises(dh.DataError, match="a score is a number or a word such as true"):
        dh.read(tmp_path / "a.parquet")


def test_whole_labels_have_no_decimal_point(tmp_path):
    duckdb.execute(f"COPY (SELECT 'A' AS entry, 1::DOUBLE AS item, 1 AS score) TO '{tmp_path}/a.parquet'")
    assert dh.read(tmp_path / "a.parquet").items == ("1",)


def test_no_type_is_guessed_from_the_head(tmp_path):
    scores = [bool(i % 2) for i in range(200)] + [0.25] * 100
    rows = [{"entry": "A", "item": i, "score": score} for i, score in enumerate(scores)]
    frame = pd.DataFrame(rows, dtype=object)
    frame.to_json(tmp_path / "a.jsonl", orient="records", lines=True)
    frame.to_json(tmp_path / "a.json", orient="records")
    frame.to_csv(tmp_path / "a.csv", index=False)
    for end in ("jsonl", "json", "csv"):
        assert totals(dh.read(tmp_path / f"a.{end}")) == {"A": (round(125 / 300, 6), 300, 300, 0, 0)}


def test_keys_that_come_late(tmp_path):
    lines = [f'{{"id": {i}, "score": 1}}\n' for i in range(300)]
    lines += [f'{{"id": {i}, "score": 0, "model": "B", "subset": "late"}}\n' for i in range(300)]
    with pytest.raises(dh.DataError, match="needs an entry"):
        dh.read(write(tmp_path / "a.jsonl", "".join(lines)))
    lines = [f'{{"model": "A", "id": {i}, "score": 1}}\n' for i in range(300)]
    lines += [f'{{"model": "A", "id": {i}, "epoch": 2, "score": 0}}\n' for i in range(300, 600)]
    table = dh.read(write(tmp_path / "b.jsonl", "".join(lines)))
    assert "epoch" in table.renamed


def test_columns_that_differ_in_case_are_named(tmp_path):
    path = write(tmp_path / "a.csv", "entry,item,score,Score\nA,1,1,0\n")
    with pytest.raises(dh.DataError, match=r"'score' and 'Score' differ in case only.*rename one"):
        dh.read(path)


PLAIN = "model,id,score\nA,é1,1\nA,2,0\nB,é1,1\nB,2,1\n"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-16-le-sig", "utf-8-sig"])
@pytest.mark.parametrize("end", ["csv", "jsonl", "json"])
def test_encodings(tmp_path, encoding, end):
    frame = pl.read_csv(PLAIN.encode())
    text = {"csv": frame.write_csv, "jsonl": frame.write_ndjson, "json": frame.write_json}[end]()
    data = text.encode(encoding) if encoding != "utf-16-le-sig" else b"\xff\xfe" + text.encode("utf-16-le")
    (tmp_path / f"a.{end}").write_bytes(data)
    table = dh.read(tmp_path / f"a.{end}")
    assert totals(table) == {"B": (1.0, 2, 2, 0, 0), "A": (0.5, 2, 2, 0, 0)}
    assert table.items == ("2", "é1")


def test_a_broken_text_of_another_encoding_is_named(tmp_path):
    (tmp_path / "a.csv").write_bytes(PLAIN.encode("utf-16")[:-1])
    with pytest.raises(dh.MalformedFile, match="not valid UTF-16-LE text"):
        dh.read(tmp_path / "a.csv")


@pytest.mark.parametrize(("end", "pack"), [("bz2", bz2.compress), ("xz", lzma.compress)])
def test_packed_by_bzip2_and_xz(tmp_path, end, pack):
    path = tmp_path / f"a.csv.{end}"
    path.write_bytes(pack(PLAIN.encode()))
    assert totals(dh.read(path)) == {"B": (1.0, 2, 2, 0, 0), "A": (0.5, 2, 2, 0, 0)}
    path.write_bytes(pack(PLAIN.encode())[:-9])
    with pytest.raises(dh.MalformedFile, match="truncated or corrupt"):
        dh.read(path)


@pytest.mark.parametrize("size", [100_000, 3_000_000])
def test_long_lines_of_csv(tmp_path, size):
    path = write(tmp_path / "a.csv", f"entry,item,score\nA,1,1\nA,{'x' * size},1\nA,2,1\n")
    if size < 2_000_000:
        assert dh.read(path).provenance().read == 3
    else:
        with pytest.raises(dh.MalformedFile, match="a line is longer than 2,000,000 bytes"):
            dh.read(path)


def test_nan_in_frames():
    columns = {"entry": ["A", "A", "B", "B"], "item": [1, 2, 1, 2], "score": [1.0, np.nan, 1.0, 0.0]}
    for frame in (pd.DataFrame(columns), columns):
        assert totals(dh.Table.from_frame(frame))["A"] == (1.0, 1, 1, 0, 1)
    with pytest.raises(dh.MissingScore, match="of 4 rows 1 hold NaN"):
        dh.Table.from_frame(pl.DataFrame(columns))
    empty = pl.DataFrame(columns | {"score": [1.0, None, 1.0, 0.0]})
    assert totals(dh.Table.from_frame(empty))["A"] == (1.0, 1, 1, 0, 1)
