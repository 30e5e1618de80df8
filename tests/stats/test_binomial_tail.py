"""Tails of a binomial count against scipy, of few terms and of many."""

import numpy as np
import pytest
from scipy import stats

from deadheat.stats.numerics.binomial_tail import FEW, upper_tail


@pytest.mark.parametrize("most", [3, FEW, 3 * FEW])
def test_it_is_the_binomial_tail(most):
    rng = np.random.default_rng(2)
    few = rng.integers(0, most + 1, 3000)
    many = few + rng.integers(1, most + 1, 3000)
    chance = rng.random(3000)
    chance[:2] = 0, 1
    wanted = stats.binom.sf(many - 1, many + few, chance)
    np.testing.assert_allclose(upper_tail(many, few, chance), wanted, atol=1e-13)
