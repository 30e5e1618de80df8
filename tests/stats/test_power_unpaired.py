"""Two-proportion power: every pair of counts, published figures, formulas that invert each other."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import power_proportions_2indep

from deadheat.stats.power import power_unpaired as unpaired

SHARED = Path(__file__).resolve().parents[3] / "shared"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared reference figures are not here")
rates = st.tuples(st.floats(0.02, 0.98), st.floats(0.02, 0.98)).filter(lambda p: abs(p[0] - p[1]) > 0.003)


@pytest.mark.parametrize("n", [1, 2, 7, 20, 61])
@pytest.mark.parametrize(("p1", "p2"), [(0.5, 0.3), (0.9, 0.05), (0.5, 0.5), (1.0, 0.6), (0.0, 0.4)])
@pytest.mark.parametrize("alpha", [0.05, 0.001, 0.4])
def test_enumeration_of_every_pair_of_counts(n, p1, p2, alpha):
    x, y = np.arange(n + 1)[:, None], np.arange(n + 1)
    pooled = (x + y) / (2 * n)
    error = np.sqrt(2 * pooled * (1 - pooled) / n)
    rejects = np.abs(x - y) / n > stats.norm.isf(alpha / 2) * error
    both = stats.binom.pmf(x, n, p1) * stats.binom.pmf(y, n, p2)
    ours = unpaired.unpaired_power_exact(p1, p2, n, alpha)
    assert ours == pytest.approx((both * rejects).sum(), abs=1e-12)


def test_reference_statsmodels():
    """power_proportions_2indep(diff, prop2, nobs1, alternative, alpha), normal with pooled null variance."""
    for p1, p2, n in ((0.65, 0.6, 1471), (0.3, 0.1, 40), (0.95, 0.9, 300)):
        peer = power_proportions_2indep(p1 - p2, p2, n, alternative="larger", alpha=0.025)
        ours = unpaired.unpaired_power(p1, p2, n)
        assert ours == pytest.approx(peer.power, abs=3e-4)  # one side only, there
        assert ours >= peer.power - 1e-9


@needs_shared
def test_published_figures():
    entries = json.loads((SHARED / "reference" / "figures.json").read_text())
    figures = {entry["id"]: entry for entry in (entries["figures"] if isinstance(entries, dict) else entries)}
    ours = {
        "001.n_fleiss.682_678": unpaired.unpaired_items(0.682, 0.678),
        "001.n_fleiss.65_60": unpaired.unpaired_items(0.65, 0.60),
        "001.mde.500": unpaired.unpaired_effect(0.68, 500),
    }
    for name, value in ours.items():
        figure = figures[name]
        assert float(value) == pytest.approx(figure["value"], abs=figure["tolerance"]), name
        assert "ceil" not in figure or np.ceil(value) == figure["ceil"]
    cases = {
        case["id"]: case for case in json.loads((SHARED / "cases" / "cases-open.json").read_text())["cases"]
    }
    raw = cases["P01"]["expected"]["raw"]
    assert unpaired.unpaired_items(0.62, 0.66) == pytest.approx(raw, rel=1e-9)


def test_exact_items_hold_from_there_on():
    n = unpaired.unpaired_items_exact(0.9, 0.75, 0.8)
    values = [unpaired.unpaired_power_exact(0.9, 0.75, size) for size in range(n - 1, 3 * n)]
    assert values[0] < 0.8 <= min(values[1:])


@given(p=rates, power=st.floats(0.5, 0.99), alpha=st.sampled_from([0.001, 0.05, 0.2]))
def test_items_put_back_give_the_power(p, power, alpha):
    n = unpaired.unpaired_items(*p, power, alpha)
    assert n == pytest.approx(unpaired.unpaired_items(p[1], p[0], power, alpha), rel=1e-12)
    assert n == pytest.approx(unpaired.unpaired_items(1 - p[0], 1 - p[1], power, alpha), rel=1e-9)
    back = unpaired.unpaired_power(*p, n, alpha)
    assert power - 1e-9 <= back <= power + alpha / 2
    middle = (p[0] + p[1]) / 2
    effect = unpaired.unpaired_effect(middle, float(n) * (1 + 1e-12), power, alpha)
    assert effect == pytest.approx(abs(p[0] - p[1]), rel=1e-6)


@given(p=rates, n=st.integers(2, 5000))
def test_monotone(p, n):
    power = unpaired.unpaired_power
    assert power(*p, n + 1) >= power(*p, n) - 1e-12
    assert power(*p, n, 0.1) >= power(*p, n, 0.05)
    assert unpaired.unpaired_items(*p, 0.9) > unpaired.unpaired_items(*p, 0.8)


def test_a_difference_that_cannot_be_seen_is_undefined():
    assert np.isnan(unpaired.unpaired_effect(0.01, 20))
    assert unpaired.unpaired_items(0.5, 0.5) == np.inf
