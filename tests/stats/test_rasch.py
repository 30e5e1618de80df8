"""The Rasch model and the linear two-way model: other programs' values, brute force, and coverage."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize, stats

from deadheat.stats.ability.fitted_scores import bounds, fitted_means, fitted_rates
from deadheat.stats.ability.rasch import Point, condition, curvature, item_scores, rasch
from support import NEEDS_SHARED, shared_json

# Bock and Lieberman (1970), LSAT section 6: persons by response pattern, 00000 to 11111 in binary order.
LSAT6 = (
    3,
    6,
    2,
    11,
    1,
    1,
    3,
    4,
    1,
    8,
    0,
    16,
    0,
    3,
    2,
    15,
    10,
    29,
    14,
    81,
    3,
    28,
    15,
    80,
    16,
    56,
    21,
    173,
    11,
)
LSAT6 += (61, 28, 298)


def lsat(counts=LSAT6):
    rows = [[int(bit) for bit in f"{pattern:05b}"] for pattern, n in enumerate(counts) for _ in range(n)]
    return np.array(rows).T


def test_lsat6_is_that_of_ltm():
    """R's ltm::rasch(LSAT, constraint = NULL): difficulties, discrimination and log-likelihood."""
    fit = rasch(lsat(), np.ones((5, 1000), dtype=bool))
    assert fit.converged
    assert fit.rival is None
    np.testing.assert_allclose(
        -fit.point.ability / fit.point.sd, [-3.6153, -1.3224, -0.3176, -1.7301, -2.7802], atol=1e-3
    )
    assert fit.point.sd == pytest.approx(0.7551, abs=1e-3)
    assert fit.given.log_likelihood == pytest.approx(-2466.938, abs=1e-3)


@NEEDS_SHARED
def test_lsat6_is_that_of_the_reference():
    given = shared_json("reference/next.json")["rasch"]
    assert tuple(given["counts"]) == LSAT6
    fit = rasch(lsat(), np.ones((5, 1000), dtype=bool))
    np.testing.assert_allclose(-fit.point.ability / fit.point.sd, given["mml"]["b"], atol=1e-3)
    assert fit.point.sd == pytest.approx(given["mml"]["a"], abs=1e-3)
    assert fit.given.log_likelihood == pytest.approx(given["mml"]["logL"], abs=1e-3)


def board(seed, entries, items, missing=0.3, sd=1.5):
    rng = np.random.default_rng(seed)
    chance = 1 / (1 + np.exp(-rng.normal(size=(entries, 1)) - sd * rng.normal(size=items)))
    return (rng.random((entries, items)) < chance).astype(float), rng.random((entries, items)) >= missing


def marginal(parameters, x, p, z):
    """The log-likelihood by adaptive quadrature, item by item."""
    ability, slope, sd = parameters[:4], parameters[4:-1], np.exp(parameters[-1])
    total = 0.0
    for outcome, here, row in zip(x.T, p.T, z, strict=True):
        centre = row @ slope

        def density(ease, outcome=outcome, here=here, centre=centre):
            logit = ability[here] + ease
            right = np.exp((outcome[here] * logit - np.logaddexp(0, logit)).sum())
            return right * stats.norm.pdf(ease, centre, sd)

        total += np.log(integrate.quad(density, centre - 9 * sd, centre + 9 * sd, limit=200)[0])
    return total


@pytest.mark.parametrize("columns", [0, 2])
def test_the_likelihood_its_gradient_and_its_curvature_are_those_of_quadrature(columns):
    x, p = board(3, 4, 8)
    z = np.random.default_rng(1).normal(size=(8, columns))
    z -= z.mean(axis=0)
    at = np.array([0.3, -0.4, 0.1, 0.8, *[0.5, -0.3][:columns], 0.2])
    seen = np.where(p, x, 0.0), p.astype(float), z

    def point(at):
        return Point(at[:4], at[4:-1], float(np.exp(at[-1])))

    found = condition(*seen, point(at))
    assert found.log_likelihood == pytest.approx(marginal(at, x, p, z), rel=1e-6)

    def gradient(at):
        return item_scores(*seen, point(at), condition(*seen, point(at))).sum(axis=1)

    numeric = optimize.approx_fprime(at, lambda a: marginal(a, x, p, z), 1e-5)
    np.testing.assert_allclose(gradient(at), numeric, atol=2e-3)
    rows = range(len(at))
    hessian = np.array([optimize.approx_fprime(at, lambda a, k=k: gradient(a)[k], 1e-6) for k in rows])
    np.testing.assert_allclose(curvature(seen[1], z, point(at), found), -hessian, atol=2e-3)


def test_the_fit_is_the_maximum():
    x, p = board(4, 4, 15)
    z = np.zeros((15, 0))
    fit = rasch(x, p)
    at = np.append(fit.point.ability, np.log(fit.point.sd))
    best = marginal(at, x, p, z)
    rng = np.random.default_rng(0)
    for _ in range(3):
        assert marginal(at + rng.normal(size=5) * 0.05, x, p, z) < best


@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(5, 30))
@settings(max_examples=25, deadline=None)
def test_complete_results_are_left_as_they_are(seed, entries, items):
    x, _ = board(seed, entries, items)
    share = np.full(items, 1 / items)
    full = np.ones_like(x, dtype=bool)
    for fit in (fitted_rates, fitted_means):
        found = fit(x, full, share)
        np.testing.assert_allclose(found.values, x, atol=1e-9)
        np.testing.assert_allclose(found.expected, x, atol=1e-12)


@given(st.integers(0, 10**6), st.randoms())
@settings(max_examples=20, deadline=None)
def test_order_of_entries_and_items_does_not_matter(seed, random):
    x, p = board(seed, 5, 30)
    p[0], share = True, np.full(30, 1 / 30)
    rows, columns = random.sample(range(5), 5), random.sample(range(30), 30)
    for fit in (fitted_rates, fitted_means):
        found = fit(x, p, share).values.mean(axis=1)
        moved = fit(x[rows][:, columns], p[rows][:, columns], share).values.mean(axis=1)
        np.testing.assert_allclose(moved, found[rows], atol=2e-4)


def test_wrong_is_right_mirrored():
    x, p = board(7, 6, 60)
    share = np.full(60, 1 / 60)
    found = fitted_rates(x, p, share).values.mean(axis=1)
    mirrored = fitted_rates(1 - x, p, share).values.mean(axis=1)
    np.testing.assert_allclose(mirrored, 1 - found, atol=1e-5)


def test_pseudo_values_carry_the_error_of_dropping_each_item():
    """An item's influence on the fitted score is, to first order, what the score changes without it."""
    x, p = board(5, 5, 80)
    full = fitted_rates(x, p, np.full(80, 1 / 80))
    jackknife = np.empty((80, 5))
    for item in range(80):
        rest = np.arange(80) != item
        jackknife[item] = fitted_rates(x[:, rest], p[:, rest], np.full(79, 1 / 79)).values.mean(axis=1)
    se = np.sqrt(79 / 80 * ((jackknife - jackknife.mean(axis=0)) ** 2).sum(axis=0))
    np.testing.assert_allclose(full.values.std(axis=1, ddof=1) / np.sqrt(80), se, rtol=0.05)


def test_an_entry_that_ran_only_what_another_has_right_cannot_be_fitted():
    x, p = np.zeros((2, 100)), np.ones((2, 100), dtype=bool)
    x[0, :30], x[1, :50], p[0, 40:] = 1, 1, False
    assert not fitted_rates(x, p, np.full(100, 0.01)).identified


def test_an_entry_with_everything_right_has_no_ability():
    x, p = board(8, 5, 60)
    x[2] = np.where(p[2], 1, x[2])
    found = fitted_rates(x, p, np.full(60, 1 / 60))
    assert found.boundary.tolist() == [False, False, True, False, False]
    assert found.expected[2].tolist() == [1] * 60


def test_the_two_way_model_is_least_squares_where_items_differ_much():
    rng = np.random.default_rng(9)
    y = rng.normal(size=(4, 1)) + 100 * rng.normal(size=30) + rng.normal(size=(4, 30))
    p = rng.random((4, 30)) > 0.3
    p[0] = True
    entry, item = np.nonzero(p)
    design = np.zeros((p.sum(), 34))
    design[np.arange(p.sum()), entry] = design[np.arange(p.sum()), 4 + item] = 1
    solved = np.linalg.lstsq(design, y[p], rcond=None)[0]
    expected = np.where(p, y, solved[:4, None] + solved[4:])
    found = fitted_means(y, p, np.full(30, 1 / 30))
    assert found.converged
    np.testing.assert_allclose(found.expected, expected, atol=0.05)


def test_bounds_are_all_wrong_and_all_right():
    x, p = np.array([[1, 0, 1, 0]]), np.array([[True, True, False, False]])
    low, high = bounds(x, p, np.array([0.4, 0.3, 0.2, 0.1]), 0, 1)
    assert (low[0], high[0]) == (pytest.approx(0.4), pytest.approx(0.7))


@pytest.mark.parametrize(("entries", "items", "boards"), [(10, 100, 60)])
def test_intervals_cover(entries, items, boards):
    """95 % intervals of the mean over comparable items, on boards with outcomes missing at random."""
    rng = np.random.default_rng(11)
    inside, gap = [], []
    ease = 1.5 * rng.normal(size=20_000)
    for _ in range(boards):
        ability = rng.normal(size=(entries, 1))
        chance = 1 / (1 + np.exp(-ability - 1.5 * rng.normal(size=items)))
        x, p = rng.random((entries, items)) < chance, rng.random((entries, items)) >= 0.3
        found = fitted_rates(x, p, np.full(items, 1 / items))
        truth = (1 / (1 + np.exp(-ability - ease))).mean(axis=1)
        off = found.values.mean(axis=1) - truth
        error = found.values.std(axis=1, ddof=1) / np.sqrt(items)
        inside.append((np.abs(off) <= stats.t.ppf(0.975, items - 1) * error).mean())
        gap.append(off.mean())
    error = np.std(inside) / np.sqrt(boards)
    assert abs(np.mean(inside) - 0.95) < 0.02 + 3 * error
    assert abs(np.mean(gap)) < 4 * np.std(gap) / np.sqrt(boards)
