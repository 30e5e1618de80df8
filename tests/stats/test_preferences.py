"""Win rates and Bradley–Terry strengths, against statsmodels' logistic regression."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from deadheat.errors import DataError
from deadheat.stats.votes.preferences import bradley_terry, win_rate, win_rates


def test_win_rate_is_a_mean_of_scores():
    scores = np.array([1.0] * 30 + [0.0] * 20 + [0.5] * 10)
    found = win_rate(30, 20, 10)
    assert found.rate == pytest.approx(scores.mean())
    assert found.se == pytest.approx(scores.std(ddof=1) / np.sqrt(60))
    assert np.isnan(win_rate(5, 0).se)
    with pytest.raises(DataError, match="at least one contest"):
        win_rate(0, 0)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=8))
def test_win_rates_average_one_half(scores):
    assert win_rates(scores).mean() == pytest.approx(0.5)


def test_win_rates_of_ties_and_gaps():
    assert win_rates([0.7, 0.7, 0.5, 0.9]).tolist() == [0.5, 0.5, 0.0, 1.0]
    assert np.isnan(win_rates([0.7, np.nan, 0.5])[1])
    assert np.isnan(win_rates([0.7])).all()


def test_two_entries_have_a_closed_form():
    found = bradley_terry([[0, 7], [3, 0]])
    gap = found.log_strength[0] - found.log_strength[1]
    assert gap == pytest.approx(np.log(7 / 3), rel=1e-12)
    c = found.covariance
    assert np.sqrt(c[0, 0] + c[1, 1] - 2 * c[0, 1]) == pytest.approx(np.sqrt(1 / 7 + 1 / 3), rel=1e-12)


def test_logistic_regression_gives_the_same():
    rng = np.random.default_rng(2)
    wins = rng.integers(1, 9, size=(5, 5))
    rows, won, count = [], [], []
    for i in range(5):
        for j in range(i):
            x = np.zeros(5)
            x[i], x[j] = 1, -1
            rows.append(x[1:])
            won.append(wins[i, j])
            count.append(wins[i, j] + wins[j, i])
    y = np.column_stack([won, np.array(count) - won])
    fit = sm.GLM(y, np.array(rows), family=sm.families.Binomial()).fit(tol=1e-14)
    found = bradley_terry(wins)
    assert found.log_strength[1:] - found.log_strength[0] == pytest.approx(fit.params, abs=1e-9)
    c = found.covariance
    se = np.sqrt(np.diag(c)[1:] + c[0, 0] - 2 * c[0, 1:])
    assert se == pytest.approx(fit.bse, rel=1e-6)


def test_the_undefeated_have_no_finite_strength():
    wins = np.zeros((3, 3))
    for winner, loser in ((0, 1), (0, 2), (1, 2), (0, 1), (2, 1)):
        wins[winner, loser] += 1
    found = bradley_terry(wins)
    assert np.isnan(found.log_strength[0])
    assert np.isfinite(found.log_strength[1:]).all()
    assert found.component[0] != found.component[1] == found.component[2]


def test_contests_with_oneself_count_nothing():
    assert bradley_terry([[5, 2], [1, 0]]).log_strength == pytest.approx(
        bradley_terry([[0, 2], [1, 0]]).log_strength
    )


def test_nobody_is_comparable():
    assert np.isnan(bradley_terry([[0, 1], [0, 0]]).log_strength).all()
    with pytest.raises(DataError, match="square table"):
        bradley_terry([[0, 1]])


@given(st.integers(0, 2**31))
def test_order_of_entries_is_nothing(seed):
    rng = np.random.default_rng(seed)
    wins = rng.integers(1, 20, size=(6, 6))
    order = rng.permutation(6)
    plain, mixed = bradley_terry(wins), bradley_terry(wins[np.ix_(order, order)])
    assert mixed.log_strength == pytest.approx(plain.log_strength[order], abs=1e-10)
    assert plain.log_strength.sum() == pytest.approx(0, abs=1e-10)


def test_steps_that_would_overshoot_are_halved():
    """Wins so unequal that a full step lowers the likelihood; the score equations hold all the same."""
    wins = np.array(
        [
            [0, 0, 0, 7579, 29959, 436],
            [2382, 0, 0, 7855, 0, 13945],
            [0, 0, 0, 0, 177, 6],
            [34, 0, 0, 0, 764, 492],
            [20, 96219, 76738, 1298, 0, 1351],
            [0, 1, 2133, 0, 0, 0],
        ]
    )
    found = bradley_terry(wins).log_strength
    expected = ((wins + wins.T) / (1 + np.exp(found[None, :] - found[:, None]))).sum(axis=1)
    np.testing.assert_allclose(expected, wins.sum(axis=1), rtol=1e-9)
