"""Places against scipy, rank intervals against counting and against the truth they claim to cover."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import rankdata

from deadheat.stats.multiple.adjustment import holm, pairs
from deadheat.stats.multiple.ranks import competition_place, rank_intervals


def test_equal_scores_share_a_place():
    assert list(competition_place([0.8, 0.8, 0.75, 0.7, 0.7, 0.7])) == [1, 1, 3, 4, 4, 4]
    assert list(competition_place([3, 3, 2])) == [1, 1, 3]
    assert list(competition_place([])) == []


def test_an_entry_without_a_value_is_unranked_and_shifts_nobody():
    assert list(competition_place([np.nan, 0.5, 0.7, np.nan, 0.5])) == [0, 2, 1, 0, 2]


def test_rounding_is_no_difference():
    assert list(competition_place([0.1 + 0.2, 0.3, 0.3 + 1e-9])) == [2, 2, 1]


@given(arrays(np.float64, st.integers(0, 12), elements=st.sampled_from([0.0, 0.25, 0.5, 2.0, -1.0])))
def test_scipy_agrees_on_places(values):
    assert list(competition_place(values)) == list(rankdata(-values, method="min").astype(int))


def board(size, seed):
    rng = np.random.default_rng(seed)
    score = rng.integers(0, 5, size).astype(float)
    p = rng.choice([0.001, 0.05, 0.2, np.nan], (size, size))
    p = np.triu(p, 1) + np.triu(p, 1).T
    return p, score[:, None] - score


@given(st.integers(1, 9), st.integers(0, 1000))
def test_ranks_are_counts_of_separated_pairs(size, seed):
    p, gap = board(size, seed)
    low, high = rank_intervals(p, gap, 0.05)
    for i in range(size):
        others = [j for j in range(size) if j != i and p[i, j] < 0.05]
        assert low[i] == 1 + sum(gap[i, j] < 0 for j in others)
        assert high[i] == size - sum(gap[i, j] > 0 for j in others)
    mirrored = rank_intervals(p, -gap, 0.05)
    np.testing.assert_array_equal(mirrored.low, size + 1 - high)
    np.testing.assert_array_equal(mirrored.high, size + 1 - low)


def test_undefined_pairs_separate_nobody():
    low, high = rank_intervals(np.full((3, 3), np.nan), np.full((3, 3), np.nan), 0.05)
    assert list(low) == [1, 1, 1]
    assert list(high) == [3, 3, 3]


def test_holm_intervals_cover_all_true_ranks_together():
    """Six entries, three tied at the top, near-ties below, z-tests that share noise: coverage >= .95."""
    from scipy.special import ndtr

    rng = np.random.default_rng(7)
    truth = np.array([0.3, 0.3, 0.3, 0.2, 0.15, -0.6])
    best = np.array([1, 1, 1, 4, 5, 6])  # of the ranks a tied entry may hold, the interval must hold all
    worst = np.array([3, 3, 3, 4, 5, 6])
    replicates, held = 2000, 0
    for _ in range(replicates):
        mean = truth + rng.normal(size=6) * 0.15
        gap = mean[:, None] - mean
        p = 2 * ndtr(-np.abs(gap) / (0.15 * np.sqrt(2)))
        low, high = rank_intervals(pairs(p, holm), gap, 0.05)
        held += bool(((low <= best) & (worst <= high)).all())
    assert held / replicates >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / replicates)
