"""Majority votes against every subset of few samples, and against their own definitions."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.stats.samples import majority, metrics

items = st.lists(st.integers(0, 4), min_size=2, max_size=4).filter(lambda c: 2 <= sum(c) <= 9)


def vote(drawn, scores):
    """Score of the most frequent of the drawn answers, ties shared."""
    times = np.bincount(drawn, minlength=len(scores))
    return np.mean([scores[a] for a in np.flatnonzero(times == times.max())])


def by_subsets(counts, scores, k):
    samples = np.repeat(np.arange(len(counts)), counts)
    return np.mean([vote(np.array(drawn), scores) for drawn in combinations(samples, k)])


@given(items, st.data())
def test_every_subset(counts, data):
    k = data.draw(st.integers(1, sum(counts)))
    scores = np.array(
        data.draw(st.lists(st.sampled_from([0.0, 1.0, 0.5]), min_size=len(counts), max_size=len(counts)))
    )
    found = majority.majority_at_k(np.array([counts]), scores[None], k)[0]
    assert found == pytest.approx(by_subsets(counts, scores, k), abs=1e-13)


@given(items)
def test_all_samples_are_self_consistency_and_one_is_the_mean(counts):
    counts = np.array([counts])
    scores = np.eye(counts.shape[1])[:1]
    n = int(counts.sum())
    whole = majority.self_consistency(counts, scores)[0]
    assert majority.majority_at_k(counts, scores, n)[0] == pytest.approx(whole, abs=1e-12)
    assert majority.majority_at_k(counts, scores, 1)[0] == pytest.approx(counts[0, 0] / n, abs=1e-14)


def test_ties_share_alike():
    counts, scores = np.array([[2, 2, 1], [3, 3, 3], [1, 2, 0]]), np.array([[1.0, 0, 0]] * 3)
    np.testing.assert_allclose(majority.self_consistency(counts, scores), [1 / 2, 1 / 3, 0], rtol=1e-15)
    # of (right, wrong) every pair that has one of each ties
    assert majority.majority_at_k(np.array([[1, 1]]), np.array([[1.0, 0.0]]), 2)[0] == pytest.approx(
        0.5, abs=1e-15
    )


def test_many_rows_are_each_their_own():
    rng = np.random.default_rng(0)
    counts, scores = rng.integers(0, 4, (200, 4)), (rng.random((200, 4)) < 0.3).astype(float)
    counts[:, 0] += 3
    found = majority.majority_at_k(counts, scores, 3)
    for row in range(0, 200, 17):
        assert found[row] == pytest.approx(by_subsets(counts[row], scores[row], 3), abs=1e-13)


def test_blocks_change_nothing(monkeypatch):
    counts = np.random.default_rng(1).integers(0, 6, (50, 3)) + 1
    scores = np.tile([1.0, 0, 0], (50, 1))
    whole = majority.majority_at_k(counts, scores, 3)
    monkeypatch.setattr(majority, "BLOCK_CELLS", 20)
    np.testing.assert_array_equal(majority.majority_at_k(counts, scores, 3), whole)


def test_large_counts_stay_accurate():
    """64 samples in two answers: the chance of a majority of 33 drawn is a hypergeometric tail."""
    from scipy.stats import hypergeom

    found = majority.majority_at_k(np.array([[35, 29]]), np.array([[1.0, 0.0]]), 33)[0]
    assert found == pytest.approx(hypergeom(64, 35, 33).sf(16), rel=1e-12)


def test_too_few_answers_are_nan():
    counts, scores = np.array([[2, 1], [0, 0], [0, 4]]), np.array([[1.0, 0.0]] * 3)
    found = majority.majority_at_k(counts, scores, 4)
    assert np.isnan(found[:2]).all()
    assert found[2] == 0.0
    assert np.isnan(majority.self_consistency(counts, scores)[1])
    assert np.isnan(majority.majority_at_k(counts[:2], scores[:2], 9)).all()


@given(items)
def test_jackknife_leaves_out_each_sample(counts):
    scores = np.eye(len(counts))[0]
    samples = np.repeat(np.arange(len(counts)), counts)
    n = len(samples)
    for k in (None, 1, 2):
        found = majority.jackknife_within(np.array([counts]), scores[None], k)[0]
        if n <= (k or 1):
            assert np.isnan(found)
            continue
        left = [np.delete(samples, i) for i in range(n)]
        values = np.array(
            [
                vote(x, scores)
                if k is None
                else np.mean([vote(np.array(d), scores) for d in combinations(x, k)])
                for x in left
            ]
        )
        assert found == pytest.approx((n - 1) / n * ((values - values.mean()) ** 2).sum(), abs=1e-12)


def test_jackknife_of_one_draw_is_the_variance_of_a_mean():
    counts, scores = np.array([[3, 2, 1]]), np.array([[1.0, 0.0, 0.0]])
    assert majority.jackknife_within(counts, scores, 1)[0] == pytest.approx(3 * 3 / (36 * 5), rel=1e-12)


def test_failed_attempts_vote_but_are_not_redrawn():
    counts, scores = np.array([[2, 1, 2]]), np.array([[1.0, 0.0, 0.0]])
    fixed = np.array([[0, 0, 2]])
    samples = [0, 0, 1]
    left = np.array([vote(np.array([*np.delete(samples, i), 2, 2]), scores[0]) for i in range(3)])
    expected = (4 / 5) ** 2 * 3 / 2 * ((left - left.mean()) ** 2).sum()
    assert majority.jackknife_within(counts, scores, None, fixed)[0] == pytest.approx(expected, rel=1e-12)
    assert majority.jackknife_within(counts, scores, 1, fixed)[0] == pytest.approx(
        metrics.mean_within(3, 2, failed=2), rel=1e-12
    )
    assert majority.jackknife_within(counts, scores, None, counts)[0] == 0.0


def test_nothing_to_redraw_is_no_variance_but_too_few_samples_are_unknown():
    counts, scores = np.array([[2, 1], [1, 0], [0, 0]]), np.array([[1.0, 0.0]] * 3)
    found = majority.jackknife_within(counts, scores, 3, fixed=counts)
    np.testing.assert_array_equal(found, [0.0, np.nan, np.nan])
    np.testing.assert_array_equal(
        majority.jackknife_within(counts, scores, None, fixed=counts), [0.0, 0.0, np.nan]
    )
