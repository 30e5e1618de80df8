"""Differences under reruns against the same sums made pair by pair, and against simulated reruns."""

import numpy as np
import pytest

from deadheat.stats.paired.pairs_rerun import all_pairs_rerun
from deadheat.stats.samples import metrics
from deadheat.stats.score.clustered import rerun_error


def panel(rng, entries=4, items=20, absent=0.2):
    samples = rng.integers(1, 6, (entries, items))
    right = rng.binomial(samples, rng.random((entries, items)))
    present = rng.random((entries, items)) >= absent
    return metrics.mean(samples, right), present, metrics.mean_within(samples, right), samples


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("strata", [1, 2])
def test_every_pair_is_two_entries_apart(weighted, strata):
    rng = np.random.default_rng(3)
    values, present, within, samples = panel(rng)
    weights = rng.random(20) + 0.1 if weighted else None
    stratum = np.arange(20) % 2 if strata == 2 else None
    found = all_pairs_rerun(values, present, within, samples, weights, stratum)
    # an unknown variance is filled from all of an entry's items, so fill before cutting to the shared ones
    known = present & ~np.isnan(within)
    typical = (np.where(known, within, 0) * samples).sum(axis=1) / known.sum(axis=1)
    filled = np.where(known, within, typical[:, None] / samples)
    for a in range(4):
        for b in range(4):
            both = (present[a] & present[b])[None]
            errors = [
                rerun_error(filled[[row]], both, samples[[row]], weights, stratum).se[0] for row in (a, b)
            ]
            w = (np.ones(20) if weights is None else weights) * both[0]
            parts = [w * (np.arange(20) % 2 == s) if strata == 2 else w for s in range(strata)]
            gap = np.mean([(p * (values[a] - values[b])).sum() / p.sum() for p in parts])
            assert found.difference[a, b] == pytest.approx(gap, abs=1e-12)
            if a != b:
                assert found.se[a, b] == pytest.approx(np.hypot(*errors), rel=1e-10)


def test_swapping_mirrors():
    found = all_pairs_rerun(*panel(np.random.default_rng(5)))
    np.testing.assert_array_equal(found.difference, -found.difference.T)
    np.testing.assert_array_equal(found.p, found.p.T)


def test_no_luck_at_all():
    values = np.array([[1.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    found = all_pairs_rerun(values, np.ones((3, 2), bool), np.zeros((3, 2)), np.full((3, 2), 5))
    assert found.p[0, 1] == 1.0
    assert np.isnan(found.p[0, 2])
    assert found.se[0, 2] == 0.0


def test_nothing_shared_is_nan():
    values, present = np.ones((2, 2)), np.eye(2, dtype=bool)
    found = all_pairs_rerun(values, present, np.full((2, 2), 0.1), np.full((2, 2), 5))
    assert np.isnan(found.difference[0, 1])
    assert np.isnan(found.p[0, 1])


def test_two_equal_entries_are_rejected_as_often_as_stated():
    """1,500 pairs with the same rates on the same 60 fixed items, 4 samples each; error of a share .0056."""
    rng = np.random.default_rng(7)
    p = rng.beta(1, 1, 60)
    right = rng.binomial(4, p, (1500, 2, 60))
    rejected = 0
    for two in right:
        values, within = metrics.mean(4, two), metrics.mean_within(4, two)
        rejected += (
            all_pairs_rerun(values, np.ones((2, 60), bool), within, np.full((2, 60), 4)).p[0, 1] < 0.05
        )
    assert 0.032 < rejected / 1500 < 0.068


def test_degrees_of_freedom_come_from_items_with_several_samples_only():
    """Satterthwaite's by hand: an item of one sample says nothing of the spread, so it adds no certainty."""
    samples = np.array([[1, 4, 3, 1, 5], [2, 1, 6, 1, 3]])
    right = np.array([[1, 2, 1, 0, 4], [1, 1, 3, 1, 2]])
    within = metrics.mean_within(samples, right)
    values, present = metrics.mean(samples, right), np.ones((2, 5), dtype=bool)
    found = all_pairs_rerun(values, present, within, samples)
    known = np.where(samples > 1, within, 0.0)
    freedom = known.sum() ** 2 / (known**2 / np.maximum(samples - 1, 1)).sum()
    assert found.df[0, 1] == pytest.approx(freedom, rel=1e-12)
