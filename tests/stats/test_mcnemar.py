"""McNemar's family against exact fractions, scipy, published figures and every table of few items."""

import json
from fractions import Fraction
from math import comb, log2, log10
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from deadheat.stats.numerics.pvalues import PValues, undefined_unless
from deadheat.stats.paired import mcnemar

SHARED = Path(__file__).resolve().parents[3] / "shared"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared reference figures are not here")
METHODS = {
    "exact": mcnemar.mcnemar_exact,
    "midp": mcnemar.mcnemar_mid_p,
    "cc": mcnemar.mcnemar_cc,
    "chi2": mcnemar.mcnemar_chi2,
}
counts = st.integers(0, 3000)


def fraction(b: int, c: int, *, mid: bool = False) -> Fraction:
    """The exact p by integer arithmetic."""
    n, m = b + c, min(b, c)
    below = sum(comb(n, j) for j in range(m + 1))
    return min(Fraction(1), Fraction(2 * below - mid * comb(n, m), 2**n))


def log10_fraction(value: Fraction) -> float:
    """log10 of a fraction whose parts overflow a float."""
    shift = max(value.denominator.bit_length() - value.numerator.bit_length(), 0)
    return log10(float(value * 2**shift)) - shift / log2(10)


@pytest.mark.parametrize("mid", [False, True])
@pytest.mark.parametrize("n", [*range(1, 60), 101, 512, 1023, 1024, 1100, 2001])
def test_equals_exact_fractions(n, mid):
    b = np.unique(np.linspace(0, n, 41).astype(int))
    p, log10_p = (mcnemar.mcnemar_mid_p if mid else mcnemar.mcnemar_exact)(b, n - b)
    for i, k in enumerate(b):
        want = fraction(int(k), int(n - k), mid=mid)
        assert log10_p[i] == pytest.approx(log10_fraction(want), rel=1e-13, abs=1e-12)
        if want > Fraction(1, 10**300):
            assert abs(Fraction(float(p[i])) / want - 1) < Fraction(1, 10**12)
        if n <= 40:
            assert Fraction(float(p[i])) == want


@pytest.mark.parametrize(
    ("b", "c", "log10_p"),
    [  # 50-digit sums with mpmath: log10(2 * sum(binomial(n, j) for j <= m) / 2**n)
        (2000, 0, -601.758961332298287),
        (5000, 3000, -111.071138613911794),
        (0, 1100, -330.831965234715286),
        (250000, 249000, -0.803274232252730),
        (300000, 280000, -151.289410647518520),
        (20000, 14000, -232.662446957127384),
    ],
)
def test_far_tails(b, c, log10_p):
    found = mcnemar.mcnemar_exact(b, c)
    assert found.log10_p == pytest.approx(log10_p, rel=1e-12)


@pytest.mark.parametrize(
    ("b", "c"), [(9, 21), (14, 27), (2000, 2150), (600, 500), (4, 3), (6, 0), (512, 512)]
)
def test_equals_scipy_binomtest(b, c):
    assert mcnemar.mcnemar_exact(b, c).p == pytest.approx(stats.binomtest(b, b + c).pvalue, rel=1e-10)


@pytest.mark.parametrize("name", METHODS)
def test_no_difference_is_exactly_one(name):
    b = np.array([0, 1, 3, 100, 250_000])
    p, log10_p = METHODS[name](b, b)
    assert (p == 1).all()
    assert (log10_p == 0).all()


@needs_shared
def test_reference_figures():
    figures = {f["id"]: f for f in json.loads((SHARED / "reference" / "figures.json").read_text())}
    checked = 0
    for key, figure in figures.items():
        parts = key.split(".")
        if parts[:2] == ["000", "mcnemar"] and parts[2] in METHODS:
            b, c = map(int, parts[3].split("_"))
            assert METHODS[parts[2]](b, c).p == pytest.approx(figure["value"], abs=figure["tolerance"]), key
            checked += 1
    edges = {"bc0": (0, 0), "midp.bc": (5, 5), "cap": (4, 3), "overflow": (600, 500), "overflow2": (512, 512)}
    edges["huge"] = (250000, 249000)
    for key, (b, c) in edges.items():
        method = mcnemar.mcnemar_mid_p if key.startswith("midp") else mcnemar.mcnemar_exact
        assert method(b, c).p == pytest.approx(figures[f"edge.mcnemar.{key}"]["value"], abs=1e-9), key
    for key, (b, c) in {"underflow": (2000, 0), "log.5000_3000": (5000, 3000)}.items():
        want = figures[f"edge.mcnemar.{key}"]["value"]
        assert mcnemar.mcnemar_exact(b, c).log10_p == pytest.approx(want, abs=1e-9), key
    assert mcnemar.mcnemar_cc(3, 3).p == figures["edge.mcnemar.b_eq_c"]["value"]
    assert mcnemar.mcnemar_exact([8, 6, 12], 2).p == pytest.approx(figures["edge.intransitive"]["value"])
    assert checked >= 12


@needs_shared
def test_open_cases():
    cases = json.loads((SHARED / "cases" / "cases-open.json").read_text())
    cases = cases if isinstance(cases, list) else cases["cases"]
    checked = 0
    for case in cases:
        given_, want = case["input"], case["expected"]
        if given_["op"] != "mcnemar":
            continue
        exact = mcnemar.mcnemar_exact(given_["b"], given_["c"])
        mid = mcnemar.mcnemar_mid_p(given_["b"], given_["c"])
        cc = mcnemar.mcnemar_cc(given_["b"], given_["c"])
        if "log10_p" in want:
            assert exact.log10_p == pytest.approx(want["log10_p"], abs=1e-6), case["id"]
        if "p" in want:
            assert exact.p == pytest.approx(want["p"], rel=1e-9), case["id"]
        if "exact" in want:
            assert exact.p == pytest.approx(want["exact"], abs=1e-9), case["id"]
        if "mid_p" in want:
            assert mid.p == pytest.approx(want["mid_p"], abs=1e-9), case["id"]
        if "chi2_cc" in given_["method"]:
            assert cc.p == want["p"], case["id"]
        checked += 1
    assert checked >= 7


@given(counts, counts)
def test_swap_keeps_every_bit(b, c):
    for method in METHODS.values():
        assert method(b, c) == method(c, b)


@given(st.integers(1, 3000), st.data())
def test_more_imbalance_is_a_smaller_p(n, data):
    m = data.draw(st.integers(0, n // 2))
    for method in METHODS.values():
        log10_p = method(np.arange(m + 1), n - np.arange(m + 1)).log10_p
        assert (np.diff(log10_p) >= 0).all()


@given(counts, counts)
def test_mid_p_lies_below_exact(b, c):
    exact, mid = mcnemar.mcnemar_exact(b, c), mcnemar.mcnemar_mid_p(b, c)
    assert mid.log10_p <= exact.log10_p + 1e-12
    assert mid.p <= 1


def test_large_and_small_tables_agree(monkeypatch):
    b = np.random.default_rng(0).integers(0, 200, (60, 60))
    table = mcnemar.mcnemar_exact(b, b.T)
    monkeypatch.setattr(mcnemar, "TABLE", 0)
    monkeypatch.setattr(mcnemar, "BLOCK", 7)
    big = np.pad(b, (0, 1), constant_values=3000)
    sorted_ = mcnemar.mcnemar_exact(big, big.T)
    assert (sorted_.log10_p[:-1, :-1] == table.log10_p).all()


def test_empty():
    found = mcnemar.mcnemar_exact(np.zeros((0, 0), int), np.zeros((0, 0), int))
    assert found.p.shape == (0, 0)


def test_undefined_unless():
    found = undefined_unless([True, False], PValues(np.array([0.5, 1.0]), np.array([-0.3, 0.0])))
    assert found.p[0] == 0.5
    assert np.isnan(found.p[1])
    assert np.isnan(found.log10_p[1])


def test_exact_size_never_exceeds_the_level():
    """Over every table of up to 60 discordant items, and the mid-p by a little at most."""
    for n in range(1, 61):
        b = np.arange(n + 1)
        weight = np.array([comb(n, int(k)) for k in b]) / 2.0**n
        assert weight[mcnemar.mcnemar_exact(b, n - b).p <= 0.05].sum() <= 0.05
        assert weight[mcnemar.mcnemar_mid_p(b, n - b).p <= 0.05].sum() <= 0.08
