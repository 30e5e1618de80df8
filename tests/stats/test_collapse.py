"""Items that are alike: collapsed distributions against enumeration, and draws against distributions."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from deadheat.stats.drawing import collapse, draws
from deadheat.stats.drawing.item_worlds import Types, factor_types, given_types, moments, skill
from deadheat.stats.drawing.totals import Plan, _together, plan, totals


def simplex(size):
    return st.lists(st.floats(0.01, 1), min_size=size, max_size=size).map(lambda x: np.array(x) / sum(x))


@st.composite
def worlds(draw):
    entries, kinds, n = (draw(st.integers(low, high)) for low, high in ((2, 3), (1, 4), (1, 3)))
    weight = draw(simplex(kinds))
    pmf = np.array([[draw(simplex(n + 1)) for _ in range(kinds)] for _ in range(entries)])
    mean = pmf @ (np.arange(n + 1) / n)
    return Types(weight, pmf, mean, mean**2)


@given(worlds())
def test_tables_count_every_outcome(types):
    entries, kinds, base = types.pmf.shape
    pair, patterns = np.zeros((base, base)), np.zeros([base] * entries)
    for g in range(kinds):
        for counts in product(range(base), repeat=entries):
            chance = types.weight[g] * np.prod([types.pmf[e, g, c] for e, c in enumerate(counts)])
            patterns[counts] += chance
            pair[counts[0], counts[1]] += chance
    np.testing.assert_allclose(collapse.pair_table(types), pair, atol=1e-12)
    np.testing.assert_allclose(collapse.pattern_pmf(types), patterns.ravel(), atol=1e-12)
    np.testing.assert_allclose(collapse.count_pmf(types)[0], pair.sum(axis=1), atol=1e-12)
    for d in range(1 - base, base):
        expected = sum(pair[j, k] for j in range(base) for k in range(base) if j - k == d)
        assert collapse.difference_pmf(pair)[d + base - 1] == pytest.approx(expected, abs=1e-12)
    codes = np.arange(base**entries)
    np.testing.assert_array_equal(
        collapse.digits(codes, base, entries), list(product(range(base), repeat=entries))
    )


@given(st.integers(2, 5).flatmap(simplex), st.integers(1, 9))
def test_convolution_power(pmf, times):
    expected = np.ones(1)
    for _ in range(times):
        expected = np.convolve(expected, pmf)
    np.testing.assert_allclose(collapse.convolution_power(pmf, times), expected, rtol=1e-10)
    both = collapse.convolution_power(np.stack([pmf, pmf[::-1]]), times)
    np.testing.assert_allclose(both[1], expected[::-1], rtol=1e-10)


@given(st.integers(1, 3).flatmap(lambda n: simplex(2 * n + 1)), st.integers(1, 30))
def test_sum_above_zero(difference, items):
    n = len(difference) // 2
    whole = collapse.convolution_power(difference, items)
    middle = n * items
    above, equal = collapse.sum_above(difference, items)
    assert above == pytest.approx(whole[middle + 1 :].sum(), abs=1e-12)
    assert equal == pytest.approx(whole[middle], abs=1e-12)


def test_sum_above_zero_of_many_items():
    above, equal = collapse.sum_above(np.array([0.1, 0.7, 0.2]), 100_000)
    assert above == pytest.approx(1, abs=1e-10)
    assert equal == pytest.approx(0, abs=1e-10)


def test_two_runs_on_one_item():
    fine = np.linspace(-9, 9, 4001)
    weight = stats.norm.pdf(fine)
    centre, spread = float(skill(0.4, np.hypot(1.8, 0.9))), np.hypot(1.8, 0.9)
    p = special.expit(centre + spread * fine)
    pmf = stats.binom.pmf(np.arange(4), 3, p[:, None])
    types = factor_types(np.array([centre]), 1.8, 0.9, 6)
    table = collapse.rerun_table(collapse.count_pmf(types)[0])
    expected = np.einsum("g,gj,gk->jk", weight / weight.sum(), pmf, pmf)
    np.testing.assert_allclose(table, expected, atol=1e-9)
    np.testing.assert_allclose(table, table.T)


def test_memorised_items():
    types = given_types(np.array([[0.2, 0.6]]), 2, np.array([0.5, 0.5]))
    table = collapse.memorised_table(types, np.array([0.0, 1.0]), 0.9)
    heart, first, second = (stats.binom.pmf(np.arange(3), 2, p) for p in (0.9, 0.2, 0.6))
    expected = 0.5 * np.diag(first) + 0.5 * np.outer(second, heart)
    np.testing.assert_allclose(table, expected, atol=1e-12)
    for solved, at in ((1.0, 2), (0.0, 0)):
        sure = collapse.memorised_table(types, np.array([1.0, 1.0]), solved)
        assert sure[:, at].sum() == pytest.approx(1)


@given(st.integers(1, 40).flatmap(simplex), st.integers(0, 2**32 - 1), st.sampled_from([1, 4, 64]))
def test_a_look_up_is_a_search(pmf, seed, slots):
    guide = draws.guide_table(pmf, slots)
    u = np.concatenate([np.random.default_rng(seed).random(200), [0.0, np.nextafter(1, 0)], guide.upper[:-1]])
    expected = np.searchsorted(guide.upper, u, side="right")
    np.testing.assert_array_equal(draws.look_up(guide, u), expected)


def test_outcomes_of_no_chance_are_never_drawn():
    pmf = np.array([0.0, 0.5, 0.0, 0.5, 0.0])
    guide = draws.guide_table(pmf, 8)
    u = np.concatenate([np.linspace(0, 1, 1001)[:-1], [np.nextafter(1, 0)]])
    assert set(draws.look_up(guide, u)) == {1, 3}


@given(
    st.lists(st.lists(st.integers(-50, 2000), min_size=4, max_size=4), min_size=1, max_size=6),
    st.integers(1, 5000),
    st.integers(0, 10**6),
)
def test_packed_sums_are_the_sums(columns, most, seed):
    features = np.array(columns).T
    codes = np.random.default_rng(seed).integers(0, 4, size=(3, most if most < 300 else 300))
    packed = draws.pack(features, most)
    found = draws.unpack(packed, [word[codes].sum(axis=1) for word in packed.words], codes.shape[1])
    np.testing.assert_array_equal(found, features[codes].sum(axis=1))


@pytest.mark.parametrize(
    ("items", "cells", "tail", "way"),
    [
        (2000, 5, 1.0, "multinomial"),
        (400, 60, 1.0, "poisson"),
        (600, 150, 0.93, "poisson, the rare together"),
        (40, 60, 1.0, "one by one"),
        (3, 5, 1.0, "one by one"),
    ],
)
def test_sums_have_the_right_distribution(items, cells, tail, way, monkeypatch):
    """Every way of drawing, held against the exact distribution of the sum by a chi-square."""
    rng = np.random.default_rng(11)
    pmf = rng.random(cells) * tail ** np.arange(cells)
    pmf[1] = 0
    pmf /= pmf.sum()
    tables = []
    kept = draws._poisson_table
    monkeypatch.setattr(draws, "_poisson_table", lambda mean: tables.append(mean) or kept(mean))
    value = np.arange(cells) % 3
    one = np.bincount(value, pmf)
    expected = collapse.convolution_power(one, items)
    found = draws.sums_of_items(pmf, np.stack([value, -value], axis=1), items, 20_000, rng=rng)
    np.testing.assert_array_equal(found[:, 0], -found[:, 1])
    assert len(tables) == way.startswith("poisson")
    if "rare" in way:
        assert len(tables[0]) < cells - 20
    seen = np.bincount(found[:, 0], minlength=len(expected))
    edges = np.flatnonzero(np.diff(np.floor(np.cumsum(expected) * 15))) + 1
    parts = [np.split(x, edges) for x in (seen, 20_000 * expected)]
    observed, model = (np.array([part.sum() for part in x]) for x in parts)
    keep = model > 5
    assert stats.chi2.sf(((observed - model)[keep] ** 2 / model[keep]).sum(), keep.sum() - 1) > 1e-4


@pytest.mark.parametrize("items", [30, 400])
def test_sums_within_a_block_of_memory_and_beyond(monkeypatch, items):
    """Small blocks of memory give other draws, of the same distribution."""
    pmf, value = np.array([0.3, 0.2, 0.5]), np.arange(3)[:, None]
    monkeypatch.setattr(draws, "CELLS", 100)
    found = draws.sums_of_items(pmf, value, items, 4000, rng=np.random.default_rng(1))
    assert found.mean() == pytest.approx(1.2 * items, abs=5 * np.sqrt(0.76 * items / 4000))
    assert found.var() == pytest.approx(0.76 * items, rel=0.12)


@pytest.mark.parametrize(
    ("few", "patterns"), [(128, 2000), (8, 2000), (128, 10)], ids=["by turns", "together", "two at a time"]
)
def test_totals_of_many_entries(monkeypatch, few, patterns):
    """Groups of entries that share an item's type have the covariances of the world."""
    monkeypatch.setattr("deadheat.stats.drawing.totals.WHOLE", 2)
    monkeypatch.setattr("deadheat.stats.drawing.totals.PATTERNS", patterns)
    monkeypatch.setattr("deadheat.stats.drawing.totals.FEW", few)
    rates = np.array([0.6, 0.5, 0.4, 0.3, 0.45, 0.2, 0.7, 0.8])
    types = factor_types(skill(rates, np.hypot(1.9, 0.6)), 1.9, 0.6, 2)
    made = plan(types)
    assert len(made.groups) > 1
    assert sum(len(group) for group in made.groups) == 8
    found = totals(made, 60, 20_000, rng=np.random.default_rng(5)) / 120
    covariance = moments(types).score_covariance(60, 2)
    np.testing.assert_allclose(found.mean(axis=0), rates, atol=5 * np.sqrt(covariance.max() / 20_000))
    np.testing.assert_allclose(np.cov(found.T), covariance, rtol=0.08)
    whole = Plan(2, collapse.pattern_pmf(types), types.weight, (types.pmf,))
    again = totals(whole, 60, 20_000, rng=np.random.default_rng(6)) / 120
    for e in range(8):
        assert stats.ks_2samp(found[:, e], again[:, e]).pvalue > 1e-4


def test_poisson_tables_are_poisson():
    mean = np.array([0.0, 1e-9, 0.3, 7.5, 180.0])
    table = draws._poisson_table(mean)
    pmf = np.diff(table.upper, prepend=0)
    for at, first in enumerate(table.first):
        end = table.first[at + 1] if at + 1 < len(mean) else len(pmf)
        expected = stats.poisson.pmf(np.arange(end - first), mean[at])
        np.testing.assert_allclose(pmf[first:end], expected, atol=1e-14)
        assert stats.poisson.sf(end - first - 1, mean[at]) < 1e-16
        # A slot with a count of its own lies within that count's part of [0, 1).
        slots, size = table.slots[at], table.slots.shape[1]
        own = np.flatnonzero(slots >= 0)
        upper = np.append(0.0, table.upper[first:end] - at)
        assert np.all(upper[slots[own]] <= own / size + 1e-12)
        assert np.all(upper[slots[own] + 1] >= (own + 1) / size - 1e-12)


def test_counts_of_items_are_multinomial():
    p = np.random.default_rng(3).dirichlet(np.full(30, 0.5))
    found = draws.counts_of_items(p, 300, 40_000, rng=np.random.default_rng(4))
    assert np.all(found.sum(axis=1) == 300)
    assert np.all(found >= 0)
    expected = 300 * (np.diag(p) - np.outer(p, p))
    np.testing.assert_allclose(found.mean(axis=0), 300 * p, atol=5 * np.sqrt(expected.max() / 40_000))
    np.testing.assert_allclose(np.cov(found.T), expected, atol=0.04 * expected.max())


def test_random_slots_are_even_and_apart():
    found = draws.random_slots(50, 4001, 16, np.random.default_rng(7))
    assert found.shape == (50, 4001)
    joint = np.bincount((found[:, :-1] * 16 + found[:, 1:]).ravel(), minlength=256)
    assert stats.chisquare(joint).pvalue > 1e-4
    far = np.bincount((found[0, :1000] * 16 + found[0, 1001:2001]), minlength=256)  # of one random number
    assert stats.chisquare(far).pvalue > 1e-4


def test_replicates_without_an_item_draw_nothing():
    sums, before = [np.zeros(3, dtype=np.int64)], 5
    rng = np.random.default_rng(before)
    _together(np.ones((1, 1, 2)) / 2, None, sums, np.zeros((3, 1), dtype=np.int64), rng)
    assert not sums[0].any()
    assert rng.integers(1000) == np.random.default_rng(before).integers(1000)
