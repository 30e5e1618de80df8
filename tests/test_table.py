"""Tables are checked once: what contradicts itself is refused by name, what is missing is counted."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.data.table import Table
from deadheat.errors import DataError, DuplicateAttempt, MethodError, MissingScore
from support import table_of


def columns(**given_):
    return {
        name: np.array(values, dtype=float if name in ("score", "weight") else object)
        for name, values in given_.items()
    }


def test_cells_count_and_sum():
    table = Table.from_columns(
        columns(
            entry=["b", "a", "a", "a", "b"],
            item=["x", "x", "y", "y", "y"],
            sample=["0", "0", "0", "1", "0"],
            score=[1, 0.5, 0.25, np.nan, np.nan],
            status=["scored", "scored", "scored", "failed", None],
        )
    )
    assert table.entries == ("a", "b")
    assert table.items == ("x", "y")
    assert table.cells.total.tolist() == [0.5, 0.25, 1.0, 0.0]
    assert table.cells.squares.tolist() == [0.25, 0.0625, 1.0, 0.0]
    assert table.cells.scored.tolist() == [1, 1, 1, 0]
    assert table.cells.failed.tolist() == [0, 1, 0, 0]
    assert table.cells.absent.tolist() == [0, 0, 0, 1]
    assert not table.binary
    assert (table.provenance().read, table.provenance().failed, table.provenance().absent) == (5, 1, 1)


@pytest.mark.parametrize(
    ("given_", "error", "words"),
    [
        ({"entry": ["a", "a"], "item": ["x", "x"], "score": [1, 1]}, DuplicateAttempt, r"\(a, x\) 2 times"),
        (
            {"entry": ["a", "a"], "item": ["x", "x"], "sample": ["1", "1"], "score": [1, 0]},
            DuplicateAttempt,
            "its own sample number",
        ),
        ({"entry": ["a"], "item": ["x"], "score": [np.inf]}, MissingScore, "a, x, inf"),
        ({"entry": [""], "item": ["x"], "score": [1]}, DataError, "empty, x"),
        ({"entry": ["a"], "item": [None], "score": [1]}, DataError, "a, empty"),
        (
            {"entry": ["a"], "item": ["x"], "score": [1], "status": ["done"]},
            DataError,
            "scored, failed, absent",
        ),
        (
            {"entry": ["a"], "item": ["x"], "score": [np.nan], "status": ["scored"]},
            MissingScore,
            "found none",
        ),
        ({"entry": ["a"], "item": ["x"], "score": [1], "status": ["failed"]}, DataError, "has no score"),
        ({"entry": ["a"], "item": ["x"], "score": [-1e308]}, DataError, "at most 1e\\+60 in size"),
        ({"entry": [], "item": [], "score": []}, DataError, "no attempt"),
        ({"entry": ["a"], "score": [1]}, DataError, "needs a column 'item'"),
    ],
)
def test_refused(given_, error, words):
    with pytest.raises(error, match=words):
        Table.from_columns(columns(**given_))


def test_samples_are_told_apart_from_duplicates():
    table = Table.from_columns(columns(entry=["a"] * 2, item=["x"] * 2, sample=["1", "2"], score=[1, 0]))
    assert table.cells.scored.tolist() == [2]


def test_repeats_of_a_resumed_log_are_removed_and_told():
    repeated = {
        "entry": ["a"] * 5,
        "item": ["x", "y", "x", "y", "z"],
        "sample": ["1"] * 5,
        "score": [1, 0, 1, 0, 1],
    }
    table = Table.from_columns(columns(**repeated))
    assert table.cells.scored.tolist() == [1, 1, 1]
    assert table.cells.total.tolist() == [1, 0, 1]
    assert [(note.code, note.text[:27]) for note in table.notes] == [
        ("repeats-removed", "2 identical repeats removed")
    ]
    assert table.provenance().read == 3


def test_ids_of_other_normal_forms_are_matched_and_told():
    ids = ["caf\u00e9", "na\u00efve", "cafe\u0301", "nai\u0308ve"]
    table = Table.from_columns(
        columns(entry=["a", "a", "b", "b"], item=ids, score=[1, 0, 1, 1], repo=["p", "q", "p", "q"])
    )
    assert table.items == ("caf\u00e9", "na\u00efve")
    assert table.attribute("repo").tolist() == ["p", "q"]
    assert "2 ids matched after Unicode normalisation" in table.notes[0].text


def test_missing_and_invalid_scores_are_counted_apart():
    with pytest.raises(MissingScore) as caught:
        Table.from_columns(columns(entry=["a"] * 3, item=["x", "y", "z"], score=[1, np.inf, -np.inf]))
    assert caught.value.counts == {"rows": 3, "scored": 1, "missing": 0, "invalid": 2}


def test_attributes():
    table = table_of({"a": [1, 0, 1]}, repo=["r", "r", "s"])
    assert table.attribute("repo").tolist() == ["r", "r", "s"]
    assert table.has("repo")
    assert not table.has("cluster")
    with pytest.raises(MethodError, match=r"no item column 'cluster'.*found repo"):
        table.attribute("cluster")


def test_an_attribute_must_not_contradict_itself():
    table = Table.from_columns(columns(entry=["a", "b"], item=["x", "x"], score=[1, 0], cluster=["p", "q"]))
    with pytest.raises(MethodError, match="x is both 'p' and 'q'"):
        table.attribute("cluster")


def test_counts_are_a_table_too():
    table = Table.from_counts(["a", "b"], ["x", "y"], [[3, 0], [1, 2]], [[4, 0], [4, 4]])
    assert table.cells.scored.tolist() == [4, 4, 4]
    assert table.cells.total.tolist() == [3.0, 1.0, 2.0]
    assert table.binary
    with pytest.raises(DataError, match="between 0 and the number of samples"):
        Table.from_counts(["a"], ["x"], [[5]], [[4]])
    with pytest.raises(DataError, match="sorted and unique"):
        Table.from_counts(["b", "a"], ["x"], [[1], [1]], 1)
    with pytest.raises(DataError, match="shape"):
        Table.from_counts(["a", "b"], ["x"], [[1]], 1)
    with pytest.raises(MethodError, match=r"no item column"):
        table.attribute("cluster")


FRAME = {
    "model": ["a", "a", "b"],
    "question_id": [7, 8, 7],
    "correct": [True, False, True],
    "epoch": [1, 1, 1],
}


@pytest.mark.parametrize(
    "make",
    [
        pd.DataFrame,
        pl.DataFrame,
        pl.LazyFrame,
        pa.table,
        dict,
        lambda frame: __import__("duckdb").sql("SELECT * FROM frame"),
    ],
    ids=["pandas", "polars", "polars-lazy", "pyarrow", "dict", "duckdb"],
)
def test_any_frame(make):
    frame = make(FRAME) if make.__class__ is type or make is pa.table else make(pa.table(FRAME))
    table = Table.from_frame(frame)
    assert table.entries == ("a", "b")
    assert table.items == ("7", "8")
    assert table.cells.total.tolist() == [1.0, 0.0, 1.0]
    assert table.renamed == {"model": "entry", "question_id": "item", "correct": "score", "epoch": "sample"}


def test_a_frame_without_scores_is_refused():
    with pytest.raises(
        DataError,
        match="column for the score; found 'model' as entry, 'id' as item; --columns score",
    ):
        Table.from_frame({"model": ["a"], "id": ["x"]})


@given(st.permutations(range(12)))
def test_row_order_is_nothing(order):
    entry = [f"e{i % 3}" for i in range(12)]
    item = [f"i{i // 3}" for i in range(12)]
    score = [0.1 * i for i in range(12)]
    plain = Table.from_columns(columns(entry=entry, item=item, score=score))
    mixed = Table.from_columns(
        columns(
            entry=[entry[i] for i in order], item=[item[i] for i in order], score=[score[i] for i in order]
        )
    )
    assert plain.entries == mixed.entries
    for name in ("entry", "item", "total", "squares"):
        assert (getattr(plain.cells, name) == getattr(mixed.cells, name)).all()


@given(st.lists(st.floats(-1e3, 1e3, allow_nan=False), min_size=2, max_size=9), st.randoms())
def test_sums_of_fractions_do_not_depend_on_order(scores, random):
    n = len(scores)
    mixed = scores[:]
    random.shuffle(mixed)
    made = [
        Table.from_columns(columns(entry=["a"] * n, item=["x"] * n, sample=list(map(str, range(n))), score=s))
        for s in (scores, mixed)
    ]
    assert made[0].cells.total[0] == made[1].cells.total[0]
    assert made[0].cells.squares[0] == made[1].cells.squares[0]


def test_a_column_of_statuses_that_says_nothing_is_none():
    said = {"entry": ["a", "a"], "item": ["x", "y"], "score": [1, 0]}
    assert not Table.from_columns(columns(**said, status=[None, None])).has("status")
    assert Table.from_columns(columns(**said, status=[None, "scored"])).has("status")
