"""Sums over a binomial count: against scipy's probabilities, and sizes in a row against each by itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from deadheat.stats.numerics.expectation import (
    binomial_expectation,
    consecutive_expectations,
    count_window,
    likely_counts,
)


@pytest.mark.parametrize("n", [0, 1, 7, 300, 40_000, 2_000_000])
@pytest.mark.parametrize("p", [0.0, 1e-9, 0.003, 0.5, 0.97, 1 - 1e-12, 1.0])
def test_probabilities_are_scipys(n, p):
    k, pmf = likely_counts(np.array([n]), np.array([p]))
    first, last = count_window(n, p)
    assert (k[0, 0], k[0, -1]) == (first, last)
    np.testing.assert_allclose(pmf[0], stats.binom.pmf(k[0], n, p), atol=2e-11 / max(n, 1) ** 0.5 + 1e-15)
    assert pmf.sum() == pytest.approx(1, abs=1e-13)


def test_windows_of_different_width_side_by_side():
    n, p = np.array([3, 50_000, 0]), np.array([0.4, 0.2, 0.7])
    k, pmf = likely_counts(n, p)
    for row in range(3):
        alone_k, alone = likely_counts(n[row : row + 1], p[row : row + 1])
        inside = alone_k.shape[1]
        np.testing.assert_allclose(pmf[row, :inside], alone[0], atol=1e-16)
        assert np.all(pmf[row, inside:] == 0)
        assert np.all(k[row, inside:] == alone_k[0, -1])


@given(n=st.integers(0, 500), number=st.integers(1, 60), p=st.floats(0, 1))
@settings(max_examples=60)
def test_sizes_in_a_row_are_each_by_itself(n, number, p):
    start = int(count_window(n, p)[0])
    values = np.cos(np.arange(700.0))
    ours = consecutive_expectations(values[start:], n, number, p, start)
    alone = binomial_expectation(values, n + np.arange(number), p)
    np.testing.assert_allclose(ours, alone, atol=1e-13)


def test_values_may_begin_at_the_window():
    values = np.sin(np.arange(10_001.0))
    start = int(count_window(10_000, 0.3)[0])
    ours = binomial_expectation(values[start:], 10_000, 0.3, start)
    assert ours == pytest.approx(binomial_expectation(values, 10_000, 0.3), abs=1e-15)
    assert ours == pytest.approx((stats.binom.pmf(np.arange(10_001), 10_000, 0.3) * values).sum(), abs=1e-11)
