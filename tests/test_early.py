"""`compare --anytime`: one answer whatever the order, every look of a given order, and what it costs."""

import numpy as np
import pytest

from deadheat.comparing.verb import compare
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.stats.anytime import betting
from support import NEEDS_SHARED, SHARED, table_of


def pair(b, c, rest, **columns):
    """Two entries with b and c discordant items of b + c + rest."""
    x = [1] * b + [0] * c + [1] * rest
    y = [0] * b + [1] * c + [1] * rest
    return table_of({"new": x, "old": y}, **columns)


def test_the_answer_is_that_of_the_e_value():
    found = compare(pair(24, 61, 100), "new", "old", anytime=True)
    one = found.comparisons[0]
    assert found.methods.test == found.methods.interval == one.test == one.interval.method == "betting"
    assert one.anytime.e == pytest.approx(357.17820665225616, rel=1e-9)
    assert one.p == pytest.approx(1 / 357.17820665225616, rel=1e-9)
    assert one.verdict == "b"
    assert one.interval.low < one.difference < one.interval.high < 0
    assert one.anytime.fixed.test == "mcnemar"
    assert one.anytime.fixed.p < one.p
    assert one.anytime.orders is None  # all orders, counted
    assert found.methods.seed is None
    assert one.smallest_visible is None
    assert {"any-order", "stopped-estimate", "stops-early"} <= {note.code for note in one.notes}
    assert "could have stopped after" in found.summary


def test_an_order_holds_to_every_look():
    """Seven wins first: E reaches 26.8 at the seventh item, though the rest takes it all back."""
    table = pair(7, 7, 6, time=list(range(20)))
    along = compare(table, "new", "old", anytime=True, order="time").comparisons[0]
    assert along.anytime.stopped_at == 7
    assert along.anytime.difference_at_stop == 1
    assert along.p == pytest.approx(1 / 26.8125)
    assert along.verdict is None  # all items together do not favour it
    assert along.notes[0].code == "turned"
    held = compare(pair(9, 2, 9, time=list(range(20))), "new", "old", anytime=True, order="time").comparisons[
        0
    ]
    assert (held.verdict, held.anytime.stopped_at) == ("a", 7)
    whole = compare(table, "new", "old", anytime=True).comparisons[0]
    assert whole.p == 1
    assert whole.verdict == "not separated"
    dates = pair(2, 9, 0, time=[f"2026-01-{30 - at:02d}" for at in range(11)])
    assert compare(dates, "new", "old", anytime=True, order="time").comparisons[0].verdict == "b"


def test_a_drift_leaves_no_interval():
    table = pair(60, 60, 0, time=list(range(120)))
    one = compare(table, "new", "old", anytime=True, order="time").comparisons[0]
    assert one.interval is None
    assert "drift" in {note.code for note in one.notes}


def test_clusters_are_counted_when_whole():
    rng = np.random.default_rng(0)
    cluster = np.repeat([f"c{k:02d}" for k in range(30)], 4)
    new, old = (rng.random(120) < p for p in (0.95, 0.3))
    columns = {"cluster": list(cluster), "time": list(rng.permutation(120))}
    table = table_of({"new": new.astype(int).tolist(), "old": old.astype(int).tolist()}, **columns)
    one = compare(table, "new", "old", Estimand(cluster="cluster"), anytime=True, order="time").comparisons[0]
    assert (one.anytime.units, one.anytime.looked) == ("clusters", 30)
    assert one.anytime.fixed.test == "bell-mccaffrey"
    sums = [(new[cluster == c].sum() - old[cluster == c].sum()) / 4 for c in np.unique(cluster)]
    log_e = betting.log_wealth(betting.looks(sums, every=30), 0.0)[0]
    assert one.anytime.e == pytest.approx(np.exp(log_e))
    assert one.anytime.orders == 500


def test_margins_hold_at_every_look():
    same = compare(pair(3, 3, 394), "new", "old", anytime=True, margin=0.1).comparisons[0]
    assert same.equivalence == "equivalent"
    assert same.against_margin.method == "betting"
    worse = compare(pair(2, 80, 118), "new", "old", anytime=True, margin=0.1).comparisons[0]
    assert worse.equivalence == "inferior"
    few = compare(pair(1, 1, 8), "new", "old", anytime=True, margin=0.1).comparisons[0]
    assert few.equivalence == "inconclusive"
    with pytest.raises(MethodError, match="found a margin of"):
        compare(pair(1, 1, 8), "new", "old", anytime=True, margin=1.5)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"order": "time"}, "use --anytime"),
        ({"anytime": True, "order": "file"}, "files are usually sorted"),
        ({"anytime": True, "order": "nothing"}, "no item column"),
        ({"anytime": True, "test": "mcnemar"}, "one look"),
        ({"anytime": True, "interval": "tango"}, "one look"),
    ],
)
def test_refused(options, words):
    with pytest.raises(MethodError, match=words):
        compare(pair(3, 3, 4), "new", "old", **options)


def test_an_order_follows_one_pair():
    table = table_of({"a": [1, 0], "b": [0, 0], "c": [1, 1]}, time=[1, 2])
    with pytest.raises(MethodError, match="follows one pair"):
        compare(table, ["a", "b"], "c", anytime=True, order="time")


def test_values_outside_the_unit_interval():
    with pytest.raises(MethodError, match="scores in \\[0, 1\\]"):
        compare(table_of({"a": [1.5, 2, 3], "b": [0.5, 2, 1]}), "a", "b", anytime=True)


@NEEDS_SHARED
def test_medians_on_a_real_board():
    """500 orders gave 78 (all: 82; the Monte Carlo error of that median is about 4) and 41."""
    from deadheat.readers import read

    table = read([SHARED / "data/swebench_site/results.csv.gz"])
    best = "20260217_mini-v2.0.0_claude-4-5-opus-high"
    found = compare(
        table, ["20250807_mini-v1.7.0_gpt-5", "20250726_mini-v1.0.0_o3-2025-04-16"], best, anytime=True
    )
    assert [pair.anytime.stop_median for pair in found.comparisons] == [82, 41]


def test_a_board_that_is_looked_at_again_and_again():
    from deadheat import rank
    from support import random_table

    table = random_table(np.random.default_rng(3), 8, 200)
    board = rank(table, anytime=True)
    assert (board.methods.test, board.methods.adjust) == ("betting", "holm")
    fixed = rank(table, adjust="holm")
    assert all(
        e.vs_anchor is None or e.vs_anchor.p_adjusted >= f.vs_anchor.p_adjusted - 1e-12
        for e, f in zip(board.entries, fixed.entries, strict=True)
    )
    (note,) = [note for note in board.notes if note.code == "eliminated"]
    (best,) = [claim for claim in board.claims if type(claim).__name__ == "PossibleBest"]
    assert note.text.startswith(f"to find the best, {8 - len(best.entries)} of 8 entries need no more items")
    assert rank(table, anytime=True, adjust="bh").methods.adjust == "bh"
    for options, words in (({"test": "mcnemar"}, "one look"), ({"adjust": "max-t"}, "e-Holm")):
        with pytest.raises(MethodError, match=words):
            rank(table, anytime=True, **options)


def test_a_one_sided_e_value_is_at_least_twice_the_two_sided_one_less_1():
    for b, c in ((10, 2), (30, 5), (7, 0), (9, 8), (100, 60)):
        x = np.repeat([1.0, -1.0], [b, c])
        above = np.exp(betting.log_wealth(betting.looks(x, every=b + c), 0.0, "above"))[0]
        assert above >= 2 * np.exp(betting.log_e(b, c)) - 1 - 1e-9
