"""Ids that do not line up: what is held against them, and what is not."""

import pytest

from deadheat.data.ids import cut_off, spelled_apart

CORE = {f"org__core-{k}" for k in range(6)}


def test_merged_ids():
    items = {
        "a": CORE | {"x__three"},
        "b": CORE | {"x__three.js-1", "x__three.js-2"},
        "c": CORE | {"x__three"},
    }
    (cut,) = cut_off(items)
    assert (cut.short, cut.full, cut.mark) == ("x__three", ("x__three.js-1", "x__three.js-2"), ".")
    assert (cut.short_in, cut.full_in) == (("a", "c"), ("b",))


@pytest.mark.parametrize(
    "items",
    [
        {"a": CORE | {"x"}, "b": CORE | {"x", "x.y"}},  # b has both
        {"a": CORE | {"x"}, "b": CORE | {"x.y"}, "c": CORE | {"x", "x.y"}},  # c has both
        {"a": CORE | {"x1"}, "b": CORE | {"x12"}},  # no boundary
        {"a": {"x", "p", "q"}, "b": {"x.y", "r", "s"}},  # other boards altogether
        {"a": CORE},
        {},
    ],
)
def test_a_prefix_alone_is_no_proof(items):
    assert cut_off(items) == []


def test_one_id_cut_off():
    (cut,) = cut_off({"a": CORE | {"task"}, "b": CORE | {"task/part"}})
    assert cut.full == ("task/part",)
    assert cut.mark == "/"


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("caf\u00e9", "cafe\u0301", "Unicode form"),
        ("Task 1", "Task  1 ", "space"),
        ("Task-1", "task-1", "case"),
        ("a__b-1", "a/b_1", "separators"),
    ],
)
def test_spellings(one, other, how):
    (found,) = spelled_apart({"a": {one, "x"}, "b": {other, "x"}})
    assert found.how == how
    assert set(found.spellings) == {one, other}
    assert set(found.entries) == {("a",), ("b",)}


def test_different_ids_are_different():
    assert spelled_apart({"a": {"t-1", "T-1"}, "b": {"t-1"}}) == []
    assert spelled_apart({"a": {"t-1"}, "b": {"t-11"}}) == []
