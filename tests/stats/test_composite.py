"""Composites of independent parts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.errors import DataError
from deadheat.stats.score.composite import composite, rate_errors

parts = st.lists(
    st.tuples(st.floats(0, 1), st.floats(0.001, 0.5), st.floats(0.01, 10)), min_size=1, max_size=6
)


def test_stratified_mean_by_hand():
    found = composite([0.7, 0.5], [0.04, 0.01], [120, 2400])
    assert found.score == pytest.approx((0.7 * 120 + 0.5 * 2400) / 2520)
    assert found.se == pytest.approx(np.hypot(0.04 * 120, 0.01 * 2400) / 2520)


def test_the_error_of_pooled_parts_is_that_of_simulation():
    rng = np.random.default_rng(0)
    p, n = np.array([0.2, 0.6, 0.9]), np.array([50, 200, 30])
    k = rng.binomial(n, p, size=(200_000, 3))
    assert (k.sum(axis=1) / n.sum()).std() == pytest.approx(
        composite(p, np.sqrt(p * (1 - p) / n), n).se, rel=0.01
    )


@given(parts)
def test_scaling_weights_and_order_are_nothing(given_):
    s, e, w = map(np.array, zip(*given_, strict=True))
    plain = composite(s, e, w)
    assert composite(s, e, 3 * w) == pytest.approx(plain)
    assert composite(s[::-1], e[::-1], w[::-1]) == pytest.approx(plain)
    assert s.min() - 1e-12 <= plain.score <= s.max() + 1e-12


def test_unknown_errors_stay_unknown():
    assert np.isnan(composite([0.5, 0.6], [0.1, np.nan]).se)
    assert composite([0.5, 0.6], [0.1, np.nan], [1, 0]).se == pytest.approx(0.1)


@pytest.mark.parametrize(
    "arguments", [([], []), ([1], [0.1, 0.2]), ([1], [0.1], [0]), ([1, 1], [0, 0], [1, -1])]
)
def test_refused(arguments):
    with pytest.raises(DataError):
        composite(*arguments)


def test_rate_errors():
    assert rate_errors([45, 0], [100, 50]) == pytest.approx([np.sqrt(0.45 * 0.55 / 99), 0.0])
    assert np.isnan(rate_errors(1, 1))
