"""Per cent and points are for rates alone, and what they are is told by every score, not by means."""

from __future__ import annotations

import re

import pytest

from deadheat import Estimand, compare, rank, read
from deadheat.report import render
from faults.boards import texts
from support import table_of

SECONDS = {"A": [1.0441, 1.1247, 0.4332, 0.2, 0.31, 0.5], "B": [0.3, 0.6, 0.2, 1.3, 0.4, 0.1]}
FORMS = ("table", "md", "latex", "html", "csv")


@pytest.mark.parametrize("form", FORMS)
def test_seconds_are_not_per_cent(form):
    table = table_of(SECONDS)
    for document in (rank(table), compare(table, "A", "B"), rank(table, every_pair=True)):
        shown = render(document, form)
        assert "Score %" not in shown
        assert not re.search(r"[0-9] points", shown)
        assert {x.unit for x in getattr(document, "entries", getattr(document, "comparisons", ()))} == {
            "score"
        }


def test_a_category_has_the_unit_of_the_board():
    rows = {"A": [0.2, 0.4, 0.3, 2.0, 3.0, 2.5], "B": [0.1, 0.5, 0.2, 1.0, 4.0, 2.6]}
    board = rank(table_of(rows, category=list("xxxyyy")), by="category")
    assert {score.unit for part in board.categories.values() for score in part.entries} == {"score"}


def test_samples_above_one_are_no_rate_though_their_means_are_below(tmp_path):
    path = tmp_path / "long.csv"
    rows = [
        f"{e},{i},{s},{0.1 + (s == 0) * (1.0 + i / 10)}" for e in "AB" for i in range(4) for s in range(4)
    ]
    path.write_text("entry,item,sample,score\n" + "\n".join(rows) + "\n")
    board = rank(read(str(path)))
    assert all(score.value < 1 for score in board.entries)
    assert {score.unit for score in board.entries} == {"score"}


def test_rates_are_per_cent():
    assert "Score %" in render(rank(table_of({"A": [0.0, 0.2, 0.4], "B": [0.6, 0.8, 1.0]})), "table")


def test_an_interval_of_rates_is_cut():
    rows = {"A": [1, 1, 1, 1, 1, 0], "B": [0, 0, 0, 0, 0, 0]}
    table = table_of(rows, cluster=list("aaabbb"))
    about = Estimand(cluster="cluster")
    for pair in (compare(table, "A", "B", about).comparisons[0], rank(table, about).entries[1].vs_anchor):
        assert -1 <= pair.interval.low <= pair.interval.high <= 1
        assert "cut at ±100 points" in texts(pair.notes)
    every = rank(table, about, every_pair=True).pairs
    assert every.low == (-1.0,)
