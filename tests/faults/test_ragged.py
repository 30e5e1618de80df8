"""Entries that ran different items: who may lead, who takes part, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat import read
from deadheat.data.table import Table
from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from deadheat.ranking.verb import rank
from deadheat.report.renderers import RENDERERS, render
from deadheat.stats.multiple.ragged_order import usual_items
from support import NEEDS_SHARED, SHARED, shared_json, table_of


def easy_first():
    """A ran the 40 easy items only (30 right); B ran all and is right on A's items more often; C never is."""
    easy = [1] * 30 + [0] * 10
    return {"A": easy + [None] * 60, "B": [1] * 40 + [1] * 10 + [0] * 50, "C": [0] * 100}


def test_nobody_heads_a_board_below_whom_an_entry_is_separated_above_it():
    board = rank(table_of(easy_first()), min_share=0)
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


def test_an_aborted_run_neither_leads_nor_changes_anything():
    rows = {"good": [1] * 80 + [0] * 20, "mid": [1] * 50 + [0] * 50, "bad": [1] * 20 + [0] * 80}
    aborted = {"aborted": [1, 1] + [None] * 98}
    board, without = rank(table_of(rows | aborted)), rank(table_of(rows))
    assert board.groups == without.groups
    assert board.entries[:3] == without.entries
    assert board.apart == ("aborted",)
    last = board.entries[-1]
    assert (last.entry, last.value, last.rank, last.group, last.place) == ("aborted", 1.0, None, None, None)
    assert "fewer than 50 % of the 100" in last.notes[0].text
    everyone = rank(table_of(rows | aborted), min_share=0)
    assert everyone.apart == ()
    assert everyone.groups[0].anchor == "aborted"


def lines(board, names):
    return {score.entry: score for score in board.entries if score.entry in names}


@given(
    st.integers(0, 2**32 - 1),
    st.lists(st.integers(1, 40), min_size=2, max_size=7),
    st.sampled_from([0.25, 0.5, 0.9]),
    st.sampled_from(["none", "holm"]),
)
@settings(max_examples=60, deadline=None)
def test_an_entry_below_the_share_changes_nothing_for_the_others(seed, counts, share, adjust):
    rng = np.random.default_rng(seed)
    rows = {}
    for at, count in enumerate(counts):
        row = [None] * 40
        for item in rng.permutation(40)[:count]:
            row[item] = int(rng.random() < 0.5)
        rows[f"e{at}"] = row
    try:
        board = rank(table_of(rows), min_share=share, adjust=adjust)
    except DataError:
        return
    for name in board.apart:
        rest = {entry: row for entry, row in rows.items() if entry != name}
        without = rank(table_of(rest), min_share=share, adjust=adjust)
        others = set(rows) - set(board.apart)
        assert without.groups == board.groups
        assert without.tie_lines == board.tie_lines
        assert set(without.apart) == set(board.apart) - {name}
        for entry in others:
            one, other = lines(board, others)[entry], lines(without, others)[entry]
            assert (one.rank, one.place, one.group, one.letters) == (
                other.rank,
                other.place,
                other.group,
                other.letters,
            )
            assert one.value == other.value
            assert one.vs_anchor == other.vs_anchor


def test_items_of_an_aborted_run_alone_are_no_items_of_the_board():
    rows = {"a": [1, 0, 1, 1, None], "b": [0, 0, 1, 1, None]}
    board = rank(table_of(rows | {"x": [None] * 4 + [1]}), adjust="max-t", alpha=0.2, draws=99)
    without = rank(
        table_of({name: row[:4] for name, row in rows.items()}), adjust="max-t", alpha=0.2, draws=99
    )
    assert board.entries[:2] == without.entries
    assert board.entries[0].absent == 0


def test_a_run_that_did_not_finish_is_listed_apart():
    table = table_of({"a": [1, 0, 1, 1], "b": [0, 0, 1, 1], "c": [1, 1, 1, None]})
    board = rank(replace(table, unfinished=frozenset({"c"})))
    assert board.apart == ("c",)
    assert "did not finish" in board.summary
    none = rank(replace(table, unfinished=frozenset("abc")))
    assert none.apart == ()


def test_an_anchor_that_is_listed_apart_is_refused():
    table = table_of({"a": [1, 0] * 10, "b": [1, 1] * 10, "c": [1, 1] + [None] * 18})
    with pytest.raises(MethodError, match=r"c does not anchor these items.*--min-share 0"):
        rank(table, anchor="c")


def test_usual_items_are_those_of_the_block_with_most_comparisons():
    assert usual_items([100, 100, 100, 2]) == 100
    assert usual_items([1000, 100, 100, 100, 100, 100]) == 100
    assert usual_items([1000, 300]) == 300
    assert usual_items([100, 2]) == 100
    assert usual_items([]) == 0


@pytest.mark.parametrize("score", [[1, 0, 1, 1, 0] * 4, [1] * 9, [0], [0.5, 2.5, 3], [1, 0]])
def test_one_entry_is_a_board_without_groups(score):
    board = rank(table_of({"only": score}))
    assert board.groups == ()
    assert board.tie_lines == ()
    assert board.entries[0].group is None
    assert board.entries[0].value == pytest.approx(np.mean(score))
    assert [gap.correlation for gap in board.resolution.visible] == [0, 0.5]
    assert board.methods.test is None
    assert board.summary.startswith("only scores ")


def test_one_entry_shows_its_categories_reruns_and_failures():
    frame = {
        "entry": ["m"] * 12,
        "item": [f"i{i // 2}" for i in range(12)],
        "sample": ["0", "1"] * 6,
        "score": [1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, None],
        "status": ["scored"] * 11 + ["failed"],
        "category": ["x"] * 6 + ["y"] * 6,
    }
    board = rank(Table.from_columns({k: np.array(v, dtype=object) for k, v in frame.items()}))
    assert set(board.categories) == {"x", "y"}
    assert board.categories["x"].entries[0].value == pytest.approx(0.5)
    assert board.both_errors[0].reruns.se is not None
    assert board.denominators[0].failed == 1
    assert board.firsts == ()
    for format in RENDERERS:
        assert "50.0" in render([board], format) or format in ("csv", "json")


@NEEDS_SHARED
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_one_entry_of_four_samples_has_the_published_figures(k):
    table = read(SHARED / "data" / "tau_bench_airline" / "results.csv.gz")
    figures = shared_json("data/tau_bench_airline/FIGURES.json")["entries"][0]
    for metric in ("pass^k", "pass@k"):
        board = rank(table, Estimand(metric=metric, k=k))
        assert board.entries[0].value == pytest.approx(figures[metric.replace("k", str(k))], rel=1e-12)
