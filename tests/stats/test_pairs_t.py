"""All pairs' t-tests against scipy, statsmodels and a plain loop."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.errors import MethodError
from deadheat.stats.paired.pairs_t import all_pairs_t
from deadheat.stats.score.clustered import mean, standard_error


def made(seed, entries=5, items=40, absent=0.0):
    rng = np.random.default_rng(seed)
    return rng.random((entries, items)), rng.random((entries, items)) >= absent, rng


def test_scipy_ttest_rel():
    x, present, _ = made(0, absent=0.2)
    found = all_pairs_t(x, present)
    for i in range(5):
        for j in range(i):
            both = present[i] & present[j]
            known = stats.ttest_rel(x[i, both], x[j, both])
            assert found.p[i, j] == pytest.approx(known.pvalue, rel=1e-10)
            assert found.df[i, j] == known.df
            assert found.difference[i, j] == pytest.approx((x[i, both] - x[j, both]).mean())


@pytest.mark.parametrize("absent", [0.0, 0.2])
@pytest.mark.parametrize("weighted", [False, True])
def test_statsmodels_clusters(absent, weighted):
    x, present, rng = made(1, absent=absent)
    cluster = rng.integers(6, size=40)
    w = rng.random(40) if weighted else None
    found = all_pairs_t(x, present, cluster, w)
    for i in range(5):
        for j in range(i):
            both = present[i] & present[j]
            d, g = x[i, both] - x[j, both], cluster[both]
            model = sm.WLS(d, np.ones(len(d)), weights=np.ones(len(d)) if w is None else w[both])
            fit = model.fit(cov_type="cluster", cov_kwds={"groups": g, "use_correction": True}, use_t=True)
            groups, n = len(np.unique(g)), len(d)
            # statsmodels multiplies by G/(G-1) (n-1)/(n-k); with k = 1 the second factor is 1.
            assert n > groups
            assert found.se[i, j] == pytest.approx(fit.bse[0], rel=1e-10)
            assert found.p[i, j] == pytest.approx(fit.pvalues[0], rel=1e-9)


def test_strata_average_alike():
    x, present, rng = made(2)
    stratum = np.sort(rng.integers(3, size=40))
    found = all_pairs_t(x, present, stratum=stratum)
    d = x[0] - x[1]
    means = [d[stratum == s].mean() for s in range(3)]
    variances = [d[stratum == s].var(ddof=1) / (stratum == s).sum() for s in range(3)]
    assert found.difference[0, 1] == pytest.approx(np.mean(means))
    assert found.se[0, 1] == pytest.approx(np.sqrt(np.sum(variances)) / 3)
    v = np.array(variances)
    df = v.sum() ** 2 / (v**2 / (np.bincount(stratum) - 1)).sum()  # Satterthwaite
    assert found.df[0, 1] == pytest.approx(df)
    shares = np.array([0.5, 0.2, 0.3])
    uneven = all_pairs_t(x, present, stratum=stratum, shares=shares)
    assert uneven.difference[0, 1] == pytest.approx(shares @ means)
    assert uneven.se[0, 1] == pytest.approx(np.sqrt(shares**2 @ v))
    w = shares**2 * v
    assert uneven.df[0, 1] == pytest.approx(w.sum() ** 2 / (w**2 / (np.bincount(stratum) - 1)).sum())


def test_a_constant_difference_has_a_sign_test():
    x = np.array([[1.0] * 20, [0.0] * 20, [0.0] * 20])
    found = all_pairs_t(x, np.ones_like(x, dtype=bool))
    assert found.p[0, 1] == pytest.approx(2.0**-19, rel=1e-12)
    assert found.se[0, 1] == 0
    assert found.p[1, 2] == 1.0
    assert found.difference[1, 2] == 0


def test_identical_rows_of_fractions_are_equal_exactly():
    row = np.random.default_rng(3).random(500)
    found = all_pairs_t(np.stack([row, row]) + 1e6, np.ones((2, 500), dtype=bool))
    assert found.p[0, 1] == 1.0
    assert found.difference[0, 1] == 0
    assert found.se[0, 1] == 0


def test_a_far_offset_loses_nothing():
    x, present, _ = made(4)
    near, far = all_pairs_t(x, present), all_pairs_t(x + 1e8, present)
    np.testing.assert_allclose(near.se, far.se, rtol=1e-6)


def test_undefined():
    x = np.zeros((3, 4))
    present = np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 0, 1]], dtype=bool)
    found = all_pairs_t(x, present)
    assert np.isnan(found.p[0, 1])
    assert np.isnan(found.difference[0, 1])
    assert np.isnan(found.p[0, 2])
    whole = np.ones((2, 8), dtype=bool)
    one = all_pairs_t(np.random.default_rng(0).random((2, 8)), whole, np.zeros(8, dtype=int))
    assert np.isnan(one.p[0, 1])


@pytest.mark.parametrize("shares", [None, np.array([0.3, 0.7])])
@pytest.mark.parametrize("absent", [0.0, 0.2])
def test_clusters_that_span_strata(shares, absent):
    x, present, rng = made(5, absent=absent)
    cluster, stratum = np.arange(40) // 4, np.arange(40) % 2
    weights = rng.random(40) + 0.5
    found = all_pairs_t(x, present, cluster, weights, stratum, shares)
    for i in range(5):
        for j in range(i):
            gaps, both = (x[i] - x[j])[None], (present[i] & present[j])[None]
            se, df = standard_error(gaps, both, cluster, weights, stratum, shares=shares)
            assert found.difference[i, j] == pytest.approx(mean(gaps, both, weights, stratum, shares)[0])
            assert found.se[i, j] == pytest.approx(se[0], rel=1e-10)
            assert found.df[i, j] == df[0]
    with pytest.raises(MethodError, match="span categories"):
        all_pairs_t(x, present, cluster, stratum=stratum, kind="CR2")


@given(st.integers(0, 2**31), st.booleans(), st.booleans())
def test_swapping_mirrors_and_order_is_nothing(seed, clustered, absent):
    x, present, rng = made(seed, 4, 30, 0.3 if absent else 0.0)
    cluster = rng.integers(5, size=30) if clustered else None
    found = all_pairs_t(x, present, cluster)
    assert np.array_equal(found.p, found.p.T, equal_nan=True)
    assert np.array_equal(found.difference, -found.difference.T, equal_nan=True)
    order = rng.permutation(30)
    mixed = all_pairs_t(x[:, order], present[:, order], None if cluster is None else cluster[order])
    np.testing.assert_allclose(found.se, mixed.se, rtol=1e-9, atol=1e-12)


def test_the_level_holds():
    rng = np.random.default_rng(6)
    rejected = 0
    for _ in range(40):
        effect = rng.normal(size=(1, 25)).repeat(8, axis=1)
        x = effect * rng.normal(size=(20, 1)) * 0 + rng.normal(size=(20, 25)).repeat(8, axis=1)
        x = x + 0.5 * rng.normal(size=x.shape)
        found = all_pairs_t(x, np.ones(x.shape, dtype=bool), np.arange(25).repeat(8))
        rejected += (found.p[np.triu_indices(20, 1)] < 0.05).mean() / 40
    assert 0.02 < rejected < 0.09
