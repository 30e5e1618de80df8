"""Max-t against a slow definition, exact McNemar, its own laws, and its family-wise error."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from deadheat.errors import MethodError
from deadheat.stats.multiple.adjustment import holm, pairs
from deadheat.stats.multiple.maxt import max_t, may_be_best
from deadheat.stats.multiple.ranks import rank_intervals
from deadheat.stats.paired import wild
from deadheat.stats.score.item_design import Groups


def rng(seed=0):
    return np.random.default_rng(seed)


def full(values):
    return np.ones(values.shape, dtype=bool)


def board(entries, items, seed, spread=0.15, real=False):
    draw = rng(seed)
    rate = np.clip(draw.beta(2, 1, items) + draw.normal(size=entries)[:, None] * spread, 0.02, 0.98)
    values = (draw.random((entries, items)) < rate).astype(np.float32)
    return values + draw.normal(size=values.shape) * 0.3 if real else values


def slowly(values, present, signs, cluster=None, weights=None):
    """Romano and Wolf's steps by the book: one pair and one draw at a time, on the draws given."""
    entries = len(values)
    cluster = np.arange(values.shape[1]) if cluster is None else cluster
    weights = np.ones(values.shape[1]) if weights is None else weights
    t, null = {}, {}
    for i in range(entries):
        for j in range(i + 1, entries):
            both = present[i] & present[j]
            if not both.any():
                continue
            part = np.where(both, weights * (values[i].astype(float) - values[j]), 0)
            sums = np.array([part[cluster == c].sum() for c in range(cluster.max() + 1)])
            size = np.sqrt((sums**2).sum()) or 1.0
            t[i, j], null[i, j] = abs(sums.sum()) / size, np.abs(signs @ sums) / size
    out = np.full((entries, entries), np.nan)
    running = 0.0
    for pair in sorted(t, key=lambda q: -t[q]):
        rest = [null[q] for q in t if t[q] <= t[pair] + 1e-9]
        reached = np.max(rest, axis=0) >= t[pair] * (1 - 1e-5) - 1e-8
        running = max(running, (1 + reached.sum()) / (1 + len(signs)))
        out[pair] = out[pair[::-1]] = running
    return out


def signs_of(clusters, draws, seed):
    return np.concatenate(list(wild.sign_draws(clusters, draws, np.float64, rng(seed))))


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("clustered", [False, True])
def test_step_down_by_the_book(real, clustered):
    values = board(7, 60, 3, real=real)
    cluster = np.arange(60) // 4 if clustered else None
    signs = signs_of(15 if clustered else 60, 700, 5)
    fast = max_t(values, full(values), cluster=cluster, draws=700, rng=rng(5))
    np.testing.assert_allclose(fast, slowly(values, full(values), signs, cluster), rtol=1e-12)


def test_absent_items_and_weights_by_the_book():
    values, draw = board(6, 50, 4), rng(9)
    present = draw.random(values.shape) < 0.7
    present[5] = False
    values = np.where(present, values, 0)
    weights = draw.random(50) + 0.5
    signs = signs_of(50, 600, 2)
    fast = max_t(values, present, weights=weights, draws=600, rng=rng(2))
    normalised = slowly(values, present, signs, weights=weights)  # t does not feel a pair's own scale
    np.testing.assert_allclose(fast, normalised, rtol=1e-12)
    assert np.isnan(fast[5]).all()


def test_strata_weigh_every_category_alike():
    values = board(5, 60, 8)
    stratum = np.repeat([0, 1, 2], [10, 20, 30])
    by_strata = max_t(values, full(values), stratum=stratum, draws=500, rng=rng(1))
    by_weights = max_t(
        values, full(values), weights=1 / np.repeat([10, 20, 30], [10, 20, 30]), draws=500, rng=rng(1)
    )
    np.testing.assert_allclose(by_strata, by_weights, rtol=1e-12)


def test_boards_with_and_without_absent_items_agree():
    values = board(6, 40, 2, real=True)
    ragged = wild.Ragged(values, full(values), Groups(None, 40), None, None)
    complete = wild.Complete(values.astype(float), False)
    first, second = np.array([0, 3, 5]), np.array([4, 1, 2])
    np.testing.assert_allclose(
        ragged.observed(first, second)[0], complete.observed(first, second)[0], rtol=1e-9
    )
    signs = signs_of(40, 30, 0)
    one, other = (
        ragged.draw(signs).differences(first, second),
        complete.draw(signs).differences(first, second),
    )
    np.testing.assert_allclose(one * 40, other, rtol=1e-9)


@pytest.mark.parametrize(("b", "c"), [(8, 2), (6, 2), (12, 2), (4, 3), (9, 1)])
def test_one_pair_is_the_exact_test(b, c):
    values = np.zeros((2, 40), dtype=np.float32)
    values[0, :b] = 1
    values[1, b : b + c] = 1
    draws = 20_000
    p = max_t(values, full(values), draws=draws, rng=rng(1))[0, 1]
    exact = binomtest(b, b + c).pvalue
    assert abs(p - exact) < 4 * np.sqrt(exact * (1 - exact) / draws) + 1 / draws


def test_equal_entries_are_never_separated():
    values = np.repeat(board(1, 30, 0, real=True), 3, axis=0)
    p = max_t(values, full(values), draws=99, rng=rng())
    assert (p[np.triu_indices(3, 1)] == 1).all()
    assert (may_be_best(values, full(values), draws=99, rng=rng()) == 1).all()


def test_nearly_equal_entries_are_told_apart():
    values = np.repeat(board(1, 400, 0, real=True), 2, axis=0)
    values[1] += 1e-6  # the same sign at every item
    assert max_t(values, full(values), draws=999, rng=rng())[0, 1] == 1e-3


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_order_of_entries_is_nothing(seed, simultaneous):
    values = board(8, 40, seed)
    order = rng(seed).permutation(8)
    p = max_t(values, full(values), draws=300, simultaneous=simultaneous, rng=rng(1))
    q = max_t(values[order], full(values), draws=300, simultaneous=simultaneous, rng=rng(1))
    np.testing.assert_array_equal(q, p[np.ix_(order, order)])
    best = may_be_best(values, full(values), draws=300, rng=rng(1))
    np.testing.assert_array_equal(
        may_be_best(values[order], full(values), draws=300, rng=rng(1)), best[order]
    )


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_families_are_ordered(seed):
    values = board(8, 60, seed)
    every = max_t(values, full(values), draws=400, rng=rng(1))
    own = max_t(values, full(values), draws=400, simultaneous=False, rng=rng(1))
    off = ~np.eye(8, dtype=bool)
    assert (own[off] <= every[off]).all()
    np.testing.assert_array_equal(every, every.T)
    assert (every[off] >= 1 / 401).all()
    assert (every[off] <= 1).all()


def test_own_family_by_the_book():
    values = board(5, 40, 12)
    signs = signs_of(40, 500, 3)
    own = max_t(values, full(values), draws=500, simultaneous=False, rng=rng(3))
    for i in range(5):
        np.testing.assert_allclose(np.delete(own[i], i), slowly_row(values, signs, i), rtol=1e-12)


def slowly_row(values, signs, i):
    others = [j for j in range(len(values)) if j != i]
    gaps = [values[i].astype(float) - values[j] for j in others]
    size = [np.sqrt((g**2).sum()) for g in gaps]
    t = np.array([abs(g.sum()) / s for g, s in zip(gaps, size, strict=True)])
    null = np.array([np.abs(signs @ g) / s for g, s in zip(gaps, size, strict=True)])
    p = np.empty(len(others))
    running = 0.0
    for k in np.argsort(-t):
        reached = null[t <= t[k] + 1e-9].max(axis=0) >= t[k] * (1 - 1e-5) - 1e-8
        running = p[k] = max(running, (1 + reached.sum()) / (1 + len(signs)))
    return p


def test_winner_set_by_the_book():
    values = board(6, 50, 21)
    signs = signs_of(50, 700, 4)
    fast = may_be_best(values, full(values), draws=700, rng=rng(4))
    for i in range(6):
        gaps = [values[j].astype(float) - values[i] for j in range(6) if j != i]
        size = [np.sqrt((g**2).sum()) for g in gaps]
        t = max(g.sum() / s for g, s in zip(gaps, size, strict=True))
        null = np.max([np.abs(signs @ g) / s for g, s in zip(gaps, size, strict=True)], axis=0)
        assert fast[i] == pytest.approx((1 + (null >= t - 1e-5 * max(abs(t), 1e-3)).sum()) / 701, rel=1e-12)


def test_who_shares_nothing_is_undefined():
    values = np.array([[1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 1]], dtype=np.float32)
    present = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1]], dtype=bool)
    p = may_be_best(values, present, draws=99, rng=rng())
    assert np.isnan(p[2])
    assert not np.isnan(p[:2]).any()


def test_large_boards_with_absent_items_are_refused():
    present = np.zeros((1000, 400), dtype=bool)
    with pytest.raises(MethodError, match="holm"):
        max_t(np.zeros((1000, 400)), present, rng=rng())


def test_family_wise_error_with_more_entries_than_items():
    """All entries alike: the bootstrap that draws items with replacement is above .1 on such boards."""
    replicates, alpha = 400, 0.05
    rejected = 0
    for r in range(replicates):
        values = board(30, 15, r, spread=0)
        rejected += bool(np.nanmin(max_t(values, full(values), draws=199, rng=rng(r))) <= alpha)
    assert rejected / replicates <= alpha + 3 * np.sqrt(alpha * (1 - alpha) / replicates)


def test_ranks_are_no_wider_than_holm_on_average():
    width = {"max-t": 0.0, "holm": 0.0}
    for seed in range(4):
        values = board(25, 300, seed)
        wins = values @ (1 - values).T
        total = wins + wins.T
        off = np.triu_indices(25, 1)
        exact = np.full(wins.shape, np.nan)
        for i, j in zip(*off, strict=True):
            exact[i, j] = exact[j, i] = binomtest(int(wins[i, j]), int(total[i, j])).pvalue
        for name, p in (
            ("max-t", max_t(values, full(values), draws=999, rng=rng(seed))),
            ("holm", pairs(exact, holm)),
        ):
            low, high = rank_intervals(p, wins - wins.T, 0.05)
            width[name] += (high - low).sum()
    assert width["max-t"] <= width["holm"]


def test_no_best_entry_is_excluded_too_often_on_an_easy_board():
    replicates, alpha, excluded = 150, 0.05, []
    for r in range(replicates):
        values = (rng(r).random((25, 150)) < 0.95).astype(np.float32)
        excluded.append((may_be_best(values, full(values), draws=199, rng=rng(r)) < alpha).mean())
    assert np.mean(excluded) <= alpha + 3 * np.std(excluded) / np.sqrt(replicates)


def test_nearly_equal_rows_lose_no_digits():
    """What two entries have in common cancels, however large it is: their t is that of what differs."""
    rng = np.random.default_rng(4)
    own, common = rng.normal(size=(3, 40)), 1e7 * rng.normal(size=40)
    pairs = (np.array([0, 0, 1]), np.array([1, 2, 2]))
    plain, shifted = (wild.Complete(sums, False).observed(*pairs) for sums in (own, own + common))
    for found, expected in zip(shifted, plain, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-6)
