"""No attempt counts twice: results that were read from two files are refused, whatever their labels."""

import itertools
import json

import numpy as np
import pytest

from deadheat.data.table import Table
from deadheat.errors import DuplicateAttempt
from deadheat.readers import read

ROWS = [("m", "q1", 1), ("m", "q2", 0), ("n", "q1", 0), ("n", "q2", 1)]


def write(path, rows, labelled):
    """Write attempts (entry, item, score) as CSV or JSON Lines, with a sample label 0 or without."""
    names = ["entry", "item", *(["sample"] if labelled else []), "score"]
    lines = [[entry, item, *(["0"] if labelled else []), score] for entry, item, score in rows]
    if path.suffix == ".csv":
        path.write_text("\n".join(",".join(map(str, line)) for line in [names, *lines]) + "\n")
    else:
        path.write_text("".join(json.dumps(dict(zip(names, line, strict=True))) + "\n" for line in lines))


@pytest.mark.parametrize("labelled", list(itertools.product([True, False], repeat=2)))
@pytest.mark.parametrize("suffixes", list(itertools.product(["csv", "jsonl"], repeat=2)))
@pytest.mark.parametrize("scores", ["same", "other"])
def test_results_read_from_two_files_are_refused(tmp_path, suffixes, labelled, scores):
    second = [(entry, item, 1 - score if scores == "other" else score) for entry, item, score in ROWS]
    paths = [tmp_path / f"{name}.{suffix}" for name, suffix in zip("ab", suffixes, strict=True)]
    for path, rows, has in zip(paths, (ROWS, second), labelled, strict=True):
        write(path, rows, has)
    if labelled == (True, True) and scores == "same" and suffixes[0] == suffixes[1]:
        assert read(tmp_path).provenance().read == 4  # a log that was written twice, word for word
        return
    with pytest.raises(DuplicateAttempt, match=rf"\(m, q1(, 0)?\) .*{paths[0].name} and .*{paths[1].name}"):
        read(tmp_path)


@pytest.mark.parametrize("first", [True, False])
def test_one_entry_with_labels_and_one_without_is_no_fault(tmp_path, first):
    write(tmp_path / "a.csv", [row for row in ROWS if row[0] == "m"], first)
    write(tmp_path / "b.csv", [row for row in ROWS if row[0] == "n"], not first)
    table = read(tmp_path)
    assert table.entries == ("m", "n")
    assert table.cells.scored.tolist() == [1, 1, 1, 1]


def test_items_with_labels_and_others_without_are_no_fault(tmp_path):
    write(tmp_path / "a.csv", ROWS[:1], True)
    write(tmp_path / "b.csv", ROWS[1:2], False)
    assert read(tmp_path).cells.scored.tolist() == [1, 1]


def test_entries_of_two_formats_with_samples_unite(tmp_path):
    (tmp_path / "a.csv").write_text("entry,item,sample,score\nm,q,1,1\nm,q,2,0\n")
    (tmp_path / "b.jsonl").write_text('{"entry": "n", "item": "q", "score": 1}\n')
    assert read(tmp_path).cells.scored.tolist() == [2, 1]


def test_an_empty_label_is_none(tmp_path):
    (tmp_path / "a.csv").write_text('entry,item,sample,score\nm,q,"",1\nm,q,1,0\n')
    with pytest.raises(DuplicateAttempt, match=r"with and without a sample label .*\(m, q\) in .*a.csv"):
        read(tmp_path)


def test_ids_are_compared_in_one_unicode_form(tmp_path):
    write(tmp_path / "a.csv", [("m", "caf\u00e9", 1)], True)
    write(tmp_path / "b.csv", [("m", "cafe\u0301", 0)], False)
    with pytest.raises(DuplicateAttempt, match="with and without a sample label"):
        read(tmp_path)
    (tmp_path / "b.csv").unlink()
    write(tmp_path / "b.jsonl", [("m", "cafe\u0301", 0)], True)
    with pytest.raises(DuplicateAttempt, match="files of different formats"):
        read(tmp_path)


def test_unlabelled_repeats_are_not_taken_for_a_resumed_log():
    """Beside a sample column elsewhere, two attempts without a label may be two attempts."""
    columns = {
        "entry": np.array(["a", "a", "b"], dtype=object),
        "item": np.array(["x", "x", "x"], dtype=object),
        "sample": np.array([None, None, "1"], dtype=object),
        "score": np.array([1.0, 1.0, 0.0]),
    }
    with pytest.raises(DuplicateAttempt, match=r"\(a, x\) 2 times in columns; give each"):
        Table.from_columns(columns)


def two_formats(path, second):
    """Thirty items of one entry as CSV, and others as JSON Lines."""
    write(path / "a.csv", [("m", f"q{i}", i % 3 == 0) for i in range(30)], False)
    rows = [{"entry": "m", "item": f"q{i}", **row} for i, row in second.items()]
    (path / "b.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_the_same_results_in_two_formats_are_read_once(tmp_path):
    same = {i: {"score": int(i % 3 == 0)} for i in range(35)}
    table = read(two_formats(tmp_path, same))
    assert (len(table.items), table.cells.scored.max(), table.provenance().read) == (35, 1, 35)
    assert table.notes[-1].text == (
        "30 attempts at 30 (entry, item) pairs are there in 2 formats (csv, jsonl) with the same results, "
        "and are read from csv alone"
    )


def test_of_the_same_results_those_stay_that_tell_failures(tmp_path):
    told = {
        i: {"score": int(i % 3 == 0)} if i % 4 else {"score": None, "status": "failed"} for i in range(30)
    }
    for i in range(0, 30, 12):
        told[i] = {"score": 1}  # where the table has a point
    table = read(two_formats(tmp_path, told))
    assert table.cells.failed.sum() == 5
    assert "read from jsonl alone" in table.notes[-1].text


@pytest.mark.parametrize("other", [{0: {"score": 0}}, {5: {"score": None, "status": "absent"}}])
def test_results_that_differ_in_two_formats_are_refused(tmp_path, other):
    second = {i: {"score": int(i % 3 == 0)} for i in range(30)} | other
    with pytest.raises(DuplicateAttempt, match=rf"\(m, q{next(iter(other))}\) in .*a.csv and .*b.jsonl"):
        read(two_formats(tmp_path, second))


def in_order_of_samples(path, labels, entries=3, items=4):
    """Write attempts sample by sample, as a harness that runs epoch after epoch logs them."""
    rows = [
        f"e{e},i{i},{label},{(e + i + at) % 2}"
        for at, label in enumerate(labels)
        for e in range(entries)
        for i in range(items)
    ]
    path.write_text("entry,item,sample,score\n" + "\n".join(rows) + "\n")
    return rows


def test_more_samples_than_the_first_rows_tell(tmp_path, monkeypatch):
    """They cost a further scan, and no look at every attempt."""
    monkeypatch.setattr("deadheat.data.cells.HEAD", 12)
    monkeypatch.setattr("deadheat.data.repeats._exist", None)
    rows = in_order_of_samples(tmp_path / "a.csv", range(150))
    cells = read(tmp_path / "a.csv").cells
    assert cells.scored.tolist() == [150] * 12
    assert cells.total.tolist() == [75] * 12
    with (tmp_path / "a.csv").open("a") as file:
        file.write(rows[-1] + "\n")
    monkeypatch.undo()
    monkeypatch.setattr("deadheat.data.cells.HEAD", 12)
    again = read(tmp_path / "a.csv")
    assert "1 identical repeat" in again.notes[0].text
    assert again.cells.scored.tolist() == [150] * 12


@pytest.mark.parametrize("doubled", [False, True])
def test_labels_that_are_no_numbers_are_looked_at_part_by_part(tmp_path, monkeypatch, doubled):
    monkeypatch.setattr("deadheat.data.repeats.ROWS", 7)
    rows = in_order_of_samples(tmp_path / "a.csv", ["first", "second", "third"])
    if doubled:
        entry, item, label, score = rows[-1].split(",")
        with (tmp_path / "a.csv").open("a") as file:
            file.write(f"{entry},{item},{label},{1 - int(score)}\n")
        with pytest.raises(DuplicateAttempt, match=r"\(e2, i3, third\) 2 times with different scores"):
            read(tmp_path / "a.csv")
    else:
        assert read(tmp_path / "a.csv").cells.scored.tolist() == [3] * 12
