"""Simulated worlds against integrals by another method, closed forms and what they were made from."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, special, stats

from deadheat.errors import MethodError
from deadheat.stats.drawing.fitting import latent, latent_points, observed_moments
from deadheat.stats.drawing.item_worlds import Moments, factor_types, given_types, moments, skill
from deadheat.stats.numerics.quadrature import (
    cut_normal,
    even_normal,
    gauss_hermite,
    normal_lattice,
    normal_nodes,
)

TAU = np.hypot(1.9, 0.6)


@pytest.mark.parametrize("nodes", [gauss_hermite(64), gauss_hermite(), even_normal(200), cut_normal(0.7)])
def test_nodes_give_normal_moments(nodes):
    for power, value in ((0, 1), (1, 0), (2, 1), (3, 0), (4, 3), (6, 15)):
        assert nodes.x**power @ nodes.weight == pytest.approx(value, abs=1e-10)


def test_nodes_are_shared_and_cannot_be_changed():
    assert gauss_hermite() is gauss_hermite()
    with pytest.raises(ValueError, match="read-only"):
        gauss_hermite().x[0] = 1


@pytest.mark.parametrize("cut", [-12.0, -1.3, 0.0, 2.5, 40.0])
def test_a_jump_is_integrated_exactly(cut):
    nodes = cut_normal(cut)
    assert nodes.weight[nodes.x > cut].sum() == pytest.approx(stats.norm.sf(cut), abs=1e-14)
    found = special.expit(nodes.x)[nodes.x > cut] @ nodes.weight[nodes.x > cut]
    expected = (
        integrate.quad(lambda z: special.expit(z) * stats.norm.pdf(z), max(cut, -30), 30)[0]
        if cut < 30
        else 0
    )
    assert found == pytest.approx(expected, abs=1e-9)


def test_lattice_points_are_standard_normal():
    z = normal_lattice(4096, 3)
    assert np.abs(z.mean(axis=0)).max() < 0.01
    assert np.abs(np.cov(z.T) - np.eye(3)).max() < 0.02


@pytest.mark.parametrize("rate", [0.02, 0.4, 0.45, 0.9])
@pytest.mark.parametrize("spread", [0.0, 0.5, TAU, 8.0])
def test_skill_gives_the_rate(rate, spread):
    nodes = normal_nodes(spread)
    s = float(skill(rate, spread, nodes))
    value = integrate.quad(
        lambda z: special.expit(s + spread * z) * stats.norm.pdf(z), -9, 9, points=[0.0], limit=500
    )[0]
    assert value == pytest.approx(rate, abs=1e-9)


def test_a_rate_of_zero_or_one_has_no_skill():
    for rate in (0.0, 1.0, [0.5, 1.2]):
        with pytest.raises(MethodError, match="strictly between"):
            skill(rate, 1.0)


@pytest.mark.parametrize(("n", "j", "k"), [(1, 1, 0), (5, 2, 4), (20, 9, 12)])
def test_joint_probability_by_simpsons_rule(n, j, k):
    """The probability of two counts at one item, by a fine grid over the definition."""
    skills = skill(np.array([0.48, 0.45]), TAU)
    types = factor_types(skills, 1.9, 0.6, n)
    found = (types.pmf[0, :, j] * types.pmf[1, :, k]) @ types.weight
    d, e = np.linspace(-15, 15, 1201), np.linspace(-4.5, 4.5, 401)

    def at(entry, count):
        p = special.expit(skills[entry] - d[:, None] + e)
        inner = stats.binom.pmf(count, n, p) * stats.norm.pdf(e, scale=0.6)
        return integrate.simpson(inner, x=e, axis=1)

    expected = integrate.simpson(at(0, j) * at(1, k) * stats.norm.pdf(d, scale=1.9), x=d)
    assert found == pytest.approx(expected, abs=1e-10)


@given(
    rate=st.floats(0.05, 0.95),
    difficulty=st.floats(0, 4),
    own=st.floats(0, 4),
    samples=st.integers(1, 12),
    failed=st.floats(0, 0.5),
)
def test_types_are_distributions_with_the_right_moments(rate, difficulty, own, samples, failed):
    spread = np.hypot(difficulty, own)
    types = factor_types(
        skill(np.array([rate]), spread, normal_nodes(spread)), difficulty, own, samples, failed=failed
    )
    assert types.weight.sum() == pytest.approx(1)
    np.testing.assert_allclose(types.pmf.sum(axis=-1), 1, atol=1e-9)
    found = moments(types)
    assert found.rate[0] == pytest.approx(rate * (1 - failed), abs=1e-4)
    c = np.arange(samples + 1) / samples
    np.testing.assert_allclose(types.pmf @ c, types.mean, atol=1e-9)
    # The variance of an item's value is that of its chance and that of its samples.
    pmf = np.einsum("g,egc->ec", types.weight, types.pmf)[0]
    total = c**2 @ pmf - (c @ pmf) ** 2
    assert found.score_covariance(1, samples)[0, 0] == pytest.approx(total, abs=1e-9)


def test_more_shared_difficulty_means_more_agreement():
    rates = skill(np.array([0.5, 0.5]), TAU)
    shared = [
        moments(factor_types(rates, x, np.sqrt(TAU**2 - x**2), 1)).items[0, 1] for x in (0.0, 0.5, 1.0, 1.9)
    ]
    assert shared[0] == pytest.approx(0, abs=1e-12)
    assert np.all(np.diff(shared) > 0)


def test_known_chances():
    chance = np.array([[0.0, 0.25, 1.0], [0.5, 0.5, 0.0]])
    types = given_types(chance, 3)
    np.testing.assert_allclose(types.pmf, stats.binom.pmf(np.arange(4), 3, chance[..., None]), atol=1e-15)
    found = moments(types)
    np.testing.assert_allclose(found.rate, chance.mean(axis=1))
    np.testing.assert_allclose(found.samples, (chance * (1 - chance)).mean(axis=1))
    assert found.items[0, 1] == pytest.approx(np.cov(chance, bias=True)[0, 1])


def test_observed_moments_are_unbiased():
    """All ways in which two items with three samples can turn out, weighed by their chances."""
    chance = np.array([[0.2, 0.7], [0.9, 0.4]])
    n = 3
    counts = np.stack(np.meshgrid(*[np.arange(n + 1)] * 4, indexing="ij"), axis=-1).reshape(-1, 2, 2)
    weight = stats.binom.pmf(counts, n, chance).prod(axis=(1, 2))
    noise, shared = np.zeros(2), 0.0
    for right, w in zip(counts, weight, strict=True):
        x = right / n
        noise += w * (x * (1 - x) * n / (n - 1)).mean(axis=1)
        shared += w * np.cov(x)[0, 1]
        found = observed_moments(right, np.full((2, 2), n))
        np.testing.assert_allclose(found.rate, x.mean(axis=1))
        limit = x.mean(axis=1) * (1 - x.mean(axis=1))
        expected = np.minimum((x * (1 - x) * n / (n - 1)).mean(axis=1), limit)
        np.testing.assert_allclose(found.samples, expected)
        assert abs(found.items[0, 1]) <= np.sqrt(found.items[0, 0] * found.items[1, 1]) + 1e-12
    np.testing.assert_allclose(noise, (chance * (1 - chance)).mean(axis=1))
    assert shared == pytest.approx(np.cov(chance)[0, 1])


def test_one_sample_needs_an_assumption():
    rng = np.random.default_rng(3)
    right = (rng.random((4, 60)) < rng.random(60)).astype(int)
    found = observed_moments(right, np.ones_like(right), own_share=0.1)
    shared = np.cov(right)
    others = (shared.sum(axis=1) - np.diag(shared)) / 3
    expected = np.clip(others / 0.9, 0, found.rate * (1 - found.rate))
    np.testing.assert_allclose(np.diag(found.items), expected)
    np.testing.assert_allclose(np.diag(found.items) + found.samples, found.rate * (1 - found.rate))


def test_a_world_needs_two_attempted_items():
    with pytest.raises(MethodError, match="at least two items"):
        observed_moments(np.array([[1]]), np.array([[1]]))
    with pytest.raises(MethodError, match="1 of them without"):
        observed_moments(np.array([[1, 0]]), np.array([[1, 0]]))


@pytest.mark.parametrize("loading", [1.9, -1.5, 0.0])
def test_fitting_finds_the_world_again(loading):
    own = np.sqrt(TAU**2 - loading**2)
    types = factor_types(skill(np.array([0.6, 0.35]), TAU), np.array([abs(loading), loading]), own, 1)
    truth = moments(types)
    found = latent(truth)
    np.testing.assert_allclose(found.spread, TAU, rtol=1e-6)
    expected = np.sign(loading) * loading**2 / TAU**2
    assert found.correlation[0, 1] == pytest.approx(expected, abs=1e-6)


def test_points_have_the_moments_of_the_board():
    rate = np.array([0.7, 0.5, 0.4])
    types = factor_types(skill(rate, TAU), 1.9, 0.6, 1)
    truth = moments(types)
    chance = latent_points(latent(truth), rate)
    found = moments(given_types(chance, 1))
    np.testing.assert_allclose(found.rate, rate, atol=1e-10)
    np.testing.assert_allclose(found.items, truth.items, atol=1e-3)


def test_impossible_correlations_become_possible():
    items = 0.2 * np.array([[1.0, 0.95, 0.95], [0.95, 1.0, -0.9], [0.95, -0.9, 1.0]])
    found = latent(Moments(np.full(3, 0.5), items, np.full(3, 0.05)))
    assert np.linalg.eigvalsh(found.correlation).min() > -1e-9
    np.testing.assert_allclose(np.diag(found.correlation), 1)


def test_moments_of_one_entry_alone():
    """What it shares with others cannot be told from what is its own, so all of it counts as shared."""
    right, samples = np.array([[3, 0, 4, 1]]), np.full((1, 4), 4)
    found = observed_moments(right, samples)
    assert found.rate == pytest.approx([0.5])
    assert found.samples == pytest.approx([np.mean([3 * 1 / 12, 0, 0, 1 * 3 / 12])])
    assert found.items == pytest.approx(np.array([[0.25 - found.samples[0]]]))
