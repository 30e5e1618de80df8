"""A panel is entry x item arrays in an order that no name decides."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.data.panel import panel
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from support import table_of


def samples(rows):
    """Make a table of (entry, item, score or None, status) rows, samples numbered."""
    entry, item, score, status = zip(*rows, strict=True)
    return Table.from_columns(
        {
            "entry": np.array(entry, dtype=object),
            "item": np.array(item, dtype=object),
            "sample": np.array([str(i) for i in range(len(rows))], dtype=object),
            "score": np.array([np.nan if s is None else s for s in score], dtype=float),
            "status": np.array(status, dtype=object),
        }
    )


MIXED = [
    ("a", "x", 1, "scored"),
    ("a", "x", 0, "scored"),
    ("a", "x", None, "failed"),
    ("a", "y", 1, "scored"),
    ("b", "x", None, "absent"),
    ("b", "y", 1, "scored"),
    ("b", "y", None, "failed"),
]


def by_entry(seen, name):
    return dict(zip(seen.entries, seen.values.tolist(), strict=True))[name]


def test_plain_scores():
    seen = panel(table_of({"low": [0, 0, 1], "high": [1, 1, 0]}), Estimand())
    assert seen.entries == ("high", "low")
    assert seen.values.dtype == np.float32
    assert seen.binary
    assert seen.complete
    assert seen.samples is None
    assert seen.within is None


def test_failed_attempts_are_zeros_unless_told_otherwise():
    seen = panel(samples(MIXED), Estimand())
    assert by_entry(seen, "a") == pytest.approx([1 / 3, 1])
    assert by_entry(seen, "b") == pytest.approx([0, 0.5])
    assert not seen.binary
    assert dict(zip(seen.entries, seen.failed.tolist(), strict=True)) == {"a": 1, "b": 1}
    dropped = panel(samples(MIXED), Estimand(failed="drop"))
    assert by_entry(dropped, "a") == pytest.approx([0.5, 1])
    assert by_entry(dropped, "b") == pytest.approx([0, 1])
    with pytest.raises(DataError, match=r"failed attempts are refused.*found 2, for example 1 of a"):
        panel(samples(MIXED), Estimand(failed="refuse"))


def test_absent_attempts():
    seen = panel(samples(MIXED), Estimand())
    assert dict(zip(seen.entries, seen.present.tolist(), strict=True))["b"] == [False, True]
    assert dict(zip(seen.entries, seen.absent.tolist(), strict=True)) == {"a": 0, "b": 1}
    zero = panel(samples(MIXED), Estimand(absent="zero"))
    assert zero.complete
    assert by_entry(zero, "b") == pytest.approx([0, 0.5])
    with pytest.raises(DataError, match="absent attempts are refused"):
        panel(samples(MIXED), Estimand(absent="refuse"))


def test_an_unseen_item_is_absent():
    seen = panel(table_of({"a": [1, 1, None], "b": [1, 0, 1]}), Estimand())
    assert seen.absent.sum() == 1
    assert not seen.complete


def test_pass_at_k_and_short_items():
    rows = [("a", "x", s, "scored") for s in (1, 0, 0, 0)] + [("a", "y", 1, "scored")]
    with pytest.raises(MethodError, match=r"at least 2 samples of an item; 1 of 2 .* have fewer"):
        panel(samples(rows), Estimand(metric="pass@k", k=2))
    seen = panel(samples(rows), Estimand(metric="pass@k", k=2, drop_short=True))
    assert seen.values.tolist() == [[0.5, 0.0]]
    assert seen.present.tolist() == [[True, False]]
    assert seen.excluded.tolist() == [1]


def test_pass_at_k_needs_right_and_wrong():
    with pytest.raises(MethodError, match="0/1 scores"):
        panel(table_of({"a": [0.5, 1.0]}), Estimand(metric="pass@k", k=1))


def test_nothing_scored():
    with pytest.raises(DataError, match="all are failed or absent"):
        panel(samples([("a", "x", None, "absent")]), Estimand())


def test_clusters_weights_and_categories():
    table = table_of(
        {"a": [1, 0, 1], "b": [0, 0, 1]},
        repo=["r", "s", "r"],
        category=["p", "p", "q"],
        weight=["1", "2", "1"],
    )
    seen = panel(table, Estimand(cluster="repo", weights="category"))
    assert seen.cluster.tolist() == [0, 1, 0]
    assert seen.stratum.tolist() == [0, 0, 1]
    assert seen.weights.tolist() == [1, 2, 1]
    with pytest.raises(MethodError, match="no item column 'nothing'"):
        panel(table, Estimand(cluster="nothing"))


def test_equal_weights_are_no_weights():
    assert panel(table_of({"a": [1, 0]}, weight=["2", "2"]), Estimand()).weights is None
    with pytest.raises(MethodError, match="not negative and not all zero"):
        panel(table_of({"a": [1, 0]}, weight=["-1", "2"]), Estimand())


def test_select_and_rows():
    seen = panel(table_of({"a": [1, 1, 0, 0], "b": [0, 0, 1, 1]}), Estimand())
    first = seen.select(np.array([True, True, False, False]))
    assert first.entries[0] == "a"
    last = seen.select(np.array([False, False, True, True]))
    assert last.entries[0] == "b"
    assert last.items == ("i00002", "i00003")
    assert seen.rows([1]).entries == (seen.entries[1],)


@given(st.permutations(list("pqrst")), st.integers(0, 2**31))
def test_no_name_decides_the_order(names, seed):
    rng = np.random.default_rng(seed)
    rows = rng.integers(2, size=(5, 6)).tolist()
    plain = panel(table_of(dict(zip("abcde", rows, strict=True))), Estimand())
    renamed = panel(table_of(dict(zip(names, rows, strict=True))), Estimand())
    assert (plain.values == renamed.values).all()


def test_what_some_items_lack_is_refused():
    table = table_of({"a": [1, 0], "b": [0, 0]}, repo=["r", None], weight=["1", None])
    with pytest.raises(MethodError, match="every item needs a cluster; found none at i00001"):
        panel(table, Estimand(cluster="repo"))
    with pytest.raises(MethodError, match="gives a weight to every item; some items have none"):
        panel(table, Estimand())
