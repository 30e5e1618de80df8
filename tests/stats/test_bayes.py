"""The Dirichlet posterior against draws from it, closed forms and scipy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from deadheat.errors import MethodError
from deadheat.stats.paired.bayes import bayes_interval, posterior_below, probability_better

small = st.integers(0, 300)


@given(small, small, st.sampled_from([0.5, 1.0]))
def test_probability_is_a_beta_tail(b, c, prior):
    assert probability_better(b, c, prior) == pytest.approx(
        stats.beta.sf(0.5, b + prior, c + prior), abs=1e-10
    )
    assert probability_better(b, c, prior) + probability_better(c, b, prior) == 1


@pytest.mark.parametrize(
    ("n", "b", "c"), [(500, 29, 24), (20, 0, 0), (10, 3, 0), (30, 0, 30), (5000, 700, 500)]
)
def test_equals_draws(n, b, c):
    rng = np.random.default_rng(0)
    draws = rng.dirichlet([b + 0.5, c + 0.5, n - b - c + 1.0], 100_000)
    gap = draws[:, 0] - draws[:, 1]
    low, high = bayes_interval(n - b - c, b, c, 0)
    share = [(gap < low).mean(), (gap > high).mean()]
    assert share == pytest.approx([0.025, 0.025], abs=0.002)
    for at in np.quantile(gap, [0.01, 0.3, 0.7, 0.99]):
        assert posterior_below(at, n, b, c) == pytest.approx((gap < at).mean(), abs=0.005)


@pytest.mark.parametrize("at", [-0.2, -0.01, 0.0, 0.03, 0.3])
@pytest.mark.parametrize(("n", "b", "c"), [(40, 6, 3), (40, 0, 1), (15, 2, 9)])
def test_equals_quadrature(at, n, b, c):
    """P(S (2R - 1) < at) over a fine adaptive grid of R."""
    split, share = stats.beta(b + 0.5, c + 0.5), stats.beta(b + c + 1, n - b - c + 1)

    def given_split(u):
        r = 2 * split.ppf(u) - 1
        if r == 0:
            return float(at > 0)
        return share.cdf(at / r) if r > 0 else share.sf(at / r)

    middle = split.cdf(0.5)
    want = sum(integrate.quad(given_split, *part, limit=200)[0] for part in ((0, middle), (middle, 1)))
    assert posterior_below(at, n, b, c) == pytest.approx(want, abs=1e-4)


@settings(max_examples=25, deadline=None)
@given(small, small, small)
def test_swap_mirrors(b, c, rest):
    if b + c + rest == 0:
        return
    low, high = bayes_interval(rest, b, c, 0)
    assert bayes_interval(rest, c, b, 0) == (-high, -low)
    assert -1 <= low < high <= 1


def test_undefined_and_refused():
    assert np.isnan(bayes_interval(0, 0, 0, 0).low)
    assert np.isnan(posterior_below(0.1, 0, 0, 0))
    with pytest.raises(MethodError):
        bayes_interval(1, 1, 1, 1, level=2)
