"""Shares of ranks in draws: every draw counted by hand, scores and whole totals alike."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import rankdata

from deadheat.stats.drawing import resample
from deadheat.stats.multiple import rank_draws
from deadheat.stats.multiple.rank_draws import expected_rank, rank_probabilities

tables = arrays(np.int32, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.integers(-2, 2))


def counted(draws):
    count, entries = draws.shape
    expected = np.zeros((entries, entries))
    for row in draws:
        for i, score in enumerate(row):
            above, ties = (row > score).sum(), (row == score).sum()
            expected[i, above : above + ties] += 1 / ties / count
    return expected


@given(tables, st.sampled_from([1, 0.1, 1 / 3]))
def test_rank_probabilities_by_counting(whole, unit):
    expected, entries = counted(whole), whole.shape[1]
    for draws in (whole, whole * unit):
        found = rank_probabilities([draws])
        np.testing.assert_allclose(found, expected, atol=1e-12)
        np.testing.assert_allclose(found.sum(axis=0), 1)
        np.testing.assert_allclose(found.sum(axis=1), 1)
        np.testing.assert_allclose(expected_rank(found), rankdata(-draws, axis=1).mean(axis=0))
        order = np.random.default_rng(0).permutation(entries)
        np.testing.assert_allclose(rank_probabilities([draws[:, order]]), found[order], atol=1e-12)


def test_rank_probabilities_do_not_see_rounding_and_rank_nan_last():
    found = rank_probabilities([np.array([[0.3, 0.1 + 0.2, np.nan]])])
    np.testing.assert_allclose(found, [[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 1]])


@pytest.mark.parametrize("cells", [35, 8])
def test_blocks_of_draws_and_of_entries_are_added_up(monkeypatch, cells):
    draws = np.random.default_rng(0).integers(0, 4, (50, 5))
    for kind in (draws, draws / 3):
        whole = rank_probabilities([kind])
        np.testing.assert_allclose(rank_probabilities([kind[:20], kind[20:21], kind[21:]]), whole)
        with monkeypatch.context() as patch:
            for name in ("FEWEST", "MOST", "TABLE"):
                patch.setattr(rank_draws, name, cells)
            np.testing.assert_allclose(rank_probabilities([kind]), whole)


@given(
    arrays(np.int32, st.tuples(st.integers(1, 40), st.integers(1, 9)), elements=st.integers(-9, 9)),
    st.sampled_from([1, 7, 10**9]),
    st.sampled_from([9, 30, 2**21]),
)
def test_compiled_loops_give_the_same_to_the_last_bit(totals, offset, cells):
    blocks = [totals + np.int32(offset), totals[::-1, ::-1]]
    with pytest.MonkeyPatch.context() as patch:
        for name in ("FEWEST", "MOST"):
            patch.setattr(rank_draws, name, cells)
        patch.setattr(rank_draws, "PIECE", 3)
        patch.setattr(rank_draws, "WIDEST", 10**9)
        expected = rank_probabilities(blocks)
        patch.setattr(rank_draws, "PAYS", 0)
        patch.setattr(rank_draws, "_runs_by_counting", None)  # the compiled loops count
        np.testing.assert_array_equal(rank_probabilities(blocks), expected)


@pytest.mark.parametrize("kind", ["plain", "absent", "clusters", "fractions", "strata"])
def test_ranks_of_totals_are_those_of_scores(kind):
    rng = np.random.default_rng(3)
    values = (rng.random((7, 30)) < np.linspace(0.4, 0.6, 7)[:, None]).astype(np.float64)
    present, cluster, stratum = np.ones(values.shape, dtype=bool), None, None
    if kind == "absent":
        present = rng.random(values.shape) < 0.8
    elif kind == "clusters":
        cluster = np.arange(30) % 7
    elif kind == "fractions":
        values = values / 3 + rng.integers(0, 3, values.shape) / 3
    elif kind == "strata":
        stratum = np.arange(30) // 20
    parts = resample.layers(values, present, cluster, stratum=stratum)
    blocks = list(resample.orders(parts, 300, rng=np.random.default_rng(1)))
    assert (blocks[0].dtype == np.int32) == (kind == "plain")
    scores = resample.resampled(parts, 300, rng=np.random.default_rng(1))
    np.testing.assert_allclose(rank_probabilities(blocks), counted(scores.round(12)), atol=1e-12)


@pytest.mark.parametrize("largest", [1, 20, 1000, 10_000])
def test_scores_of_a_wide_scale_take_no_room(largest):
    """Two entries of whole scores: the values that their totals may take are a thousand times as many."""
    values = np.random.default_rng(1).integers(0, largest + 1, (2, 300)).astype(np.float64)
    parts = resample.layers(values, np.ones(values.shape, dtype=bool))
    blocks = list(resample.orders(parts, 2000, rng=np.random.default_rng(1)))
    tracemalloc.start()
    found = rank_probabilities(blocks)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50e6
    np.testing.assert_allclose(found, counted(np.concatenate(blocks)), atol=1e-12)
