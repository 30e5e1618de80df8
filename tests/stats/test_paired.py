"""Every paired test and interval by name: against scipy and statsmodels, mirrored, and at the edges."""

from itertools import product

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from deadheat.errors import MethodError
from deadheat.methods import DIFFERENCES, TESTS, Shape, check
from deadheat.stats.paired import pairs as pair_module
from deadheat.stats.paired.catalogue import ENDS, P_VALUES
from deadheat.stats.paired.pairs import Pairs, error, own_difference, rerun_error, t_values, unpaired_error
from support import NEEDS_SHARED, shared_json

TAKE_ANY = [name for name, test in TESTS.items() if not test.fit.reruns]
BOUND_ANY = [name for name, interval in DIFFERENCES.items() if not interval.fit.reruns]


def rng():
    return np.random.default_rng(0)


def some(kind="binary", pairs=3, items=60, absent=0.0, **columns):
    """Pairs of correlated entries."""
    source = np.random.default_rng(7)
    easy = source.normal(0, 1.5, items)
    skill = source.normal(0.3, 0.5, (2, pairs, 1))
    p = 1 / (1 + np.exp(-(skill + easy)))
    values = {
        "binary": lambda: (source.random(p.shape) < p).astype(float),
        "rates": lambda: source.binomial(5, p) / 5,
        "real": lambda: p * 10 + source.normal(0, 1, p.shape),
    }[kind]()
    here = source.random(p.shape) >= absent
    return Pairs(*values, *here, **columns)


def run(name, data):
    return P_VALUES[name](data, draws=500, rng=rng())


def ends(name, data, level=0.95):
    return ENDS[name](data, level=level, draws=500, rng=rng())


def test_t_equals_scipy():
    data = some("real")
    want = stats.ttest_rel(data.a, data.b, axis=1)
    assert run("t", data).p == pytest.approx(want.pvalue, rel=1e-6)
    assert run("bell-mccaffrey", data).p == pytest.approx(want.pvalue, rel=1e-6)
    interval = want.confidence_interval(0.9)
    assert ends("t", data, 0.9).low == pytest.approx(interval.low, rel=1e-6)
    assert ends("t", data, 0.9).high == pytest.approx(interval.high, rel=1e-6)


def test_clustered_t_equals_statsmodels():
    cluster = np.random.default_rng(1).integers(0, 9, 60)
    data = some("real", cluster=cluster)
    for row, gap in enumerate(data.a - data.b):
        fit = sm.OLS(gap, np.ones(60)).fit(
            cov_type="cluster", cov_kwds={"groups": cluster, "df_correction": False}, use_t=True
        )
        assert error(data).se[row] == pytest.approx(fit.bse[0], rel=1e-8)
        want = 2 * stats.t.sf(abs(gap.mean() / fit.bse[0]), 8)
        assert run("t", data).p[row] == pytest.approx(want, rel=1e-6)


def test_sign_flip_is_exact_mcnemar_for_binary_scores():
    data = some()
    assert run("sign-flip", data).p.tolist() == run("mcnemar", data).p.tolist()


@pytest.mark.parametrize("name", TAKE_ANY)
def test_swap_keeps_every_bit_of_p(name):
    data = some(absent=0.2)
    swapped = Pairs(data.b, data.a, data.in_b, data.in_a)
    assert run(name, data).p.tolist() == run(name, swapped).p.tolist()
    assert run(name, data).log10_p.tolist() == run(name, swapped).log10_p.tolist()


@pytest.mark.parametrize("name", BOUND_ANY)
def test_swap_mirrors_the_interval(name):
    data = some(absent=0.2)
    swapped = Pairs(data.b, data.a, data.in_b, data.in_a)
    low, high = ends(name, data)
    assert ends(name, swapped).low == pytest.approx(-high, abs=1e-12)
    assert ends(name, swapped).high == pytest.approx(-low, abs=1e-12)
    wide = ends(name, data, 0.99)
    assert (wide.low <= low).all()
    assert (wide.high >= high).all()


@pytest.mark.parametrize("name", TAKE_ANY)
def test_item_order_is_nothing(name):
    order = np.random.default_rng(3).permutation(60)
    data = some(absent=0.1)
    moved = Pairs(data.a[:, order], data.b[:, order], data.in_a[:, order], data.in_b[:, order])
    luck = TESTS[name].fit.draws and name != "sign-flip"
    assert run(name, moved).p == pytest.approx(run(name, data).p, abs=0.1 if luck else 1e-12)


@pytest.mark.parametrize("name", TAKE_ANY)
@pytest.mark.parametrize("kind", ["binary", "rates", "real"])
def test_identical_runs(name, kind):
    one = some(kind)
    data = Pairs(one.a, one.a, one.in_a, one.in_a)
    if kind != "binary" and TESTS[name].fit.binary:
        return
    if kind == "real" and (name == "unpaired-z" or TESTS[name].fit.rates):
        return
    assert (data.difference == 0).all()
    assert run(name, data).p == pytest.approx(1)
    assert (run(name, data).log10_p <= 0).all()


@pytest.mark.parametrize("name", TAKE_ANY)
def test_nothing_shared_is_undefined(name):
    here = np.array([[True] * 4 + [False] * 4])
    data = Pairs(np.ones((1, 8)), np.array([[0, 1] * 4], float), here, ~here)
    assert np.isnan(run(name, data).p).all() == TESTS[name].fit.paired
    assert np.isnan(data.difference).all()
    assert own_difference(data) == pytest.approx(0.5)
    if TESTS[name].fit.paired:
        assert np.isnan(ends(TESTS[name].interval, data).low).all()


@pytest.mark.parametrize("name", [n for n in TESTS if TESTS[n].fit.binary])
def test_graded_scores_are_refused(name):
    with pytest.raises(MethodError, match="not all 0 or 1"):
        run(name, some("rates"))


@NEEDS_SHARED
def test_edges_of_the_reference():
    figures = {f["id"]: f for f in shared_json("reference/figures.json")}
    here = np.ones((1, 8), bool)
    same = Pairs(np.full((1, 8), 0.7), np.full((1, 8), 0.7), here, here)
    assert run("t", same).p == figures["edge.delta.all0"]["value"]
    assert error(same).se == 0
    a = np.linspace(0.2, 0.9, 8)[None]
    constant = Pairs(a, a - 0.1, here, here)
    assert error(constant).se == 0  # equal differences, whatever their rounding
    assert run("t", constant).p == pytest.approx(figures["edge.delta.const"]["value"])


def test_the_least_numbers_have_differences():
    here = np.ones((1, 3), bool)
    data = Pairs(np.array([[5e-324, 1e-310, 0]]), np.zeros((1, 3)), here, here)
    assert np.all(np.isfinite(data.gap))
    assert run("t", data).p[0] <= 1


@NEEDS_SHARED
def test_public_cases():
    cases = {c["id"]: c for c in shared_json("cases/cases-open.json")["cases"]}
    f08 = cases["F08"]
    x, y = (np.array([f08["input"][key]]) for key in "xy")
    data = Pairs(x, y, np.ones_like(x, bool), np.ones_like(y, bool))
    assert data.difference == pytest.approx(f08["expected"]["diff"], abs=1e-9)
    assert error(data).se == pytest.approx(f08["expected"]["se_paired"], abs=1e-9)
    assert all(ends(name, data).low > 0 for name in ("t", "percentile", "bca", "studentised"))
    i06 = cases["I06"]["input"]
    a, b = (np.mean(i06[key], axis=1)[None] for key in "AB")
    data = Pairs(a, b, np.ones_like(a, bool), np.ones_like(b, bool))
    assert run("sign-flip", data).p == pytest.approx(cases["I06"]["expected"]["p_signflip_tasks"], abs=1e-9)
    f01 = cases["F01"]
    cells = [f01["input"][key] for key in "abcd"]
    a, b = (np.repeat(bits, cells)[None].astype(float) for bits in ([1, 1, 0, 0], [1, 0, 1, 0]))
    data = Pairs(a, b, np.ones_like(a, bool), np.ones_like(b, bool))
    assert run("mcnemar", data).p == pytest.approx(f01["expected"]["p_exact_mcnemar"], abs=1e-9)
    assert run("mid-p", data).p == pytest.approx(f01["expected"]["p_mid"], abs=1e-9)
    z = own_difference(data) / unpaired_error(data).se
    assert 2 * stats.norm.sf(abs(z)) == pytest.approx(f01["expected"]["unpaired_p_from_stderrs"], abs=1e-6)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=12), st.floats(-0.5, 0.5))
def test_constant_difference_has_no_spread(values, shift):
    a = np.array([values])
    here = np.ones_like(a, bool)
    assert error(Pairs(a + shift, a, here, here)).se == 0


def test_samples_count_as_attempts_only_where_unpaired():
    data = some("rates")
    samples = np.full(data.a.shape, 5)
    many = Pairs(data.a, data.b, data.in_a, data.in_b, samples_a=samples, samples_b=samples)
    k_a, n_a, _, n_b = many.totals()
    assert (n_a == 300).all()
    assert (n_b == 300).all()
    assert k_a == pytest.approx(data.a.sum(axis=1) * 5)
    assert run("t", many).p.tolist() == run("t", data).p.tolist()
    assert (run("unpaired-z", many).p < run("unpaired-z", data).p).all()


def test_reruns():
    data = some("rates")
    with pytest.raises(MethodError, match="has one sample"):
        rerun_error(data)
    samples = np.full(data.a.shape, 5)
    within = [x * (1 - x) / 4 for x in (data.a, data.b)]
    many = Pairs(data.a, data.b, data.in_a, data.in_b, None, None, None, samples, samples, *within)
    want = np.sqrt((within[0] + within[1]).sum(axis=1)) / 60
    assert rerun_error(many).se == pytest.approx(want)
    assert run("rerun-t", many).p == pytest.approx(t_values(many, rerun_error(many)).p)
    low, high = ends("rerun-t", many)
    assert ((low < many.difference) & (many.difference < high)).all()


def test_check_says_what_would_do():
    plain, clustered = Shape(binary=True), Shape(binary=True, clustered=True)
    check("t", TESTS["t"], clustered, TESTS)
    check("mcnemar", TESTS["mcnemar"], plain, TESTS)
    with pytest.raises(MethodError, match=r"found rates.*use t or bell-mccaffrey or sign-flip"):
        check("mcnemar", TESTS["mcnemar"], Shape(), TESTS)
    with pytest.raises(MethodError, match="found clusters; use t"):
        check("mcnemar", TESTS["mcnemar"], clustered, TESTS)
    with pytest.raises(MethodError, match="weights of their own; use t"):
        check("bca", DIFFERENCES["bca"], Shape(stratified=True), DIFFERENCES)
    with pytest.raises(MethodError, match="found --generalises-to reruns; use rerun-t"):
        check("t", TESTS["t"], Shape(reruns=True), TESTS)


def test_every_test_names_its_interval():
    assert {test.interval for test in TESTS.values()} <= set(DIFFERENCES)


def test_strata_average_their_own_differences():
    stratum = np.repeat([0, 1], [50, 10])
    data = some("real", stratum=stratum)
    gap = data.a - data.b
    want = (gap[:, :50].mean(axis=1) + gap[:, 50:].mean(axis=1)) / 2
    assert data.difference == pytest.approx(want, abs=1e-9)
    se = np.sqrt(gap[:, :50].var(axis=1, ddof=1) / 50 + gap[:, 50:].var(axis=1, ddof=1) / 10) / 2
    assert error(data).se == pytest.approx(se, rel=1e-8)
    assert np.isfinite(run("sign-flip", data).p).all()
    assert np.isfinite(run("bootstrap", data).p).all()


def test_grid_is_fine():
    assert pair_module.GRID >= 40
    data = some("real")
    assert data.gap == pytest.approx(data.a - data.b, abs=1e-10)


@pytest.mark.parametrize(
    ("name", "low", "high"), [("t", 0.03, 0.07), ("mcnemar", 0.01, 0.05), ("bell-mccaffrey", 0.03, 0.07)]
)
def test_size_under_equal_entries(name, low, high):
    """2,000 boards of 164 items: two equal entries, difficulty N(0, 1.9^2), affinity N(0, 0.6^2)."""
    source = np.random.default_rng(11)
    hard = source.normal(0, 1.9, (2000, 164))
    a, b = (
        (
            source.random(hard.shape) < 1 / (1 + np.exp(0.33 + hard - source.normal(0, 0.6, hard.shape)))
        ).astype(float)
        for _ in range(2)
    )
    here = np.ones(hard.shape, bool)
    assert low < (run(name, Pairs(a, b, here, here)).p < 0.05).mean() < high


@pytest.mark.parametrize("name", ["t", "bell-mccaffrey"])
def test_size_with_few_uneven_clusters(name):
    """Twelve clusters of uneven size with shared differences: CR2 holds its level, CR1 does not quite."""
    source = np.random.default_rng(12)
    cluster = np.repeat(np.arange(12), [60, 30, 15, 10, 8, 6, 5, 4, 4, 3, 3, 2])
    gap = source.normal(0, 0.3, (3000, 12))[:, cluster] + source.normal(0, 1, (3000, cluster.size))
    here = np.ones(gap.shape, bool)
    size = (run(name, Pairs(gap, np.zeros_like(gap), here, here, cluster=cluster)).p < 0.05).mean()
    assert (size < 0.06) == (name == "bell-mccaffrey")


def test_whether_a_pair_lies_in_the_unit_is_told_from_what_both_have():
    a, b = np.array([[0.0, 1.0, 2.0], [0.0, -0.1, 1.0]]), np.array([[1.0, 0.5, 0.0], [1.0, 0.5, 0.0]])
    seen, some = np.ones((2, 3), dtype=bool), np.array([[True, True, False], [True, True, True]])
    assert Pairs(a, b, seen, seen).in_unit.tolist() == [False, False]
    assert Pairs(a, b, seen, some).in_unit.tolist() == [True, False]


def test_the_bootstrap_p_value_counts_resamples_as_far_away():
    """Against every resample of five differences; a margin of rounding counts what ties with the observed."""
    gaps = np.array([0.4, 0.1, 0.5, -0.1, 0.2])
    seen = np.ones((1, 5), dtype=bool)
    pairs = Pairs(gaps[None], np.zeros((1, 5)), seen, seen)
    every = np.array(list(product(range(5), repeat=5)))
    share = (np.abs(gaps[every].mean(axis=1) - gaps.mean()) >= abs(gaps.mean()) - 1e-12).mean()
    draws = 20_000
    found = P_VALUES["bootstrap"](pairs, draws=draws, rng=np.random.default_rng(1)).p[0]
    assert 0.001 < share < 0.1
    assert found == pytest.approx(share, abs=4 * np.sqrt(share / draws))
