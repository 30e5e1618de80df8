"""Published figures against counts: every rate of small samples, and figures worked out elsewhere."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deadheat.errors import MethodError
from deadheat.stats.score import consistency as c


def test_gate_is_decided_in_whole_items():
    k = np.arange(500)
    n = np.full(500, 500)
    assert c.agrees((k + 1) / 500, k, n).all()
    assert c.agrees(k / 500, k + 1, n).all()
    assert not c.agrees((k[:-1] + 2) / 500, k[:-1], n[:-1]).any()
    # In percentage points most adjacent rates look further apart than one item.
    apart = 100 * (k[1:] + 1) / 500 - 100 * k[1:] / 500
    assert np.count_nonzero(apart > 100 / 500) == 296


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(-4, 4))))
def test_gate_agrees_with_exact_fractions(case):
    n, k, step = case
    rate = Fraction(k, n)
    assert c.agrees(float(rate), k + step, n) == (abs(step) <= 1)


def test_gate_of_nothing():
    with pytest.raises(MethodError, match="no items"):
        c.agrees(0.5, 0, 0)
    assert not c.agrees(np.nan, 3, 5)


@pytest.mark.parametrize("decimals", [2, 3, 4])
@pytest.mark.parametrize("n", [1, 7, 30, 124, 198])
def test_recover_counts_against_every_fraction(n, decimals):
    unit = 10**decimals
    for printed in range(0, unit + 1, max(1, unit // 400)):
        rate = printed / unit
        half = Fraction(1, 2 * unit)
        right = [k for k in range(n + 1) if abs(Fraction(k, n) - Fraction(printed, unit)) <= half]
        assert c.recover_counts(rate, n, decimals).tolist() == right


def test_recover_counts_of_published_rates():
    assert c.recover_counts(0.6364, 198, 4).tolist() == [126]
    assert c.recover_counts(0.224, 124, 3).tolist() == []
    assert c.recover_counts(0.5, 1000, 2).tolist() == list(range(495, 506))
    assert c.recover_counts(1.0, 3, 3).tolist() == [3]
    with pytest.raises(MethodError):
        c.recover_counts(1.2, 3, 3)


@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.integers(2, 5))
def test_what_was_rounded_is_recovered(pair, decimals):
    k, n = pair
    assert k in c.recover_counts(round(k / n, decimals), n, decimals)
    assert c.fits(round(k / n, decimals), k, n, decimals)


def test_fits_tells_denominators_apart():
    assert c.fits(0.667, [200, 197, 200], [300, 297, 297], 3).tolist() == [True, False, False]


def test_stderr_formulas():
    found = c.stderr_formulas(9 / 140, 140)
    assert found["binomial"] ** 2 == pytest.approx(
        float(Fraction(9, 140) * Fraction(131, 140) / 140), rel=1e-12
    )
    assert found["n-1"] == pytest.approx(0.020802784336415366, abs=1e-12)
    x = np.repeat([1.0, 0.0], [9, 131])
    assert found["n-1"] == pytest.approx(x.std(ddof=1) / np.sqrt(140), rel=1e-12)
    assert c.reproduced_by(0.0, found, 6) == ()
    assert c.reproduced_by(0.0208, found, 4) == ("n-1",)
    assert c.reproduced_by(0.0207, found, 4) == ("binomial",)
    assert c.reproduced_by(0.021, found, 3) == ("binomial", "n-1")
    assert c.reproduced_by(0.245, found, 3) == ("standard deviation",)
    assert c.reproduced_by(0.03, c.stderr_formulas(0.5, 100, {"clustered": 0.0301}), 2) == ("clustered",)
    assert np.isnan(c.binomial_n1(0.0, 1))


def test_coverage_of_missing_scores():
    some = c.score_coverage([1, 1, 0, 1, np.nan, np.nan, 0, 1])
    assert (some.attempted, some.scored) == (8, 6)
    assert some.mean == pytest.approx(2 / 3)
    assert (some.missing_as_zero, some.bounds.low, some.bounds.high) == (0.5, 0.5, 0.75)
    none = c.score_coverage([np.nan] * 3)
    assert np.isnan(none.mean)
    assert (none.missing_as_zero, none.bounds.low, none.bounds.high) == (0.0, 0.0, 1.0)
    counted = c.count_coverage(41, 54, 60)
    assert counted.mean == pytest.approx(41 / 54)
    assert counted.bounds.high == pytest.approx(47 / 60)
    for bad in ((5, 4, 6), (1, 3, 2), (0, 0, 0), (-1, 3, 3)):
        with pytest.raises(MethodError):
            c.count_coverage(*bad)
    with pytest.raises(MethodError):
        c.score_coverage([2.0])
    with pytest.raises(MethodError):
        c.score_coverage([])


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, None]), min_size=1, max_size=30))
def test_bounds_hold_whatever_the_missing_scores_are(scores):
    known = np.array([np.nan if s is None else s for s in scores])
    found = c.score_coverage(known)
    for fill in (0.0, 0.3, 1.0):
        mean = np.where(np.isnan(known), fill, known).mean()
        assert found.bounds.low - 1e-12 <= mean <= found.bounds.high + 1e-12


def test_gap_of_a_win_rate():
    assert float(c.gap_in_items(0.51, 212 + 9, 400)) == pytest.approx(17.0)
