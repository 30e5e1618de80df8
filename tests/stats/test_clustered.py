"""Clustered errors and intervals made of them, against statsmodels, brute matrices, boards and simulation."""

import csv
import gzip
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.errors import MethodError
from deadheat.stats.score import clustered, effective, item_design
from deadheat.stats.score.binomial import wilson
from support import NEEDS_SHARED, SHARED, shared_json

Y = np.array([[1, 1, 0, 1, 0, 0, 1, 1, 1, 0]], dtype=float)
G = np.array([0, 0, 0, 1, 1, 2, 3, 3, 3, 3])


def here(values):
    return np.ones(values.shape, dtype=bool)


def error(values, *args, **options):
    se, df = clustered.standard_error(values, here(values), *args, **options)
    return float(se[0]), float(df[0])


@NEEDS_SHARED
def test_reference_figures():
    figures = {f["id"]: f["value"] for f in shared_json("reference/figures.json")}
    assert error(Y)[0] == pytest.approx(figures["edge.cluster.singletons"], rel=1e-12)
    assert error(Y, G, kind="CR0")[0] == pytest.approx(figures["edge.cluster.cr0"], rel=1e-12)
    assert error(Y, G)[0] == pytest.approx(figures["edge.cluster.cr1"], rel=1e-12)
    assert error(Y, G)[0] < error(Y)[0]  # and is not clipped
    found = clustered.standard_error(Y, here(Y), G)
    ends = effective.t_interval(clustered.mean(Y, here(Y)), found)
    assert [float(end[0]) for end in ends] == pytest.approx(figures["edge.cluster.t"], rel=1e-12)
    twice = np.repeat(Y, 2, axis=1)
    assert error(twice, np.repeat(np.arange(10), 2))[0] == pytest.approx(figures["edge.dup.items"], rel=1e-12)
    assert error(twice)[0] == pytest.approx(0.1124, abs=5e-5)  # what counting copies as items would claim
    x, w = np.array([[1.0, 0, 1, 1]]), np.array([1.0, 2, 3, 4])
    assert clustered.mean(x, here(x), w)[0] == pytest.approx(0.8, rel=1e-15)
    assert error(x, weights=w, kind="CR0")[0] == pytest.approx(figures["edge.weights"], rel=1e-12)
    assert effective.kish(here(x), weights=w)[0] == pytest.approx(figures["edge.weights.kish"], rel=1e-12)


def test_singletons_are_the_textbook_error():
    assert error(Y) == pytest.approx((Y.std(ddof=1) / 10**0.5, 9), rel=1e-14)
    assert error(Y, kind="CR2") == pytest.approx((Y.std(ddof=1) / 10**0.5, 9), rel=1e-12)


def test_statsmodels_agrees():
    api = pytest.importorskip("statsmodels.regression.linear_model")
    rng = np.random.default_rng(1)
    y, g = rng.random(60), rng.integers(0, 9, 60)
    fit = api.OLS(y, np.ones(60)).fit(cov_type="cluster", cov_kwds={"groups": g, "use_correction": False})
    assert error(y[None], g, kind="CR0")[0] == pytest.approx(fit.bse[0], rel=1e-12)
    fit = api.OLS(y, np.ones(60)).fit(cov_type="cluster", cov_kwds={"groups": g})
    assert error(y[None], g)[0] == pytest.approx(fit.bse[0], rel=1e-12)
    w = rng.random(60)
    fit = api.WLS(y, np.ones(60), weights=w).fit(
        cov_type="cluster", cov_kwds={"groups": g, "use_correction": False}
    )
    assert error(y[None], g, w, kind="CR0")[0] == pytest.approx(fit.bse[0], rel=1e-12)


def brute_cr2(y, g, u, centre):
    """CR2 with Satterthwaite's degrees of freedom by explicit matrices; `centre` maps y to fitted means."""
    n, names = len(y), np.unique(g)
    residual = np.eye(n) - centre
    rows = np.array([u * (g == name) for name in names]) @ residual
    own = np.array([((u * (g == name)) ** 2).sum() for name in names])
    cov = rows @ rows.T
    adjust = np.sqrt(own / np.diag(cov))
    root = np.diag(adjust) @ cov @ np.diag(adjust)
    return np.sqrt(((adjust * (rows @ y)) ** 2).sum()), np.trace(root) ** 2 / (root**2).sum()


def test_cr2_is_bell_and_mccaffreys():
    """The symmetric square root of (I - H_gg)^-1 in each cluster, as they define it."""
    n, e, total, columns = 10, Y[0] - Y.mean(), 0.0, []
    hat = np.ones((n, n)) / n
    for name in np.unique(G):
        at = np.flatnonzero(name == G)
        values, vectors = np.linalg.eigh(np.eye(len(at)) - hat[np.ix_(at, at)])
        root = vectors @ np.diag(values**-0.5) @ vectors.T
        total += (root @ e[at]).sum() ** 2
        columns.append((np.eye(n) - hat)[:, at] @ root @ np.ones(len(at)))
    eigenvalues = np.linalg.eigvalsh(np.array(columns) @ np.array(columns).T)
    df = eigenvalues.sum() ** 2 / (eigenvalues**2).sum()
    assert error(Y, G, kind="CR2") == pytest.approx((total**0.5 / n, df), rel=1e-12)


def test_cr2_with_weights_and_strata():
    rng = np.random.default_rng(5)
    y, w = rng.random(24), rng.random(24) + 0.1
    g = np.sort(rng.integers(0, 8, 24))
    stratum = (g >= 4).astype(int)
    u = w / w.sum()
    assert error(y[None], g, w, kind="CR2") == pytest.approx(
        brute_cr2(y, g, u, np.ones((24, 1)) * u), rel=1e-10
    )
    inside = np.array([w * (stratum == s) / w[stratum == s].sum() for s in (0, 1)])
    centre = np.array([inside[s] for s in stratum])
    assert error(y[None], g, w, stratum, kind="CR2") == pytest.approx(
        brute_cr2(y, g, inside.sum(axis=0) / 2, centre), rel=1e-10
    )


def test_equal_clusters_make_cr2_cr1():
    g = np.repeat(np.arange(5), 2)
    assert error(Y, g, kind="CR2") == pytest.approx(error(Y, g), rel=1e-12)


def test_macro_average_of_counts():
    # H03 of the public faults: 45/100, 180/300, 30/50, 10/50 as four categories
    right, sizes = [45, 180, 30, 10], [100, 300, 50, 50]
    y = np.concatenate([np.arange(n) < k for k, n in zip(right, sizes, strict=True)])[None].astype(float)
    category = np.repeat(np.arange(4), sizes)
    assert clustered.mean(y, here(y), stratum=category)[0] == pytest.approx(0.4625, rel=1e-14)
    assert error(y, stratum=category)[0] == pytest.approx(0.02676978344538709, rel=1e-12)
    # H03's micro average with the categories fixed: every item counts alike, weights undo the equal shares
    assert clustered.mean(y, here(y))[0] == pytest.approx(0.53, rel=1e-14)


def test_clusters_over_strata_use_one_correction():
    y, stratum = Y, np.array([0, 1] * 5)
    found = error(y, G, stratum=stratum)
    means = [y[0, stratum == s].mean() for s in (0, 1)]
    part = np.array([(y[0, j] - means[stratum[j]]) / 10 for j in range(10)])
    totals = np.array([part[g == G].sum() for g in range(4)])
    assert found == pytest.approx(((totals**2).sum() ** 0.5 * (4 / 3) ** 0.5, 3), rel=1e-12)
    with pytest.raises(MethodError, match="span categories: use t"):
        error(y, G, stratum=stratum, kind="CR2")


def test_public_cases():
    # I01: five questions asked four times; I02: unequal clusters
    rows = [[1, 1, 1, 1], [0, 0, 0, 1], [1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 0]]
    y = np.array(rows, dtype=float).reshape(1, -1)
    assert error(y, np.repeat(np.arange(5), 4)) == pytest.approx((0.1767766952966369, 4), rel=1e-12)
    assert error(y)[0] == pytest.approx(0.11470786693528086, rel=1e-12)
    y = np.array([[1, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1, 0, 0]], dtype=float)
    g = np.repeat(np.arange(6), [3, 1, 2, 4, 1, 3])
    assert error(y, g)[0] == pytest.approx(0.18093192048409393, rel=1e-12)
    means = np.array([[y[0, g == i].mean() for i in range(6)]])
    assert error(means)[0] == pytest.approx(0.18757714462371258, rel=1e-12)


def test_thirty_items_asked_ten_times_are_thirty():
    """A peer prints .029, as if 300 independent items; here it is the error of 30 item means."""
    right = np.repeat(np.arange(30) % 2, 10).astype(float)[None]
    assert error(right)[0] == pytest.approx(0.029, abs=5e-4)
    assert error(right, np.repeat(np.arange(30), 10))[0] == pytest.approx(0.0929, abs=1e-4)


def test_undefined_is_nan():
    one = np.zeros(10, dtype=int)
    for kind in ("CR0", "CR1", "CR2"):
        assert np.isnan(error(Y, one, kind=kind)[0]), kind
        assert np.isnan(error(Y[:, :1], kind=kind)[0]), kind
        assert np.isnan(error(Y, stratum=np.array([0] * 9 + [1]), kind=kind)[0]), kind
    ends = effective.score_interval_effective(Y, here(Y), one)
    assert np.isnan(ends.low).all()
    nothing = np.zeros(Y.shape, dtype=bool)
    assert np.isnan(clustered.mean(Y, nothing)).all()
    assert np.isnan(clustered.standard_error(Y, nothing).se).all()
    assert np.isnan(effective.score_interval_effective(Y, nothing).low).all()
    lacking = here(Y)
    lacking[0, :5] = False
    assert np.isnan(clustered.mean(Y, lacking, stratum=np.repeat([0, 1], 5))).all()


def test_a_constant_has_no_error_at_all():
    y = np.full((1, 805), 0.1)
    assert error(y) == (0.0, 804.0)


panels = st.integers(0, 10**6).map(np.random.default_rng)


def random_panel(rng, entries=3, items=12):
    values = rng.integers(0, 5, (entries, items)) / 4
    present = rng.random((entries, items)) < 0.8
    present[:, :2] = True
    return values, present, rng.integers(0, 4, items), rng.random(items) + 0.1


@given(panels)
def test_order_and_scale_are_nothing_and_rows_are_apart(rng):
    values, present, g, w = random_panel(rng)
    whole = clustered.standard_error(values, present, g, w, kind="CR2")
    order = rng.permutation(values.shape[1])
    moved = clustered.standard_error(
        values[:, order], present[:, order], g[order] * 7 - 3, 5 * w[order], kind="CR2"
    )
    np.testing.assert_allclose(moved.se, whole.se, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(moved.df, whole.df, rtol=1e-6)
    for row in range(len(values)):
        cut = present[row]
        alone = clustered.standard_error(
            values[row : row + 1, cut], here(values[row : row + 1, cut]), g[cut], w[cut]
        )
        among = clustered.standard_error(values, present, g, w)
        np.testing.assert_allclose(alone.se[0], among.se[row], rtol=1e-10, atol=1e-14)
        np.testing.assert_equal(alone.df[0], among.df[row])


@given(panels)
def test_equal_weights_are_none_and_zero_is_absent(rng):
    values, present, g, _ = random_panel(rng)
    plain = clustered.standard_error(values, present, g)
    equal = clustered.standard_error(values, present, g, np.full(values.shape[1], 3.0))
    np.testing.assert_allclose(equal.se, plain.se, rtol=1e-12, atol=1e-15)
    dropped = present.copy()
    dropped[:, -3:] = False
    zero = np.r_[np.ones(values.shape[1] - 3), 0, 0, 0]
    weighted = clustered.standard_error(values, present, g, zero, kind="CR2")
    absent = clustered.standard_error(values, dropped, g, kind="CR2")
    np.testing.assert_allclose(weighted.se, absent.se, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(weighted.df, absent.df, rtol=1e-8)


@given(panels)
def test_score_interval_stays_inside_mirrors_and_widens(rng):
    values, present, g, w = random_panel(rng)
    narrow = effective.score_interval_effective(values, present, g, w, level=0.8)
    wide = effective.score_interval_effective(values, present, g, w, level=0.99)
    mirror = effective.score_interval_effective(1 - values, present, g, w, level=0.8)
    score = clustered.mean(values, present, w)
    known = ~np.isnan(narrow.low)
    assert (narrow.low[known] >= 0).all()
    assert (narrow.high[known] <= 1).all()
    assert ((narrow.low <= score) & (score <= narrow.high))[known].all()
    assert ((wide.low <= narrow.low) & (narrow.high <= wide.high))[known].all()
    np.testing.assert_allclose(mirror.low, 1 - narrow.high, rtol=1e-7, atol=1e-9)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_plain_rows_get_wilson_itself(kn):
    k, n = kn
    y = (np.arange(n) < k).astype(np.float32)[None]
    found = effective.score_interval_effective(y, here(y), level=0.9)
    expected = wilson(k, n, 0.9)
    assert (found.low[0], found.high[0]) == (expected.low, expected.high)


def test_score_interval_is_wilson_at_the_effective_size():
    values = np.random.default_rng(2).integers(0, 6, (1, 40)) / 5
    g = np.arange(40) // 4
    se, df = error(values, g, kind="CR2")
    score = values.mean()
    n = score * (1 - score) / se**2
    t = stats.t.ppf(0.975, df)
    found = effective.score_interval_effective(values, here(values), g)
    for end in (found.low[0], found.high[0]):
        assert abs(score - end) == pytest.approx(t * (end * (1 - end) / n) ** 0.5, rel=1e-9)


def test_boundaries_keep_a_width():
    none = np.zeros((1, 48))
    g = np.repeat(np.arange(6), 8)
    found = effective.score_interval_effective(none, here(none), g)
    t2 = stats.t.ppf(0.975, 5) ** 2
    assert found.low[0] == 0.0
    assert found.high[0] == pytest.approx(t2 / (6 + t2), rel=1e-12)  # no better than six clusters
    every = effective.score_interval_effective(none + 1, here(none), g)
    assert (every.low[0], every.high[0]) == (pytest.approx(1 - found.high[0], rel=1e-12), 1.0)


@pytest.mark.parametrize(("a", "b"), [(0.3, 2.7), (2.0, 2.0), (5.0, 1.0)])
def test_residual_kurtosis_is_that_of_the_beta_binomial(a, b):
    for family, trials in ((stats.beta(a, b), None), (stats.betabinom(12, a, b), 12)):
        m, v, skew, excess = (float(x) for x in family.stats("mvsk"))
        scale = trials or 1
        p = np.array([m / scale])
        found = effective.residual_kurtosis(
            p, v / scale**2 / (p * (1 - p)), np.array([1 / trials if trials else 0.0])
        )
        assert found[0] == pytest.approx(excess + 2 - skew**2, rel=1e-9)
    assert effective.residual_kurtosis(np.array([0.3]), np.array([1.0]), np.array([1.0]))[0] == pytest.approx(
        0, abs=1e-9
    )


def test_rerun_error_is_the_sum_of_item_variances():
    within = np.array([[0.04, 0.02, 0.0, 0.06]])
    found = clustered.rerun_error(within, here(within), np.full((1, 4), 5))
    assert found.se[0] == pytest.approx((within.sum() / 16) ** 0.5, rel=1e-14)
    assert found.df[0] == pytest.approx(0.12**2 / ((within**2).sum() / 4), rel=1e-12)
    # an item without an estimate gets the others' typical variance for its own number of samples
    partly = np.array([[0.04, 0.02, 0.0, np.nan]])
    found = clustered.rerun_error(partly, here(partly), np.array([[5, 5, 5, 1]]))
    assert found.se[0] == pytest.approx(((0.06 + 0.02 * 5) / 16) ** 0.5, rel=1e-14)
    unknown = np.full((1, 4), np.nan)
    assert np.isnan(clustered.rerun_error(unknown, here(unknown), np.ones((1, 4), dtype=int)).se[0])


def test_rerun_interval_is_wilson_at_the_size_of_a_rerun():
    score = np.array([0.4, 0.0, 0.6, 0.5])
    found = effective.rerun_interval(
        score,
        clustered.Error(np.array([0.02, 0.0, 0.0, np.nan]), np.array([30.0, np.nan, np.nan, np.nan])),
        np.array([100, 80, 50, 0]),
    )
    n, t = 0.4 * 0.6 / 0.02**2, stats.t.ppf(0.975, 30)
    for end in (found.low[0], found.high[0]):
        assert abs(score[0] - end) == pytest.approx(t * (end * (1 - end) / n) ** 0.5, rel=1e-9)
    # no spread at all: no better than all attempts would be, were they one binomial
    for row, (k, size) in ((1, (0, 80)), (2, (30, 50))):
        plain = wilson(k, size)
        assert (found.low[row], found.high[row]) == pytest.approx(
            (float(plain.low), float(plain.high)), abs=1e-12
        )
    assert np.isnan(found.low[3])
    assert np.isnan(found.high[3])


def test_rows_do_not_depend_on_blocks(monkeypatch):
    rng = np.random.default_rng(7)
    values, present, g, w = random_panel(rng, entries=20)
    whole = clustered.standard_error(values, present, g, w)
    monkeypatch.setattr(item_design, "BLOCK_CELLS", 30)
    cut = clustered.standard_error(values, present, g, w)
    np.testing.assert_array_equal(whole.se, cut.se)
    np.testing.assert_array_equal(
        clustered.mean(values, present, w)[3:4], clustered.mean(values[3:4], present[3:4], w)
    )


@NEEDS_SHARED
@pytest.mark.parametrize(
    "name",
    ["terminal_bench_core", "tau_bench_airline", "swebench_site", "swebench_pro", "swebench_multilingual"],
)
def test_figures_of_boards(name):
    figures = shared_json(f"data/{name}/FIGURES.json")
    scores, cluster = defaultdict(lambda: defaultdict(list)), {}
    with gzip.open(SHARED / f"data/{name}/results.csv.gz", "rt") as lines:
        for row in csv.DictReader(lines):
            scores[row["entry"]][row["item"]].append(float(row["score"] or 0))
            cluster[row["item"]] = row.get("cluster")
    for entry in figures["entries"]:
        items = scores[entry["entry"]]
        values = np.array([[np.mean(x) for x in items.values()]])
        assert clustered.mean(values, here(values))[0] == pytest.approx(entry["mean"], abs=1e-12)
        assert error(values)[0] == pytest.approx(entry["se_item"], abs=1e-9)
        if "se_cluster_CR1" in entry:
            g = np.unique([cluster[i] for i in items], return_inverse=True)[1]
            assert error(values, g, kind="CR0")[0] == pytest.approx(entry["se_cluster_CR0"], abs=1e-9)
            assert error(values, g) == pytest.approx(
                (entry["se_cluster_CR1"], entry["clusters"] - 1), abs=1e-9
            )


def test_swe_bench_clusters_carry_few_degrees_of_freedom():
    """Twelve repositories of which one has 231 of 500 items: about three degrees of freedom, not eleven."""
    sizes = [231, 75, 44, 34, 32, 22, 22, 19, 10, 8, 2, 1]
    values = np.random.default_rng(0).integers(0, 2, (1, 500)).astype(float)
    g = np.repeat(np.arange(12), sizes)
    assert error(values, g)[1] == 11
    assert 2 < error(values, g, kind="CR2")[1] < 4


@pytest.mark.parametrize(("size", "low"), [(1, 0.93), (12, 0.92)])
def test_default_interval_covers(size, low):
    """Small version of the calibration study: 2,000 rows of 164 items x 5 samples; error of a share .0055."""
    rng = np.random.default_rng(11)
    g = np.arange(164) // size
    for rate in (0.1, 0.5):
        shared = rng.beta(4 * rate, 4 * (1 - rate), (2000, g[-1] + 1))[:, g]
        own = rng.beta(4 * rate, 4 * (1 - rate), (2000, 164))
        p = np.where(rng.random((2000, 164)) < (0.2 if size > 1 else 0.0), shared, own)
        values = rng.binomial(5, p) / 5
        ends = effective.score_interval_effective(values, here(values), None if size == 1 else g)
        covered = ((ends.low <= rate) & (rate <= ends.high)).mean()
        assert low < covered < 0.97, (rate, covered)
