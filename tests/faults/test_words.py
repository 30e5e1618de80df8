"""Notes and names that said something else than what ran."""

from __future__ import annotations

import pytest

from deadheat import Estimand, compare, rank
from deadheat.report import render
from faults.boards import patterns, texts
from support import table_of


def both(table, estimand=None):
    """The pair as rank and as compare tell it."""
    board, pair = rank(table, estimand), compare(table, "B", "A", estimand)
    return [next(s.vs_anchor for s in board.entries if s.vs_anchor), pair.comparisons[0]]


@pytest.mark.parametrize("at", [0, 1], ids=["rank", "compare"])
def test_only_cluster_means_agree(at):
    rows = {"A": [1, 1, 0, 0, 1, 1, 0, 1], "B": [0, 1, 0, 0, 0, 0, 1, 1]}
    pair = both(table_of(rows, cluster=list("xxxxyyyy")), Estimand(cluster="cluster"))[at]
    assert "the mean difference is the same in every cluster" in texts(pair.notes)
    assert "on every item" not in texts(pair.notes)
    assert pair.test == "sign"


@pytest.mark.parametrize("at", [0, 1], ids=["rank", "compare"])
def test_an_interval_without_zero_beside_not_separated_is_noted(at):
    pair = both(patterns({"10": 24, "01": 12, "11": 34, "00": 26}))[at]
    assert pair.verdict == "not separated"
    assert pair.interval.low > 0 or pair.interval.high < 0
    assert "leaves out zero, and the test does not separate" in texts(pair.notes)


def test_the_note_is_shown_by_every_renderer():
    board = rank(patterns({"10": 24, "01": 12, "11": 34, "00": 26}))
    for form in ("table", "md", "latex", "html", "json"):
        assert "leaves out zero" in " ".join(render(board, form).split()), form


@pytest.mark.parametrize("at", [0, 1], ids=["rank", "compare"])
def test_a_sign_test_is_named(at):
    pair = both(table_of({"A": [0.2, 0.6, 1.0], "B": [0.1, 0.5, 0.9]}))[at]
    assert pair.test == "sign"
    assert pair.p == 0.25
    assert "p is that of a sign test of the items" in texts(pair.notes)


def test_scores_too_small_for_their_squares_are_no_category():
    tiny = [3e-200, 6e-200, 9e-200, 1.2e-199]
    board = rank(table_of({"A": tiny, "B": tiny}))
    said = texts(note for score in board.entries for note in score.notes)
    assert "category" not in said
    assert "less than their squares can hold" in said


@pytest.mark.parametrize("at", [0, 1], ids=["rank", "compare"])
@pytest.mark.parametrize("counts", [((18, 8), (9, 4)), ((4, 3), (8, 6)), ((3, 1), (3, 1))])
def test_equal_clusters_are_not_separated_by_rounding(at, counts):
    """Two clusters with the same mean difference: its error is 0, and was 3e-17 with p = 5e-17."""
    a, b, cluster = [], [], []
    for name, (items, lead) in zip("xy", counts, strict=True):
        a += [1] * lead + [0] * (items - lead)
        b += [0] * items
        cluster += [name] * items
    pair = both(table_of({"A": a, "B": b}, cluster=cluster), Estimand(cluster="cluster"))[at]
    assert (pair.p, pair.se, pair.test, pair.verdict) == (0.5, None, "sign", "not separated")
