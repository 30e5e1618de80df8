"""Variances of differences from sums over clusters: against the errors computed from the items themselves."""

import numpy as np
import pytest

from deadheat.stats.power.spread import observed_spread, resampled_spread, sums
from deadheat.stats.samples.rerun_variances import rerun_variances
from deadheat.stats.score.clustered import rerun_error, standard_error


def data(rng, items=240, clusters=30):
    """Differences, two entries' rerun variances with their samples, and clusters."""
    d = rng.choice([-1.0, 0.0, 1.0], items, p=[0.1, 0.7, 0.2])
    reruns = []
    for _ in range(2):
        samples = rng.choice([1, 2, 9], items)
        reruns.append((np.where(samples > 1, 0.02 * rng.random(items), np.nan), samples))
    return d, reruns, rng.integers(0, clusters, items)


def filled(reruns):
    """Mean rerun variance of the values and of one sample, items without an estimate filled in."""
    parts = [rerun_variances(within[None], np.ones((1, n.size), bool), n[None]) for within, n in reruns]
    return sum(part.value.mean() for part in parts), sum(part.single.mean() for part in parts)


@pytest.mark.parametrize("clustered", [False, True])
def test_the_data_themselves(clustered):
    d, reruns, cluster = data(np.random.default_rng(0))
    codes = cluster if clustered else None
    found = observed_spread(sums(d, reruns, codes))
    present = np.ones((1, d.size), dtype=bool)
    assert found.gap[0] == pytest.approx(d.mean(), rel=1e-12)
    assert found.square[0] == pytest.approx((d != 0).mean(), rel=1e-12)
    assert found.plain[0] == pytest.approx(d.var(ddof=1), rel=1e-12)
    error = standard_error(d[None], present, codes).se[0]
    assert found.clustered[0] == pytest.approx(error**2 * d.size, rel=1e-10)
    value, single = filled(reruns)
    assert (found.rerun[0], found.single[0]) == pytest.approx((value, single), rel=1e-12)
    expected = found.clustered[0] - value + single / 5
    assert found.per_item(5)[0] == pytest.approx(expected, rel=1e-12)
    assert found.noise[0] == pytest.approx(single / (found.plain[0] - value + single), rel=1e-12)


@pytest.mark.parametrize("clustered", [False, True])
def test_weighted_data_have_the_weighted_error(clustered):
    rng = np.random.default_rng(6)
    d, reruns, cluster = data(rng)
    weights = rng.choice([1.0, 2.0, 5.0], d.size)
    found = observed_spread(sums(d, reruns, cluster if clustered else None, weights))
    present = np.ones((1, d.size), dtype=bool)
    error = standard_error(d[None], present, cluster if clustered else None, weights).se[0]
    assert found.gap[0] == pytest.approx(np.average(d, weights=weights), rel=1e-12)
    assert found.clustered[0] == pytest.approx(error**2 * d.size, rel=1e-10)
    again = np.hypot(*(rerun_error(w[None], present, n[None], weights).se[0] for w, n in reruns))
    assert found.rerun[0] == pytest.approx(again**2 * d.size, rel=1e-10)


def test_unknown_reruns_are_unknown():
    d, _, cluster = data(np.random.default_rng(1))
    nothing = [(np.full(d.size, np.nan), np.ones(d.size, dtype=int))] * 2
    for unknown in (nothing, ()):
        found = observed_spread(sums(d, unknown, cluster))
        assert np.isnan(found.rerun[0])
        assert np.isnan(found.per_item(2)[0])
        assert np.isnan(found.noise[0])
        assert found.attempt[0] == found.plain[0]


def test_resamples_are_what_resampled_data_give():
    d, reruns, cluster = data(np.random.default_rng(2), items=60, clusters=12)
    table = sums(d, reruns, cluster)
    drawn = resampled_spread(table, 4000, rng=np.random.default_rng(3))
    rng = np.random.default_rng(4)
    codes = np.unique(cluster, return_inverse=True)[1]
    again = []
    for _ in range(4000):
        picked = rng.integers(0, codes.max() + 1, codes.max() + 1)
        rows = [np.flatnonzero(codes == c) for c in picked]
        labels = np.repeat(np.arange(len(rows)), [len(r) for r in rows])
        x = d[np.concatenate(rows)]
        again.append(observed_spread(sums(x, (), labels)))
    for part in ("gap", "square", "plain", "clustered"):
        ours = getattr(drawn, part)
        theirs = np.array([getattr(one, part)[0] for one in again])
        assert ours.mean() == pytest.approx(theirs.mean(), abs=4 * theirs.std() / 60)
        np.testing.assert_allclose(
            np.quantile(ours, [0.1, 0.9]), np.quantile(theirs, [0.1, 0.9]), atol=theirs.std() / 6
        )


def test_the_order_of_items_and_the_names_of_clusters_are_nothing():
    rng = np.random.default_rng(5)
    d, reruns, cluster = data(rng)
    order = rng.permutation(d.size)
    a = observed_spread(sums(d, reruns, cluster))
    moved = [(within[order], samples[order]) for within, samples in reruns]
    b = observed_spread(sums(d[order], moved, 1000 - cluster[order]))
    np.testing.assert_allclose(np.array(a), np.array(b), rtol=1e-12)
    swapped = observed_spread(sums(-d, reruns[::-1], cluster))
    assert swapped.gap[0] == -a.gap[0]
    assert swapped.clustered[0] == pytest.approx(a.clustered[0], rel=1e-12)
