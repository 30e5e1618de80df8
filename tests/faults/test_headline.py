"""Headlines of boards that were false: who shares the top, what is undecided, and whom an anchor is."""

from __future__ import annotations

import pytest

from deadheat import Estimand, rank, read
from deadheat.demo import __file__ as demo
from faults.boards import patterns, texts
from support import NEEDS_SHARED, SHARED

S1 = {"111": 18, "011": 8, "010": 8, "000": 8, "100": 18}
NONTRANSITIVE = {"011": 25, "111": 25, "010": 8, "000": 7, "100": 35}
SHRINK = {"1010": 1, "1110": 3, "1111": 102, "1100": 14, "0000": 76, "0010": 1, "0011": 3}


def codes(board):
    return [claim.code for claim in board.claims]


@pytest.mark.parametrize("counts", [S1, NONTRANSITIVE])
def test_a_group_with_a_separated_pair_is_not_undecided(counts):
    board = rank(patterns(counts))
    assert board.groups[0].members == ("A", "B", "C")
    assert not any(type(claim).__name__ == "NothingDecided" for claim in board.claims)
    assert "do not decide" not in board.summary
    assert board.summary.startswith("The best of the 3 entries is A or B, with 95 % confidence.")


def test_a_group_without_a_separated_pair_is():
    board = rank(patterns({"111": 10, "110": 1, "000": 9}))
    assert "No two of these 3 are separated on 20 shared items." in board.summary


def test_a_hand_picked_anchor_makes_no_top_group():
    table = read(demo.replace("__init__.py", "board.csv"))
    plain, low = rank(table), rank(table, anchor="Grove 4")
    assert plain.claims == low.claims[:-1]
    assert low.claims[-1].entry == "Grove 4"
    assert len(low.claims[-1].above) == 8
    assert "top group" not in low.summary
    assert "may be first" not in low.summary
    assert "and 5 more score higher than Grove 4 there, and are separated" in low.summary


def test_an_undefined_p_is_said_first():
    table = patterns({"10": 22, "11": 49, "01": 15, "00": 14}, cluster=["one"] * 100)
    board = rank(table, Estimand(cluster="cluster"))
    assert board.summary == (
        "Nothing can be said about the order of the 2 entries: no pair of its entries could be tested."
    )
    assert [score.group for score in board.entries] == [None, None]
    assert [score.letters for score in board.entries] in ([None, None], ["", ""])


def test_boards_without_a_difference_say_so_first():
    nothing = rank(patterns({"000": 30}))
    assert nothing.summary.startswith("Nothing separates these entries: all 3 score 0 on every item.")
    level = rank(patterns({"110": 10, "001": 10}))
    assert level.summary.startswith("All 3 entries have the same score, 50.0 %.")


@pytest.mark.parametrize("adjust", ["none", "holm"])
def test_only_group_1_keeps_its_members_under_an_adjustment(adjust):
    board = rank(patterns(SHRINK), adjust=adjust)
    right = {"none": [("A", "B"), ("C", "D")], "holm": [("A", "B", "C"), ("D",)]}[adjust]
    assert [group.members for group in board.groups] == right
    assert "lower bounds" not in texts(board.notes)


@NEEDS_SHARED
def test_the_swebench_board():
    board = rank(read(str(SHARED / "data" / "swebench_site" / "results.csv.gz")))
    best, one_by_one, *_ = board.claims
    assert len(best.entries) == 10
    assert best.of == 40
    assert len(one_by_one.others) + 1 == len(board.groups[0].members) == 6
    assert board.summary.startswith(
        "The best of the 40 entries is one of the first 10 listed, with 95 % conf"
    )
