"""The corrected top score against scipy's truncated normal, clear winners, and the truth it should cover."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm, truncnorm

from deadheat.stats.multiple.winner import _solve, _truncated_cdf, optimism, top_score


def rng(seed=0):
    return np.random.default_rng(seed)


def board(entries, items, seed, gap=0.0):
    draw = rng(seed)
    rate = np.clip(draw.beta(2, 1, items) - gap * np.arange(entries)[:, None], 0, 1)
    return (draw.random((entries, items)) < rate).astype(np.float32)


def full(values):
    return np.ones(values.shape, dtype=bool)


@given(st.floats(-4, 4), st.floats(0.01, 6), st.floats(0, 1))
def test_truncated_normal_is_scipys(a, width, share):
    b = a + width
    x = a + share * width
    assert _truncated_cdf(x, a, b) == pytest.approx(truncnorm.cdf(x, a, b), abs=1e-9)


def test_truncated_normal_far_in_the_tails():
    assert _truncated_cdf(30.01, 30.0, np.inf) == pytest.approx(1 - np.exp(-0.01 * 30), abs=1e-3)
    assert _truncated_cdf(-30.01, -np.inf, -30.0) == pytest.approx(np.exp(-0.01 * 30), abs=1e-3)
    assert _truncated_cdf(0.3, -np.inf, np.inf) == pytest.approx(norm.cdf(0.3), rel=1e-12)
    assert _truncated_cdf(-1.0, 0.0, 1.0) == 0.0
    assert _truncated_cdf(2.0, 0.0, 1.0) == 1.0


def test_solved_means_put_the_stated_share_below():
    for low, high, reach in (
        (0.4, np.inf, np.inf),
        (-np.inf, np.inf, np.inf),
        (0.3, 0.7, np.inf),
        (0.45, 2.0, 3.0),
    ):
        for share in (0.025, 0.5, 0.975):
            at = _solve(0.5, 0.1, low, high, share, reach)
            a, b = max(low, at - reach * 0.1), min(high, at + reach * 0.1)
            if np.isfinite(at) and abs(at - 0.5) < 0.099 * min(reach, 99):
                found = truncnorm.cdf(0.5, (a - at) / 0.1, (b - at) / 0.1, loc=at, scale=0.1)
                assert found == pytest.approx(share, abs=1e-6)


def test_a_score_at_the_edge_of_its_truncation_has_no_finite_mean():
    assert _solve(0.5, 0.1, 0.5, np.inf, 0.025, np.inf) == -np.inf
    assert _solve(0.5, 0.1, -np.inf, 0.5, 0.975, np.inf) == np.inf
    assert 0 < _solve(0.5, 0.1, 0.5, np.inf, 0.025, 4.0) < 0.5


def test_a_clear_winner_needs_no_correction():
    values = np.vstack([board(1, 400, 1), board(4, 400, 2) * 0])
    found = top_score(values, full(values))
    sd = values[0].std(ddof=1) / 20
    assert found.row == 0
    assert found.estimate == pytest.approx(found.score, abs=1e-6)
    np.testing.assert_allclose(found.conditional, found.score + norm.ppf([0.025, 0.975]) * sd, rtol=1e-6)
    assert optimism(values, full(values), rng=rng()).iterated == pytest.approx(0, abs=4 * sd / np.sqrt(200))


def test_a_tie_at_the_top_is_corrected_downwards_and_stays_bounded():
    one = board(1, 200, 3)
    values = np.vstack([one, 1 - one, board(5, 200, 4)])
    values[1, : int(2 * one.sum() - 200)] = 1
    found = top_score(values, full(values))
    assert found.hybrid.low < found.estimate < found.score
    assert found.conditional.low < found.hybrid.low
    assert np.isfinite(found.hybrid).all()


def test_what_cannot_be_known_is_withheld():
    values = np.array([[1, 1, 1, 1], [0, 1, 0, 1]], dtype=np.float32)
    found = top_score(values, full(values))  # all right: no error estimate
    assert found.score == 1
    assert np.isnan(found.estimate)
    assert np.isnan(found.hybrid).all()
    one_cluster = np.zeros(4, dtype=int)
    assert np.isnan(optimism(values, full(values), cluster=one_cluster, rng=rng())).all()
    assert np.isnan(top_score(board(3, 4, 0), full(board(3, 4, 0)), cluster=one_cluster).estimate)


def test_order_of_entries_is_nothing():
    values, order = board(6, 150, 5, gap=0.01), np.array([4, 2, 0, 5, 1, 3])
    assert len(np.unique(values.sum(axis=1))) == 6
    one = top_score(values, full(values))
    other = top_score(values[order], full(values))
    assert order[other.row] == one.row
    for part in ("estimate", "conditional", "hybrid"):
        np.testing.assert_allclose(getattr(other, part), getattr(one, part), rtol=1e-9)
    np.testing.assert_allclose(
        optimism(values[order], full(values), rng=rng(1)),
        optimism(values, full(values), rng=rng(1)),
        rtol=1e-9,
    )


def test_clusters_strata_and_absent_items_are_taken():
    values, draw = board(5, 120, 6), rng(2)
    present = draw.random(values.shape) < 0.8
    values = np.where(present, values, 0)
    design = {
        "cluster": np.arange(120) // 3,
        "stratum": np.repeat([0, 1], 60),
        "weights": draw.random(120) + 0.5,
    }
    found = top_score(values, present, **design)
    assert found.hybrid.low < found.estimate < found.hybrid.high
    assert optimism(values, present, rng=rng(), **design).once > 0


def test_the_first_of_thirty_equals():
    """The naive interval of the winner misses its true score in nearly half of such boards."""
    replicates, truth = 150, 2 / 3
    held, naive, excess, left = 0, 0, 0.0, 0.0
    for seed in range(replicates):
        values = board(30, 300, seed)
        found = top_score(values, full(values))
        held += bool(found.hybrid.low <= truth <= found.hybrid.high)
        naive += abs(found.score - truth) <= 1.96 * np.sqrt(found.score * (1 - found.score) / 300)
        excess += (found.score - truth) / replicates
        left += (found.estimate - truth) / replicates
    error = np.sqrt(0.05 * 0.95 / replicates)
    assert held / replicates >= 0.95 - 3 * error
    assert naive / replicates < 0.8
    assert abs(left) < excess / 3


def test_the_hybrid_interval_is_cut_where_sidaks_ends():
    """The edge of the choice follows from the conditional interval; the hybrid one then from scipy alone."""
    values = board(2, 60, 3)
    found = top_score(values, full(values))
    x, sd = found.score, values[found.row].std(ddof=1) / np.sqrt(60)
    low, high = (float(end) for end in found.conditional)

    def cdf(mean, low, high):
        return truncnorm.cdf(x, (low - mean) / sd, (high - mean) / sd, loc=mean, scale=sd)

    edge = brentq(lambda at: cdf(high, at, np.inf) - 0.025, x - 5 * sd, x - 1e-9)
    assert cdf(low, edge, np.inf) == pytest.approx(0.975, abs=1e-6)
    reach = norm.ppf((1 + (1 - 0.1 * 0.05) ** (1 / 2)) / 2) * sd
    inner = 0.9 * 0.025 / (1 - 0.1 * 0.05)
    for end, share in zip(found.hybrid, (1 - inner, inner), strict=True):
        mean = float(end)
        assert cdf(mean, max(edge, mean - reach), mean + reach) == pytest.approx(share, abs=1e-6)
    assert cdf(found.estimate, max(edge, found.estimate - reach), found.estimate + reach) == pytest.approx(
        0.5
    )
