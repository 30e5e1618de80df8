"""Tables of attempts: every spelling people use is read, all else is refused by file, line and word."""

import gzip
import hashlib
import json

import duckdb
import pytest

from deadheat.errors import DataError, MalformedFile, MissingScore, ReadError, UnknownFormat
from deadheat.readers import Options, distinct_names, read
from deadheat.readers.base import sha256
from support import zstd

CSV = "model,question_id,correct,repo\na,q1,1,r\na,q2,0,s\nb,q1,true,r\nb,q2,False,s\n"
ROWS = [
    {"model": m, "question_id": q, "correct": c, "repo": r}
    for m, q, c, r in (
        ("a", "q1", 1, "r"),
        ("a", "q2", 0, "s"),
        ("b", "q1", True, "r"),
        ("b", "q2", False, "s"),
    )
]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)


def parquet():
    import pathlib
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder, "a.csv"), pathlib.Path(folder, "a.parquet")
        source.write_text(CSV)
        duckdb.execute(f"COPY (SELECT * FROM read_csv('{source}')) TO '{target}' (FORMAT parquet)")
        return target.read_bytes()


SPELLINGS = {
    "r.csv": CSV.encode(),
    "r.tsv": CSV.replace(",", "\t").encode(),
    "crlf.csv": CSV.replace("\n", "\r\n").encode(),
    "bom.csv": b"\xef\xbb\xbf" + CSV.encode(),
    "semicolon.csv": CSV.replace(",", ";").encode(),
    "r.csv.gz": gzip.compress(CSV.encode()),
    "r.csv.zst": zstd.compress(CSV.encode()),
    "r.jsonl": LINES.encode(),
    "bom.jsonl": b"\xef\xbb\xbf" + LINES.encode(),
    "blank.jsonl": LINES.replace("\n", "\r\n\r\n").encode(),
    "r.ndjson": LINES.encode(),
    "r.jsonl.gz": gzip.compress(LINES.encode()),
    "r.jsonl.zst": zstd.compress(LINES.encode()),
    "r.json": json.dumps(ROWS, indent=1).encode(),
    "bom.json": b"\xef\xbb\xbf" + json.dumps(ROWS).encode(),
    "r.parquet": parquet(),
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_the_same_table_from_every_spelling(tmp_path, name):
    (tmp_path / name).write_bytes(SPELLINGS[name])
    table = read(tmp_path / name)
    assert table.entries == ("a", "b")
    assert table.items == ("q1", "q2")
    assert table.cells.total.tolist() == [1.0, 0.0, 1.0, 0.0]
    assert table.binary
    assert table.attribute("repo").tolist() == ["r", "s"]
    assert table.attribute("cluster").tolist() == ["r", "s"]
    assert table.renamed["model"] == "entry"
    assert table.files[0].rows == 4
    assert len(table.files[0].sha256) == 64


@pytest.mark.parametrize(
    ("name", "content", "error", "words"),
    [
        ("a.csv", b"", ReadError, "a.csv: the file is empty"),
        ("a.csv", b"model,id,score\n", DataError, "no attempt in .*a.csv"),
        ("a.csv", b"model,id,score\na,1,abc\n", MissingScore, r"\(a, 1, abc\) in .*a.csv"),
        ("a.csv", b"model,id,score\na,1,NaN\na,2,1\n", MissingScore, r"\(a, 1, NaN\)"),
        ("a.csv", b"model,id,score\na,1,1\na,2,inf\n", MissingScore, r"\(a, 2, inf\)"),
        ("a.csv", b"model,id,score\na,1,1\na,2\n", MalformedFile, "a.csv: .*line 3|not a regular table"),
        ("a.csv", "model,id,score\nmüller,1,1\n".encode("latin-1"), MalformedFile, "not UTF-8"),
        ("a.csv", b"model,id,score,score\na,1,1,0\n", MalformedFile, "names a column twice"),
        ("a.csv", b"model,id,score\n,1,1\n", DataError, r"\(empty, 1\)"),
        (
            "a.csv",
            b"model,id,score\na,1,1\na,1,0\n",
            DataError,
            r"\(a, 1\) 2 times with different scores in .*a.csv",
        ),
        ("a.csv", b"model,name\na,1\n", UnknownFormat, "no reader recognises this file"),
        ("a.csv.gz", gzip.compress(CSV.encode() * 9000)[:200], MalformedFile, "GZIP|truncated"),
        ("a.csv.zst", zstd.compress(CSV.encode() * 9000)[:60], MalformedFile, "truncated"),
        ("a.jsonl", b'{"id": 1, "score": 1}\n{"id": 2, "sco', MalformedFile, "line 2: "),
        ("a.jsonl", b'{"id": 1, "score": NaN}\n', MissingScore, "NaN"),
        ("a.jsonl", b'{"id": 1, "score": "abc"}\n', MissingScore, "abc"),
        ("a.jsonl", b'{"id": 1, "score": 1}\n{"id": 2, "score": "abc"}\n', MissingScore, "abc"),
        ("a.jsonl", b'{"id": "m\xfcller and some more", "score": 1}\n', MalformedFile, "not UTF-8"),
        ("a.json", b'[{"id": 1, "score": 1}, {"id": 2', MalformedFile, "a.json: not valid JSON"),
        ("a.json", b'[{"id": 1, "score": "abc"}]', DataError, "score 1 is not a number: 'abc'"),
        ("a.json", b'[{"id": 1, "score": 1}, 3]', MalformedFile, "not as the format says"),
        ("a.parquet", parquet()[:-30], MalformedFile, "a.parquet"),
        ("a.bin", bytes(range(256)), UnknownFormat, "no reader recognises"),
    ],
)
def test_refused(tmp_path, name, content, error, words):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(error, match=words):
        read(tmp_path / name)


def test_missing_and_unreadable_paths(tmp_path):
    with pytest.raises(ReadError, match="no such file or folder"):
        read(tmp_path / "none.csv")
    with pytest.raises(ReadError, match="nothing readable in an empty folder; `deadheat formats` lists"):
        read(tmp_path)
    (tmp_path / "notes.md").write_text("hello")
    with pytest.raises(ReadError, match="1 file of an unknown format"):
        read(tmp_path)
    with pytest.raises(UnknownFormat, match="no format 'walt'; known are"):
        read(tmp_path, format="walt")


def test_words_for_right_and_wrong(tmp_path):
    words = ["true", "False", "C", "I", "yes", "no", "1", "0", "PASS", "fail"]
    (tmp_path / "a.csv").write_text("id,score\n" + "".join(f"{i},{w}\n" for i, w in enumerate(words)))
    assert read(tmp_path / "a.csv").cells.total.tolist() == [1, 0] * 5


def test_an_empty_score_is_absent(tmp_path):
    (tmp_path / "a.csv").write_text("id,score\n1,1\n2,\n3,0\n")
    table = read(tmp_path / "a.csv")
    assert table.provenance().absent == 1
    assert table.cells.absent.tolist() == [0, 1, 0]


def test_decimal_commas_are_read_and_told(tmp_path):
    (tmp_path / "a.csv").write_text("id;score\na;0,75\nb;1,0\nc;0,5\n")
    table = read(tmp_path / "a.csv")
    assert table.cells.total.tolist() == [0.75, 1.0, 0.5]
    assert [note.code for note in table.notes] == ["decimal-comma"]
    assert "0,5 was read as 0.5" in table.notes[0].text


def test_words_for_scores_are_no_decimal_commas(tmp_path):
    (tmp_path / "a.tsv").write_text("id\tscore\na\ttrue\nb\tfalse\n")
    table = read(tmp_path / "a.tsv")
    assert table.cells.total.tolist() == [1.0, 0.0]
    assert not table.notes


def test_item_ids_stay_text(tmp_path):
    (tmp_path / "a.csv").write_text("id,score\n007,1\n07,0\n7,1\n")
    assert read(tmp_path / "a.csv").items == ("007", "07", "7")


def test_wide_tables(tmp_path):
    (tmp_path / "a.csv").write_text("question,m1,m2\nq1,1,0\nq2,0,\n")
    table = read(tmp_path / "a.csv")
    assert table.entries == ("m1", "m2")
    assert table.items == ("q1", "q2")
    assert table.cells.absent.tolist() == [0, 0, 0, 1]
    assert "2 columns read as entries, items from column 'question'" in table.notes[0].text


def test_wide_tables_without_ids_need_a_word(tmp_path):
    (tmp_path / "a.csv").write_text("m1,m2,m3\n1.00,0,1\n0.00,1,1\n")
    with pytest.raises(DataError, match="--by-position"):
        read(tmp_path / "a.csv")
    table = read(tmp_path / "a.csv", options=Options(by_position=True))
    assert table.entries == ("m1", "m2", "m3")
    assert len(table.items) == 2


def test_folders_and_names(tmp_path):
    for name, scores in (("base", "10"), ("new", "11")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "out.jsonl").write_text(
            "".join(f'{{"id": {i}, "score": {s}}}\n' for i, s in enumerate(scores))
        )
    (tmp_path / "new" / ".hidden.csv").write_text("x")
    (tmp_path / "new" / "log.txt").write_text("x\n")
    table = read(tmp_path)
    assert table.entries == ("base", "new")
    assert [note.code for note in table.notes] == ["paths-passed-over", "files-passed-over"]
    assert ".hidden.csv" in table.notes[0].text
    assert "1 file of an unknown format passed over" in table.notes[1].text
    named = read([f"old={tmp_path / 'base'}", tmp_path / "new" / "out.jsonl"])
    assert named.entries == ("new", "old")
    (tmp_path / "two.csv").write_text("model,id,score\na,1,1\nb,1,0\n")
    with pytest.raises(DataError, match="names one entry, but the file holds 2: a, b"):
        read(f"x={tmp_path / 'two.csv'}")


def test_duplicates_over_two_files_name_both(tmp_path):
    for name in ("p.csv", "q.csv"):
        (tmp_path / name).write_text("model,id,score\na,1,1\n")
    with pytest.raises(DataError, match=r"\(a, 1\) 2 times in .*p.csv and .*q.csv"):
        read([tmp_path / "p.csv", tmp_path / "q.csv"])


def test_the_same_results_in_two_formats_are_not_two_samples(tmp_path):
    (tmp_path / "p.csv").write_text("model,id,epoch,score\na,1,0,1\na,2,0,0\n")
    (tmp_path / "p.jsonl").write_text('{"model": "a", "id": 1, "score": 1}\n')
    with pytest.raises(DataError, match=r"likely the same results twice: \(a, 1\) in .*p.csv and .*p.jsonl"):
        read(tmp_path)
    assert read(tmp_path / "p.csv").provenance().read == 2


def test_entries_of_two_formats_unite(tmp_path):
    (tmp_path / "p.csv").write_text("model,id,score\na,1,1\n")
    (tmp_path / "q.jsonl").write_text('{"model": "b", "id": 1, "score": 1}\n')
    assert read(tmp_path).entries == ("a", "b")


def test_files_with_other_columns_unite(tmp_path):
    (tmp_path / "p.csv").write_text("model,id,score,repo\na,1,1,r\n")
    (tmp_path / "q.csv").write_text("model,id,score\nb,1,1\n")
    table = read([tmp_path / "p.csv", tmp_path / "q.csv"])
    assert table.attribute("repo").tolist() == ["r"]


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["runs/a", "runs/b"], ["a", "b"]),
        (["runs/a/out", "runs/b/out"], ["a", "b"]),
        (["runs/a/x/out", "runs/b/x/out"], ["a", "b"]),
        (["out", "b/out"], ["out", "b/out"]),
        (["r/a/p", "r/a/q", "r/b/p"], ["a/p", "a/q", "b/p"]),
        (["a"], ["a"]),
    ],
)
def test_names_from_paths(paths, names):
    from pathlib import Path

    assert distinct_names([Path(p) for p in paths]) == names


def test_hostile_names_pass_through(tmp_path):
    names = [
        "<script>alert(1)</script>",
        "'; DROP TABLE attempts; --",
        'say "hi"',
        "=1+1",
        "\u202eRTL",
        "🐎",
        "x" * 500,
    ]
    rows = [{"model": n, "id": f"{n}-{i}", "score": i % 2} for n in names for i in range(2)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert read(tmp_path / "a.jsonl").entries == tuple(sorted(names))


def test_quoted_paths(tmp_path):
    path = tmp_path / "it's [a] file*.csv"
    path.write_text("model,id,score\na,1,1\nb,1,0\n")
    assert read(path).entries == ("a", "b")


def test_a_quote_left_open_is_no_text(tmp_path):
    """DuckDB on its own takes such a quote for a part of the text, and an entry `"a` for one more."""
    path = tmp_path / "a.csv"
    for text, line in (
        ('model,id,score\na,1,1\n"a,2,1\nb,1,1\n', 3),
        ('model,id,score,answer\na,1,1,x\na,2,1,"y\n', 3),
        ("model,id,score,answer\n" + "a,1,1,x\n" * 50_000 + 'a,2,1,"y\nb,1,1,x\n', 50_002),
    ):
        path.write_text(text)
        with pytest.raises(MalformedFile, match=f"line {line}: a quote is left open"):
            read(path)
    path.write_text('model,id,answer,score\na,1,5" pipe,1\na,2,"x, ""y""\nz",0\n')
    assert read(path).provenance().read == 2


def test_rows_of_another_width_are_named(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("model,id,score\na,1,1\na,2,1,7\n")
    with pytest.raises(MalformedFile, match="line 3: 4 cells where the header has 3"):
        read(path)


def test_names_with_commas_are_quoted(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('id,"GPT, turbo",b\n"x, 1",1,0\ny,0,0.5\n')
    table = read(path)
    assert (table.entries, table.items) == (("GPT, turbo", "b"), ("x, 1", "y"))


def test_a_status_that_comes_late_is_read(tmp_path):
    """The first rows say which keys there are; a failed attempt may be the first with a status."""
    rows = [{"entry": "a", "item": str(n), "score": 1} for n in range(5000)]
    rows[4000] = {"entry": "a", "item": "4000", "score": None, "status": "failed"}
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert read(path).provenance().failed == 1


def test_a_first_line_longer_than_a_head_is_read(tmp_path):
    row = {"text": "x" * 200_000, "entry": "a", "item": "1", "score": 1}
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps(row | {"item": "2"}) + "\n")
    assert read(path).items == ("1", "2")


def test_an_unknown_table_says_what_it_has(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y\n1,a\n")
    with pytest.raises(
        UnknownFormat, match="item and the score; found 'x', 'y'; --columns item=NAME score=NAME"
    ):
        read(path)


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv", "a.parquet"])
def test_of_a_long_answer_only_a_digest_is_kept(name, tmp_path):
    """It is a text, and all that is ever asked of answers is whether two are equal."""
    answers = ["4", "long é" * 100, "long é" * 100, "other" * 100, None]
    rows = [
        {"entry": "a", "item": "q", "sample": str(n), "score": 1, "prediction": answer}
        for n, answer in enumerate(answers)
    ]
    lines = tmp_path / "x.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    path = tmp_path / name
    if name == "a.json":
        path.write_text(json.dumps(rows))
    elif name == "a.jsonl":
        path.write_bytes(lines.read_bytes())
    else:
        duckdb.execute(f"COPY (SELECT * FROM read_json('{lines}')) TO '{path}'")
    table = read(path)
    found = table.attempts.connection.execute("SELECT answer FROM attempts ORDER BY sample").fetchall()
    kept = [row[0] for row in found]
    assert (kept[0], kept[4]) == ("4", None)
    assert kept[1] == kept[2] != kept[3]
    assert all(answer.startswith("sha256:") and len(answer) == 39 for answer in kept[1:4])


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_a_large_file_is_hashed_while_it_is_scanned(tmp_path, monkeypatch, name):
    path = tmp_path / name
    path.write_text(CSV if name == "a.csv" else LINES)
    small = read(path).files
    monkeypatch.setattr("deadheat.readers.tabular.IN_MEMORY", 10)
    assert read(path).files == small
    assert small[0].sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("known", [1, 200])
def test_two_spellings_of_one_key_are_refused(tmp_path, known):
    """Also where the second comes late: its failures would count as absent."""
    rows = [{"Status": "scored", "entry": e, "item": f"i{i}", "score": 1} for i in range(known) for e in "ab"]
    rows += [{"status": "failed", "entry": e, "item": "last", "score": None} for e in "ab"]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(DataError, match="'Status' and 'status' differ in case only"):
        read(tmp_path / "a.jsonl")
    (tmp_path / "a.csv").write_text("entry,item,Score,score\na,i,1,1\n")
    with pytest.raises(DataError, match="'Score' and 'score' differ in case only"):
        read(tmp_path / "a.csv")


def test_one_other_spelling_is_read(tmp_path):
    rows = [
        {"Status": "failed" if i == 1 else "scored", "entry": "a", "item": f"i{i}", "score": 1 - i}
        for i in (0, 1)
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert read(tmp_path / "a.jsonl").cells.failed.tolist() == [0, 1]


def test_a_file_that_vanishes_is_told(tmp_path):
    with pytest.raises(ReadError, match=r"gone\.csv: cannot be read for its hash: No such file"):
        sha256(tmp_path / "gone.csv")
