"""Entries that ran different items: who may lead, who takes part, and what is said of it."""

import numpy as np

from deadheat.ranking.verb import rank
from support import table_of


def easy_first():
    """A ran the 40 easy items only (30 right); B ran all and is right on A's items more often; C never is."""
    easy = [1] * 30 + [0] * 10
    return {"A": easy + [None] * 60, "B": [1] * 40 + [1] * 10 + [0] * 50, "C": [0] * 100}


def test_nobody_heads_a_board_below_whom_an_entry_is_separated_above_it():
    board = rank(table_of(easy_first()))
    assert [score.entry for score in board.entries] == ["B", "A", "C"]
    assert [score.place for score in board.entries] == [1, 2, 3]
    assert [group.anchor for group in board.groups] == ["B", "A", "C"]
    text = next(note.text for note in board.notes if note.code == "order-by-pairs")
    assert text.startswith("B is listed above A")
    assert "on the 40 items that both have" in text


def test_a_pair_that_was_not_tested_puts_nobody_into_a_group():
    board = rank(table_of({"a": [1, 1, None], "b": [0, None, 1], "c": [1, 0, 1]}, category=["k", "k", "l"]))
    assert {score.group for score in board.entries} == {1}
    lonely = {"a": [1, 1, 1, None, None], "b": [1, 1, 0, None, None], "x": [None, None, None, 1, 1]}
    board = rank(table_of(lonely))
    x = next(score for score in board.entries if score.entry == "x")
    assert x.group is None
    assert x.letters is None
    assert x.rank == (1, 3)
    assert [group.members for group in board.groups] == [("a", "b")]
    assert any(note.code == "disjoint-blocks" for note in board.notes)


def test_an_anchor_without_items_in_a_category_is_said():
    rows = {"a": [1, 1, 0, None, None], "b": [1, 0, 0, 1, 0], "c": [0, 0, 1, 1, 1]}
    board = rank(table_of(rows, category=["k"] * 3 + ["l"] * 2), by="category", anchor="a")
    assert board.categories["k"].groups[0].anchor == "a"
    assert board.categories["l"].groups[0].anchor == "c"
    note = next(note for note in board.categories["l"].notes if note.code == "anchor-absent")
    assert note.text.startswith("a has no score on these items")


def test_a_circle_of_separated_entries_has_no_groups():
    rng = np.random.default_rng(1)
    rows = {name: [None] * 120 for name in "abc"}
    for at, (better, worse) in enumerate((("a", "b"), ("b", "c"), ("c", "a"))):
        for item in range(40 * at, 40 * at + 40):
            rows[better][item], rows[worse][item] = 1, int(rng.random() < 0.2)
    board = rank(table_of(rows))
    assert board.groups == ()
    assert {score.group for score in board.entries} == {None}
    assert any(note.code == "order-circle" for note in board.notes)
