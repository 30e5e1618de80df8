"""p-values of normal and t statistics against scipy, and against 40-digit values far out."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.errors import MethodError
from deadheat.stats.numerics import pvalues


@given(st.floats(-30, 30), st.floats(0.5, 1e6))
def test_equals_scipy(t, df):
    p, log10_p = pvalues.student(t, df)
    assert p == pytest.approx(2 * stats.t.sf(abs(t), df), rel=1e-9, abs=1e-290)
    assert 10.0**log10_p == pytest.approx(p, rel=1e-9, abs=1e-300)
    assert pvalues.normal(t).p == pytest.approx(2 * stats.norm.sf(abs(t)), rel=1e-10)


@pytest.mark.parametrize(
    ("t", "df"),
    [
        (60, 499),
        (1e5, 60.5),
        (37, 40_000),
        (45, 1e6),
        (1e60, 3),
        (3e5, 40),
        (1e3, 200),
        (28, 1e7),
        (1e80, 1.5),
    ],
)
def test_far_tail_of_t(t, df):
    with mpmath.workdps(40):
        a, x = mpmath.mpf(df) / 2, mpmath.mpf(df) / (df + mpmath.mpf(t) ** 2)
        want = float(mpmath.log10(mpmath.betainc(a, 0.5, 0, x, regularized=True)))
    assert pvalues.student(t, df).log10_p == pytest.approx(want, rel=1e-11)


def test_normal_beyond_the_smallest_double():
    want = float(mpmath.log10(mpmath.erfc(60 / mpmath.sqrt(2))))
    assert pvalues.normal(60).log10_p == pytest.approx(want, rel=1e-13)
    assert pvalues.normal(60).p == 0


def test_undefined():
    found = pvalues.student([np.nan, 1.0, 1.0, np.inf], [3.0, 0.0, np.nan, 3.0])
    assert np.isnan(found.p[:3]).all()
    assert found.p[3] == 0
    assert np.isnan(pvalues.normal(np.nan).p)
    assert np.isnan(pvalues.critical_t(0.95, [0.0, np.nan])).all()


def test_critical_values():
    assert pvalues.critical_z(0.95) == pytest.approx(stats.norm.ppf(0.975))
    assert pvalues.critical_t(0.9, [3, 40.5]) == pytest.approx(stats.t.ppf(0.95, [3, 40.5]))
    with pytest.raises(MethodError, match="strictly between 0 and 1"):
        pvalues.critical_z(1.0)


def test_t_quantiles_are_mpmaths():
    """Not every scipy is right to the last digits: 1.12 is off by up to 1e-9."""
    with mpmath.workdps(30):
        for df in (1, 2, 3.7, 12, 171.3):
            for tail in (0.025, 0.05, 0.2, 1e-7):
                found = mpmath.mpf(float(pvalues.upper_t(tail, df)))
                beyond = mpmath.betainc(df / 2, 0.5, 0, df / (df + found**2), regularized=True) / 2
                assert float(beyond / mpmath.mpf(tail) - 1) == pytest.approx(0, abs=1e-12)
    assert np.isnan(pvalues.upper_t(0.025, [0.0, -1.0, np.nan])).all()
