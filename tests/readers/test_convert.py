"""`deadheat convert` and `deadheat formats`: every fixture goes round unchanged, and no text goes with it."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat.cli.main import run
from deadheat.readers import read, readers
from deadheat.readers.export import export
from formats_kit import COLUMNS, FIXTURES, Case, attempts, cases, read_case

READ = cases("read")
TARGETS = ("x.csv", "x.jsonl", "x.parquet")


def comparable(table, *, absent=True):
    """Attempts with the statuses that a table without a column of them would have."""
    rows = []
    for entry, item, sample, score, status, reason in attempts(table):
        status = status or ("absent" if score == "" else "scored")
        if absent or status != "absent":
            rows.append((entry, item, sample, score, status, reason))
    return rows


@pytest.mark.parametrize("case", READ, ids=Case.id)
def test_canonical_round_trip_is_exact(case, tmp_path):
    name = TARGETS[READ.index(case) % len(TARGETS)]
    table = read_case(case)
    rows = export(table, tmp_path / name)
    again = read(tmp_path / name)
    assert rows == len(attempts(table))
    assert comparable(again) == comparable(table)
    assert (again.entries, again.items) == (table.entries, table.items)


@pytest.mark.parametrize("case", READ, ids=Case.id)
def test_every_eval_ever_round_trip_is_exact(case, tmp_path):
    table = read_case(case)
    export(table, tmp_path / "x_samples.jsonl", "every-eval-ever")
    again = read(tmp_path / "x_samples.jsonl")
    # Absent attempts have no record; a repeat that has no number is given one.
    wanted = [row[:5] for row in comparable(table, absent=False)]
    found = [
        (*row[:2], row[2] if wanted_row[2] else "", *row[3:5])
        for row, wanted_row in zip(comparable(again), wanted, strict=True)
    ]
    assert found == wanted


def test_every_eval_ever_records_have_what_the_schema_requires(tmp_path):
    export(read_case(READ[0]), tmp_path / "x_samples.jsonl", "every-eval-ever")
    for line in (tmp_path / "x_samples.jsonl").read_text().splitlines():
        record = json.loads(line)
        assert set(record) == {
            "schema_version",
            "evaluation_id",
            "model_id",
            "evaluation_name",
            "sample_id",
            "interaction_type",
            "input",
            "output",
            "answer_attribution",
            "evaluation",
            "error",
            "metadata",
        }
        assert isinstance(record["evaluation"]["score"], float)
        assert isinstance(record["evaluation"]["is_correct"], bool)
        assert record["input"] == {"raw": "", "reference": []}
        assert record["output"] == {"raw": []}


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    rows=st.lists(
        st.tuples(
            st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8),
            st.floats(-1e60, 1e60) | st.none(),
        ),
        min_size=1,
        max_size=6,
        unique_by=lambda row: row[0],
    ),
    name=st.sampled_from(TARGETS),
)
def test_any_label_and_any_score_survive(rows, name, tmp_path_factory):
    folder = tmp_path_factory.mktemp("round")
    lines = [{"entry": f"e {item}", "item": item, "score": score} for item, score in rows]
    (folder / "in.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    table = read(folder / "in.jsonl")
    export(table, folder / name)
    assert comparable(read(folder / name)) == comparable(table)


def test_text_is_never_copied(tmp_path, capsys):
    path = tmp_path / "a.jsonl"
    rows = [
        {"model": "m", "id": str(n), "correct": n % 2, "response": "SECRET", "subject": "sum"} for n in (0, 1)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run(["convert", str(path), "-o", str(tmp_path / "out.csv"), "-q"]) == 0
    assert (tmp_path / "out.csv").read_text() == "entry,item,score,category\nm,0,0.0,sum\nm,1,1.0,sum\n"
    assert run(["convert", str(path), "--column", "response", "-q"]) == 0
    assert "SECRET" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-o", "{folder}/x.txt"], 1, "x.txt: the suffix stands for no format; end it in .csv, .jsonl"),
        (["--to", "xlsx"], 2, "--to xlsx: no such name; there are csv, jsonl, parquet, every-eval-ever"),
        (["--column", "nope"], 1, "no column nope in these results; found entry, item"),
        (["-o", "{folder}/none/x.csv"], 1, "x.csv: cannot be written (No such file or directory)"),
        (["--to", "every-eval-ever", "--column", "task"], 1, "no place for further columns; leave out task"),
    ],
)
def test_refusals(arguments, code, message, tmp_path, capsys):
    path = FIXTURES / "inspect" / "runs"
    assert run(["convert", str(path), *[word.format(folder=tmp_path) for word in arguments]]) == code
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_convert_tells_what_reading_decided(tmp_path, capsys):
    path = FIXTURES / "inspect" / "stopped.eval"
    assert run(["convert", str(path), "-o", str(tmp_path / "x.csv")]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "deadheat: stopped.eval: this run did not finish (status 'error')",
        f"deadheat: wrote 8 attempts of 1 entries to {tmp_path / 'x.csv'}",
    ]
    assert (tmp_path / "x.csv").read_text().splitlines()[0] == ",".join(COLUMNS)


def test_formats_lists_every_reader(capsys):
    assert run(["formats"]) == 0
    text = capsys.readouterr().out
    for reader in readers().values():
        assert f"{reader.name}: {reader.title}\n  recognised  " in text
    assert max(map(len, text.splitlines())) <= 100
    assert run(["formats", "lm-eval", "--json"]) == 0
    [described] = json.loads(capsys.readouterr().out)
    assert described["name"] == "lm-eval"
    assert set(described) >= {"recognised", "entry", "item", "sample", "score", "failed", "absent", "page"}
    assert run(["formats", "nope"]) == 2
