"""Every pair's CR2 test against the error of its own differences; its size where clusters are unequal."""

from functools import partial

import numpy as np
import pytest
from scipy import stats

from deadheat.errors import MethodError
from deadheat.stats.paired.pairs_t import all_pairs_t
from deadheat.stats.score.clustered import mean, standard_error

all_pairs_cr2 = partial(all_pairs_t, kind="CR2")


def panel(seed, entries=4, items=30, absent=0.15):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 3, (entries, items)) / 2, rng.random((entries, items)) >= absent


CLUSTER = np.repeat(np.arange(7), [9, 1, 4, 2, 6, 5, 3])


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("strata", [1, 2])
def test_every_pair_is_the_error_of_its_differences(weighted, strata):
    values, present = panel(3)
    weights = np.random.default_rng(1).random(30) + 0.1 if weighted else None
    stratum = (CLUSTER >= 3).astype(int) if strata == 2 else None
    found = all_pairs_cr2(values, present, CLUSTER, weights, stratum)
    for a in range(4):
        for b in range(4):
            if a == b:
                continue
            gaps, both = (values[a] - values[b])[None], (present[a] & present[b])[None]
            se, df = standard_error(gaps, both, CLUSTER, weights, stratum, kind="CR2")
            gap = mean(gaps, both, weights, stratum)[0]
            assert found.difference[a, b] == pytest.approx(gap, abs=1e-12)
            assert found.se[a, b] == pytest.approx(se[0], rel=1e-9)
            assert found.df[a, b] == pytest.approx(df[0], rel=1e-7)
            assert found.p[a, b] == pytest.approx(2 * stats.t.sf(abs(gap / se[0]), df[0]), rel=1e-7)


@pytest.mark.parametrize("strata", [1, 2])
@pytest.mark.parametrize("weighted", [False, True])
def test_items_as_their_own_clusters(weighted, strata):
    values, present = panel(8)
    weights = np.random.default_rng(2).random(30) + 0.1 if weighted else None
    stratum = np.arange(30) % 2 if strata == 2 else None
    found = all_pairs_cr2(values, present, None, weights, stratum)
    gaps, both = (values[0] - values[1])[None], (present[0] & present[1])[None]
    se, df = standard_error(gaps, both, None, weights, stratum, kind="CR2")
    assert (found.se[0, 1], found.df[0, 1]) == pytest.approx((se[0], df[0]), rel=1e-9)


def test_equal_clusters_are_the_plain_clustered_test():
    values, present = panel(4, absent=0.0)
    cluster = np.arange(30) // 3
    new, old = all_pairs_cr2(values, present, cluster), all_pairs_t(values, present, cluster)
    off = ~np.eye(4, dtype=bool)
    for name in ("difference", "se", "df", "p", "log10_p"):
        np.testing.assert_allclose(getattr(new, name)[off], getattr(old, name)[off], rtol=1e-8, atol=1e-13)


def test_swapping_mirrors():
    found = all_pairs_cr2(*panel(6), CLUSTER)
    np.testing.assert_array_equal(found.difference, -found.difference.T)
    np.testing.assert_array_equal(found.p, found.p.T)


def test_without_spread():
    values = np.array([[1.0] * 6, [0.0] * 6, [0.0] * 6])
    found = all_pairs_cr2(values, np.ones((3, 6), bool), np.arange(6) // 2)
    assert found.p[1, 2] == 1.0
    assert found.p[0, 1] == 0.25  # three clusters of one sign


def test_undefined_is_nan():
    values, present = panel(7)
    one = all_pairs_cr2(values, present, np.zeros(30, dtype=int))
    assert np.isnan(one.p).all()
    apart = np.repeat(np.eye(2, dtype=bool), 15, axis=1)
    assert np.isnan(all_pairs_cr2(values[:2], apart, CLUSTER).p[0, 1])
    with pytest.raises(MethodError, match="span categories"):
        all_pairs_cr2(values, present, CLUSTER, stratum=np.arange(30) % 2)


def test_size_where_one_cluster_is_half_of_the_items():
    """600 pairs of equal entries, twelve clusters as SWE-bench Verified has; error of a share .009.

    The clustered t-test on eleven degrees of freedom rejects more than a tenth of them.
    """
    rng = np.random.default_rng(1)
    sizes = np.array([231, 75, 44, 34, 32, 22, 22, 19, 10, 8, 2, 1])
    cluster = np.repeat(np.arange(12), sizes)
    gaps = rng.normal(size=(600, 500)) + 0.2 * rng.normal(size=(600, 12))[:, cluster]
    rejected = {all_pairs_cr2: 0, all_pairs_t: 0}
    for gap in gaps:
        two = np.vstack([gap, np.zeros(500)])
        for test in rejected:
            rejected[test] += test(two, np.ones((2, 500), bool), cluster).p[0, 1] < 0.05
    assert 0.02 < rejected[all_pairs_cr2] / 600 < 0.08
    assert rejected[all_pairs_t] / 600 > 0.1
