"""Adjustments and rank intervals end to end: one family of all pairs, max-t beside Holm, refusals."""

import numpy as np
import pytest

from deadheat import read
from deadheat.errors import MethodError
from deadheat.estimand import Estimand
from deadheat.evidence.order import ADJUSTMENTS, Rule
from deadheat.ranking.verb import rank
from deadheat.stats.multiple.adjustment import holm
from support import NEEDS_SHARED, SHARED, random_table, table_of


@pytest.fixture(scope="module")
def table():
    return random_table(np.random.default_rng(6), 10, 200)


def widths(board):
    return sum(high - low for low, high in (score.rank for score in board.entries))


@pytest.mark.parametrize("adjust", ADJUSTMENTS)
def test_groups_lines_and_letters_tell_one_story(table, adjust):
    board = rank(table, adjust=adjust, draws=999)
    letters = {score.entry: set(score.letters) for score in board.entries}
    for line in board.tie_lines:
        assert set.intersection(*(letters[entry] for entry in line))
    for group in board.groups:
        for member in group.members:
            assert letters[member] & letters[group.anchor]
    for score in board.entries[1:]:
        versus = score.vs_anchor
        p = versus.p if adjust == "none" else versus.p_adjusted
        assert (versus.verdict == "not separated") == (p >= 0.05)
        assert (score.group == 1) == (p >= 0.05)
    assert any(note.code == "groups-lower-bound" for note in board.notes) == (adjust == "none")


def test_an_adjustment_spans_all_pairs_of_the_board(table):
    adjusted = {s.entry: s.vs_anchor.p_adjusted for s in rank(table, adjust="holm").entries[1:]}
    p, at = [], []
    for anchor in table.entries:
        for score in rank(table, anchor=anchor).entries:
            if score.entry > anchor:
                p.append(score.vs_anchor.p)
                at.append({score.entry, anchor})
    first = rank(table).entries[0].entry
    for entry, value in adjusted.items():
        assert value == pytest.approx(holm(p)[at.index({entry, first})], rel=1e-12)


def test_separating_less_makes_larger_groups(table):
    top = {adjust: len(rank(table, adjust=adjust, draws=999).groups[0].members) for adjust in ADJUSTMENTS}
    assert top["none"] <= top["bh"] <= top["hochberg"] <= top["holm"]


def test_marginal_ranks_are_no_wider(table):
    for adjust in ("none", "max-t"):
        together = rank(table, adjust=adjust, draws=999)
        alone = rank(table, adjust=adjust, ranks="marginal", draws=999)
        assert widths(alone) <= widths(together)
        assert together.methods.rank.endswith("simultaneous")
        assert alone.methods.rank.endswith("marginal")


def test_max_t_brings_its_own_test_and_says_so(table):
    board = rank(table, adjust="max-t", draws=999)
    assert any(note.code == "max-t" for note in board.notes)
    assert board.methods.rank == "max-t, simultaneous"
    assert board.methods.test == "mcnemar"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"adjust": "walt"}, "no adjustment 'walt'; known are none, holm, hochberg, bh, max-t"),
        ({"ranks": "each"}, "no kind of rank interval 'each'"),
        ({"draws": 0}, "draws are at least 1"),
    ],
)
def test_refused(table, options, words):
    with pytest.raises(MethodError, match=words):
        rank(table, **options)


@pytest.mark.parametrize("test", ["sign-flip", "bootstrap"])
def test_groups_by_any_test_of_compare(table, test):
    from deadheat.comparing.verb import compare

    board = rank(table, test=test, draws=999)
    assert board.methods.test == test
    for score in board.entries[1:3]:
        pair = compare(table, score.entry, board.entries[0].entry, test=test, draws=999).comparisons[0]
        assert score.vs_anchor.p == pair.p
        assert score.vs_anchor.difference == pair.difference
        assert score.vs_anchor.interval == pair.interval
        assert (score.group == 1) == (score.vs_anchor.p >= 0.05)
    again = rank(table, test=test, draws=999)
    assert [s.vs_anchor for s in again.entries] == [s.vs_anchor for s in board.entries]


def test_every_test_is_refused_or_runs(table):
    with pytest.raises(MethodError, match=r"found --test welch, .* use compare"):
        rank(table, test="welch")
    with pytest.raises(MethodError, match="would take too long"):
        rank(table, test="sign-flip", draws=10**10)


def test_max_t_needs_items_enough_to_separate_anything():
    rows = {"a": [1, 1, 1, 1, 0], "b": [0, 0, 0, 0, 1]}
    with pytest.raises(MethodError, match=r"max-t was asked of 5 items: .* below 0\.0625"):
        rank(table_of(rows), adjust="max-t")
    clusters = {name: row * 4 for name, row in rows.items()}
    with pytest.raises(MethodError, match="max-t was asked of 4 clusters"):
        rank(
            table_of(clusters, cluster=[f"c{i % 4}" for i in range(20)]),
            Estimand(cluster="cluster"),
            adjust="max-t",
        )
    many = table_of({name: row * 2 for name, row in rows.items()})
    with pytest.raises(MethodError, match="about reruns"):
        rank(many, Estimand(generalises_to="reruns"), adjust="max-t")


def test_more_sets_than_letters_are_left_out():
    rng = np.random.default_rng(0)
    rate = np.linspace(0.02, 0.98, 90)
    rows = {f"e{e:02d}": (rng.random(3000) < r).astype(int).tolist() for e, r in enumerate(rate)}
    board = rank(table_of(rows), draws=50)
    assert all(score.letters is None for score in board.entries)
    assert board.groups


def test_alpha_is_checked():
    with pytest.raises(MethodError, match="alpha lies between 0 and 1"):
        Rule(alpha=0)


@NEEDS_SHARED
def test_another_seed_moves_no_rank_by_more_than_one():
    table = read([SHARED / "data/swebench_site/results.csv.gz"])
    found = []
    for seed in range(3):
        board = rank(table, adjust="max-t", seed=seed)
        found.append([score.rank for score in sorted(board.entries, key=lambda s: s.entry)])
    spread = np.ptp(np.array(found), axis=0)
    assert spread.max() <= 1
    holm_ranks = [score.rank for score in sorted(rank(table).entries, key=lambda s: s.entry)]
    width = np.diff(found[0], axis=1).mean()
    assert width <= np.diff(holm_ranks, axis=1).mean()
