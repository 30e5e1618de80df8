"""The board: what is planted is found, what cannot be known is withheld, and no name changes a number."""

import re

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.proportion import proportion_confint

from deadheat.errors import DataError, MethodError
from deadheat.estimand import Estimand
from deadheat.ranking.verb import rank
from deadheat.report import render
from support import random_table, table_of


def discordant_pair(a_only, b_only, both=10, neither=10):
    a = [1] * a_only + [0] * b_only + [1] * both + [0] * neither
    b = [0] * a_only + [1] * b_only + [1] * both + [0] * neither
    return table_of({"a": a, "b": b})


def score_of(board, entry):
    return next(score for score in board.entries if score.entry == entry)


def test_identical_entries_are_never_separated():
    rng = np.random.default_rng(0)
    row = rng.integers(2, size=400).tolist()
    board = rank(table_of({"a": row, "b": row, "c": row}))
    assert [score.group for score in board.entries] == [1, 1, 1]
    assert [score.place for score in board.entries] == [1, 1, 1]
    assert [score.rank for score in board.entries] == [(1, 3)] * 3
    assert board.entries[1].vs_anchor.p == 1.0
    assert board.tie_lines == (("a", "b", "c"),)


def test_forty_one_directional_flips_are_found():
    board = rank(discordant_pair(40, 0, both=200, neither=200))
    assert [score.group for score in board.entries] == [1, 2]
    assert [score.rank for score in board.entries] == [(1, 1), (2, 2)]
    assert board.entries[1].vs_anchor.p == pytest.approx(2 * 0.5**40, rel=1e-12)
    assert board.tie_lines == ()
    assert "separated" in board.summary


@pytest.mark.parametrize(("b", "c"), [(100, 100), (512, 512)])
def test_balanced_discordance_is_no_difference(b, c):
    board = rank(discordant_pair(b, c))
    assert board.entries[1].vs_anchor.p == 1.0
    assert len(board.groups) == 1


def test_large_counts_neither_overflow_nor_vanish():
    assert rank(discordant_pair(600, 500)).entries[1].vs_anchor.p == pytest.approx(
        0.0028195449914364275, rel=1e-12
    )
    versus = rank(discordant_pair(2000, 0)).entries[1].vs_anchor
    assert versus.p > 0
    assert versus.log10_p == pytest.approx(-601.758961332, rel=1e-11)
    text = render(rank(discordant_pair(2000, 0)), "table", width=160)
    assert "<1e-300" in text


def test_scores_are_those_of_other_programs():
    table = random_table(np.random.default_rng(1), 5, 300)
    board = rank(table)
    for score in board.entries:
        k = round(score.value * 300)
        low, high = proportion_confint(k, 300, method="wilson")
        assert (score.interval.low, score.interval.high) == pytest.approx((low, high), abs=1e-12)
        assert score.se == pytest.approx(np.sqrt(score.value * (1 - score.value) / 300), rel=1e-12)
        if score.vs_anchor:
            b, c = score.vs_anchor.a_only, score.vs_anchor.b_only
            assert score.vs_anchor.p == pytest.approx(scipy_stats.binomtest(b, b + c).pvalue, rel=1e-9)
            assert score.vs_anchor.difference == pytest.approx((b - c) / 300)


@pytest.mark.parametrize("method", ["wald", "clopper-pearson", "jeffreys", "agresti-coull", "mid-p"])
def test_every_closed_form_interval(method):
    board = rank(discordant_pair(30, 20), interval=method)
    assert board.methods.interval == method
    assert all(
        s.interval.method == method and s.interval.low < s.value < s.interval.high for s in board.entries
    )


def test_boundary_rates_withhold_the_error_but_keep_the_comparison():
    board = rank(table_of({"all": [1] * 20, "half": [1, 0] * 10, "none": [0] * 20}))
    for entry, low, high in (("all", 0.8388748419471806, 1.0), ("none", 0.0, 0.16112515805281938)):
        score = score_of(board, entry)
        assert score.se is None
        assert [note.code for note in score.notes] == ["boundary"]
        assert (score.interval.low, score.interval.high) == pytest.approx((low, high), abs=1e-12)
    assert score_of(board, "none").vs_anchor.p == pytest.approx(2 * 0.5**20)


def test_disjoint_entries_are_not_a_tie():
    board = rank(table_of({"a": [1, 1, None, None], "b": [None, None, 1, 0], "c": [1, 0, 1, 0]}))
    a, b = score_of(board, "a"), score_of(board, "b")
    assert a.group != b.group
    assert b.vs_anchor.p is None
    assert b.vs_anchor.difference is None
    assert b.vs_anchor.notes[0].code == "nothing-shared"
    assert ("a", "b") not in board.tie_lines
    assert any(note.code == "ragged" for note in board.notes)


def test_ties_are_relative_to_the_anchor():
    # 8/2 (p .109), 6/2 (p .289) and 12/2 (p .013): A ~ B, B ~ C, A > C.
    a = [1] * 8 + [0] * 2 + [1] * 6 + [0] * 2
    b = [0] * 8 + [1] * 2 + [1] * 6 + [0] * 2
    c = [0] * 8 + [1] * 2 + [0] * 6 + [1] * 2
    c[8:10] = [1, 1]
    board = rank(table_of({"A": a, "B": b, "C": c}))
    assert {s.entry: s.group for s in board.entries} == {"A": 1, "B": 1, "C": 2}
    assert board.tie_lines == (("A", "B"), ("B", "C"))
    assert [group.anchor for group in board.groups] == ["A", "C"]


def test_an_anchor_of_ones_own():
    rng = np.random.default_rng(3)
    board = rank(random_table(rng, 6, 200), anchor="e003")
    assert board.groups[0].anchor == "e003"
    assert score_of(board, "e003").vs_anchor is None
    assert [s.value for s in board.entries] == sorted((s.value for s in board.entries), reverse=True)
    with pytest.raises(MethodError, match="no entry 'x' to anchor the board; found"):
        rank(random_table(rng, 6, 20), anchor="x")


@pytest.mark.parametrize(
    ("scores", "options", "error", "words"),
    [
        ({"a": [1, None], "b": [None, 1]}, {}, DataError, "no two entries share an item"),
        ({"a": [1, 0], "b": [100, 0]}, {}, DataError, r"scales differ: a .* and b in \[0, 100"),
        ({"a": [1, 0], "b": [0.5, 1]}, {"interval": "wilson"}, MethodError, "single 0/1 attempts"),
        ({"a": [1, 0], "b": [0.5, 1]}, {"test": "mcnemar"}, MethodError, "0/1"),
        ({"a": [1, 0], "b": [0, 1]}, {"interval": "walt"}, MethodError, "no interval 'walt'; known are"),
        ({"a": [1, 0], "b": [0, 1]}, {"test": "walt"}, MethodError, "no test 'walt'"),
        ({"a": [1, 0], "b": [0, 1]}, {"adjust": "walt"}, MethodError, "no adjustment 'walt'"),
        ({"a": [1, 0], "b": [0, 1]}, {"alpha": 1.0}, MethodError, "alpha lies between 0 and 1"),
        ({"a": [1, 0], "b": [0, 1]}, {"level": 95}, MethodError, "level lies between 0 and 1"),
    ],
)
def test_refused(scores, options, error, words):
    with pytest.raises(error, match=words):
        rank(table_of(scores), **options)


def test_failed_and_absent_are_counted_on_every_line():
    table = random_table(np.random.default_rng(5), 4, 50, absent=0.2)
    board = rank(table)
    for score in board.entries:
        assert score.items + score.absent == len(table.items)
        assert score.samples == score.items


def anonymous(board, names):
    """The board's JSON with each name replaced by its position on the board."""
    text = render(board, "json")
    for new in sorted(names, key=len, reverse=True):
        place = [score.entry for score in board.entries].index(new)
        text = re.sub(rf"\b{new}\b", f"#{place}", text)
    return text


@given(st.integers(0, 2**31), st.permutations(["qv", "qw", "qx", "qy", "qz"]), st.sampled_from([0.0, 0.2]))
def test_names_and_row_order_change_no_number(seed, names, absent):
    rng = np.random.default_rng(seed)
    old = [f"e{e:03d}" for e in range(5)]
    table = random_table(rng, 5, 40, absent)
    scores = {name: [None] * len(table.items) for name in old}
    for e, i, t in zip(table.cells.entry, table.cells.item, table.cells.total, strict=True):
        scores[table.entries[e]][i] = t
    order = rng.permutation(5)
    renamed = {names[e]: scores[old[e]] for e in order}
    assert anonymous(rank(table_of(scores)), old) == anonymous(rank(table_of(renamed)), list(names))


@given(st.integers(0, 2**31))
def test_rank_intervals_hold_the_places_of_separated_entries(seed):
    board = rank(random_table(np.random.default_rng(seed), 6, 60))
    for score in board.entries:
        low, high = score.rank
        assert 1 <= low <= high <= 6
    assert board.entries[0].rank[0] == 1


def test_the_estimand_travels_with_the_board():
    board = rank(discordant_pair(5, 3), Estimand(failed="drop"))
    again = msgspec.json.decode(render(board, "json"))
    assert again["estimand"]["failed"] == "drop"
    assert again["schema"] == "deadheat/board@1"
    assert again["methods"]["test"] == "mcnemar"


def test_the_summary_says_what_many_comparisons_leave():
    close = {f"e{i}": [1] * (40 - 3 * i) + [0] * (20 + 3 * i) for i in range(8)}
    board = rank(table_of(close))
    best, one_by_one = board.claims
    assert len(best.entries) > len(board.groups[0].members) == len(one_by_one.others) + 1
    assert board.summary.startswith("The best of the 8 entries is e0, e1 or e2, with 95 % confidence.")
    assert "taken together" not in rank(table_of(close), adjust="holm").summary
    assert "taken together" not in rank(table_of({"a": [1] * 30, "b": [0] * 30})).summary


@pytest.mark.parametrize(("items", "told"), [(25, True), (19, False)])
def test_one_run_under_two_names_is_told(items, told):
    row = [int(n % 3 > 0) for n in range(items)]
    board = rank(table_of({"b": row, "a": row, "c": [*row[:-1], 1 - row[-1]]}))
    found = [note.text for note in board.notes if note.code == "identical-entries"]
    text = f"a and b have the same score on each of {items} items: one run under two names?"
    assert found == ([text] if told else [])


def test_entries_that_are_right_everywhere_are_no_twins():
    board = rank(table_of({"a": [1] * 30, "b": [1] * 30}))
    assert "identical-entries" not in {note.code for note in board.notes}
