"""Resampled scores and their intervals, against scipy, every resample of few items, and definitions."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.errors import MethodError
from deadheat.stats.drawing import resample
from deadheat.stats.drawing.multinomial import resampling_weights
from deadheat.stats.numerics import popcount
from deadheat.stats.score import bootstrap, clustered

panels = st.integers(0, 10**6).map(np.random.default_rng)


def here(values):
    return np.ones(values.shape, dtype=bool)


def stream(seed=1):
    return np.random.Generator(np.random.PCG64(seed))


def scores(values, present=None, *args, draws=500, seed=1, **options):
    present = here(values) if present is None else present
    return resample.bootstrap_scores(values, present, *args, draws=draws, rng=stream(seed), **options)


@given(panels)
def test_scores_are_those_of_the_resampled_items(rng):
    values = rng.random((3, 9))
    present = rng.random((3, 9)) < 0.7
    cluster, weights = np.array([0, 0, 1, 1, 1, 2, 3, 3, 2]), rng.random(9) + 0.1
    found = scores(values, present, cluster, weights, draws=6)
    (counts,) = resampling_weights(4, 6, rng=stream())
    for row, times in zip(found, counts, strict=True):
        w = weights * times[cluster] * present
        with np.errstate(invalid="ignore"):
            expected = (w * values).sum(axis=1) / w.sum(axis=1)
        np.testing.assert_allclose(row, expected, rtol=1e-11)


def test_every_resample_of_three_items():
    values = np.array([[0.0, 1.0, 0.25]])
    all_means = np.array([np.mean([values[0, i] for i in at]) for at in product(range(3), repeat=3)])
    drawn = scores(values, draws=40_000)[:, 0]
    for mean in np.unique(all_means.round(12)):
        share = np.isclose(all_means, mean).mean()
        assert np.isclose(drawn, mean).mean() == pytest.approx(share, abs=4 * (share / 40_000) ** 0.5)


def test_strata_are_drawn_apart_and_count_alike():
    values = np.array([[1.0, 1, 1, 1, 0, 0]])
    found = scores(values, stratum=np.array([0, 0, 0, 0, 1, 1]))
    assert (found == 0.5).all()  # nothing varies inside a stratum
    with pytest.raises(MethodError, match="reach over"):
        scores(values, cluster=np.array([0, 0, 1, 1, 1, 1]), stratum=np.array([0, 0, 0, 0, 1, 1]))


def test_order_of_summing_changes_no_bit():
    """Sums are exact on the grid, so a permuted product, as other threads would do it, is equal."""
    values = np.random.default_rng(0).random((5, 300))
    (part,) = resample.layers(values, here(values))
    (counts,) = resampling_weights(300, 200, rng=stream())
    order = np.random.default_rng(1).permutation(300)
    np.testing.assert_array_equal(counts @ part.total.T, counts[:, order] @ part.total[:, order].T)
    np.testing.assert_array_equal(
        counts @ part.total.T, np.einsum("bg,eg->be", counts[:, ::-1], part.total[:, ::-1])
    )
    np.testing.assert_allclose(part.total, values, atol=1e-12)
    binary = (values > 0.5).astype(np.float32)
    np.testing.assert_array_equal(scores(binary), scores(binary.astype(np.float64)))


@pytest.mark.parametrize("largest", [1, 3, 40, 30_000])
@pytest.mark.parametrize("entries", [1, 4, 7])
@pytest.mark.parametrize("absent", [False, True])
def test_packed_rows_and_bits_give_the_same_to_the_last_bit(monkeypatch, largest, entries, absent):
    """By two rows in one product, by one, by bits: whole sums are exact, whatever adds them up."""
    rng = np.random.default_rng(4)
    values = rng.integers(0, largest + 1, (entries, 700)).astype(np.float64)
    present = rng.random(values.shape) < 0.9 if absent else here(values)
    ways = {}
    with monkeypatch.context() as patch:
        ways["as it comes"] = scores(values, present, draws=3000)
        (part,) = resample.layers(values, present)
        assert part.small == (largest < 30_000)
        counts = np.concatenate(list(resampling_weights(700, 3000, rng=stream())))
        mass = counts @ part.mass.T
        ways["by hand"] = (counts @ part.total.T) / mass
        patch.setattr(popcount, "PAYS", 0)
        ways["by bits where it can be"] = scores(values, present, draws=3000)
    for found in ways.values():
        np.testing.assert_array_equal(found, ways["by hand"])


@pytest.mark.parametrize("order", ["C", "F"])
def test_strata_and_columns_that_lie_together_are_counted_from_bits_too(monkeypatch, order):
    values = np.asarray(np.random.default_rng(6).integers(0, 2, (5, 700)), dtype=np.float64, order=order)
    stratum = np.arange(700) % 2
    expected = scores(values), scores(values, stratum=stratum)
    monkeypatch.setattr(popcount, "PAYS", 0)
    np.testing.assert_array_equal(scores(values), expected[0])
    np.testing.assert_array_equal(scores(values, stratum=stratum), expected[1])


def test_whole_scores_below_zero_are_not_packed():
    values = np.random.default_rng(5).integers(-3, 4, (3, 50)).astype(np.float64)
    (counts,) = resampling_weights(50, 300, rng=stream())
    np.testing.assert_array_equal(scores(values, draws=300), (counts @ values.T) / 50)


def test_a_resample_without_a_row_is_nan():
    present = np.zeros((1, 3), dtype=bool)
    present[0, 0] = True
    found = scores(np.ones((1, 3)), present, draws=200)
    assert 0 < np.isnan(found).sum() < 200
    ends = bootstrap.percentile_interval(found)
    assert (ends.low[0], ends.high[0]) == (1.0, 1.0)
    nothing = bootstrap.percentile_interval(scores(np.ones((1, 3)), ~here(np.ones((1, 3))), draws=50))
    assert np.isnan(nothing.low[0])


@given(panels)
def test_quantiles_are_numpys(rng):
    draws = rng.integers(0, 9, (51, 4)) / 8
    shares = np.sort(rng.random((2, 4)), axis=0)
    expected = np.column_stack([np.quantile(draws[:, i], shares[:, i], method="linear") for i in range(4)])
    np.testing.assert_allclose(bootstrap.quantiles(draws.copy(), shares), expected, atol=1e-15)
    even = np.full((2, 4), 0.25)
    np.testing.assert_allclose(bootstrap.quantiles(draws.copy(), even)[0], np.quantile(draws, 0.25, axis=0))


@pytest.mark.parametrize("method", ["percentile", "BCa"])
def test_scipys_intervals(method):
    """scipy.stats.bootstrap((y,), numpy.mean, n_resamples=40000): other draws, ends agree to their noise."""
    y = np.random.default_rng(4).gamma(0.5, size=(2, 40))
    found = scores(y, draws=40_000)
    if method == "BCa":
        left_out = resample.jackknife_scores(y, here(y))
        ends = bootstrap.bca_interval(found, y.mean(axis=1), left_out)
    else:
        ends = bootstrap.percentile_interval(found)
    for row in range(2):
        scipys = stats.bootstrap(
            (y[row],), np.mean, n_resamples=40_000, batch=1000, method=method, rng=stream(9)
        ).confidence_interval
        width = scipys.high - scipys.low
        assert ends.low[row] == pytest.approx(scipys.low, abs=0.015 * width)
        assert ends.high[row] == pytest.approx(scipys.high, abs=0.015 * width)


def test_bca_is_efrons_formula():
    y = np.random.default_rng(4).gamma(0.5, size=(1, 25))
    draws = scores(y, draws=999)
    left_out = resample.jackknife_scores(y, here(y))
    z0 = stats.norm.ppf((draws[:, 0] < y.mean()).mean())
    d = left_out.mean() - left_out[0]
    a = (d**3).sum() / (6 * (d**2).sum() ** 1.5)
    z = z0 + stats.norm.ppf([0.025, 0.975])
    expected = np.quantile(draws[:, 0], stats.norm.cdf(z0 + z / (1 - a * z)))
    ends = bootstrap.bca_interval(draws, y.mean(axis=1), left_out)
    assert (ends.low[0], ends.high[0]) == pytest.approx(tuple(expected), rel=1e-12)


def test_studentised_is_its_definition():
    y = np.random.default_rng(8).random((1, 12))
    cluster = np.array([0, 0, 1, 2, 2, 2, 3, 4, 5, 5, 6, 7])
    ends = bootstrap.studentised_interval(y, here(y), cluster, draws=400, rng=stream())
    (counts,) = resampling_weights(8, 400, rng=stream())
    totals = np.array([y[0, cluster == g].sum() for g in range(8)])
    sizes = np.bincount(cluster)
    t = []
    for times in counts:
        mean = (times * totals).sum() / (times * sizes).sum()
        se = (times * (totals - mean * sizes) ** 2).sum() ** 0.5 / (times * sizes).sum()
        t.append((mean - y.mean()) / se)
    se = ((totals - y.mean() * sizes) ** 2).sum() ** 0.5 / 12
    low, high = np.quantile(t, [0.025, 0.975])
    assert (ends.low[0], ends.high[0]) == pytest.approx((y.mean() - high * se, y.mean() - low * se), rel=1e-9)


@given(panels)
def test_jackknife_leaves_each_unit_out(rng):
    values, weights = rng.random((2, 8)), rng.random(8) + 0.1
    present = here(values)
    present[1, :3] = False
    cluster = np.array([0, 0, 1, 2, 2, 3, 3, 3])
    found = resample.jackknife_scores(values, present, cluster, weights)
    for row in range(2):
        for g in range(4):
            rest = present[row] & (cluster != g)
            if (present[row] & (cluster == g)).any():
                expected = np.average(values[row, rest], weights=weights[rest])
                assert found[row, g] == pytest.approx(expected, rel=1e-9)
            else:
                assert np.isnan(found[row, g])


def test_jackknife_of_a_mean_is_the_textbook_error():
    y = np.random.default_rng(0).random((1, 30))
    ends = bootstrap.jackknife_interval(y.mean(axis=1), resample.jackknife_scores(y, here(y)))
    half = stats.t.ppf(0.975, 29) * clustered.standard_error(y, here(y)).se[0]
    assert (ends.low[0], ends.high[0]) == pytest.approx((y.mean() - half, y.mean() + half), rel=1e-10)
    one = resample.jackknife_scores(y[:, :1], here(y[:, :1]))
    assert np.isnan(bootstrap.jackknife_interval(y[:, 0], one).low[0])


def test_boundaries_are_flat_or_withheld():
    none = np.zeros((1, 20))
    draws = scores(none, draws=100)
    assert (draws == 0).all()
    flat = bootstrap.percentile_interval(draws)
    assert (flat.low[0], flat.high[0]) == (0.0, 0.0)  # the ranking says so beside it
    left_out = resample.jackknife_scores(none, here(none))
    assert np.isnan(bootstrap.bca_interval(draws, np.zeros(1), left_out).low[0])
    assert np.isnan(bootstrap.studentised_interval(none, here(none), draws=100, rng=stream()).low[0])
    nearly = none.copy()
    nearly[0, 0] = 1.0  # a third of the resamples have no spread at all
    ends = bootstrap.studentised_interval(nearly, here(nearly), draws=100, rng=stream())
    assert np.isnan(ends.high[0])


def test_draws_are_shared_so_differences_are_paired():
    rng = np.random.default_rng(2)
    a = (rng.random(200) < 0.5).astype(float)
    values = np.vstack([a, a])
    values[1, :3] = 1 - values[1, :3]
    found = scores(values, draws=4000)
    error = clustered.standard_error((values[0] - values[1])[None], here(a[None]), kind="CR0").se[0]
    assert (found[:, 0] - found[:, 1]).std() == pytest.approx(error, rel=0.06)
    np.testing.assert_array_equal(found[:, 0], scores(values[:1], draws=4000)[:, 0])


@pytest.mark.parametrize("rows", [1, 2, 3, 7])
def test_quantiles_at_the_ends(rows):
    draws = np.random.default_rng(rows).random((rows, 3))
    for share in (0.0, 0.01, 0.5, 0.99, 1.0):
        found = bootstrap.quantiles(draws.copy(), np.full((1, 3), share))[0]
        np.testing.assert_allclose(found, np.quantile(draws, share, axis=0), atol=1e-15)
