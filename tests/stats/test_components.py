"""Variance components against their definitions, other estimators, and simulations with known parts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import expit

from deadheat.stats.samples import components, metrics
from deadheat.stats.score import clustered
from support import NEEDS_SHARED, shared_json

panels = st.integers(0, 10**6).map(np.random.default_rng)


def here(values):
    return np.ones(values.shape, dtype=bool)


def sampled(right, n):
    """Item values and their variance under reruns, of right samples among n each."""
    return metrics.mean(n, right), metrics.mean_within(n, right)


def test_public_case_of_three_runs_and_six_items():
    """I08: the error over new items and the error of a rerun are two numbers."""
    trials = np.array([[1, 1, 0, 1, 0, 1], [1, 0, 0, 1, 0, 1], [1, 1, 0, 1, 1, 1]])
    values, within = sampled(trials.sum(axis=0)[None], 3)
    n = np.full((1, 6), 3)
    assert clustered.standard_error(values, here(values)).se[0] == pytest.approx(
        0.17213259316477408, rel=1e-12
    )
    assert clustered.rerun_error(within, here(values), n).se[0] == pytest.approx(
        0.07856742013183862, rel=1e-12
    )
    found = components.components(values, here(values), within, n)
    assert found.total[0] == pytest.approx(6 * 0.17213259316477408**2, rel=1e-12)
    assert found.reruns[0] == pytest.approx(6 * 0.07856742013183862**2, rel=1e-12)
    assert found.items[0] == found.total[0] - found.reruns[0]


def test_equal_samples_are_the_analysis_of_variance():
    """One-way random effects: (MSB - MSW) / n between items, MSW within, and their correlation."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(30, 1)) + rng.normal(size=(30, 4))
    means = x.mean(axis=1)
    msb, msw = 4 * means.var(ddof=1), x.var(axis=1, ddof=1).mean()
    values = means[None]
    within = metrics.mean_within(4, x.sum(axis=1), (x**2).sum(axis=1))[None]
    found = components.components(values, here(values), within, np.full((1, 30), 4))
    assert found.items[0] == pytest.approx((msb - msw) / 4, rel=1e-10)
    assert found.reruns[0] == pytest.approx(msw / 4, rel=1e-10)
    assert found.icc[0] == pytest.approx((msb - msw) / (msb + 3 * msw), rel=1e-10)
    assert found.share_items[0] == pytest.approx((msb - msw) / msb, rel=1e-10)


def test_clusters_are_the_analysis_of_variance():
    rng = np.random.default_rng(4)
    cluster = np.repeat(np.arange(5), [3, 7, 1, 4, 5])
    x = rng.normal(size=20) + rng.normal(size=5)[cluster]
    parts = [x[cluster == g] for g in range(5)]
    msb = sum(len(p) * (p.mean() - x.mean()) ** 2 for p in parts) / 4
    msw = sum(((p - p.mean()) ** 2).sum() for p in parts) / 15
    size = (20 - sum(len(p) ** 2 for p in parts) / 20) / 4
    found = components.components(x[None], here(x[None]), cluster=cluster)
    assert found.clusters[0] == pytest.approx((msb - msw) / size, rel=1e-10)
    sigma = max((msb - msw) / size, 0)
    assert found.cluster_icc[0] == pytest.approx(sigma / (sigma + msw), rel=1e-10)


def test_parts_are_found_again_without_bias():
    """20,000 rows of 8 items x 3 samples in 4 clusters; the error of each mean is computed from the rows."""
    rng = np.random.default_rng(5)
    cluster = np.repeat(np.arange(4), 2)
    p = rng.beta(2, 2, (20_000, 4))[:, cluster] * 0.5 + rng.beta(2, 2, (20_000, 8)) * 0.5
    right = rng.binomial(3, p)
    values, within = sampled(right, 3)
    found = components.components(values, here(values), within, np.full(right.shape, 3), cluster)
    share = 0.25 * 0.05  # of a beta(2, 2), whose variance is 1/20
    inside = 0.25 - 2 * share  # E[p(1-p)] with mean 1/2 and variance 1/40
    truth = {"items": 2 * share, "reruns": inside / 3, "clusters": share}
    for name, value in truth.items():
        estimate = getattr(found, name)
        noise = estimate.std() / len(estimate) ** 0.5
        # items of one cluster are alike, so their spread shows one part in seven less of the cluster's share
        expected = value - share / 7 if name == "items" else value
        assert abs(estimate.mean() - expected) < 4 * noise, name
    assert (found.items < 0).any()  # shown as they are
    assert (found.share_items[~np.isnan(found.share_items)] >= 0).all()


def test_thirty_items_asked_ten_times_are_thirty():
    values, within = sampled(np.where(np.arange(30) % 2, 10, 0)[None], 10)
    found = components.components(values, here(values), within, np.full((1, 30), 10))
    assert found.icc[0] == 1.0
    assert found.share_items[0] == 1.0
    assert found.effective_items[0] == 30


def test_the_other_way_round_items_alike_and_luck_alone():
    right = np.full((1, 40), 5)
    values, within = sampled(right, 10)
    found = components.components(values, here(values), within, np.full(right.shape, 10))
    assert found.items[0] < 0
    assert found.share_items[0] == 0.0
    assert found.icc[0] == 0.0


@given(panels)
def test_design_effect_is_a_ratio_of_errors(rng):
    values = rng.random((3, 20))
    present = rng.random((3, 20)) < 0.9
    cluster = rng.integers(0, 5, 20)
    found = components.components(values, present, cluster=cluster)
    ratio = (
        clustered.standard_error(values, present, cluster).se / clustered.standard_error(values, present).se
    ) ** 2
    np.testing.assert_allclose(found.design_effect, ratio, rtol=1e-12)
    np.testing.assert_allclose(found.effective_items, present.sum(axis=1) / ratio, rtol=1e-12)
    np.testing.assert_array_equal(components.components(values, present).design_effect, 1.0)


def test_unknown_is_nan():
    values = np.array([[1.0, 0.0, 1.0]])
    found = components.components(values, here(values))
    for name in ("reruns", "items", "share_items", "icc", "clusters", "cluster_icc"):
        assert np.isnan(getattr(found, name)[0]), name
    one = components.components(values, here(values), cluster=np.zeros(3, dtype=int))
    assert np.isnan(one.clusters[0])
    assert np.isnan(one.design_effect[0])
    singles = components.components(values, here(values), cluster=np.arange(3))
    assert np.isnan(singles.clusters[0])  # no cluster has two items
    flat = components.components(np.ones((1, 3)), here(values))
    assert np.isnan(flat.design_effect[0])


def test_reliability_is_cronbachs_alpha():
    rng = np.random.default_rng(8)
    x = (rng.random((12, 30)) < rng.beta(2, 2, (12, 1))).astype(float)
    alpha = 30 / 29 * (1 - x.var(axis=0, ddof=1).sum() / x.sum(axis=1).var(ddof=1))
    found = components.reliability(x, here(x))
    assert found.items == pytest.approx(alpha, rel=1e-12)
    assert np.isnan(found.reruns)
    assert found.shared == 30
    present = here(x)
    present[0, :10] = False
    assert components.reliability(x, present).items == pytest.approx(
        components.reliability(x[:, 10:], present[:, 10:]).items, rel=1e-12
    )


def test_reliability_of_reruns():
    x = np.array([[0.0, 1, 1, 1], [0, 0, 1, 0], [1, 1, 1, 1]])
    found = components.reliability(x, here(x), np.array([0.1, 0.1, 0.0]))
    assert found.reruns == pytest.approx(1 - (0.02 / 3) / x.mean(axis=1).var(ddof=1), rel=1e-12)


def test_reliability_unknown():
    x = np.array([[0.0, 1.0, 1.0]])
    assert np.isnan(components.reliability(x, here(x)).items)
    same = np.repeat(x, 2, axis=0)
    found = components.reliability(same, here(same), np.zeros(2))
    assert np.isnan(found.items)
    assert np.isnan(found.reruns)


def rates(rng, rows, items, rho=0.0, size=12):
    """Draw success rates of the published simulation: expit(skill - difficulty), 45 % right on average."""
    cluster = np.arange(items) // size
    shared = rng.normal(size=(rows, cluster[-1] + 1))[:, cluster]
    latent = 1.9 * (rho**0.5 * shared + (1 - rho) ** 0.5 * rng.normal(size=(rows, items)))
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    spread = (1.9**2 + 0.6**2) ** 0.5
    skill = brentq(lambda s: weights @ expit(s + spread * nodes) / weights.sum() - 0.45, -3, 3)
    return expit(skill - latent + 0.6 * rng.normal(size=(rows, items))), cluster


@NEEDS_SHARED
@pytest.mark.parametrize("n", [10, 100])
def test_share_of_items_of_the_published_simulation(n):
    figures = {f["id"]: f for f in shared_json("reference/figures.json")}
    values, within = sampled(
        np.random.default_rng(9).binomial(n, rates(np.random.default_rng(1), 300, 164)[0]), n
    )
    found = components.components(values, here(values), within, np.full(values.shape, n))
    error = found.share_items.std() / 300**0.5
    assert abs(found.share_items.mean() - figures[f"002.r2.share.{n}"]["value"]) < 4 * error + 0.002


@NEEDS_SHARED
@pytest.mark.parametrize("rho", [0.2, 0.4])
def test_design_effect_of_the_published_simulation(rho):
    """2,294 tasks, twelve to a repository, one sample each."""
    figures = {f["id"]: f for f in shared_json("reference/figures.json")}
    rng = np.random.default_rng(2)
    p, cluster = rates(rng, 300, 2294, rho)
    values = (rng.random(p.shape) < p).astype(float)
    found = components.components(values, here(values), cluster=cluster)
    effect, icc = found.design_effect, found.cluster_icc
    assert abs(effect.mean() - figures[f"002.r6.deff.{rho}"]["value"]) < 4 * effect.std() / 300**0.5
    assert abs(icc.mean() - figures[f"002.r6.icc.{rho}"]["value"]) < 4 * icc.std() / 300**0.5
    assert found.effective_items.mean() == pytest.approx(figures[f"002.r6.eff.{rho}"]["value"], rel=0.03)
