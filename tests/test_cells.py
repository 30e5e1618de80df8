"""Attempts reduced to cells: the same for every way of holding them, each once, to the last digit."""

from fractions import Fraction

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat.data import attempts
from deadheat.data.table import Table
from deadheat.errors import DuplicateAttempt
from deadheat.readers import read


def columns(rows, names):
    return {
        name: np.array([row[at] for row in rows], dtype=float if name == "score" else object)
        for at, name in enumerate(names)
    }


def cells(table):
    made = table.cells
    return {
        (table.entries[e], table.items[i]): (n, f, a, t, s)
        for e, i, n, f, a, t, s in zip(
            *(
                x.tolist()
                for x in (
                    made.entry,
                    made.item,
                    made.scored,
                    made.failed,
                    made.absent,
                    made.total,
                    made.squares,
                )
            ),
            strict=True,
        )
    }


ROWS = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.sampled_from("xyz"),
        st.sampled_from(["0", "1", "125", "126", "251", "252", "999", "one"]),
        st.one_of(st.none(), st.sampled_from([0.0, 1.0, 0.25, 3.0, -2.5, 0.1])),
        st.sampled_from(["scored", "failed", "absent"]),
    ),
    min_size=1,
    max_size=40,
    unique_by=lambda row: row[:3],
)


@settings(deadline=None, max_examples=30)
@given(ROWS, st.randoms())
def test_cells_are_those_of_a_plain_loop(rows, random):
    rows = [
        (entry, item, sample, *((score, status) if status == "scored" and score is not None else (np.nan, s)))
        for entry, item, sample, score, status in rows
        for s in ["failed" if status == "failed" else "absent"]
    ]
    random.shuffle(rows)
    expected = {}
    for entry, item, _, score, status in rows:
        n, f, a, t, s = expected.get((entry, item), (0, 0, 0, Fraction(0), Fraction(0)))
        one = Fraction(0) if np.isnan(score) else Fraction(score)
        square = Fraction(0) if np.isnan(score) else Fraction(score * score)
        expected[entry, item] = (
            n + (status == "scored"),
            f + (status == "failed"),
            a + (status == "absent"),
            t + one,
            s + square,
        )
    table = Table.from_columns(columns(rows, ["entry", "item", "sample", "score", "status"]))
    found = cells(table)
    assert list(found) == sorted(expected)
    for key, (*counts, total, squares) in found.items():
        assert counts == list(expected[key][:3])
        assert total == pytest.approx(float(expected[key][3]), abs=1e-15, rel=1e-15)
        assert squares == pytest.approx(float(expected[key][4]), abs=1e-15, rel=1e-15)


@pytest.mark.parametrize("samples", [1, 5, 200, 400])
@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_every_way_of_holding_rows_gives_the_same(tmp_path, monkeypatch, suffix, samples):
    rng = np.random.default_rng(1)
    rows = [
        (f"e{e}", f"i{i}", str(s), float(rng.random() < 0.5))
        for e in range(3)
        for i in range(4)
        for s in range(samples)
    ]
    names = ["entry", "item", "sample", "score"] if samples > 1 else ["entry", "item", "score"]
    rows = [row if samples > 1 else (*row[:2], row[3]) for row in rows]
    expected = cells(Table.from_columns(columns(rows, names)))
    assert all(cell[0] == samples for cell in expected.values())
    connection = duckdb.connect()
    for name, column in columns(rows, names).items():
        connection.register(name + "_", {name: column})
    joined = " POSITIONAL JOIN ".join(name + "_" for name in names)
    path = tmp_path / f"a.{suffix}"
    form = {"csv": "csv, HEADER", "jsonl": "json", "parquet": "parquet"}[suffix]
    connection.execute(f"COPY (FROM {joined}) TO '{path}' (FORMAT {form})")
    assert cells(read(path)) == expected
    monkeypatch.setattr(attempts, "COPIED", 0)
    monkeypatch.setattr("deadheat.data.cells.SLICE", 7)
    assert cells(read(path)) == expected
    assert read(path).files[0].rows == len(rows)


@pytest.mark.parametrize("label", ["0", "126", "251", "252", "4000", "first"])
def test_a_repeated_label_is_found_whatever_it_is(label):
    rows = [("a", "x", label, 1.0), ("a", "x", "7", 0.0), ("a", "x", label, 0.0)]
    with pytest.raises(DuplicateAttempt, match=rf"\(a, x, {label}\) 2 times with different scores"):
        Table.from_columns(columns(rows, ["entry", "item", "sample", "score"]))
    once = Table.from_columns(columns(rows[:2], ["entry", "item", "sample", "score"]))
    assert once.cells.scored.tolist() == [2]


def test_labels_that_only_look_alike_are_other_samples():
    rows = [("a", "x", label, 1.0) for label in ("1", "01", " 1", "1.0")]
    table = Table.from_columns(columns(rows, ["entry", "item", "sample", "score"]))
    assert table.cells.scored.tolist() == [4]
    assert not table.notes


def test_the_same_sample_of_an_entry_in_two_files_is_found(tmp_path):
    for name, score in (("a", 1), ("b", 0)):
        (tmp_path / f"{name}.csv").write_text(f"entry,item,sample,score\nm,q,3,{score}\n")
    with pytest.raises(DuplicateAttempt, match=r"\(m, q, 3\) 2 times .*a.csv and .*b.csv"):
        read(tmp_path)


@given(st.lists(st.floats(-1e60, 1e60, allow_nan=False), min_size=2, max_size=20))
@settings(deadline=None, max_examples=40)
def test_fractions_are_summed_to_the_last_digits_of_the_largest(scores):
    rows = [("a", "x", str(i), score) for i, score in enumerate(scores)]
    table = Table.from_columns(columns(rows, ["entry", "item", "sample", "score"]))
    exact = float(sum(map(Fraction, scores)))
    largest = max(map(abs, scores))
    assert table.cells.total[0] == pytest.approx(exact, rel=1e-15, abs=max(largest * 2.0**-100, 1e-180))
