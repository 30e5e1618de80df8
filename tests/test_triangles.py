"""Triangles of pairs say what the comparisons with any anchor say."""

from __future__ import annotations

import numpy as np
import pytest

from deadheat import rank
from support import random_table


@pytest.mark.parametrize("adjust", ["none", "holm"])
def test_triangles_agree_with_every_anchor(adjust: str) -> None:
    table = random_table(np.random.default_rng(7), 6, 40, absent=0.1)
    board = rank(table, adjust=adjust, every_pair=True)
    assert board.pairs is not None
    names = board.pairs.entries
    assert names == tuple(score.entry for score in board.entries)
    at = {}
    for i, a in enumerate(names):
        for b in names[:i]:
            at[a, b] = len(at)
    assert len(at) == len(board.pairs.p)
    for anchor in names:
        for score in rank(table, adjust=adjust, anchor=anchor).entries:
            pair = score.vs_anchor
            if pair is None or (pair.a, pair.b) not in at:
                continue
            k = at[pair.a, pair.b]
            assert pair.interval is not None
            found = [
                getattr(board.pairs, key)[k] for key in ("items", "difference", "low", "high", "p", "log10_p")
            ]
            assert found == [
                pair.items, pair.difference, pair.interval.low, pair.interval.high, pair.p, pair.log10_p
            ]  # fmt: skip
            assert board.pairs.row_only is not None
            assert board.pairs.column_only is not None
            assert (board.pairs.row_only[k], board.pairs.column_only[k]) == (pair.a_only, pair.b_only)
            if adjust != "none":
                assert board.pairs.p_adjusted is not None
                assert board.pairs.p_adjusted[k] == pair.p_adjusted


def test_outcomes_give_the_counts_back() -> None:
    board = rank(random_table(np.random.default_rng(8), 4, 30, absent=0.2), every_pair=True)
    assert board.outcomes is not None
    for score in board.entries:
        marks = board.outcomes.entries[score.entry]
        assert len(marks) == len(board.outcomes.items)
        assert marks.count("-") == len(marks) - score.items
        assert score.value == pytest.approx(marks.count("1") / score.items)


def test_pairs_are_left_out_unless_asked_for() -> None:
    board = rank(random_table(np.random.default_rng(9), 3, 20))
    assert board.pairs is None
    assert board.outcomes is None
