"""All pairs at once against pairs one by one: counts with loops, p-values with the tests themselves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as of_statsmodels

from deadheat.errors import MethodError
from deadheat.stats.paired import mcnemar, pairs_mcnemar

TESTS = (mcnemar.mcnemar_exact, mcnemar.mcnemar_mid_p, mcnemar.mcnemar_chi2, mcnemar.mcnemar_cc)


def board(entries, items, share, dtype=np.float32, seed=1):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, (entries, items)).astype(dtype), rng.random((entries, items)) < share


@pytest.fixture
def small_blocks(monkeypatch):
    """Make blocks so small that a small board takes several."""
    monkeypatch.setattr(pairs_mcnemar, "CELLS", 7 * 300)
    monkeypatch.setattr(pairs_mcnemar, "ROWS", 3)
    monkeypatch.setattr(pairs_mcnemar, "TILE", 2)


@pytest.mark.parametrize("share", [1.0, 0.7])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.usefixtures("small_blocks")
def test_counts_equal_a_loop(share, dtype):
    values, present = board(7, 1000, share, dtype)
    a_only, shared = pairs_mcnemar.discordant(values, present)
    assert a_only.dtype == shared.dtype == np.int32
    for i in range(7):
        for j in range(7):
            both = present[i] & present[j]
            assert a_only[i, j] == (both & (values[i] == 1) & (values[j] == 0)).sum()
            assert shared[i, j] == both.sum()


def test_what_is_absent_is_ignored():
    values = np.array([[1.0, np.nan], [0.0, 0.5]])
    a_only, shared = pairs_mcnemar.discordant(values, np.array([[True, False], [True, False]]))
    assert a_only.tolist() == [[0, 1], [0, 0]]
    assert shared.tolist() == [[1, 1], [1, 1]]


@pytest.mark.parametrize("score", [0.5, 2.0, -1.0, np.nan])
def test_graded_scores_are_refused(score):
    with pytest.raises(MethodError, match="not all 0 or 1"):
        pairs_mcnemar.discordant(np.array([[1.0, score]]), np.ones((1, 2), bool))


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.usefixtures("small_blocks")
def test_p_values_equal_those_of_each_pair(monkeypatch, test, listed):
    """Looked up or, where there are more splits than may be listed, tested one by one."""
    if not listed:
        monkeypatch.setattr(pairs_mcnemar, "SPLITS", 0)
    values, present = board(7, 400, 0.9)
    a_only, _ = pairs_mcnemar.discordant(values, present)
    found = pairs_mcnemar.all_pairs(a_only, test)
    want = test(a_only, a_only.T)
    np.testing.assert_array_equal(found.p, want.p)
    np.testing.assert_array_equal(found.log10_p, want.log10_p)


def test_equals_statsmodels():
    values, present = board(12, 300, 0.98)
    a_only, shared = pairs_mcnemar.discordant(values, present)
    p = pairs_mcnemar.all_pairs(a_only, mcnemar.mcnemar_exact).p
    for i in range(12):
        for j in range(i):
            b, c = a_only[i, j], a_only[j, i]
            table = [[shared[i, j] - b - c, b], [c, 0]]
            assert p[i, j] == pytest.approx(of_statsmodels(table, exact=True).pvalue, rel=1e-10)


@given(st.integers(0, 30), st.integers(0, 60), st.integers(0, 2**32 - 1))
def test_symmetric_whatever_the_order_of_entries(entries, items, seed):
    values, present = board(entries, items, 0.8, seed=seed)
    order = np.random.default_rng(seed).permutation(entries)
    a_only, shared = pairs_mcnemar.discordant(values, present)
    other, also = pairs_mcnemar.discordant(values[order], present[order])
    np.testing.assert_array_equal(a_only[np.ix_(order, order)], other)
    np.testing.assert_array_equal(shared[np.ix_(order, order)], also)
    p = pairs_mcnemar.all_pairs(a_only, mcnemar.mcnemar_exact).p
    np.testing.assert_array_equal(p, p.T)
    np.testing.assert_array_equal(
        p[np.ix_(order, order)], pairs_mcnemar.all_pairs(other, mcnemar.mcnemar_exact).p
    )
    assert np.all(np.diag(p) == 1)
